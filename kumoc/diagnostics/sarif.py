"""Diagnostics as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from kumoc import __version__
from kumoc.diagnostics.definition import page
from kumoc.diagnostics.definitions import DEFINITIONS
from kumoc.diagnostics.model import Diagnostic, Place
from kumoc.diagnostics.rules import RULES


def render_sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """One SARIF run with every rule and all diagnostics as its results."""
    driver = {"name": "kumoc", "version": __version__, "rules": [_rule(code) for code in RULES]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic) for diagnostic in diagnostics],
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=2)  # in ASCII: names and paths may hold what a terminal obeys


def _rule(code: str) -> dict[str, Any]:
    rule, definition = RULES[code], DEFINITIONS[code]
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": definition.summary},
        "fullDescription": {"text": " ".join(definition.what.split())},
        "help": {"text": definition.why, "markdown": page(definition)},
        "defaultConfiguration": {"level": str(rule.severity)},
    }


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    help_ = f" ({diagnostic.help})" if diagnostic.help else ""
    result: dict[str, Any] = {
        "ruleId": diagnostic.rule.code,
        "ruleIndex": list(RULES).index(diagnostic.rule.code),
        "level": str(diagnostic.rule.severity),
        "message": {"text": diagnostic.message + help_},
        "locations": [_location(diagnostic.place)],
    }
    if diagnostic.notes:
        result["relatedLocations"] = [
            _location(place) | {"message": {"text": text}} for text, place in diagnostic.notes
        ]
    return result


def _location(place: Place) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.source.name)}}
    if place.span is not None:
        (line, column), (end_line, end_column) = (
            place.source.position(place.span.start),
            place.source.position(place.span.end),
        )
        physical["region"] = {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
    return {"physicalLocation": physical}


def _uri(name: str) -> str:
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")
