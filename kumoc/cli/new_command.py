"""``kumoc new``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from kumoc.cli.rows import InputError


@click.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Folder (default: here)."
)
def command(name: str, out: Path) -> None:
    """Write a first domain to change into your own.

    The file NAME.kumo declares a small domain and a benchmark of it, and its comments explain the language. It is sound
    as it is, and can be built at once. No file is ever replaced.

    \b
    Example:
      kumoc new field_lab
      kumoc new field_lab -o domains/
    """
    from kumoc.files import write_text  # noqa: PLC0415 - loaded only where it is used
    from kumoc.templating import template  # noqa: PLC0415

    _check_name(name)
    target = out / f"{name}.kumo"
    if target.exists():
        raise InputError(str(target), "exists already", "choose another name, or write elsewhere with -o")
    title = name.replace("_", " ").strip()
    starter = template("kumoc.cli", "new.kumo.j2").render(name=name, title=title[:1].upper() + title[1:])
    write_text(target, starter)
    shown = shlex.quote(target.as_posix())
    click.echo(f"wrote {shown}: open it in an editor, and go on with")
    click.echo(f"  kumoc watch {shown}    says at each save what is wrong with it")
    click.echo(f"  kumoc build {shown}    makes games of it")


def _check_name(name: str) -> None:
    """Raises InputError for what can't name a domain, with a name near it that can."""
    from kumoc.interop.kumo_names import identifier_of  # noqa: PLC0415 - loaded only where it is used
    from kumoc.language.names import is_identifier  # noqa: PLC0415
    from kumoc.language.parse import is_domain_name  # noqa: PLC0415

    if is_domain_name(name):
        return
    path = Path(name)
    near = identifier_of(path.name.removesuffix(".kumo"))
    where = "" if path.parent == Path() else f" -o {shlex.quote(path.parent.as_posix())}"
    why = ", since it is a word of the language" if is_identifier(name) else ""
    help_ = "use up to 60 letters, digits and underscores, a letter first (a-z)"
    raise InputError("kumoc new", f"'{name}' can't name a domain{why}", help_ + (f": {near}{where}" if near else ""))
