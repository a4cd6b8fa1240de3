"""Write the book of an instance: templates hold the prose, this module prepares the data that they need."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import Any

from kumoc.book.sentences import paragraphs
from kumoc.generate import derive
from kumoc.generate.draw import Draws
from kumoc.generate.instance import Instance
from kumoc.tables import Action, Outcome, Range
from kumoc.templating import Texts, template

_Listed = list[tuple[int, str]]
"""The listed truths in the player's order: each one's bit in the masks of the tables, and its name."""

_Entry = dict[str, Any]
"""What a template sees of a truth, an action or a rule; a dict, which the sandbox reads 5 times faster than objects."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


def render(
    instance: Instance, style: str = "guide", *, language: str = "en", words: int = 0, instead: Texts = ()
) -> str:
    """The book of ``instance`` in that style: Markdown text, ending in a line break.

    A ``long`` book has entries for truths and actions of the tables that are not listed: as many as it can without
    having more than that many ``words``, where a Chinese or Japanese letter counts as one. Templates ``instead`` take
    the place of the project's own.

    Names and descriptions are written as they are, escaped only where a cell or JSON asks for it, and nothing in them
    is executed. Whether the book then says what the tables say is for :func:`kumoc.book.check` to find out. Raises
    :class:`jinja2.TemplateError` where one of ``instead`` is no template or asks for what is not there.
    """
    page = template("kumoc.book", f"{language}/{style}.md.j2", instead=instead)
    if style != "long":
        return page.render(_contents(instance, style))
    order = _others(instance)

    def surrounded(count: int) -> str:
        return page.render(_surrounded(instance, order[:count]))

    counts = range(1, len(order) + 1)
    return surrounded(bisect_right(counts, words, key=lambda count: word_count(surrounded(count))))


def word_count(text: str) -> int:
    """How many words a text has; a Chinese or Japanese letter counts as one."""
    return sum(1 for _ in _WORD.finditer(text))


def _others(instance: Instance) -> list[tuple[str, int]]:
    """Truths and actions that are not listed, by kind and position, in the order in which they come into a book."""
    tables = instance.tables
    truths = [("truth", i) for i in range(len(tables.truths)) if i not in instance.truths]
    actions = [("action", i) for i in range(len(tables.actions)) if i not in instance.actions]
    others = truths + actions
    return [others[i] for i in Draws(derive("book", instance.seed, "others")).order(len(others))]


def _surrounded(instance: Instance, others: list[tuple[str, int]]) -> _Entry:
    """What the template of a long book sees."""
    listed = _contents(instance, "long")
    truths = _mixed(instance.truths, [i for kind, i in others if kind == "truth"], instance.seed, "truths")
    actions = _mixed(instance.actions, [i for kind, i in others if kind == "action"], instance.seed, "actions")
    in_play = {
        "truths": [entry["name"] for entry in listed["listed_truths"]],
        "actions": [entry["name"] for entry in listed["listed_actions"]],
    }
    return _contents(replace(instance, truths=truths, actions=actions), "long") | {"in_play": in_play}


def _mixed(listed: tuple[int, ...], others: list[int], seed: int, kind: str) -> tuple[int, ...]:
    together = [*listed, *others]
    return tuple(together[i] for i in Draws(derive("book", seed, kind)).permutation(len(together)))


def _contents(instance: Instance, style: str) -> _Entry:
    tables = instance.tables
    truths = [tables.truths[i] for i in instance.truths]
    listed = [(1 << i, truth.name) for i, truth in zip(instance.truths, truths, strict=True)]
    actions = [_action(tables.actions[i], listed) for i in instance.actions]
    return {
        "style": style,
        "in_play": None,
        "title": tables.title,
        "topic": tables.topic,
        "goal": tables.goal,
        "truth": tables.truth_noun.one,
        "truths": tables.truth_noun.many,
        "action": tables.action_noun.one,
        "actions": tables.action_noun.many,
        "valid": len(instance.valid),
        "listed_truths": [{"name": truth.name, "description": truth.description} for truth in truths],
        "listed_actions": actions,
        "paragraphs": paragraphs(actions, instance.seed) if style == "prose" else [],
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
