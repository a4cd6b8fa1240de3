"""Write the book of an instance: the template holds the prose, this module prepares the data that it needs."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import PackageLoader, StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

from kumoc.generate.instance import Instance
from kumoc.tables import Action, Outcome, Range

GUIDE = "en/guide.md.j2"
"""The template of a guide in English: templates lie in one folder a language, one file a style."""

_Listed = list[tuple[int, str]]
"""The listed truths in the player's order: each one's bit in the masks of the tables, and its name."""

_Entry = dict[str, Any]
"""What a template sees of a truth, an action or a rule; a dict, which the sandbox reads 5 times faster than objects."""


def render(instance: Instance) -> str:
    """The book of ``instance``: Markdown text in English, in the style ``guide``, ending in a line break.

    Names and descriptions are written as they are: nothing in them is executed, and none is escaped. Whether the
    book then says what the tables say is for :func:`kumoc.book.check` to find out.
    """
    return _template(GUIDE).render(_contents(instance))


@cache
def _template(name: str) -> Template:
    environment = SandboxedEnvironment(
        loader=PackageLoader("kumoc.book"),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


def _contents(instance: Instance) -> dict[str, Any]:
    tables = instance.tables
    truths = [tables.truths[i] for i in instance.truths]
    listed = [(1 << i, truth.name) for i, truth in zip(instance.truths, truths, strict=True)]
    return {
        "title": tables.title,
        "topic": tables.topic,
        "goal": tables.goal,
        "truth": tables.truth_noun.one,
        "truths": tables.truth_noun.many,
        "action": tables.action_noun.one,
        "actions": tables.action_noun.many,
        "valid": len(instance.valid),
        "listed_truths": [{"name": truth.name, "description": truth.description} for truth in truths],
        "listed_actions": [_action(tables.actions[i], listed) for i in instance.actions],
    }


def _action(action: Action, listed: _Listed) -> _Entry:
    rules = [_rule(outcome, listed) for outcome in action.outcomes]
    return {
        "name": action.name,
        "description": action.description,
        "measured": action.scale is not None,
        "unit": action.scale.unit if action.scale else "",
        "rules": [rule for rule in rules if rule["names"]],
    }


def _rule(outcome: Outcome, listed: _Listed) -> _Entry:
    names = [name for bit, name in listed if outcome.excludes & bit]
    key = outcome.key
    if isinstance(key, Range):
        # "f" keeps the digits of the domain, zeros included, and never writes an exponent
        return {"label": None, "low": f"{key.low:f}", "high": f"{key.high:f}", "closed": key.closed, "names": names}
    return {"label": key, "names": names}
