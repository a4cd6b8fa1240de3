"""Jinja2 templates, the project's own and other people's: in a sandbox, and strict about what they ask for."""

from __future__ import annotations

import json
from functools import cache

from jinja2 import ChoiceLoader, DictLoader, PackageLoader, StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

Texts = tuple[tuple[str, str], ...]
"""Templates by name, such as ``en/guide.md.j2``, each with its text."""


@cache
def template(package: str, name: str, *, escaped: bool = False, instead: Texts = ()) -> Template:
    """The template ``name`` of ``instead`` or, if it has none, of the package's folder ``templates``.

    ``escaped`` is for XML and HTML. Raises :class:`jinja2.TemplateError` where the text is no template.
    """
    environment = SandboxedEnvironment(
        loader=ChoiceLoader([DictLoader(dict(instead)), PackageLoader(package)]),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=escaped,
    )
    environment.filters["json"] = _json
    return environment.get_template(name)


def _json(value: object) -> str:
    """JSON that shows every letter as it is: Jinja's own filter writes signs of HTML as escapes."""
    return json.dumps(value, ensure_ascii=False)
