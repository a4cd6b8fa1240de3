"""``kumoc stats``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from kumoc.benchmark import DEFAULT_SIZES, Mode, Size
from kumoc.cli.domains import Named, read_domain
from kumoc.cli.figures import write
from kumoc.cli.progress import progress
from kumoc.cli.rows import InputError
from kumoc.cli.sizes import SizeType

if TYPE_CHECKING:
    from kumoc.survey.figures import Figures
    from kumoc.tables import Tables

PAIRS = 4
"""Pairs of truths and actions that are drawn for an estimate, for each instance that is sampled."""


@click.command("stats")
@click.argument("source", metavar="DOMAIN")
@click.option("--domain", "name", metavar="NAME", help="Which domain, if there are several.")
@click.option("--size", "sizes", type=SizeType(named=False), multiple=True, help="A size; repeatable.")
@click.option("--count", type=click.IntRange(1), default=50, help="Instances to sample of each size (default: 50).")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of all that is drawn (default: 0).")
@click.option("--work", type=click.IntRange(0), metavar="N", help="States each question may take; bounds beyond.")
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", help="How to write it.")
def command(
    *,
    source: str,
    name: str | None,
    sizes: tuple[Size, ...],
    count: int,
    seed: int,
    work: int | None,
    format_: str,
) -> None:
    """Say how many instances a domain has, and how hard they are.

    DOMAIN is a .kumo file, with or without that ending, or else the name of a domain of the folder domains/ (of those
    that come with kumoc, where there is none). Its sizes are those of the benchmarks that are declared with it, else
    easy (4 truths, 6 actions) and hard (12, 16). How many fair lists of truths and actions there are is counted where
    that can be done, and told within proved bounds elsewhere. How hard instances are, and which truths and actions make
    them so, is sampled.

    \b
    Example:
      kumoc stats minerals
      kumoc stats tea.kumo --size 3,4 --size 4,6,2 --format json
    """
    named = read_domain(source, name)
    asked = [replace(size, work=size.work if work is None else work) for size in sizes or _sizes(named)]
    found = []
    for size in dict.fromkeys(asked):
        found.append(_figures(named.tables, size, count, seed))
        if sizes and found[-1].reason:
            wrong = f"'{named.tables.domain}' has no instance of size {size.name}: {found[-1].reason}"
            raise InputError(source, wrong, "ask for another one with --size")
    head = {"domain": named.tables.domain, "version": named.tables.version, "seed": seed}
    click.echo(_json(named.tables, found, head) if format_ == "json" else _text(named.tables, found), nl=False)


def _sizes(named: Named) -> tuple[Size, ...]:
    """The declared sizes that are fair, each once, without what they say of splits and bands; or the default ones.

    Sizes that share a name are called by their numbers."""
    tables, declared = named.tables, dict[tuple[int, int, int], Size]()
    for size in (size for benchmark in named.benchmarks for size in benchmark.sizes if size.mode is Mode.FAIR):
        numbers = size.truths, size.actions, size.valid
        declared.setdefault(numbers, Size(size.name, *numbers, work=size.work))
    if declared:
        times = Counter(size.name for size in declared.values())
        return tuple(
            size if times[size.name] == 1 else replace(size, name=",".join(map(str, numbers)))
            for numbers, size in declared.items()
        )
    fitting = [
        size for size in DEFAULT_SIZES if size.truths <= len(tables.truths) and size.actions <= len(tables.actions)
    ]
    return tuple(fitting) or (Size("small", min(3, len(tables.truths)), min(4, len(tables.actions))),)


def _figures(tables: Tables, size: Size, count: int, seed: int) -> Figures:
    """Of one size: where no instance of it was found, why."""
    from kumoc.generate import CannotGenerateError  # noqa: PLC0415 - loaded only where it is used
    from kumoc.generate.draw import Draws, derive  # noqa: PLC0415
    from kumoc.survey.counting import census, empty_census, steps  # noqa: PLC0415
    from kumoc.survey.effort import effort  # noqa: PLC0415
    from kumoc.survey.figures import Figures  # noqa: PLC0415

    try:
        with progress(f"{size.name}: playing", count) as step:
            played, reason = effort(tables, size, count, seed, step), ""
    except CannotGenerateError as error:
        played, reason = None, error.reason.sentence
        if error.reason.proved:
            return Figures(size, empty_census(tables, size), played, reason)
    with progress(f"{size.name}: counting", steps(tables, size, PAIRS * count)) as step:
        draws = Draws(derive(seed, "census", tables.domain, size.truths, size.actions, size.valid))
        listed = (sum(1 << truth for truth in each.truths) for each in (played.sample if played else ()))
        return Figures(size, census(tables, size, listed, PAIRS * count, draws, step), played, reason)


def _json(tables: Tables, found: Sequence[Figures], head: dict[str, object]) -> str:
    from kumoc.survey import figures  # noqa: PLC0415

    made = (
        figures.counts_figures(found),
        figures.difficulty_figures(found),
        figures.histogram_figures(found),
        figures.actions_table(tables, found),
        figures.truths_table(tables, found),
    )
    return write(made, "json", head)


def _text(tables: Tables, found: Sequence[Figures]) -> str:
    from kumoc.release.difficulty import difficulty_table  # noqa: PLC0415
    from kumoc.survey import figures  # noqa: PLC0415

    counts = write([figures.counts_table(found)], "text", {})
    if not any(each.effort for each in found):
        return counts
    roles = [
        figures.actions_table(tables, found, figures.STRONGEST),
        figures.truths_table(tables, found, figures.STRONGEST),
    ]
    bars = "\n".join(difficulty_table(figures.histograms(found)))
    return f"{counts}\n{write([figures.difficulty_figures(found)], 'text', {})}\n{bars}\n\n{write(roles, 'text', {})}"
