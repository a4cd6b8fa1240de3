"""What a command works on when it is not told."""

from __future__ import annotations

from pathlib import Path

import click

from kumoc.cli.rows import InputError
from kumoc.data import data_path


def check_free(out: Path, *, overwrite: bool) -> None:
    """Raises InputError if there is a file at ``out`` that may not be replaced."""
    if out.exists() and not overwrite:
        raise InputError(str(out), "exists already", "write elsewhere, or replace it with --overwrite")


def or_default(paths: tuple[str, ...]) -> tuple[str, ...]:
    """``paths``, or the folder ``domains`` here, or, where there is none, the domains that come with kumoc."""
    if paths:
        return paths
    if Path("domains").is_dir():
        return ("domains",)
    own = data_path("domains")
    click.echo(f"there is no folder 'domains' here: taking the domains that come with kumoc ({own})", err=True)
    return (str(own),)
