"""Diagnostics as commands in the log of a GitHub workflow, which shows them beside the lines of a change."""

from __future__ import annotations

from collections.abc import Sequence

from kumoc.diagnostics.model import Diagnostic, Place
from kumoc.diagnostics.text import location, printable


def render_github(diagnostics: Sequence[Diagnostic]) -> str:
    """All diagnostics, a line each."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    rule = diagnostic.rule
    properties = _place(diagnostic.place) | {"title": f"{rule.code} {rule.name}"}
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    lines = [diagnostic.message, *([f"help: {diagnostic.help}"] if diagnostic.help else [])]
    lines += [f"note: {text}: {location(place)}" for text, place in diagnostic.notes]
    return f"::{rule.severity} {told}::{_data(lines)}"


def _place(place: Place) -> dict[str, object]:
    if place.span is None:
        return {"file": place.source.name}
    (line, column), (last, end) = map(place.source.position, (place.span.start, place.span.end))
    columns = {"col": column, "endColumn": end} if line == last else {}  # columns are those of one line
    return {"file": place.source.name, "line": line, "endLine": last} | columns


def _data(lines: Sequence[str]) -> str:
    return "%0A".join(printable(line).replace("%", "%25") for line in lines)


def _property(value: str) -> str:
    return printable(value).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
