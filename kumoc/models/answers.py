"""What models answered, as data and as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator


class UnusableError(ValueError):
    """An answer that nothing can be made of; the message says why."""


def as_json(text: str, schema: Mapping[str, Any]) -> Any:
    """The JSON object in an answer, whatever stands around it. Raises UnusableError if it is not of that schema."""
    try:
        said = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError) as error:
        raise UnusableError("its answer is not JSON") from error
    if not Draft202012Validator(schema).is_valid(said):
        raise UnusableError("its answer has not the form that was asked for")
    return said


def unshown(text: str) -> str:
    """The first character of ``text`` that is none of a text, such as an escape; empty if there is none."""
    return next((character for character in text if not character.isprintable() and character not in "\n\t"), "")
