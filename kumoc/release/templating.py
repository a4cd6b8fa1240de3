"""Templates of the texts that the program writes."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template


@cache
def template(name: str, *, package: str = "kumoc.release", escaped: bool = False) -> Template:
    """A file of the folder ``templates`` of a package; ``escaped`` for XML and HTML."""
    environment = Environment(
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=escaped,
    )
    return environment.get_template(name)
