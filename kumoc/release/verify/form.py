"""The forms of what a release holds: strict JSON Schemas, and a quick look that spares most rows a slow one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from kumoc.release.schemas import sentences, validator

_NESTED = ("rules", "observations")


def faults(data: object, schema: str) -> Iterator[str]:
    """How ``data`` differs from ``schemas/<schema>.schema.json``, a sentence each."""
    return sentences(_strict(schema), data)


def row_faults(row: Mapping[str, Any]) -> Iterator[str]:
    """How a row of the game view, of the right types, differs from its schema.

    Rules and observations are held to the schema only if a quick look finds something odd in them: the rest of what
    it asks of them follows from their being those of an instance, which is for the caller to find out.
    """
    if all(map(_is_rule, row["rules"] or [None])) and all(map(_is_observation, row["observations"] or [None])):
        return sentences(_outer(), row)
    return sentences(_strict("instance"), row)


def _is_rule(rule: Mapping[str, Any] | None) -> bool:
    if rule is None or rule["action"] is None or rule["rules_out"] is None or None in rule["rules_out"]:
        return False
    if rule["label"] is not None:
        return rule["low"] is rule["high"] is rule["closed"] is None
    return rule["closed"] is not None and _is_finite(rule["low"]) and _is_finite(rule["high"])


def _is_observation(seen: Mapping[str, Any] | None) -> bool:
    if seen is None or seen["action"] is None or seen["text"] is None:
        return False
    return seen["value"] is None or _is_finite(seen["value"])


def _is_finite(number: float | None) -> bool:
    return number is not None and isfinite(number)


@cache
def _strict(schema: str) -> Draft202012Validator:
    return _strictly(validator(schema).schema)


@cache
def _outer() -> Draft202012Validator:
    """The schema of rows, without that of rules and observations."""
    whole: Any = validator("instance").schema
    return _strictly(whole | {"properties": whole["properties"] | {name: {"type": "array"} for name in _NESTED}})


def _strictly(schema: Any) -> Draft202012Validator:
    """A validator for which 1.0 is no integer, and infinity no number."""
    types = Draft202012Validator.TYPE_CHECKER.redefine_many({"integer": _is_integer, "number": _is_number})
    strict: Draft202012Validator = extend(Draft202012Validator, type_checker=types)(schema)  # type: ignore[no-untyped-call]
    return strict


def _is_integer(_: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(_: object, value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
