"""The options by which commands choose rows, and the row that they choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from kumoc.cli.rows import NEEDED, Choice, Chosen, choose

_OPTIONS = (
    click.option("--row", type=click.IntRange(0), metavar="N", help="Which row, counted from 0 (default: the first)."),
    click.option("--id", metavar="INSTANCE_ID", help="Which row, by its instance_id."),
    click.option("--size", metavar="NAME", help="Of a release: rows of this size."),
    click.option("--domain", metavar="NAME", help="Of a release: rows of this domain."),
    click.option("--split", metavar="NAME", help="Of a release: rows of this split."),
    click.option(
        "--edition", metavar="NAME", help="Of a release: as this edition shows them (default: the size's own)."
    ),
)


def choosing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a :class:`Choice`, which it gets as ``choice``."""

    @wraps(command)
    def packed(**options: Any) -> Any:
        choice = Choice(**{name: options.pop(name) for name in Choice.__slots__})
        return command(choice=choice, **options)

    for option in reversed(_OPTIONS):
        packed = option(packed)
    return packed


def chosen_row(source: str, choice: Choice, needed: Sequence[str] = NEEDED) -> Chosen:
    """The row that is meant; people are told if they have not said which. Raises InputError."""
    if choice.row is not None and choice.id is not None:
        raise click.UsageError("--row and --id both choose the row: give one of them")
    chosen = choose(source, choice, needed)
    if choice.row is None and choice.id is None and chosen.total > 1:
        click.echo(f"note: this is the first of {chosen.total:,} rows: choose with --row or --id", err=True)
    return chosen
