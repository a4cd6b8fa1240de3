"""``kumoc build``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.benchmark import MAX_WORDS, STYLES, VIEWS, Benchmark, Book, Mode, Size, Variant
from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.inputs import or_default
from kumoc.cli.show import count, plural, render, show_error

if TYPE_CHECKING:
    from kumoc.release import Built, Engine, Plan


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


class _BookType(click.ParamType[Book]):
    name = "STYLE[=WORDS]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Book:
        style, _, words = str(value).partition("=")
        if style not in STYLES:
            self.fail(f"'{style}' is none of {', '.join(STYLES)}", param, ctx)
        if (style == "long") != (words.isdecimal() and 0 < int(words) <= MAX_WORDS) or (style != "long" and words):
            self.fail(f"'{value}': a long book, and no other, takes a length in words, as long=4000", param, ctx)
        return Book(style, int(words or 0))


class _KeyFile(click.ParamType[bytes]):
    name = "FILE"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        try:
            return Path(str(value)).read_bytes()
        except OSError as error:
            self.fail(f"'{value}' can't be read: {error.strerror}", param, ctx)


@click.command("build")
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option("--out", type=click.Path(path_type=Path), default=Path("dist"), help="Where releases go (default: dist).")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed, in place of the declared one.")
@click.option("--count", type=click.IntRange(1), help="Instances a domain and split, in place of the declared.")
@click.option("--size", "sizes", type=_SizeType(), multiple=True, help="A size, in place of the declared; repeatable.")
@click.option("--mode", type=click.Choice(Mode, case_sensitive=False), help="How instances are chosen.")
@click.option(
    "--view", "views", type=click.Choice(VIEWS), multiple=True, help="A view to make besides game; repeatable."
)
@click.option("--book", "books", type=_BookType(), multiple=True, help="A style of book, in place of the declared.")
@click.option("--language", "languages", metavar="CODE", multiple=True, help="A language, in place of the declared.")
@click.option(
    "--variant",
    "variants",
    type=click.Choice(Variant, case_sensitive=False),
    multiple=True,
    help="A variant, in place of those.",
)
@click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False),
    help="A folder with templates of books, <language>/<style>.md.j2.",
)
@click.option("--fresh", metavar="LABEL", help="Other instances, named after a month, say: 2026-11.")
@click.option("--secret", type=_KeyFile(), metavar="FILE", help="A key to mix in, for a private split.")
@click.option(
    "--disjoint-from",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    help="A release of which no instance may come again; repeatable.",
)
@click.option("--workers", type=click.IntRange(1), help="Processes to build with (default: all cores).")
@click.option("--dask", metavar="ADDRESS", help="Build on a running Dask scheduler, such as tcp://host:8786.")
@click.option("--overwrite", is_flag=True, help="Replace a release of the same version.")
def command(
    paths: tuple[str, ...],
    out: Path,
    disjoint_from: tuple[Path, ...],
    workers: int | None,
    dask: str | None,
    overwrite: bool,
    **wished: Any,
) -> int:
    """Build benchmarks into dataset releases.

    A PATH is a file or a folder (default: domains/). The benchmarks declared in them are built; where none is, each
    domain is built by itself, easy (4 truths, 6 actions) and hard (12, 16), 50 test instances each. A release goes
    to OUT/<benchmark>/<version>. Rows do not depend on how many workers there are. A build that was interrupted goes
    on from where it was when the same command is given again.

    \b
    Example:
      kumoc build
      kumoc build minerals.kumo --size easy=4,6 --size pairs=6,9,2 --count 20 --seed 7
      kumoc build minerals.kumo --book guide --book long=4000 --variant original --variant anonymous
    """
    from kumoc.compiler import compile_paths  # noqa: PLC0415 - loaded only where it is used
    from kumoc.release import BuildError, Wish, build, plan_benchmarks, published  # noqa: PLC0415

    compilation = compile_paths(or_default(paths))
    if compilation.diagnostics:
        click.echo(render(compilation.diagnostics, "text"), nl=False, err=True)
        click.echo(count(compilation), err=True)
    if compilation.has_errors:
        click.echo("nothing was built", err=True)
        return EXIT_BAD_INPUT
    try:
        # an edition that is asked for twice is one edition
        for several in ("books", "languages", "variants"):
            wished[several] = tuple(dict.fromkeys(wished[several]))
        plans = plan_benchmarks(compilation, Wish(**wished, disjoint_from=tuple(map(published, disjoint_from))))
        for plan in plans:
            for note in plan.passed_over:
                click.echo(f"note: {note}, so it is passed over", err=True)
            with progress(plan) as on_rows:
                built = build(plan, out, overwrite=overwrite, engine=_engine(plan, workers, dask), on_rows=on_rows)
            click.echo(_summary(built))
    except OSError as error:
        help_ = "what is built so far is kept: mend this and give the same command again"
        show_error(f"{error.strerror or error}: {error.filename or out}", help_)
        return EXIT_BAD_INPUT
    except BuildError as error:
        show_error(str(error), error.help, error.details)
        return EXIT_BAD_INPUT
    return 0


def _engine(plan: Plan, workers: int | None, dask: str | None) -> Engine:
    from kumoc.release import CHUNK, cluster, processes  # noqa: PLC0415

    if dask:
        return cluster(dask)
    chunks = max(1, plan.count // CHUNK)
    return processes(min(workers or _cores(), chunks))


def _cores() -> int:
    """Those that this process may use, where the system says so."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def progress(plan: Plan) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing in a pipe."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"building {plan.benchmark.name}", total=plan.count)
        yield lambda rows: progress.advance(task, rows)


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
            f"{happened} {benchmark.name} {built.plan.release}: {plural(built.rows, 'instance')}, each one proved",
            f"  sizes    {sizes}",
            f"  domains  {domains}",
            *_editions(benchmark),
            f"  rows     {_exactness(built)}",
            *(f"  band     {_search(size, *numbers)}" for size, numbers in built.tried.items()),
            f"  digest   {built.rows_sha256}",
            *([f"  commits  {built.commitment}"] if built.commitment else []),
            f"  in       {built.path.as_posix()}",
            "load it with",
            f'  datasets.load_dataset({json.dumps(built.path.as_posix())}, "{size.name}", split="{splits[-1]}")',
        )
    )


def _editions(benchmark: Benchmark) -> Iterator[str]:
    """A line on the editions of the sizes, if there are others than their own."""
    labels = [
        f"{size.name}-{edition.label}"
        for size in benchmark.sizes
        for edition in size.editions(benchmark.languages)
        if edition.label
    ]
    if labels:
        yield f"  also     {', '.join(labels)}"


def _exactness(built: Built) -> str:
    """How many rows are exact, and how far off the expectations of the others may be."""
    if built.exact_rows == built.rows:
        return f"{built.rows:,}, all exact"
    if not built.widest_bracket:
        return f"{built.exact_rows:,} of {built.rows:,} exact; every expectation is known"
    return f"{built.exact_rows:,} of {built.rows:,} exact; the widest bracket is {built.widest_bracket:.2g} actions"


def _search(size: str, tried: int, found: int) -> str:
    """How many sets of truths and actions it took to fill the band of a size."""
    return f"{size}: {plural(found, 'instance')} of {plural(tried, 'choice')} of truths and actions tried"
