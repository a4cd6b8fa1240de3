"""``kumoc solve``."""

from __future__ import annotations

import json
import sys

import click

from kumoc.cli.rows import Choice, Chosen, InputError, choose
from kumoc.cli.show import near, plural
from kumoc.folding import folded

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
@click.option("--row", type=click.IntRange(0), metavar="N", help="Which row, counted from 0 (default: the first).")
@click.option("--id", "id_", metavar="INSTANCE_ID", help="Which row, by its instance_id.")
@click.option("--size", metavar="NAME", help="Of a release: rows of this size.")
@click.option("--domain", metavar="NAME", help="Of a release: rows of this domain.")
@click.option("--split", metavar="NAME", help="Of a release: rows of this split.")
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
def command(  # noqa: PLR0913 - one for each option
    *,
    source: str,
    row: int | None,
    id_: str | None,
    size: str | None,
    domain: str | None,
    split: str | None,
    player: str,
    depth: int | None,
    actions: tuple[str, ...],
    work: int | None,
    as_json: bool,
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
    if row is not None and id_ is not None:
        raise click.UsageError("--row and --id both choose the row: give one of them")
    chosen = choose(source, Choice(row, id_, size, domain, split))
    if row is None and id_ is None and chosen.total > 1:
        click.echo(f"note: this is the first of {chosen.total:,} rows: choose with --row or --id", err=True)
    from kumoc.cli.solution import solve, to_json  # noqa: PLC0415 - loaded only where it is used
    from kumoc.cli.solution_text import to_text  # noqa: PLC0415
    from kumoc.views.read import RowError, bare_game  # noqa: PLC0415

    try:
        bare = bare_game(chosen.row)
    except RowError as error:
        raise InputError(chosen.where, str(error), "such an instance has no solution: build it again") from error
    trajectory = [_position(name, bare.actions, chosen) for name in actions]
    solution = solve(chosen, bare, player, trajectory, work)
    if as_json:
        click.echo(json.dumps(to_json(solution, _ALL if depth is None else depth), indent=2))
    else:
        click.echo(to_text(solution, _DEPTH if depth is None else depth), nl=False)
    if solution.given_up:
        missing = " and no ".join(solution.given_up)
        limit = plural(work or 0, "state")
        click.echo(f"note: with at most {limit} a question there is no {missing}: raise --work", err=True)


def _position(name: str, actions: tuple[str, ...], chosen: Chosen) -> int:
    """The position of the action that is meant, whatever its case and spacing."""
    if name in actions:
        return actions.index(name)
    meant = [i for i, action in enumerate(actions) if folded(action) == folded(name)]
    if len(meant) == 1:
        return meant[0]
    wrong = f"{len(meant)} actions could be '{name}'" if meant else f"there is no action '{name}'"
    raise InputError(chosen.where, wrong, near(name, actions) or f"its actions: {', '.join(actions)}")
