"""``kumoc split``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.domains import read_domain
from kumoc.cli.show import plural, render
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.split import Split
    from kumoc.tables import Tables


@click.command("split")
@click.argument("source", metavar="FILE")
@click.option("--domain", "name", metavar="NAME", help="Which domain, if there are several.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), default=Path(), help="Folder to write to (default: here)."
)
@click.option(
    "--least",
    type=click.IntRange(2),
    help="Truths of a half, at least (default: a quarter of all and no fewer than 4, or half of very few).",
)
@click.option("--least-actions", type=click.IntRange(1), default=1, help="Actions of a half, at least (default: 1).")
@click.option("--cut", is_flag=True, help="Leave out the actions that stand in the way.")
@click.option("--overwrite", is_flag=True, help="Replace .kumo files that exist.")
def command(
    source: str, name: str | None, out: Path, least: int | None, least_actions: int, cut: bool, overwrite: bool
) -> int:
    """Split a domain in two that share no truths and no actions.

    FILE declares one domain, or --domain says which. Truths stay together that one action can rule out, as in the KUMO
    paper; the halves hold as many truths each as that allows, then as many actions. Where no two halves come of it, the
    fewest actions that stand in the way are named, and with --cut left out. Splits of one domain that share no truths
    are what a size with `disjoint truths` has, without any of this.

    \b
    Example:
      kumoc split chemical.kumo -o domains/
      kumoc split chemical.kumo -o domains/ --least 10 --least-actions 6 --cut
    """
    from kumoc.split import CannotSplitError, Least, default_least, split_domain  # noqa: PLC0415 - loaded only where it is used

    tables = read_domain(source, name).tables
    try:
        split = split_domain(tables, Least(least or default_least(len(tables.truths)), least_actions))
    except CannotSplitError as error:
        click.echo(f"error: '{tables.domain}' {error}", err=True)
        click.echo("  = help: a size with `disjoint truths` has splits of one domain that share no truths", err=True)
        return EXIT_BAD_INPUT
    click.echo("\n".join(_findings(tables, split)))
    if split.cut.actions and not cut:
        click.echo("nothing was written: --cut leaves these actions out", err=True)
        return EXIT_BAD_INPUT
    return _write(tables, split, out, overwrite=overwrite)


def _findings(tables: Tables, split: Split) -> Iterator[str]:
    """What the graph of truths looks like, and what stands in the way of halves."""
    sizes = ", ".join(map(str, sorted(split.parts, reverse=True)))
    if len(split.parts) == 1:
        yield f"the {plural(len(tables.truths), 'truth')} of '{tables.domain}' are connected by its actions: one part"
    else:
        parts = f"{len(split.parts)} parts, of {sizes} truths"
        yield f"the truths of '{tables.domain}' are connected by its actions in {parts}"
    if split.cut.actions:
        number = f"{len(split.cut.actions)} of {plural(len(tables.actions), 'action')}"
        known = "no fewer will do" if split.cut.smallest else "the fewest that were found"
        yield f"two halves come of leaving out {number} ({known}):"
        yield from (f"  {printable(tables.actions[action].name)}" for action in split.cut.actions)
    if split.idle:
        yield "in neither half, since they never rule anything out:"
        yield from (f"  {printable(tables.actions[action].name)}" for action in split.idle)
    yield " and ".join(
        f"'{half.domain}' with {plural(len(half.truths), 'truth')} and {plural(len(half.actions), 'action')}"
        for half in split.halves
    )


def _write(tables: Tables, split: Split, out: Path, *, overwrite: bool) -> int:
    from kumoc.compiler import compile_paths  # noqa: PLC0415
    from kumoc.files import write_text  # noqa: PLC0415
    from kumoc.interop import write_tables  # noqa: PLC0415

    targets = [out / f"{half.domain}.kumo" for half in split.halves]
    existing = [target for target in targets if target.exists()]
    if existing and not overwrite:
        help_ = "write elsewhere with -o, or replace it with --overwrite"
        click.echo(f"error: {existing[0]} exists already: {help_}", err=True)
        return EXIT_BAD_INPUT
    for half, other, target in zip(split.halves, reversed(split.halves), targets, strict=True):
        write_text(target, write_tables(half, _comments(tables, split, other)))
    click.echo(render(compile_paths(targets).diagnostics, "text"), nl=False)
    click.echo(f"wrote {' and '.join(map(str, targets))}")
    return 0


def _comments(tables: Tables, split: Split, other: Tables) -> Iterator[str]:
    """What stands above a half."""
    yield f"One of two halves of the domain {tables.domain} {tables.version}: it shares no truths and no actions with"
    yield f"{other.domain}."
    if split.cut.actions:
        yield "In neither half, since they can rule out truths of both:"
        yield from (f"  {tables.actions[action].name}" for action in split.cut.actions)
