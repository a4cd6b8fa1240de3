"""Tables of figures as text, JSON, CSV and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from kumoc.cli.show import typeset
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.evaluate.tables import Table

FORMATS = ("text", "json", "csv", "latex")

_WIDE = 200
"""Characters of a line in a pipe: with names of common length no table takes more."""


def write(tables: Sequence[Table], format_: str, head: Mapping[str, Any]) -> str:
    """Tables in one of :data:`FORMATS`, of which CSV takes a single one; ``head`` stands before those of JSON."""
    from kumoc.evaluate.tables import to_csv, to_json, to_latex  # noqa: PLC0415 - loaded only where it is used

    match format_:
        case "csv":
            (table,) = tables
            return to_csv(table)
        case "latex":
            return "\n".join(map(to_latex, tables))
        case "json":
            return json.dumps({**head, "tables": [to_json(table) for table in tables]}, indent=2) + "\n"
    return "\n".join(line for table in tables for line in (*_text(table), ""))


def _text(table: Table) -> Iterator[str]:
    yield table.title
    yield from grid(table)
    yield from (f"  {printable(note)}" for note in table.notes)


def grid(table: Table, width: int = _WIDE) -> list[str]:
    """The lines of the headings and rows alone, in a pipe up to ``width`` characters long."""
    from rich import box  # noqa: PLC0415
    from rich.table import Table as Grid  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from kumoc.evaluate.tables import shown  # noqa: PLC0415

    made = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    # neither markup nor terminal escapes work in what a file says
    for column in table.columns:
        side: Literal["left", "right"] = "left" if column.kind == "text" else "right"
        made.add_column(Text(printable(column.heading)), justify=side, overflow="fold")
    for row in table.rows:
        cells = (Text(printable(shown(column, cell))) for column, cell in zip(table.columns, row, strict=True))
        made.add_row(*cells)
    return typeset(made, width)
