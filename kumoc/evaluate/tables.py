"""A table of figures, and what it looks like as JSON, CSV and LaTeX."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from typing import Any


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


Cell = str | int | float | Interval | None
"""None stands for a figure that can't be given, as does a number that is not finite."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its ``key`` for programs, its ``heading`` for people, and the ``decimals`` that people are shown.

    ``kind`` is ``text``, ``number`` or ``interval``.
    """

    key: str
    heading: str
    kind: str = "number"
    decimals: int = 4


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, one for each column; ``notes`` say what figures mean."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()


def shown(column: Column, cell: Cell) -> str:
    """A cell as people read it."""
    match cell:
        case None:
            return "-"
        case str():
            return cell
        case Interval(low, high):
            return f"{low:z.{column.decimals}f} to {high:z.{column.decimals}f}"
        case int():
            return f"{cell:,}"
    return f"{cell:z,.{column.decimals}f}" if isfinite(cell) else "-"


def to_json(table: Table) -> dict[str, Any]:
    """The table as plain data: each row an object by the keys of its columns, an interval a list of two numbers."""
    keys = [column.key for column in table.columns]
    return {
        "name": table.name,
        "title": table.title,
        "notes": list(table.notes),
        "rows": [{key: _plain(cell) for key, cell in zip(keys, row, strict=True)} for row in table.rows],
    }


def to_csv(table: Table) -> str:
    """The table as CSV with a heading of keys; an interval takes two columns, and what can't be given is empty."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heading: list[str] = []
    for column in table.columns:
        ends = ("_low", "_high") if column.kind == "interval" else ("",)
        heading += [column.key + end for end in ends]
    writer.writerow(heading)
    for row in table.rows:
        writer.writerow(_flat(table.columns, row))
    return out.getvalue()


def to_latex(table: Table) -> str:
    """The table as a LaTeX ``table`` that takes the package ``booktabs``; its notes stand under it, a line each."""
    alignment = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    heading = [_escaped(column.heading) for column in table.columns]
    return "\n".join(
        (
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_escaped(table.title)}.}}",
            rf"\begin{{tabular}}{{{alignment}}}",
            r"\toprule",
            rf"{' & '.join(heading)} \\",
            r"\midrule",
            *(rf"{' & '.join(_latex(table.columns, row))} \\" for row in table.rows),
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par\footnotesize {_escaped(note)}" for note in table.notes),
            r"\end{table}",
            "",
        )
    )


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Interval):
        return [cell.low, cell.high]
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def _flat(columns: Sequence[Column], row: Sequence[Cell]) -> Iterator[Any]:
    for column, cell in zip(columns, row, strict=True):
        if column.kind == "interval":
            yield from (cell.low, cell.high) if isinstance(cell, Interval) else ("", "")
        else:
            plain = _plain(cell)
            yield "" if plain is None else plain


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def _escaped(text: str) -> str:
    return text.translate(_LATEX)


def _latex(columns: Sequence[Column], row: Sequence[Cell]) -> Iterator[str]:
    for column, cell in zip(columns, row, strict=True):
        text = _escaped(shown(column, cell))
        yield f"[{text.replace(' to ', ', ')}]" if isinstance(cell, Interval) else text
