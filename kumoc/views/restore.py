"""From a row of the game view back to the instance it was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from kumoc.generate.instance import Instance, Observation
from kumoc.tables import Action, Noun, Outcome, Range, Scale, Tables, Truth
from kumoc.views.read import RowError, bare_game


def restore(row: Mapping[str, Any], tables: Tables) -> Instance:
    """The instance of ``tables`` that ``row`` shows: what is listed, what is valid and what was observed.

    The columns must have the form of ``schemas/instance.schema.json``. Raises RowError where a name is unknown or an
    observation fits no outcome of its action or several. Whether the row says what :func:`kumoc.views.game_row`
    would say of the instance is for the caller to find out. A row under other names is read by those that it
    says they stand for.
    """
    row = renamed_back(row)
    truths = _positions("truth", row["truths"], [truth.name for truth in tables.truths])
    actions = _positions("action", row["actions"], [action.name for action in tables.actions])
    listed: list[str] = list(row["truths"])
    seen = {observation["action"]: observation for observation in row["observations"]}
    if not seen.keys() >= set(row["actions"]):
        raise RowError("a listed action has no observation")
    return Instance(
        tables=tables,
        truths=truths,
        actions=actions,
        valid=tuple(sorted(_positions("listed truth", row["valid_truths"], listed))),
        observations=tuple(_observation(tables.actions[i], seen[tables.actions[i].name]) for i in actions),
        seed=row["seed"],
    )


def restore_alone(row: Mapping[str, Any]) -> Instance:
    """The instance that ``row`` shows, under the names it shows, of tables that hold nothing else.

    What a row does not tell is empty in these tables: title, topic, goal, nouns and descriptions. Only the columns of
    the bare game are needed. Raises RowError where the row contradicts itself.
    """
    bare = bare_game(row)
    bits = {name: 1 << i for i, name in enumerate(bare.truths)}
    rules: dict[str, list[Mapping[str, Any]]] = {name: [] for name in bare.actions}
    for rule in row["rules"]:
        rules[rule["action"]].append(rule)
    seen = {observation["action"]: observation["value"] for observation in row["observations"]}
    values = [None if seen[name] is None else _decimal(seen[name]) for name in bare.actions]
    tables = Tables(
        domain="",
        title="",
        topic="",
        goal="",
        version="",
        truth_noun=Noun("", ""),
        action_noun=Noun("", ""),
        truths=tuple(map(Truth, bare.truths)),
        actions=tuple(_action(name, rules[name], bits) for name in bare.actions),
    )
    return Instance(
        tables=tables,
        truths=tuple(range(len(bare.truths))),
        actions=tuple(range(len(bare.actions))),
        valid=bare.valid,
        observations=tuple(map(Observation, bare.observed, values)),
        seed=0,
    )


def _action(name: str, rules: Sequence[Mapping[str, Any]], bits: Mapping[str, int]) -> Action:
    outcomes = tuple(Outcome(_key(rule), sum(bits[truth] for truth in rule["rules_out"])) for rule in rules)
    if rules[0]["label"] is not None:
        return Action(name, outcomes)
    low, high = _decimal(rules[0]["low"]), _decimal(rules[-1]["high"])
    return Action(name, outcomes, scale=Scale(low, high, 0, rules[0].get("unit") or ""))


def _key(rule: Mapping[str, Any]) -> str | Range:
    if rule["label"] is not None:
        return str(rule["label"])
    return Range(_decimal(rule["low"]), _decimal(rule["high"]), rule["closed"])


def _decimal(number: float) -> Decimal:
    return Decimal(repr(number).removesuffix(".0"))


def renamed_back(row: Mapping[str, Any]) -> dict[str, Any]:
    """``row`` with the domain's own names in the columns that make the instance what it is."""
    names = {(each["kind"], each["action"], each["shown"]): each["name"] for each in row["renamed"]}

    def named(kind: str, shown: Any, action: str = "") -> Any:
        return names.get((kind, action, shown), shown)

    def of_action(entry: Mapping[str, Any]) -> dict[str, Any]:
        label = named("outcome", entry["label"], entry["action"])
        return {**entry, "action": named("action", entry["action"]), "label": label}

    def truths(listed: Sequence[str]) -> list[Any]:
        return [named("truth", name) for name in listed]

    return {
        **row,
        "truths": truths(row["truths"]),
        "actions": [named("action", name) for name in row["actions"]],
        "valid_truths": truths(row["valid_truths"]),
        "observations": [of_action(seen) for seen in row["observations"]],
        "rules": [{**of_action(rule), "rules_out": truths(rule["rules_out"])} for rule in row["rules"]],
    }


def _positions(kind: str, names: Sequence[str], known: Sequence[str]) -> tuple[int, ...]:
    position = {name: i for i, name in enumerate(known)}
    for name in names:
        if name not in position:
            raise RowError(f"there is no {kind} {name!r}")
    return tuple(position[name] for name in names)


def _observation(action: Action, seen: Mapping[str, Any]) -> Observation:
    value = None if seen["value"] is None else _decimal(seen["value"])
    fitting = [i for i, outcome in enumerate(action.outcomes) if _fits(outcome, seen["label"], value)]
    if len(fitting) != 1:
        raise RowError(f"the observation of {action.name!r} fits {len(fitting)} of its outcomes, not one")
    return Observation(fitting[0], value)


def _fits(outcome: Outcome, label: str | None, value: Decimal | None) -> bool:
    key = outcome.key
    if isinstance(key, str):
        return value is None and label == key
    return label is None and value is not None and key.low < value < key.high
