"""KUMO's published plays, and the instances and domains that they were played on, as trajectories.

A file of plays has, in each line, ``domain``, ``seed`` and ``trajectories``. The actions of a trajectory end with the
named truth and ``{"predicted_truth": ...}``, with null at a parse error, or with an action where play was cut off. A
file of instances has, in each line, what was listed and observed under a seed. Names of files say the rest:
``<model>.<size>.jsonl`` and ``<domain>.<size>.jsonl``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from jsonschema import Draft202012Validator

from kumoc.interop.kumo_read import Domain, State
from kumoc.interop.literals import SourceError
from kumoc.play import End, Event, Fault, Kind, Optimum, Signature, Trajectory, signature
from kumoc.release.schemas import sentences
from kumoc.views.game import PUBLISHED_EXTRA_STEPS

_NAMES = {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1}
_INSTANCE = Draft202012Validator(
    {
        "type": "object",
        "properties": {
            "truths": _NAMES,
            "actions": _NAMES,
            "seed": {"type": "integer"},
            "valid_truth": {"type": "string"},
            "published_optimal_action_count": {"type": "integer", "minimum": PUBLISHED_EXTRA_STEPS},
            "expected_steps": {"type": "number", "minimum": 0},
            "expected_actions_exact": {"type": "number", "minimum": 0},
        },
        "required": ["truths", "actions", "seed", "valid_truth", "published_optimal_action_count"],
    }
)
_PREDICTED = {
    "type": "object",
    "properties": {"predicted_truth": {"type": "string"}},
    "required": ["predicted_truth"],
}
_PLAYS = Draft202012Validator(
    {
        "type": "object",
        "properties": {
            "domain": {"type": "string", "minLength": 1},
            "seed": {"type": "integer"},
            "trajectories": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "actions": {"type": "array", "items": {"anyOf": [{"type": ["string", "null"]}, _PREDICTED]}},
                        "observations": {"type": "array", "items": {"type": ["object", "null"]}},
                        "consumed_tokens": {"type": "integer", "minimum": 0},
                        "successful": {"type": "boolean"},
                    },
                    "required": ["actions", "observations", "successful"],
                },
            },
        },
        "required": ["domain", "seed", "trajectories"],
    }
)

Key = tuple[str, str, int]
"""A domain, a size and a seed."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The published instances, and the signatures of those whose domains are there."""

    instances: Mapping[Key, Mapping[str, Any]]
    signatures: Mapping[Key, Signature] = field(default_factory=dict)


def read_instances(text: str, filename: str) -> dict[Key, Mapping[str, Any]]:
    """The instances in ``text``, by domain, size and seed. Raises :class:`SourceError`."""
    domain, size = _named(filename, "domain")
    return {(domain, size, line["seed"]): line for _, line in _lines(text, _INSTANCE)}


def corpus(instances: Mapping[Key, Mapping[str, Any]], domains: Iterable[Domain]) -> Corpus:
    """The instances with the signatures that follow from ``domains``."""
    tables = {domain.name: _excludable(domain) for domain in domains}
    signatures = {key: _signature(instance, tables[key[0]]) for key, instance in instances.items() if key[0] in tables}
    return Corpus(instances, signatures)


def read_plays(text: str, filename: str, known: Corpus, model: str | None = None) -> Iterator[Trajectory]:
    """The trajectories in ``text``, of plays on instances that are ``known``; ``model`` as in the file's name.

    Raises :class:`SourceError` for a line that has not the form of KUMO's, names an instance that is not known or
    contradicts it.
    """
    named, size = _named(filename, "model")
    for number, line in _lines(text, _PLAYS):
        key = line["domain"], size, line["seed"]
        instance = known.instances.get(key)
        if instance is None:
            raise SourceError(f"there is no instance of {key[0]!r}, size {size!r}, with the seed {key[2]}", number)
        for trial, play in enumerate(line["trajectories"]):
            try:
                events, end, success = _events(play, instance)
            except ValueError as error:
                raise SourceError(f"trajectory {trial}: {error}", number) from error
            yield Trajectory(
                instance_id="-".join(map(str, key)),
                domain=key[0],
                size=size,
                model=model or named,
                trial=trial,
                truths=len(instance["truths"]),
                actions=len(instance["actions"]),
                valid=1,
                events=events,
                end=end,
                success=success,
                wasted=None,
                optimum=_optimum(instance),
                signature=known.signatures.get(key),
                tokens=play.get("consumed_tokens"),
                origin={"file": filename},
            )


