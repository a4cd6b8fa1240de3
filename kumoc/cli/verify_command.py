"""``kumoc verify``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.progress import progress_of_rows
from kumoc.cli.show import plural
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.release.verify import FileReport, Finding, Report

SHOWN = 40
"""Findings that are shown as text; the others are counted."""


@click.command("verify")
@click.argument("release", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--sample", type=click.IntRange(0), metavar="N", help="Rebuild and replay N rows only (default: all).")
@click.option("--seed", type=click.IntRange(0), default=0, help="Which N rows (default: 0).")
@click.option("--json", "as_json", is_flag=True, help="Write it all as JSON.")
def command(release: Path, sample: int | None, seed: int, as_json: bool) -> int:
    """Prove that a release is what it says, whoever built it.

    DIR is a release folder. Its files are held to the digests of its manifest, and every row to its schema, its tables
    and all that is promised of an instance. Besides, each row is built again from its seed and played by both
    players; with --sample N only N rows are. Nothing in the folder is trusted, and nothing outside it is read.

    Exits with 0 if all is well, with 1 if anything was found.

    \b
    Example:
      kumoc verify dist/pocket/1.0.0
      kumoc verify dist/field_lab/1.0.0 --sample 200 --seed 7
    """
    from kumoc.release.verify import verify  # noqa: PLC0415 - loaded only where it is used

    with progress_of_rows(f"verifying {printable(release.resolve().parent.name)}") as on_row:
        report = verify(release, sample=sample, seed=seed, on_row=on_row)
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
    else:
        click.echo("\n".join(_lines(report, release)))
    return 0 if report.ok else EXIT_BAD_INPUT


def _lines(report: Report, release: Path) -> Iterator[str]:
    yield from map(_file, report.files)
    if report.findings:
        yield "found"
        yield from (f"  {_finding(finding)}" for finding in report.findings[:SHOWN])
        rest = len(report.findings) - SHOWN + report.more
        if rest > 0:
            yield f"  and {rest:,} more"
    yield from (f"note: {printable(note)}" for note in report.notes)
    place = printable(release.as_posix())
    if report.ok:
        again = "each" if report.recomputed == report.instances else f"{report.recomputed:,}"
        name = printable(f"{report.benchmark} {report.version}")
        yield f"{place} is {name}: {plural(report.instances, 'row')} proved, {again} of them recomputed"
    else:
        yield f"{place} is not what it says: {plural(len(report.findings) + report.more, 'finding')}"


def _file(file: FileReport) -> str:
    verdict = f"FAILED  ({plural(file.findings, 'finding')})" if file.findings else "ok"
    rows = "" if file.rows is None else f", {plural(file.rows, 'row')}"
    return f"  {printable(file.path)}{rows}: {verdict}"


def _finding(finding: Finding) -> str:
    place = finding.file
    if finding.row is not None:
        place += f", row {finding.row}"
    if finding.id is not None:
        place += f" ({finding.id})"
    return printable(f"{place}: {finding.what}")
