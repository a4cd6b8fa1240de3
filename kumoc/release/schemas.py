"""The published JSON Schemas, ready to validate with."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from kumoc.data import data_path

_LONGEST_MESSAGE = 200


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of ``schemas/<name>.schema.json``."""
    schema: dict[str, Any] = json.loads(data_path(f"schemas/{name}.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


def sentences(validator: Draft202012Validator, data: object) -> Iterator[str]:
    """How ``data`` differs from the schema of ``validator``, a sentence each, with the place in it.

    Of a text that does not match a pattern, the description of the pattern is told, where there is one.
    """
    for error in validator.iter_errors(data):
        where = ".".join(map(str, error.absolute_path))
        message = error.message
        if error.validator == "pattern" and "description" in error.schema:
            message = f"{reprlib.repr(error.instance)} is not what it must be: {error.schema['description']}"
        if len(message) >= _LONGEST_MESSAGE:
            message = f"is not a valid {error.validator}"
        yield f"{where}: {message}" if where else message
