"""The published JSON Schemas, ready to validate with."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from kumoc.data import data_path


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of ``schemas/<name>.schema.json``."""
    schema: dict[str, Any] = json.loads(data_path(f"schemas/{name}.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)
