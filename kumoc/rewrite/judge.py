"""A model reads a book, action by action, without seeing what it should say; the tables then decide."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kumoc.book import Finding, Report, Rules, Verdict, differences, in_words
from kumoc.book.reader import ActionEntry, Seen, TruthEntry
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

GAME_SCHEMA = _object(
    {"valid": {"type": "integer"}, "truths": _TEXTS, "actions": _TEXTS, "others_rule_out_nothing": {"type": "boolean"}}
)
"""What a judge answers about the game as a whole."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked with the prompt ``name``, about an ``action`` or about none, and what an answer's findings are."""

    name: str
    action: str
    asked: Mapping[str, Any]
    schema: Mapping[str, Any]
    findings: Callable[[Any], Iterator[Finding]]


async def judge(instance: Instance, text: str, talker: Talker, name: str) -> tuple[Report, tuple[int, int]]:
    """What the model ``name`` finds that the book ``text`` says, and the tokens that it read and wrote.

    One question for each listed action, one for what belongs to none, and one for the game as a whole. An answer in
    prose, with names that are not listed, or with sentences that are not in the book decides nothing: what it is about
    is undecided. Where the model gives no answer it is asked no more, and all that is left is unanswered.
    """
    findings: list[Finding] = []
    read = written = 0
    silence = ""
    for question in _questions(instance, text):
        if not silence:
            answer = await _ask(talker, text, question)
            read, written = read + answer.tokens[0], written + answer.tokens[1]
            silence = answer.fault if answer.absent else ""
        if silence:
            findings.append(Finding("unanswered", question.action, "", note=silence))
        else:
            findings += _decided(question, answer)
    return Report(name, tuple(findings)), (read, written)


def _questions(instance: Instance, text: str) -> Iterator[_Question]:
    truths = [instance.tables.truths[i].name for i in instance.truths]
    actions = [instance.tables.actions[i] for i in instance.actions]
    for action in actions:
        outcomes = [
            {"number": number, "outcome": _shown(action, seen)}
            for number, seen in enumerate(_outcomes(action), start=1)
        ]
        asked: dict[str, Any] = {"action": action.name, "outcomes": outcomes, "truths": truths}
        yield _Question("judge", action.name, asked, RULES_SCHEMA, partial(_rules, instance, action, text))
    asked = {"actions": [action.name for action in actions], "truths": truths}
    yield _Question("strays", "", asked, STRAYS_SCHEMA, partial(_strays, text))
    yield _Question("game", "", {}, GAME_SCHEMA, partial(_game, instance, text))


async def _ask(talker: Talker, text: str, question: _Question) -> Answer:
    shown = fenced(json.dumps(question.asked, ensure_ascii=False, indent=1))
    asked = prompt("kumoc.rewrite", question.name, book=fenced(text), question=shown)
    return await talker.answer([("user", asked)], question.schema)


def _decided(question: _Question, answer: Answer) -> list[Finding]:
    """What the question makes of a usable answer; one finding that nothing is decided otherwise."""
    try:
        if answer.fault:
            raise UnusableError(answer.fault)
        return list(question.findings(as_json(answer.text, question.schema)))
    except UnusableError as error:
        return [Finding("undecided", question.action, "", note=f"the judge decides nothing: {error}")]


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


def _game(instance: Instance, text: str, said: Mapping[str, Any]) -> Iterator[Finding]:
    for name in (*said["truths"], *said["actions"]):
        if name not in text:
            raise UnusableError(f"it lists '{name}', which is not in the book")
    if not said["valid"]:
        yield Finding("missing", "", "", note="the book does not say how many truths are valid")
    if not said["others_rule_out_nothing"]:
        yield Finding(
            "missing", "", "", note="the book does not say that an outcome it does not tell of rules out nothing"
        )
    units = {action.name: action.scale.unit for action in instance.tables.actions if action.scale}
    listed = Rules(
        title="",
        topic="",
        goal="",
        truth_noun=("", ""),
        action_noun=("", ""),
        valid=said["valid"] or len(instance.valid),
        truths=tuple(TruthEntry(name, "") for name in dict.fromkeys(said["truths"])),
        actions=tuple(ActionEntry(name, "", units.get(name), ()) for name in dict.fromkeys(said["actions"])),
    )
    yield from map(Finding.beside, differences(instance, listed))


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
