"""The templates of a release's own texts."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template


@cache
def template(name: str, *, escaped: bool = False) -> Template:
    """A file of the folder ``templates``; ``escaped`` for XML."""
    environment = Environment(
        loader=PackageLoader("kumoc.release"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=escaped,
    )
    return environment.get_template(name)
