"""A diagnostic and the places in source text that it points at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class Severity(StrEnum):
    """An error stops a build; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a diagnostic is an instance of; what is said about it stands in ``kumoc/diagnostics/definitions``."""

    code: str
    name: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` up to, not including, ``end`` of a text."""

    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Source:
    """A source file: ``name`` as people know it (its path, as they gave it), and its whole text."""

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(i + 1 for i, character in enumerate(self.text) if character == "\n"))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; columns count characters."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a source; the whole source where ``span`` is None."""

    source: Source
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a source: ``text`` in place of ``span``, or put in there where the span is empty."""

    span: Span
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """``text`` after all ``edits``, whose spans belong to it as it is now and do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a plain sentence, the place it is about, what to do, and other places that explain it.

    ``fix`` mends the source that ``place`` is in; there is none where what is meant can only be guessed.
    """

    rule: Rule
    message: str
    place: Place
    help: str = ""
    notes: tuple[tuple[str, Place], ...] = ()
    fix: Edit | None = None

    @property
    def is_error(self) -> bool:
        """Whether it stops a build."""
        return self.rule.severity is Severity.ERROR


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics by file name, then position, then code."""
    return tuple(sorted(diagnostics, key=_sort_key))


def _sort_key(diagnostic: Diagnostic) -> tuple[str, int, str, str]:
    span = diagnostic.place.span
    return diagnostic.place.source.name, -1 if span is None else span.start, diagnostic.rule.code, diagnostic.message
