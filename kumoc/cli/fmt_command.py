"""``kumoc fmt``."""

from __future__ import annotations

import difflib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.show import plural, render, show_error
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.diagnostics import Source


@click.command("fmt")
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def command(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Write .kumo files in the style of the language.

    A PATH is a file or a folder (default: domains/). Only the layout changes: what is to be written is compiled again
    and compared first. Files with syntax errors are left as they are, and the errors are shown.

    \b
    Example:
      kumoc fmt my_domain.kumo
      kumoc fmt --check --diff domains/
    """
    from kumoc.files import read_sources  # noqa: PLC0415 - loaded only where it is used
    from kumoc.language.format import CannotFormatError  # noqa: PLC0415
    from kumoc.language.parse import parse  # noqa: PLC0415

    sources, problems = read_sources(paths or ("domains",))
    changed = refused = 0
    for source in sources:
        try:
            formatted = _formatted(source)
        except CannotFormatError:
            problems += parse(source)[1]
            continue
        if formatted == source.text:
            continue
        if diff:
            click.echo("".join(_difference(source, formatted)), nl=False)
        elif check:
            click.echo(f"would format {printable(source.name)}")
        else:
            try:
                _replace(Path(os.path.realpath(source.name)), formatted)
            except OSError as error:
                refused += 1
                wrong = f"{source.name}: can't be written: {error.strerror or error}"
                show_error(wrong, "make it writable, or leave it out")
                continue
            click.echo(f"formatted {printable(source.name)}")
        changed += 1
    click.echo(render(problems, "text"), nl=False, err=True)
    told = "to format" if check or diff else "formatted"
    click.echo(f"{changed} of {plural(len(sources), 'file')} {told}", err=diff)
    return EXIT_BAD_INPUT if problems or refused or (check and changed) else 0


def _replace(path: Path, text: str) -> None:
    """Write ``text`` in place of a file. Raises OSError, also of a file that is marked as not to be written."""
    from kumoc.files import write_text  # noqa: PLC0415

    if not os.access(path, os.W_OK):  # to put a new file in its place takes leave to write in its folder alone
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    write_text(path, text)


def _formatted(source: Source) -> str:
    from kumoc.language.format import FormatterError, format_text  # noqa: PLC0415

    try:
        return format_text(source.text)
    except FormatterError as error:
        raise FormatterError(f"{source.name} was left as it is: {error}") from error


def _difference(source: Source, formatted: str) -> Iterator[str]:
    before, after = (text.split("\n") for text in (source.text, formatted))
    for line in difflib.unified_diff(before, after, source.name, source.name, lineterm=""):
        yield f"{printable(line)}\n"
