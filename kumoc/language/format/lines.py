"""Words put into lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kumoc.diagnostics.width import columns
from kumoc.language.format.entries import Word, has_comments

WIDTH = 120
"""Columns that a line fills at most, where it can be broken."""
STEP = 2
"""Columns by which a block is indented; a line that goes on is indented twice as far."""
LONGEST_ALIGNED = 50
"""Columns of a name that others are aligned with."""


def joined(words: Sequence[Word]) -> str:
    """Words on one line, without their comments."""
    text, before = "", ""
    for word in words:
        tight = not before or word.kind in ("COMMA", "DOTS") or before == "DOTS" or (before, word.kind) == _EMPTY
        text += word.text if tight else f" {word.text}"
        before = word.kind
    return text


_EMPTY = ("LBRACE", "RBRACE")


def flow(words: Sequence[Word], opening: str, indent: int) -> list[str]:
    """Words as lines, broken where a line would be too long and where comments stand.

    ``opening`` is what the first line begins with; the others are indented below ``indent``.
    """
    lines: list[str] = []
    further = " " * (indent + 2 * STEP)
    line, space = opening, ""
    for chunk in _chunks(words):
        text = joined(chunk)
        if space and chunk[0].splits and columns(line) + 1 + columns(text) > WIDTH:
            lines.append(line)
            line, space = further, ""
        line += space + text
        space = " "
        if has_comments(chunk):
            lines.append(with_comment(line, chunk[-1].behind))
            lines += (further + comment for comment in chunk[-1].below)
            line, space = further, ""
    return [*lines, line] if space else lines


def _chunks(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Words in parts between which a line may or must be broken."""
    chunk: list[Word] = []
    for word in words:
        if chunk and (word.splits or has_comments(chunk[-1:])):
            yield chunk
            chunk = []
        chunk.append(word)
    if chunk:
        yield chunk


def with_comment(line: str, comment: str) -> str:
    """A line and the comment behind it, if any."""
    return f"{line}  {comment}" if comment else line


def pad(text: str, width: int) -> str:
    """``text`` filled with spaces to ``width`` columns."""
    return text + " " * (width - columns(text))


def aligned(texts: Iterable[str]) -> int:
    """The width to which these are filled so that what follows them is aligned; long ones are left to stand out."""
    return max((width for width in map(columns, texts) if width <= LONGEST_ALIGNED), default=0)


def fits(lines: Iterable[str]) -> bool:
    """Whether no line is too long."""
    return all(columns(line) <= WIDTH for line in lines)
