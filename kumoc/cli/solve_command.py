"""``kumoc solve``."""

from __future__ import annotations

import json
import sys

import click

from kumoc.cli.choosing import choosing, chosen_row
from kumoc.cli.names import position
from kumoc.cli.rows import Choice, InputError

_ALL = sys.maxsize
_DEPTH = 3


class _DepthType(click.ParamType[int]):
    name = "N|all"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if text.isdecimal():
            return int(text[:9])  # no tree is as deep
        if text != "all":
            self.fail(f"'{text}' is neither a number nor 'all'", param, ctx)
        return _ALL


@click.command("solve")
@click.argument("source", metavar="SOURCE")
@choosing
@click.option("--player", type=click.Choice(("exact", "paper")), default="exact", help="Whose play (default: exact).")
@click.option(
    "--depth",
    type=_DepthType(),
    metavar="N|all",
    help="Actions until the tree is folded (default: 3; with --json: all).",
)
@click.option("-a", "--action", "actions", metavar="NAME", multiple=True, help="An action to compare; repeatable.")
@click.option(
    "--work", type=click.IntRange(0), metavar="N", help="States each question may take; bounds if it takes more."
)
@click.option("--json", "as_json", is_flag=True, help="Write it all as JSON.")
def command(
    source: str,
    player: str,
    depth: int | None,
    actions: tuple[str, ...],
    work: int | None,
    as_json: bool,
    choice: Choice,
) -> None:
    """Show how an instance is best played, and what a trajectory cost.

    SOURCE is a release folder, a .parquet file of its game view, a .json or .jsonl file of rows, or - for a row on
    the standard input. What the optimal players expect is worked out anew from the row's truths, actions, rules and
    observations. The actions of a trajectory are given in their order, and each is compared with the best one.

    \b
    Example:
      kumoc solve dist/pocket/1.0.0
      kumoc solve dist/pocket/1.0.0 --size pairs --row 2 --depth all
      kumoc solve row.json -a "Hand magnet" -a "Acid drop"
    """
    chosen = chosen_row(source, choice)
    from kumoc.cli.solution import solve, to_json  # noqa: PLC0415 - loaded only where it is used
    from kumoc.cli.solution_text import missing, to_text  # noqa: PLC0415
    from kumoc.views.read import RowError, bare_game  # noqa: PLC0415

    try:
        bare = bare_game(chosen.row)
    except RowError as error:
        raise InputError(chosen.where, str(error), "such an instance has no solution: build it again") from error
    trajectory = [position(name, bare.actions, "action", chosen.where) for name in actions]
    solution = solve(chosen, bare, player, trajectory, work)
    if as_json:
        click.echo(json.dumps(to_json(solution, _ALL if depth is None else depth), indent=2))
    else:
        click.echo(to_text(solution, _DEPTH if depth is None else depth), nl=False)
    if solution.given_up:
        click.echo(f"note: {missing(solution, work or 0)}", err=True)
