"""Diagnostics for people: the message, the line it is about with the place underlined, and the help."""

from __future__ import annotations

from collections.abc import Iterable

import click

from kumoc.diagnostics.model import Diagnostic, Place, Severity
from kumoc.diagnostics.width import columns

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}
_WIDEST_LINE = 160
"""Characters of a line that are shown; of a longer one, those from the place on."""


def render_text(diagnostics: Iterable[Diagnostic]) -> str:
    """All diagnostics, a blank line after each, in ANSI colours (``click.echo`` strips them where they don't show)."""
    return "".join(f"{_render(diagnostic)}\n\n" for diagnostic in diagnostics)


def _render(diagnostic: Diagnostic) -> str:
    rule = diagnostic.rule
    head = click.style(f"{rule.severity}[{rule.code} {rule.name}]", fg=_COLORS[rule.severity], bold=True)
    lines = [f"{head}: {printable(diagnostic.message)}", f"  --> {location(diagnostic.place)}"]
    lines += _excerpt(diagnostic.place)
    if diagnostic.help:
        lines.append(f"  = help: {printable(diagnostic.help)}")
    lines += [f"  = note: {printable(text)}: {location(place)}" for text, place in diagnostic.notes]
    return "\n".join(lines)


def location(place: Place) -> str:
    """``path:line:column``, or the path alone for a whole file."""
    name = printable(place.source.name)
    if place.span is None:
        return name
    line, column = place.source.position(place.span.start)
    return f"{name}:{line}:{column}"


def _excerpt(place: Place) -> list[str]:
    if place.span is None:
        return []
    number, column = place.source.position(place.span.start)
    last, end = place.source.position(place.span.end)
    line = place.source.line(number)
    first, after = column - 1, end - 1 if last == number else len(line)
    if len(line) > _WIDEST_LINE:
        line = line[first : first + _WIDEST_LINE]
        first, after = 0, min(after - first, _WIDEST_LINE)
    before, marked = line[:first], line[first:after]
    gutter = " " * len(str(number))
    underline = click.style("^" * max(1, columns(marked)), bold=True)
    return [
        f"{gutter} |",
        f"{number} | {printable(line.replace(chr(9), ' '))}",
        f"{gutter} | {' ' * columns(before)}{underline}",
    ]


def printable(text: str) -> str:
    """``text`` fit for a terminal: what people or models wrote can hold escapes, and none of them reaches it."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
