"""Diagnostics for programs, in the form of ``schemas/diagnostics.schema.json``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kumoc.diagnostics.model import Diagnostic, Place

DIAGNOSTICS_VERSION = "1.0.0"


def render_json(diagnostics: Sequence[Diagnostic]) -> str:
    """All diagnostics as one JSON object."""
    errors = sum(diagnostic.is_error for diagnostic in diagnostics)
    document = {
        "diagnostics_version": DIAGNOSTICS_VERSION,
        "errors": errors,
        "warnings": len(diagnostics) - errors,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in diagnostics],
    }
    return json.dumps(document, indent=2)  # in ASCII: names and paths may hold what a terminal obeys


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.rule.code,
        "name": diagnostic.rule.name,
        "severity": str(diagnostic.rule.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "place": _place(diagnostic.place),
        "notes": [{"message": text, "place": _place(place)} for text, place in diagnostic.notes],
    }


def _place(place: Place) -> dict[str, Any]:
    if place.span is None:
        return {"file": place.source.name, "start": None, "end": None}
    positions = [place.source.position(offset) for offset in (place.span.start, place.span.end)]
    start, end = ({"line": line, "column": column} for line, column in positions)
    return {"file": place.source.name, "start": start, "end": end}
