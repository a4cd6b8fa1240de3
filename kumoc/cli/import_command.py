"""``kumoc import``."""

from __future__ import annotations

from pathlib import Path

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.show import plural, render


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE ...")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), default=Path(), help="Folder to write to (default: here)."
)
@click.option("--overwrite", is_flag=True, help="Replace .kumo files that exist.")
def command(files: tuple[Path, ...], out: Path, overwrite: bool) -> int:
    """Turn KUMO's own domain files into .kumo files.

    A FILE is KUMO's JSON, or Python of literals (read, never run). What has to be repaired is told and stands as a
    comment in the result; what can't be repaired without guessing is left as an error for you to decide.

    \b
    Example:
      kumoc import MedicalEnv.json MusicEnv_data.py -o domains/
    """
    written: set[Path] = set()
    results = [_import_file(file, out, written, overwrite=overwrite) for file in files]
    click.echo(f"{sum(results)} of {plural(len(files), 'file')} imported without errors")
    return 0 if all(results) else EXIT_BAD_INPUT


def _import_file(file: Path, out: Path, written: set[Path], *, overwrite: bool) -> bool:
    """Import one file, tell what was done, and say whether the result compiles; add what it became to ``written``."""
    from kumoc.diagnostics import Source  # noqa: PLC0415 - loaded only where it is used
    from kumoc.files import read_source, write_text  # noqa: PLC0415
    from kumoc.interop import SourceError, import_domain  # noqa: PLC0415
    from kumoc.language import compile_sources  # noqa: PLC0415

    source = read_source(file)
    if not isinstance(source, Source):
        click.echo(render([source], "text"), nl=False, err=True)
        return False
    try:
        imported = import_domain(source.text, file.name)
    except SourceError as error:
        click.echo(f"error: {file}: {error}", err=True)
        return False
    target = out / f"{imported.identifier}.kumo"
    if target in written:
        click.echo(f"error: {file}: {target} has just been written from another file", err=True)
        return False
    if target.exists() and not overwrite:
        click.echo(f"error: {target} exists already: write elsewhere with -o, or replace it with --overwrite", err=True)
        return False
    write_text(target, imported.text)
    written.add(target)
    repairs, problems = plural(len(imported.repairs), "repair"), plural(len(imported.problems), "open problem")
    click.echo(f"{file} -> {target}: {repairs}, {problems}")
    for repair in imported.repairs:
        click.echo(f"  repaired: {repair.place}: {repair.wrong}; {repair.done}")
    for problem in imported.problems:
        click.echo(f"  not repaired: {problem.place}: {problem.wrong}; {problem.why}")
    compilation = compile_sources([Source(str(target), imported.text)])
    click.echo(render(compilation.diagnostics, "text"), nl=False)
    return not compilation.has_errors
