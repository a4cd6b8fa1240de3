"""Rules as sentences: which of them a book in prose has, and in what order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from kumoc.generate import derive
from kumoc.generate.draw import Draws

_Sentence = dict[str, Any]

MOST_CASES = 3
"""Outcomes that one sentence says to rule out the same truth."""

MOST_SENTENCES = 5
"""Sentences of a paragraph."""

WAYS = 60
"""Ways to say a sentence are drawn as numbers below this one, which as many ways as a template has divide."""


def paragraphs(actions: Sequence[dict[str, Any]], seed: int) -> list[list[_Sentence]]:
    """Paragraphs of sentences that together state each rule of ``actions`` once; ``seed`` is the instance's.

    One book in two goes truth by truth. In the others some actions are told outcome by outcome and the rest truth by
    truth, all mixed.
    """
    draws = Draws(derive("book", seed, "prose"))
    mixed = draws.below(2)
    by_outcome = [action for action in actions if mixed and draws.below(2)]
    by_truth = [action for action in actions if action not in by_outcome]
    sentences = [_sentence("outcome", rule["names"], [_case(action, rule)]) for action, rule in _rules(by_outcome)]
    sentences += _for_truths(by_truth, draws)
    sentences += [{"action": action["name"], "cases": []} for action in actions if not action["rules"]]
    if mixed:
        sentences = [sentences[i] for i in draws.permutation(len(sentences))]
    for sentence in sentences:
        sentence["way"] = draws.below(WAYS)
    cut = iter(sentences)
    return list(iter(lambda: list(islice(cut, 1 + draws.below(MOST_SENTENCES))), []))


def _rules(actions: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(action, rule) for action in actions for rule in action["rules"]]


def _for_truths(actions: Sequence[dict[str, Any]], draws: Draws) -> list[_Sentence]:
    """Sentences on one truth each, those on the same one together."""
    cases: dict[str, list[_Sentence]] = {}
    for action, rule in _rules(actions):
        for name in rule["names"]:
            cases.setdefault(name, []).append(_case(action, rule))
    names = list(cases)
    return [
        _sentence("truth", [names[i]], cases[names[i]][start : start + MOST_CASES])
        for i in draws.permutation(len(names))
        for start in range(0, len(cases[names[i]]), MOST_CASES)
    ]


def _case(action: dict[str, Any], rule: dict[str, Any]) -> dict[str, Any]:
    return {"action": action["name"], "rule": rule, "unit": action["unit"]}


def _sentence(by: str, names: list[str], cases: list[dict[str, Any]]) -> _Sentence:
    return {"by": by, "names": names, "cases": cases}
