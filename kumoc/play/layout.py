"""How a book is laid out where people read it: in parts that a terminal or a browser shows as they are.

No line of a book begins with text of its domain, so that a name can't pass for a heading, a rule, a row or a fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby


class Shape(StrEnum):
    """What a part of a book is."""

    TITLE = "title"
    CHAPTER = "chapter"
    SECTION = "section"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Part:
    """``rows`` are the lines of a part, each in cells: one cell, but in a table; the first row of which is its head.

    Cells hold text to the letter, without any markup.
    """

    shape: Shape
    rows: tuple[tuple[str, ...], ...]


_MARKS = {"# ": Shape.TITLE, "## ": Shape.CHAPTER, "### ": Shape.SECTION, "- ": Shape.LIST, "|": Shape.TABLE}
_JOINED = (Shape.LIST, Shape.TABLE, Shape.CODE)
"""Lines of these shapes that follow each other make one part."""

_FENCE = "```"
_CELL = re.compile(r"\|((?:[^|\\]|\\.)*)(?=\|)")
_ESCAPED = re.compile(r"\\(.)")
_RULE = re.compile(r"[|-]+")


def layout(book: str) -> tuple[Part, ...]:
    """The parts of a knowledge book, of any style."""
    parts: list[Part] = []
    for shape, lines in groupby(_lines(book), lambda line: line[0]):
        rows = tuple(cells for _, cells in lines)
        parts += [Part(shape, rows)] if shape in _JOINED else [Part(shape, (row,)) for row in rows]
    return tuple(part for part in parts if part.rows != (("",),))


def _lines(book: str) -> Iterable[tuple[Shape, tuple[str, ...]]]:
    """Each line's shape and cells; empty lines are empty paragraphs, which keep lists apart."""
    fenced = False
    for line in book.split("\n"):
        if line.startswith(_FENCE):
            fenced = not fenced
        elif fenced:
            yield Shape.CODE, (line,)
        elif not (line.startswith("|") and _RULE.fullmatch(line)):
            mark = next((mark for mark in _MARKS if line.startswith(mark)), "")
            shape = _MARKS.get(mark, Shape.PARAGRAPH)
            yield shape, _cells(line) if shape is Shape.TABLE else (line.removeprefix(mark).strip(),)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(_ESCAPED.sub(r"\1", cell).strip() for cell in _CELL.findall(line))
