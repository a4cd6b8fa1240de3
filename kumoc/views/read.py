"""From a row of the game view back to the bare game: what is listed, what each outcome rules out, what was observed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kumoc.generate.instance import Game
from kumoc.tables import members


class RowError(ValueError):
    """A row that is no instance of the game; its text says why."""


@dataclass(frozen=True, slots=True)
class BareGame:
    """An instance as its row tells it.

    ``truths`` and ``actions`` are names in the player's order, ``valid`` positions of truths, ascending. Per action,
    ``game`` has the mask of truths that each outcome rules out, ``outcomes`` those outcomes in words, ``observed`` the
    position of the one that was seen and ``seen`` the text that the player was shown.
    """

    truths: tuple[str, ...]
    actions: tuple[str, ...]
    valid: tuple[int, ...]
    game: Game
    outcomes: tuple[tuple[str, ...], ...]
    observed: tuple[int, ...]
    seen: tuple[str, ...]


def bare_game(row: Mapping[str, Any]) -> BareGame:
    """The game of ``row``, from its columns ``truths``, ``actions``, ``rules``, ``observations`` and ``valid_truths``.

    The columns must have the form of ``schemas/instance.schema.json``. Raises RowError where they contradict each
    other: names that are not listed, an observation that fits no outcome of its action or several, observations that
    do not leave exactly the valid truths.
    """
    truths, actions = tuple(row["truths"]), tuple(row["actions"])
    position = {name: i for i, name in enumerate(truths)}
    rules = _rules_by_action(row, actions)
    shown = _observations_by_action(row, actions)
    valid = _mask(row["valid_truths"], position, "valid_truths")
    bare = BareGame(
        truths=truths,
        actions=actions,
        valid=tuple(members(valid)),
        game=tuple(tuple(_mask(rule["rules_out"], position, name) for rule in rules[name]) for name in actions),
        outcomes=tuple(tuple(_in_words(rule) for rule in rules[name]) for name in actions),
        observed=tuple(_fitting(shown[name], rules[name]) for name in actions),
        seen=tuple(shown[name]["text"] for name in actions),
    )
    _check_guarantee(bare, valid)
    return bare


def _rules_by_action(row: Mapping[str, Any], actions: tuple[str, ...]) -> dict[str, list[Mapping[str, Any]]]:
    rules: dict[str, list[Mapping[str, Any]]] = {name: [] for name in actions}
    for rule in row["rules"]:
        if rule["action"] not in rules:
            raise RowError(f"a rule is about the action {rule['action']!r}, which is not listed")
        rules[rule["action"]].append(rule)
    return rules


def _observations_by_action(row: Mapping[str, Any], actions: tuple[str, ...]) -> dict[str, Mapping[str, Any]]:
    shown: dict[str, Mapping[str, Any]] = {seen["action"]: seen for seen in row["observations"]}
    if len(row["observations"]) != len(actions) or shown.keys() != set(actions):
        raise RowError("the observations are not one for each listed action")
    return shown


def _mask(names: list[str], position: Mapping[str, int], where: str) -> int:
    mask = 0
    for name in names:
        if name not in position:
            raise RowError(f"{where}: the truth {name!r} is not listed")
        mask |= 1 << position[name]
    return mask


def _fitting(seen: Mapping[str, Any], rules: list[Mapping[str, Any]]) -> int:
    fitting = [i for i, rule in enumerate(rules) if _fits(seen, rule)]
    if len(fitting) != 1:
        raise RowError(f"the observation of {seen['action']!r} fits {len(fitting)} of its outcomes, not one")
    return fitting[0]


def _fits(seen: Mapping[str, Any], rule: Mapping[str, Any]) -> bool:
    value, label = seen["value"], seen["label"]
    if rule["label"] is not None or value is None:
        return value is None and label is not None and bool(label == rule["label"])
    return label is None and bool(rule["low"] <= value < rule["high"] or (rule["closed"] and value == rule["high"]))


def _in_words(rule: Mapping[str, Any]) -> str:
    if rule["label"] is not None:
        return str(rule["label"])
    return f"{_number(rule['low'])} to {_number(rule['high'])} {rule['unit'] or ''}".rstrip()


def _number(value: float) -> str:
    return str(value).removesuffix(".0")


def _check_guarantee(bare: BareGame, valid: int) -> None:
    left = (1 << len(bare.truths)) - 1
    for masks, outcome in zip(bare.game, bare.observed, strict=True):
        left &= ~masks[outcome]
    if left != valid:
        raise RowError(f"the observations leave {_listed(bare, left)}, but valid are {_listed(bare, valid)}")


def _listed(bare: BareGame, mask: int) -> str:
    return ", ".join(repr(bare.truths[i]) for i in members(mask)) or "nothing"
