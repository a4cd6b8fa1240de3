"""The one domain that a command is about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.benchmark import Benchmark
from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.inputs import or_default
from kumoc.cli.names import position
from kumoc.cli.rows import InputError
from kumoc.cli.show import plural, render

if TYPE_CHECKING:
    from kumoc.tables import Tables


@dataclass(frozen=True, slots=True)
class Named:
    """A domain and the benchmarks that were declared beside it and name it."""

    tables: Tables
    benchmarks: tuple[Benchmark, ...]


def read_domain(source: str, name: str | None = None) -> Named:
    """The domain of that ``name``, if there is one, or else the only one that ``source`` declares.

    ``source`` is a file or folder, or a file without its ``.kumo``; where there is none, the name of a domain of the
    folder ``domains`` here or, if there is no such folder, of those that come with kumoc. Raises InputError; where a
    file is not sound that is said before the command ends.
    """
    from kumoc.compiler import compile_paths  # noqa: PLC0415 - the parser is loaded only where it is used

    if not Path(source).exists() and Path(f"{source}.kumo").is_file():
        source = f"{source}.kumo"
    place = Path(source)
    named = name is None and not place.exists() and not place.suffix and place.name == source
    paths = or_default(()) if named else (source,)
    compilation = compile_paths(paths)
    if compilation.has_errors:
        click.echo(render(compilation.diagnostics, "text"), nl=False, err=True)
        raise click.exceptions.Exit(EXIT_BAD_INPUT)
    domains = [tables.domain for tables in compilation.tables]
    wanted = source if named else name
    if wanted is None and len(domains) != 1:
        help_ = f"choose one with --domain: {', '.join(domains)}" if domains else "give a file that declares one"
        raise InputError(source, f"declares {plural(len(domains), 'domain')}, not one", help_)
    tables = compilation.tables[0 if wanted is None else position(wanted, domains, "domain", paths[0])]
    benchmarks = tuple(each for each in compilation.benchmarks if tables.domain in each.domains)
    return Named(tables, benchmarks)
