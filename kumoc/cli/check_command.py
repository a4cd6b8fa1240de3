"""``kumoc check``."""

from __future__ import annotations

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.inputs import or_default
from kumoc.cli.show import FORMATS, count, render


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="How to write what is found.")
def command(paths: tuple[str, ...], format_: str) -> int:
    """Check .kumo files and say what is wrong with them.

    A PATH is a file or a folder (default: domains/). Files are checked together, so that a benchmark may name the
    domains of another file. Exits with 0 if there are no errors (warnings are allowed), with 1 if there are.

    \b
    Example:
      kumoc check domains/
      kumoc check minerals.kumo --format github
    """
    from kumoc.compiler import compile_paths  # noqa: PLC0415 - the parser is loaded only where it is used

    compilation = compile_paths(or_default(paths))
    click.echo(render(compilation.diagnostics, format_), nl=format_ in ("json", "sarif"))
    if format_ == "text":
        click.echo(count(compilation))
    return EXIT_BAD_INPUT if compilation.has_errors else 0
