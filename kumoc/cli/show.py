"""What several commands show in the same way."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from kumoc.diagnostics import Diagnostic
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from rich.table import Table

    from kumoc.language import Compilation

FORMATS = ("text", "json", "sarif", "github")


def render(diagnostics: Sequence[Diagnostic], format_: str) -> str:
    """Diagnostics in one of :data:`FORMATS`."""
    from kumoc.diagnostics.github import render_github  # noqa: PLC0415
    from kumoc.diagnostics.json import render_json  # noqa: PLC0415
    from kumoc.diagnostics.sarif import render_sarif  # noqa: PLC0415
    from kumoc.diagnostics.text import render_text  # noqa: PLC0415

    renderers = {"text": render_text, "json": render_json, "sarif": render_sarif, "github": render_github}
    return renderers[format_](diagnostics)


def count(compilation: Compilation) -> str:
    """One line that says what was compiled and how many errors and warnings there are."""
    errors = sum(diagnostic.is_error for diagnostic in compilation.diagnostics)
    warnings = len(compilation.diagnostics) - errors
    sound = f"{plural(len(compilation.tables), 'sound domain')}, {plural(len(compilation.benchmarks), 'benchmark')}"
    return f"{sound}: {plural(errors, 'error')}, {plural(warnings, 'warning')}"


def plural(number: int, noun: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def show_error(message: str, help_: str = "", details: Iterable[str] = ()) -> None:
    """Say on the standard error what is wrong, with lines of detail, and, where there is a way out, what to do."""
    click.echo(f"error: {printable(message)}", err=True)
    for line in details:
        click.echo(f"  | {printable(line)}", err=True)
    if help_:
        click.echo(f"  = help: {printable(help_)}", err=True)


def typeset(table: Table, width: int = 120) -> list[str]:
    """The lines of a table; ``width`` is that of a pipe, and colours are for a terminal only."""
    from rich.console import Console  # noqa: PLC0415

    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = width
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines() if line.strip()]


def near(name: str, known: Collection[str]) -> str:
    """A "did you mean" for a name that is not known, or an empty text."""
    folded = {candidate.casefold(): candidate for candidate in known}
    found = get_close_matches(name.strip().casefold(), folded, n=1)
    return f"did you mean '{folded[found[0]]}'?" if found else ""
