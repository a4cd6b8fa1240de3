"""``kumoc watch``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from kumoc.cli import report_bug
from kumoc.cli.inputs import or_default
from kumoc.cli.rows import InputError
from kumoc.cli.show import count, plural, render, show_error
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.diagnostics import Diagnostic, Source
    from kumoc.language import Compilation
    from kumoc.release import Plan

    _Found = tuple[tuple[Source, ...], tuple[Diagnostic, ...]]
    """What :func:`kumoc.files.read_sources` gave."""

_TICK = 500
"""Milliseconds between two looks for folders that have come back."""
_COUNT = 3


@click.command("watch")
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option(
    "--build/--no-build", default=None, help="Build a preview, or none (default: of benchmarks that are declared)."
)
@click.option(
    "--count",
    "rows",
    type=click.IntRange(1),
    default=_COUNT,
    help=f"Of a preview: instances a domain, size and split (default: {_COUNT}).",
)
def command(paths: tuple[str, ...], build: bool | None, rows: int) -> None:
    """Check .kumo files at each save, and build a preview.

    A PATH is a file or a folder (default: domains/). Whenever a .kumo file there is saved, made, renamed or removed,
    all of them are checked as `kumoc check` does. If there are no errors and a benchmark is declared, or with --build,
    what has changed is built in small: the first instances of each size, in a temporary folder which is there until you
    end with Ctrl-C. Releases are not touched: `kumoc build` makes them.

    \b
    Example:
      kumoc watch domains/
      kumoc watch minerals.kumo --build --count 1
    """
    from kumoc.files import read_sources  # noqa: PLC0415 - loaded only where it is used

    paths = or_default(paths)
    folders, recursive = _folders(paths)
    click.echo(f"watching {printable(', '.join(paths))}: end with Ctrl-C")
    with TemporaryDirectory(prefix="kumoc-watch-") as place:
        preview = _Preview(Path(place), build, rows)
        seen: dict[str, str] = {}
        for _ in _changes(folders, recursive):
            try:
                found = read_sources(paths)
                texts = _texts(found)
                if texts != seen:
                    changed = [name for name in sorted(texts | seen) if texts.get(name) != seen.get(name)]
                    seen = texts
                    _check(found, changed, preview)
            except OSError as error:
                show_error(f"{error.strerror or error}: {error.filename or place}", "save again when it is mended")
            except Exception as error:  # also what we do wrong must not end the watch
                report_bug(error)


@dataclass(frozen=True, slots=True)
class _Preview:
    """Where previews are built, whether (None: of declared benchmarks only), how many rows, and what is there."""

    place: Path
    wanted: bool | None
    rows: int
    plans: dict[str, Plan] = field(default_factory=dict)

    def update(self, compilation: Compilation) -> None:
        """Build what differs from what is there."""
        from kumoc.cli.build_command import progress  # noqa: PLC0415 - loaded only where it is used
        from kumoc.release import BuildError, Wish, build, plan_benchmarks  # noqa: PLC0415

        if not (self.wanted or (self.wanted is None and compilation.benchmarks)):
            return
        try:
            for plan in plan_benchmarks(compilation, Wish(count=self.rows, views=("game",))):
                name = plan.benchmark.name
                if self.plans.get(name) == plan:
                    continue
                with progress(plan) as on_rows:
                    built = build(plan, self.place, overwrite=True, on_rows=on_rows)
                self.plans[name] = plan
                click.echo(f"preview of {name} {plan.release}: {plural(built.rows, 'instance')}, each one proved")
                click.echo(f"  kumoc play {built.path}")
        except BuildError as error:
            show_error(str(error), error.help, error.details)


def _check(found: _Found, changed: Sequence[str], preview: _Preview) -> None:
    from kumoc.compiler import compile_read  # noqa: PLC0415 - loaded only where it is used
    from kumoc.language.names import listed  # noqa: PLC0415

    click.echo(f"\n{time.strftime('%H:%M:%S')}  {printable(listed(changed))}")
    compilation = compile_read(*found)
    click.echo(render(compilation.diagnostics, "text"), nl=False)
    click.echo(count(compilation))
    if not compilation.has_errors:
        preview.update(compilation)


def _texts(found: _Found) -> dict[str, str]:
    """What each file holds, or why it can't be read, by its name."""
    sources, unreadable = found
    return {source.name: source.text for source in sources} | {
        problem.place.source.name: problem.message for problem in unreadable
    }


def _folders(paths: Iterable[str]) -> tuple[list[Path], bool]:
    """The folders to watch, and whether what is below them counts too.

    Of a file it is the folder, since many editors put a new file in its place; and that of what a link leads to.
    Raises InputError where there is no such folder.
    """
    folders: dict[Path, None] = {}
    recursive = False
    for path in map(Path, paths):
        if path.is_dir():
            recursive = True
            folders[Path(os.path.realpath(path))] = None
            continue
        if not path.parent.is_dir():
            raise InputError(str(path), "there is no such file or folder", "give .kumo files, or a folder of them")
        folders[path.parent.absolute()] = None
        folders[Path(os.path.realpath(path)).parent] = None
    return list(folders), recursive


def _changes(folders: Sequence[Path], recursive: bool) -> Iterator[None]:
    """Yields once all are watched, and after each change; a folder that is taken away is watched once it is back."""
    try:
        from watchfiles import watch  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise InputError("kumoc watch", "needs watchfiles", "pip install 'kumoc[watch]'") from error
    while True:
        present = [folder for folder in folders if folder.is_dir()]
        names = {str(folder) for folder in folders}
        rounds = watch(
            *present, watch_filter=None, rust_timeout=_TICK, yield_on_timeout=True, recursive=recursive, debug=False
        )
        with suppress(FileNotFoundError):  # a folder went away in this moment
            for number, changes in enumerate(rounds):
                if changes or not number:
                    yield
                lost = any(path in names for _, path in changes)
                if lost or present != [folder for folder in folders if folder.is_dir()]:
                    break
