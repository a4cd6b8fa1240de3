"""A bar that shows how far a long command is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


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


def _bar() -> Progress:
    from rich.console import Console  # noqa: PLC0415 - loaded only where it is used
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    what = TextColumn("{task.description}", markup=False)
    columns = (what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
