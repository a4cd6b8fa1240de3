"""The templates of the project's own texts and pages."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template


@cache
def template(package: str, name: str, *, escaped: bool = False) -> Template:
    """A file of the folder ``templates`` of a package such as ``kumoc.release``; ``escaped`` for XML and HTML."""
    environment = Environment(
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=escaped,
    )
    return environment.get_template(name)
