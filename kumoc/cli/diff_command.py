"""``kumoc diff``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.show import show_error, typeset
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from rich.table import Table

    from kumoc.release.compare import Change, Comparison, Reason

SHOWN = 20
"""Changed rows that are shown as text; the others are counted in the table."""

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("diff")
@click.argument("before", metavar="A", type=_FOLDER)
@click.argument("after", metavar="B", type=_FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Write it all as JSON.")
def command(before: Path, after: Path, as_json: bool) -> int:
    """Compare two releases, and say why they differ.

    A and B are release folders. For each view, size, domain and split it is told how many rows of A are the same in B,
    changed, moved or removed, and how many were added; rows are matched by their instance_id. The reasons are what
    the two manifests say that the releases were built from.

    Exits with 0 if rows and reasons are the same, with 1 if they differ or if a release can't be read.

    \b
    Example:
      kumoc diff dist/field_lab/1.0.0 dist/field_lab/1.1.0
    """
    from kumoc.release.compare import compare  # noqa: PLC0415 - loaded only where it is used
    from kumoc.release.errors import BuildError  # noqa: PLC0415

    try:
        comparison = compare(before, after)
    except BuildError as error:
        show_error(str(error), error.help)
        return EXIT_BAD_INPUT
    if as_json:
        click.echo(json.dumps(_json(comparison), indent=2))
    else:
        click.echo("\n".join(_lines(comparison)))
    return 0 if comparison.equal else EXIT_BAD_INPUT


def _json(comparison: Comparison) -> dict[str, Any]:
    from kumoc.release.compare import KINDS  # noqa: PLC0415

    return {
        "equal": comparison.equal,
        "reasons": [
            {"name": reason.name, "before": reason.before, "after": reason.after} for reason in comparison.reasons
        ],
        "files": [
            _place(place) | {kind: counts[kind] for kind in KINDS} for place, counts in comparison.counts.items()
        ],
        "changes": [
            {
                "kind": change.kind,
                **_place(change.place),
                "instance_id": change.id,
                "new_instance_id": change.new_id,
                "before": change.before,
                "after": change.after,
                "was": change.was and _place(change.was),
                "columns": list(change.columns),
            }
            for change in comparison.changes
        ],
    }


def _place(place: tuple[str, str, str, str]) -> dict[str, Any]:
    return dict(zip(("view", "size", "domain", "split"), place, strict=True))


def _lines(comparison: Comparison) -> Iterator[str]:
    if comparison.equal:
        yield f"the releases are equal: {sum(counts['same'] for counts in comparison.counts.values()):,} rows"
        return
    yield from typeset(_table(comparison))
    for change in comparison.changes[:SHOWN]:
        yield f"  {printable(_change(change))}"
    rest = sum(sum(counts.values()) - counts["same"] for counts in comparison.counts.values()) - SHOWN
    if rest > 0:
        yield f"  and {rest:,} more"
    yield "why" if comparison.reasons else "why: nothing that they were built from differs; see `kumoc verify` of both"
    yield from (f"  {printable(_reason(reason))}" for reason in comparison.reasons)


def _table(comparison: Comparison) -> Table:
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from kumoc.release.compare import KINDS  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("view", "size", "domain", "split"):
        table.add_column(heading, overflow="fold")
    for kind in KINDS:
        table.add_column(kind, justify="right")
    for place, counts in comparison.counts.items():
        # neither markup nor terminal escapes work in what a manifest says
        names = (Text(printable(name)) for name in place)
        table.add_row(*names, *(f"{counts[kind]:,}" if counts[kind] else "-" for kind in KINDS))
    return table


def _change(change: Change) -> str:
    place = "/".join(change.place)
    match change.kind:
        case "moved":
            origin = "" if change.was == change.place or change.was is None else f" of {'/'.join(change.was)}"
            return f"{place}: {change.id} moved from row {change.before}{origin} to row {change.after}"
        case "added":
            return f"{place}: {change.id} was added, row {change.after}"
        case "removed":
            return f"{place}: {change.id} was removed, row {change.before}"
    if change.new_id != change.id:
        return f"{place}: row {change.before} was {change.id} and is {change.new_id}"
    return f"{place}: {change.id}, row {change.after}, has changed in {', '.join(change.columns)}"


def _reason(reason: Reason) -> str:
    before, after = reason.before, reason.after
    if isinstance(before, dict) and isinstance(after, dict):
        parts = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        return f"{reason.name}: " + ", ".join(f"{part} {_short(before.get(part), after.get(part))}" for part in parts)
    if before is None or after is None:
        return f"{reason.name}: only in {'B' if before is None else 'A'}"
    return f"{reason.name}: {_short(before, after)}"


def _short(before: object, after: object) -> str:
    texts = [json.dumps(value, ensure_ascii=False) for value in (before, after)]
    return " -> ".join(text if len(text) <= 60 else f"{text[:60]}..." for text in texts)
