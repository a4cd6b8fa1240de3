"""``kumoc explain``."""

from __future__ import annotations

from difflib import get_close_matches

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.diagnostics import RULES
from kumoc.diagnostics.rules import find, page


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
        click.echo(f"  = help: {_suggest(rule)}", err=True)
        return EXIT_BAD_INPUT
    _show(page(found).read_text(encoding="utf-8"))
    return 0


def _suggest(wanted: str) -> str:
    known = {text.lower(): text for rule in RULES.values() for text in (rule.code, rule.name)}
    near = get_close_matches(wanted.strip().lower(), known, n=1)
    return f"did you mean '{known[near[0]]}'?" if near else "`kumoc explain` lists all rules"


def _show(page: str) -> None:
    """Typeset on a terminal; the text as it is in a pipe or a file."""
    from rich.console import Console  # noqa: PLC0415 - loaded only where it is used
    from rich.markdown import Markdown  # noqa: PLC0415

    console = Console()
    if console.is_terminal:
        console.print(Markdown(page))
    else:
        click.echo(page, nl=False)
