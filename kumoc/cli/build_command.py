"""``kumoc build``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.benchmark import Mode, Size
from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.inputs import or_default
from kumoc.cli.show import count, plural, render

if TYPE_CHECKING:
    from kumoc.release import Built, Plan


class _SizeType(click.ParamType[Size]):
    name = "NAME=TRUTHS,ACTIONS[,VALID]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Size:
        name, _, numbers = str(value).partition("=")
        parts = numbers.split(",")
        if not name or len(parts) not in (2, 3) or not all(map(str.isdecimal, parts)):
            self.fail(f"'{value}' is not of the form NAME=TRUTHS,ACTIONS[,VALID], such as easy=4,6", param, ctx)
        truths, actions, valid = (*map(int, parts), 1)[:3]
        if not 1 <= valid < truths or actions < 1:
            self.fail(f"'{value}' needs at least one action, one valid truth and one that is not", param, ctx)
        return Size(name, truths, actions, valid)


@click.command("build")
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option("--out", type=click.Path(path_type=Path), default=Path("dist"), help="Where releases go (default: dist).")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed, in place of the declared one.")
@click.option("--count", "rows", type=click.IntRange(1), help="Instances a domain and split, in place of the declared.")
@click.option("--size", "sizes", type=_SizeType(), multiple=True, help="A size, in place of the declared; repeatable.")
@click.option("--mode", type=click.Choice([mode.value for mode in Mode]), help="How instances are chosen.")
@click.option("--overwrite", is_flag=True, help="Replace a release of the same version.")
def command(
    paths: tuple[str, ...],
    out: Path,
    seed: int | None,
    rows: int | None,
    sizes: tuple[Size, ...],
    mode: str | None,
    overwrite: bool,
) -> int:
    """Build benchmarks into dataset releases.

    A PATH is a file or a folder (default: domains/). The benchmarks declared in them are built; where none is, each
    domain is built by itself, easy (4 truths, 6 actions) and hard (12, 16), 50 test instances each. A release goes
    to OUT/<benchmark>/<version>.

    \b
    Example:
      kumoc build
      kumoc build minerals.kumo --size easy=4,6 --size pairs=6,9,2 --count 20 --seed 7
    """
    from kumoc.compiler import compile_paths  # noqa: PLC0415 - loaded only where it is used
    from kumoc.release import BuildError, Wish, build, plan_benchmarks  # noqa: PLC0415

    compilation = compile_paths(or_default(paths))
    if compilation.diagnostics:
        click.echo(render(compilation.diagnostics, "text"), nl=False, err=True)
        click.echo(count(compilation), err=True)
    if compilation.has_errors:
        click.echo("nothing was built", err=True)
        return EXIT_BAD_INPUT
    try:
        plans = plan_benchmarks(compilation, Wish(seed, rows, sizes, Mode(mode) if mode else None))
        for plan in plans:
            for note in plan.passed_over:
                click.echo(f"note: {note}, so it is passed over", err=True)
            with _progress(plan) as on_row:
                built = build(plan, out, overwrite=overwrite, on_row=on_row)
            click.echo(_summary(built))
    except BuildError as error:
        click.echo(f"error: {error}", err=True)
        if error.help:
            click.echo(f"  = help: {error.help}", err=True)
        return EXIT_BAD_INPUT
    return 0


@contextmanager
def _progress(plan: Plan) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing in a pipe."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"building {plan.benchmark.name}", total=plan.count)
        yield lambda: progress.advance(task)


def _summary(built: Built) -> str:
    benchmark = built.plan.benchmark
    sizes = ", ".join(
        f"{size.name} ({size.truths} truths, {size.actions} actions{f', {size.valid} valid' if size.valid > 1 else ''})"
        for size in benchmark.sizes
    )
    domains = ", ".join(benchmark.domains)
    size = benchmark.sizes[0]
    splits = [split for split, rows in size.splits if rows]
    happened = "built" if built.fresh else "already built, nothing has changed:"
    return "\n".join(
        (
            f"{happened} {benchmark.name} {benchmark.version}: {plural(built.rows, 'instance')}, each one proved",
            f"  sizes    {sizes}",
            f"  domains  {domains}",
            f"  rows     {_exactness(built)}",
            f"  digest   {built.rows_sha256}",
            f"  in       {built.path.as_posix()}",
            "load it with",
            f'  datasets.load_dataset({json.dumps(built.path.as_posix())}, "{size.name}", split="{splits[-1]}")',
        )
    )


def _exactness(built: Built) -> str:
    """How many rows are exact, and how far off the expectations of the others may be."""
    if built.exact_rows == built.rows:
        return f"{built.rows:,}, all exact"
    if not built.widest_bracket:
        return f"{built.exact_rows:,} of {built.rows:,} exact; every expectation is known"
    return f"{built.exact_rows:,} of {built.rows:,} exact; the widest bracket is {built.widest_bracket:.2g} actions"
