"""What models answered, as data and as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from jsonschema import Draft202012Validator

MOST_OPENED = 1_000
"""Braces at which JSON is looked for: each may take as long as the answer is."""


class UnusableError(ValueError):
    """An answer that nothing can be made of; the message says why."""


def as_json(text: str, schema: Mapping[str, Any]) -> Any:
    """The last JSON object of that schema in an answer, whatever stands around it. Raises UnusableError.

    A model may think aloud first, in braces too, so that what comes last is what it answers.
    """
    objects = list(_objects(text))
    if not objects:
        raise UnusableError("its answer is not JSON")
    known = Draft202012Validator(schema)
    for said in reversed(objects):
        if known.is_valid(said):
            return said
    raise UnusableError("its answer has not the form that was asked for")


def _objects(text: str) -> Iterator[Any]:
    """The JSON objects in ``text`` that are in no other."""
    decoder, at = json.JSONDecoder(), text.find("{")
    for _ in range(MOST_OPENED):
        if at < 0:
            return
        end = at + 1
        with suppress(ValueError, RecursionError):
            said, end = decoder.raw_decode(text, at)
            yield said
        at = text.find("{", end)


def unshown(text: str) -> str:
    """The first character of ``text`` that is none of a text, such as an escape; empty if there is none."""
    return next((character for character in text if not character.isprintable() and character not in "\n\t"), "")
