"""The lines of a book, read from the first to the last."""

from __future__ import annotations

import re

from kumoc.book.reader.forms import SLOT
from kumoc.book.reader.rules import UnreadableBook


class Page:
    """The lines of a book that are not empty; ``said`` has what they said in the slots of forms."""

    def __init__(self, text: str, *, whole: bool = True) -> None:
        """At the first line of ``text``; if it is not the ``whole`` book, it may end before the book does."""
        # splitlines knows every line break of Unicode, so that text which a reader may see as two lines counts as two
        lines = text.splitlines()
        self._lines = [(number, line) for number, line in enumerate(lines, start=1) if line]
        self._end = len(lines) + 1
        self._at = 0
        self._whole = whole
        self.said: dict[str, str] = {}

    @property
    def ended(self) -> bool:
        """Whether no line is left."""
        return self._at == len(self._lines)

    @property
    def cut_off(self) -> bool:
        """Whether no line is left of a book that may go on."""
        return self.ended and not self._whole

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match of the whole next line, which is then read; ``None``, and nothing read, where it does not fit."""
        found = None if self.ended else pattern.fullmatch(self._lines[self._at][1])
        self._at += found is not None
        return found

    def next_line(self, expected: str) -> str:
        """The next line, whatever it is, which is then read. Raises :class:`UnreadableBook` at the end."""
        if self.ended:
            raise self.unreadable(expected)
        self._at += 1
        return self._lines[self._at - 1][1]

    def unreadable(self, expected: str, *, back: int = 0) -> UnreadableBook:
        """The error that the next line, or that many ``back`` from it, is not what was ``expected``."""
        at = self._at - back
        number, text = (self._end, None) if at == len(self._lines) else self._lines[at]
        return UnreadableBook(number, text, expected)

    def says(self, form: str) -> bool:
        """Whether the next line has this ``form``; it is then read.

        A ``{slot}`` of a form holds what an earlier line said of it. In the first line that has it, the slot holds
        any text: a form has at most one such slot beside ``{valid}``, so there is one way to read it.
        """
        found = self.take(self._pattern(form))
        if found:
            self.said |= found.groupdict()
        return found is not None

    def sentence(self, *forms: str) -> None:
        """Read a line that must have one of these ``forms``.

        Where a book is cut off it need not be there if it could say nothing new.
        """
        told = self.cut_off and all(slot in self.said for form in forms for slot in SLOT.findall(form))
        if not told and not any(map(self.says, forms)):
            raise self.unreadable(" or ".join(f'"{self._filled(form)}"' for form in forms))

    def _filled(self, form: str) -> str:
        """A form with what the book said so far in its slots, and dots where it said nothing."""
        return SLOT.sub(lambda slot: self.said.get(slot[1], "..."), form)

    def _pattern(self, form: str) -> re.Pattern[str]:
        parts = SLOT.split(form)
        parts[::2] = map(re.escape, parts[::2])
        new: set[str] = set()
        for i in range(1, len(parts), 2):
            parts[i] = self._slot(parts[i], new)
        return re.compile("".join(parts))

    def _slot(self, name: str, new: set[str]) -> str:
        if name in self.said:
            return re.escape(self.said[name])
        if name in new:
            return f"(?P={name})"
        new.add(name)
        return rf"(?P<{name}>{'[1-9][0-9]{0,8}' if name == 'valid' else '.+'})"
