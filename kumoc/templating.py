"""Jinja2 templates, the project's own and other people's: in a sandbox, and strict about what they ask for.

Other people's are bounded too: in the steps that they take, the text that they make and the numbers that they reckon.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, PackageLoader, StrictUndefined, Template, TemplateRuntimeError, nodes
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

Texts = tuple[tuple[str, str], ...]
"""Templates by name, such as ``en/guide.md.j2``, each with its text."""


MAX_STEPS = 1_000_000
"""Turns of loops, calls and templates taken in while a text is made by other people's templates."""

MAX_CHARACTERS = 50_000_000
"""Characters of a text that they make, or items of a list."""

MAX_BITS = 1_000
"""Bits of a number that they reckon with."""


class _Bounded(Template):
    """A template that is stopped when it does too much."""

    environment: _Bounds

    def render(self, *args: Any, **kwargs: Any) -> str:
        self.environment.steps = 0
        parts, length = [], 0
        for part in self.generate(*args, **kwargs):
            length += len(part)
            _check_length(length)
            parts.append(part)
        return "".join(parts)


class _Bounds(SandboxedEnvironment):
    """A sandbox that counts the ``steps`` of a rendering and looks at what comes of each operation."""

    template_class = _Bounded
    intercepted_binops = frozenset(("*", "**", "+"))
    steps = 0

    def step(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TemplateRuntimeError(f"it takes more than {MAX_STEPS:,} steps")

    def call(self, context: Context, callee: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.step()
        return _of_bounded_length(super().call(context, callee, *args, **kwargs))

    def get_template(self, *args: Any, **kwargs: Any) -> Template:
        self.step()
        return super().get_template(*args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        for one, other in ((left, right), (right, left)):
            if operator == "*" and isinstance(one, int) and isinstance(other, str | list | tuple):
                _check_length(one * len(other))
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * max(right, 1) if operator == "**" else left.bit_length() + right.bit_length()
            if bits > MAX_BITS:
                raise TemplateRuntimeError(f"it reckons with numbers of more than {MAX_BITS:,} bits")
        return _of_bounded_length(super().call_binop(context, operator, left, right))

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, "counted", [], [], None, None)
        return tree

    def counted(self, items: Iterable[Any]) -> Iterator[Any]:
        """The same items, each of them a step."""
        for item in items:
            self.step()
            yield item


def _of_bounded_length(value: Any) -> Any:
    if isinstance(value, str | list | tuple):
        _check_length(len(value))
    return value


def _check_length(length: int) -> None:
    if length > MAX_CHARACTERS:
        raise TemplateRuntimeError(f"it makes a text or a list longer than {MAX_CHARACTERS:,}")


@cache
def template(package: str, name: str, *, escaped: bool = False, instead: Texts = ()) -> Template:
    """The template ``name`` of ``instead`` or, if it has none, of the package's folder ``templates``.

    ``escaped`` is for XML and HTML. Raises :class:`jinja2.TemplateError` where the text is no template. If there are
    any ``instead``, its ``render`` raises it too where more than the bounds above is asked for.
    """
    environment = (_Bounds if instead else SandboxedEnvironment)(
        loader=ChoiceLoader([DictLoader(dict(instead)), PackageLoader(package)]),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=escaped,
    )
    environment.filters["json"] = _json
    if isinstance(environment, _Bounds):
        environment.filters["counted"] = environment.counted
    return environment.get_template(name)


def _json(value: object) -> str:
    """JSON that shows every letter as it is: Jinja's own filter writes signs of HTML as escapes."""
    return json.dumps(value, ensure_ascii=False)
