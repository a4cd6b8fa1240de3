"""A model reads a book, action by action, without seeing what it should say; the tables then decide."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from kumoc.book import Finding, Report, Verdict, in_words
from kumoc.book.reader import Seen
from kumoc.generate.instance import Instance
from kumoc.models.answers import UnusableError, as_json
from kumoc.models.prompts import fenced, prompt
from kumoc.models.talk import Answer, Talker
from kumoc.tables import Action, Range

_TEXTS = {"type": "array", "items": {"type": "string"}}
_RULE = {"outcome": {"type": "integer"}, "rules_out": _TEXTS, "sentences": _TEXTS, "clear": {"type": "boolean"}}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


RULES_SCHEMA = _object({"rules": {"type": "array", "items": _object(_RULE)}})
"""What a judge answers about an action."""

STRAYS_SCHEMA = _object({"sentences": _TEXTS})
"""What a judge answers about all that belongs to no action."""


async def judge(instance: Instance, text: str, talker: Talker, name: str) -> tuple[Report, tuple[int, int]]:
    """What the model ``name`` finds that the book ``text`` says, and the tokens that it read and wrote.

    One question for each listed action, and one for what belongs to none. An answer in prose, with names that are not
    listed, or with sentences that are not in the book decides nothing: what it is about is undecided.
    """
    truths = [instance.tables.truths[i].name for i in instance.truths]
    actions = [instance.tables.actions[i] for i in instance.actions]
    findings: list[Finding] = []
    read = written = 0
    for action in actions:
        question = {
            "action": action.name,
            "outcomes": [
                {"number": number, "outcome": _shown(action, seen)}
                for number, seen in enumerate(_outcomes(action), start=1)
            ],
            "truths": truths,
        }
        answer = await _ask(talker, "judge", text, question, RULES_SCHEMA)
        findings += _decided(action.name, answer, partial(_rules, instance, action, text))
        read, written = read + answer.tokens[0], written + answer.tokens[1]
    question = {"actions": [action.name for action in actions], "truths": truths}
    answer = await _ask(talker, "strays", text, question, STRAYS_SCHEMA)
    findings += _decided("", answer, partial(_strays, text))
    return Report(name, tuple(findings)), (read + answer.tokens[0], written + answer.tokens[1])


async def _ask(talker: Talker, name: str, text: str, question: Mapping[str, Any], schema: Mapping[str, Any]) -> Answer:
    shown = fenced(json.dumps(question, ensure_ascii=False, indent=1))
    return await talker.answer([("user", prompt("kumoc.rewrite", name, book=fenced(text), question=shown))], schema)


def _decided(action: str, answer: Answer, findings: Callable[[Any], Iterator[Finding]]) -> list[Finding]:
    """What ``findings`` makes of a usable answer; one finding that nothing is decided otherwise."""
    schema = RULES_SCHEMA if action else STRAYS_SCHEMA
    try:
        if answer.fault:
            raise UnusableError(answer.fault)
        return list(findings(as_json(answer.text, schema)))
    except UnusableError as error:
        return [Finding("undecided", action, "", note=f"the judge decides nothing: {error}")]


def _rules(instance: Instance, action: Action, text: str, said: Mapping[str, Any]) -> Iterator[Finding]:
    names = {instance.tables.truths[i].name: 1 << i for i in instance.truths}
    outcomes = _outcomes(action)
    rules: dict[int, Mapping[str, Any]] = {}
    for rule in said["rules"]:
        if not 0 <= rule["outcome"] <= len(outcomes):
            raise UnusableError(f"there is no outcome {rule['outcome']}")
        if rule["outcome"] in rules and rule["outcome"]:
            raise UnusableError(f"outcome {rule['outcome']} is answered twice")
        if unknown := [name for name in rule["rules_out"] if name not in names]:
            raise UnusableError(f"'{unknown[0]}' is not listed")
        _check_quoted(rule["sentences"], text)
        if rule["rules_out"] and not rule["sentences"]:
            raise UnusableError("a rule is given without its sentence")
        if rule["outcome"] == 0:
            yield Finding("added", action.name, "", said=tuple(rule["rules_out"]), sentences=tuple(rule["sentences"]))
        rules[rule["outcome"]] = rule
    nothing = {"rules_out": (), "sentences": (), "clear": True}
    for number, (seen, outcome) in enumerate(zip(outcomes, action.outcomes, strict=True), start=1):
        rule = rules.get(number, nothing)
        meant = frozenset(name for name, bit in names.items() if outcome.excludes & bit)
        sentences = tuple(rule["sentences"])
        verdict = Verdict(action.name, seen, frozenset(rule["rules_out"]), meant, sentences)
        if not rule["clear"]:
            yield Finding("ambiguous", action.name, in_words(seen), sentences=sentences, note="it can be read two ways")
        elif verdict.said or verdict.meant:
            yield Finding.of(verdict)


def _strays(text: str, said: Mapping[str, Any]) -> Iterator[Finding]:
    _check_quoted(said["sentences"], text)
    for sentence in said["sentences"]:
        yield Finding("added", "", "", sentences=(sentence,), note="it belongs to no outcome")


def _check_quoted(sentences: list[str], text: str) -> None:
    squeezed = " ".join(text.split())
    for sentence in sentences:
        if not sentence.strip() or " ".join(sentence.split()) not in squeezed:
            raise UnusableError("it quotes a sentence that is not in the book")


def _outcomes(action: Action) -> list[Seen]:
    return [
        (outcome.key.low, outcome.key.high, outcome.key.closed) if isinstance(outcome.key, Range) else outcome.key
        for outcome in action.outcomes
    ]


def _shown(action: Action, seen: Seen) -> str:
    if isinstance(seen, str):
        return seen
    return f"{in_words(seen)} {action.scale.unit if action.scale else ''}".rstrip()