def _named(filename: str, what: str) -> tuple[str, str]:
    """A name and a size, from the name of a file."""
    name, _, size = PurePath(filename).stem.rpartition(".")
    if not name or not size:
        raise SourceError(f"the file's name does not tell {what} and size: it should be like {what}.easy.jsonl", 1)
    return name, size


def _lines(text: str, validator: Draft202012Validator) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"it is not JSON: {error}", number) from error
        for message in sentences(validator, value):
            raise SourceError(message, number)
        yield number, value


def _events(play: Mapping[str, Any], instance: Mapping[str, Any]) -> tuple[tuple[Event, ...], End, bool]:
    """What happened in one trajectory. Raises ValueError if that can't be."""
    said, last = play["actions"], play["actions"][-1] if play["actions"] else ""
    end = End.NAMED if isinstance(last, Mapping) else End.REFUSED if last is None else End.LIMIT
    actions = said[: {End.NAMED: -2, End.REFUSED: -1, End.LIMIT: None}[end]]
    events: list[Event] = []
    for number, action in enumerate(actions):
        if action not in instance["actions"]:
            raise ValueError(f"{action!r} is no action of its instance")
        repeated = any(event.name == action for event in events)
        events.append(Event(Kind.ACT, action, _seen(play["observations"], number + 1, action), repeated))
    if isinstance(last, Mapping):
        named = last["predicted_truth"]
        if named not in instance["truths"] or said[-2:-1] != [named]:
            raise ValueError(f"{named!r} is not the last that was said, or no truth of its instance")
        events.append(Event(Kind.NAME, named))
    elif last is None:
        events.append(Event(Kind.REFUSE, fault=Fault.UNRECORDED))
    success = isinstance(last, Mapping) and last["predicted_truth"] == instance["valid_truth"]
    if success != play["successful"]:
        raise ValueError("it says of its success what its instance does not")
    return tuple(events), end, success


def _seen(observations: list[Any], position: int, action: str) -> str | None:
    """What an action showed; observations begin with null, before any action, and lack the last where play was cut."""
    if position == len(observations):
        return None
    observation = observations[position] if position < len(observations) else None
    if observation is None or observation.get("action") != action or "observation" not in observation:
        raise ValueError(f"there is no observation for action {position}, {action!r}")
    return str(observation["observation"])


def _optimum(instance: Mapping[str, Any]) -> Optimum:
    published = instance["published_optimal_action_count"]
    return Optimum(
        exact_expected_actions=instance.get("expected_actions_exact"),
        paper_expected_actions=instance.get("expected_steps"),
        paper_trajectory_length=published - PUBLISHED_EXTRA_STEPS,
        optimal_action_cnt=published,
    )


def _excludable(domain: Domain) -> dict[str, list[frozenset[str]]]:
    """Per action, the truths that each of its outcomes rules out."""
    truths = frozenset(name.text for name in domain.truths)
    return {table.action.text: [_ruled_out(state, truths) for state in table.states] for table in domain.tables}


def _ruled_out(state: State, truths: frozenset[str]) -> frozenset[str]:
    names = frozenset(name.text for name in state.names)
    return truths - names if state.all_but else names


def _signature(instance: Mapping[str, Any], tables: Mapping[str, list[frozenset[str]]]) -> Signature:
    truths = instance["truths"]
    game = tuple(
        tuple(sum(1 << i for i, truth in enumerate(truths) if truth in out) for out in tables.get(action, ()))
        for action in instance["actions"]
    )
    return signature(len(truths), game)
