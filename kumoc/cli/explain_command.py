"""``kumoc explain``."""

from __future__ import annotations

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.diagnostics import RULES
from kumoc.diagnostics.definition import page
from kumoc.diagnostics.definitions import DEFINITIONS
from kumoc.diagnostics.rules import find, suggest


@click.command("explain")
@click.argument("rule", required=False, metavar="[CODE or NAME]")
def command(rule: str | None) -> int:
    """Explain a diagnostic by its code or name; without one, list them all.

    \b
    Example:
      kumoc explain
      kumoc explain K201
      kumoc explain unknown-name
    """
    if rule is None:
        for known in RULES.values():
            click.echo(f"{known.code}  {known.severity:7}  {known.name}")
        return 0
    found = find(rule)
    if found is None:
        click.echo(f"error: there is no rule '{rule}'", err=True)
        click.echo(f"  = help: {suggest(rule)}", err=True)
        return EXIT_BAD_INPUT
    _show(page(DEFINITIONS[found.code]))
    return 0


def _show(text: str) -> None:
    """Typeset on a terminal; the text as it is in a pipe or a file."""
    from rich.console import Console  # noqa: PLC0415 - loaded only where it is used
    from rich.markdown import Markdown  # noqa: PLC0415

    console = Console()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        click.echo(text, nl=False)
