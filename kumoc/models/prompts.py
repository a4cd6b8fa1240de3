"""What models are asked: the prompts are templates, and what they are about is marked off as data."""

from __future__ import annotations

import hashlib
from typing import Any

from kumoc.templating import template


def prompt(package: str, name: str, /, **data: Any) -> str:
    """The prompt ``name`` of ``package`` with ``data`` in it."""
    return template(package, f"{name}.md.j2").render(**data)


def fenced(text: str) -> str:
    """``text`` between two marks that cannot stand in it, since they are made of its digest."""
    mark = fence_of(text)
    return f"<{mark}>\n{text}\n</{mark}>"


def fence_of(text: str) -> str:
    """The name of the marks around ``text``."""
    return f"data-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
