"""What shows how far a long command is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

_WHAT = "{task.description}"


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing in a pipe; it is told how many more of ``total`` are done."""
    with _bar() as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)


@contextmanager
def progress_of_rows(what: str) -> Iterator[Callable[[int], None]]:
    """The same where the total is found on the way: with each row that is done it is told how many there are."""
    with _bar() as bar:
        task = bar.add_task(what, total=None)
        yield lambda total: bar.update(task, advance=1, total=total)


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """On a terminal, for how long ``what`` goes on; nothing in a pipe. It is told what else there is to say."""
    from rich.progress import TextColumn, TimeElapsedColumn  # noqa: PLC0415 - loaded only where it is used

    with _shown(TimeElapsedColumn(), TextColumn(_WHAT, markup=False)) as shown:
        task = shown.add_task(what, total=None)
        yield lambda more: shown.update(task, description=printable(f"{what}: {more}"))


def _bar() -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    return _shown(TextColumn(_WHAT, markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


def _shown(*columns: ProgressColumn) -> Progress:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
