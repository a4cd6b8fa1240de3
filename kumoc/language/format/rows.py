"""Tables: entries with a short block each, such as the facts of truths, one cell under another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from kumoc.diagnostics.width import columns
from kumoc.language.format.entries import Entry, Word, has_comments, words_of
from kumoc.language.format.lines import STEP, WIDTH, aligned, fits, flow, joined, pad

_KINDS = ("facts", "size")
"""Rules whose block is a row of cells."""
_SPACE = "  "


@dataclass(frozen=True, slots=True)
class Cell:
    """The words of an entry, none where a row lacks a cell; and whether it began a line before."""

    words: tuple[Word, ...] = ()
    begins_line: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """The words before the brace, a cell for each entry of the block, and the words behind the brace."""

    head: tuple[Word, ...]
    cells: tuple[Cell, ...]
    tail: tuple[Word, ...]


def is_row(entry: Entry) -> bool:
    """Whether the entry can be a row of a table: one with comments inside can't."""
    block = entry.block
    if block is None or block.kind not in _KINDS:
        return False
    lines = [*block.below, *(line for cell in block.entries for line in (*cell.above, cell.behind))]
    words = [*words_of(entry.parts), *(word for cell in block.entries for word in words_of(cell.parts))]
    return not any(lines) and not has_comments(words)


def _row(entry: Entry) -> Row:
    block = entry.block
    assert block is not None
    at = entry.parts.index(block)
    cells = tuple(Cell(words_of(cell.parts), cell.begins_line) for cell in block.entries)
    return Row(words_of(entry.parts[:at])[:-1], cells, words_of(entry.parts[at + 1 :])[1:])


def lay_rows(entries: Sequence[Entry], indent: int) -> list[list[str]]:
    """The lines of each entry, which :func:`is_row`: one line each if all fit, else a block each.

    Cells are aligned if there is an order in which all rows have them.
    """
    rows = [_row(entry) for entry in entries]
    order = _order([[cell.words[0].text for cell in row.cells] for row in rows])
    grids = [[row.cells] for row in rows] if order is None else [[_placed(row.cells, order) for row in rows]]
    padded = [texts for grid in grids for texts in _padded(grid)]
    for table in (padded, [[joined(cell.words) for cell in row.cells] for row in rows]):
        lines = _single_lines(rows, [_SPACE.join(texts).rstrip() for texts in table], indent)
        if fits(lines):
            return [[line] for line in lines]
    margin = " " * indent
    return [
        [f"{margin}{joined(row.head)} {{", *lines, f"{margin}}} {joined(row.tail)}".rstrip()]
        for row, lines in zip(rows, (own for grid in grids for own in _bands(grid, indent + STEP)), strict=True)
    ]


def _order(rows: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """An order of all names in which each row names them; None if there is none."""
    sorter = TopologicalSorter[str]()
    for names in rows:
        for name in names[:1]:
            sorter.add(name)
        for before, after in pairwise(names):
            sorter.add(after, before)
    try:
        return tuple(sorter.static_order())
    except CycleError:
        return None


def _placed(cells: Sequence[Cell], order: Sequence[str]) -> tuple[Cell, ...]:
    """A cell for each name of the order."""
    by_name = {cell.words[0].text: cell for cell in cells}
    return tuple(by_name.get(name, Cell()) for name in order)


def _padded(grid: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """The texts of the cells, all those of a column equally wide."""
    texts = [[joined(cell.words) for cell in row] for row in grid]
    widths = [max(map(columns, column)) for column in zip(*texts, strict=True)]
    return [[pad(text, width) for text, width in zip(row, widths, strict=True)] for row in texts]


def _single_lines(rows: Sequence[Row], texts: Sequence[str], indent: int) -> list[str]:
    heads = [joined(row.head) for row in rows]
    name = aligned(heads)
    inside = max(map(columns, texts)) if any(row.tail for row in rows) else 0  # so that what follows is aligned
    braced = [f"{{ {pad(text, inside)} }}" if inside or text else "{}" for text in texts]
    return [
        f"{' ' * indent}{pad(head, name)} {block} {joined(row.tail)}".rstrip()
        for head, block, row in zip(heads, braced, rows, strict=True)
    ]


def _bands(grid: Sequence[Sequence[Cell]], indent: int) -> list[list[str]]:
    """The lines of each row; all rows are broken at the same columns, where most were and where a line is full."""
    padded = _padded(grid)
    bands: list[slice] = []
    start = 0
    for stop in range(1, len(grid[0]) + 1):
        line = " " * indent + _SPACE.join(padded[0][start : stop + 1])
        if stop == len(grid[0]) or not fits([line]) or _is_broken(grid, stop):
            bands.append(slice(start, stop))
            start = stop
    return [
        [line for band in bands for line in _line(cells[band], texts[band], indent)]
        for cells, texts in zip(grid, padded, strict=True)
    ]


def _is_broken(grid: Sequence[Sequence[Cell]], column: int) -> bool:
    """Whether most rows that have both began a line between that column and the one before."""
    began = [row[column].begins_line for row in grid if row[column - 1].words and row[column].words]
    return 2 * sum(began) > len(began)


def _line(cells: Sequence[Cell], texts: Sequence[str], indent: int) -> list[str]:
    line = f"{' ' * indent}{_SPACE.join(texts)}".rstrip()
    if len(cells) == 1 and columns(line) > WIDTH:
        return flow(cells[0].words, " " * indent, indent)
    return [line] if line else []
