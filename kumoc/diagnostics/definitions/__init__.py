"""What is said about each rule; one file for each kind of rule."""

from kumoc.diagnostics.definition import Definition
from kumoc.diagnostics.definitions import (
    benchmarks,
    comments,
    declarations,
    facts,
    files,
    names,
    outcomes,
    syntax,
    warnings,
)

_KINDS = (files, syntax, declarations, names, facts, outcomes, benchmarks, warnings, comments)
DEFINITIONS: dict[str, Definition] = {
    definition.rule.code: definition for kind in _KINDS for definition in kind.DEFINITIONS
}
"""The definitions of all rules by code, in order."""
