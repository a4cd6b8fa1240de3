"""An instance as an edition shows it: in which language, and under which names.

Whatever the names, truths, actions and outcomes keep their positions and what they rule out. Two variants keep
knowledge of the world out of the game. In an anonymous one truths, actions and outcomes have codes in place of names;
units go, since they tell what is measured. In a counterfactual one each truth has the name of another: of all truths
that are listed, one after the other in a circle. Neither has descriptions, which would tell what is meant. What else
has a truth's name in it, an action or an outcome, has a code in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kumoc.benchmark import Edition, Variant
from kumoc.generate import Instance, derive
from kumoc.generate.draw import Draws
from kumoc.language.names import mentions
from kumoc.tables import Action, Tables, Truth
from kumoc.translation import translated


@dataclass(frozen=True, slots=True)
class Renamed:
    """What a listed truth, an action or an outcome is called (``shown``), and its name in the domain's own language.

    ``action`` is the shown name of the action that an outcome belongs to, empty for the other kinds.
    """

    kind: str
    action: str
    shown: str
    name: str


@dataclass(frozen=True, slots=True)
class Shown:
    """``instance`` is ``original`` under other names; ``renamed`` is empty where it is that itself."""

    edition: Edition
    original: Instance
    instance: Instance
    renamed: tuple[Renamed, ...] = ()


def show(instance: Instance, edition: Edition) -> Shown:
    """``instance`` as ``edition`` shows it; its domain must be given, whole, in the language of the edition.

    Equal instances, seeds included, get equal names. Those of what is listed do not depend on what else the tables
    hold.
    """
    tables = translated(instance.tables, edition.language or instance.tables.language)
    if edition.variant is Variant.ANONYMOUS:
        tables = _anonymous(tables, instance)
    elif edition.variant is Variant.COUNTERFACTUAL:
        tables = _counterfactual(tables, instance)
    if tables is instance.tables:
        return Shown(edition, instance, instance)
    return Shown(edition, instance, replace(instance, tables=tables), tuple(_renamed(instance, tables)))


def _anonymous(tables: Tables, instance: Instance) -> Tables:
    draws = Draws(derive("anonymous", instance.seed))
    truths = _shuffled(draws, instance.truths, len(tables.truths))
    actions = _shuffled(draws, instance.actions, len(tables.actions))
    truth_codes = {position: f"T{number}" for number, position in enumerate(truths, start=1)}
    action_codes = {position: f"A{number}" for number, position in enumerate(actions, start=1)}
    return replace(
        tables,
        truths=tuple(Truth(truth_codes[i]) for i in range(len(tables.truths))),
        actions=tuple(_coded(_without_unit(action), action_codes[i]) for i, action in enumerate(tables.actions)),
        translations=(),
    )


def _counterfactual(tables: Tables, instance: Instance) -> Tables:
    draws = Draws(derive("counterfactual", instance.seed))
    truths = [truth.name for truth in tables.truths]
    order = _shuffled(draws, instance.truths, len(truths))
    listed, others = order[: len(instance.truths)], order[len(instance.truths) :]
    names = {
        position: truths[following]
        for circle in (listed, others)
        for position, following in zip(circle, [*circle[1:], *circle[:1]], strict=True)
    }
    return replace(
        tables,
        truths=tuple(Truth(names[i]) for i in range(len(truths))),
        actions=tuple(_guarded(action, f"A{i}", truths) for i, action in enumerate(tables.actions, start=1)),
        translations=(),
    )


def _shuffled(draws: Draws, listed: Sequence[int], count: int) -> list[int]:
    """All positions below ``count``: those ``listed`` in random order, and then the others."""
    others = [i for i in range(count) if i not in listed]
    return [group[i] for group in (listed, others) for i in draws.permutation(len(group))]


def _without_unit(action: Action) -> Action:
    return replace(action, scale=action.scale and replace(action.scale, unit=""))


def _coded(action: Action, name: str) -> Action:
    """The action under another name, with codes for labels."""
    outcomes = tuple(
        replace(outcome, key=f"O{number}") if isinstance(outcome.key, str) else outcome
        for number, outcome in enumerate(action.outcomes, start=1)
    )
    return replace(action, name=name, description="", outcomes=outcomes)


def _guarded(action: Action, code: str, truths: Sequence[str]) -> Action:
    """The action without what has a truth's name in it."""
    told = [action.name, *(outcome.key for outcome in action.outcomes if isinstance(outcome.key, str))]
    name, *labels = (any(mentions(text, truth) for truth in truths) for text in told)
    shown = code if name else action.name
    return _coded(action, shown) if any(labels) else replace(action, name=shown, description="")


def _renamed(instance: Instance, tables: Tables) -> Iterator[Renamed]:
    own = instance.tables
    for i in instance.truths:
        yield Renamed("truth", "", tables.truths[i].name, own.truths[i].name)
    for i in instance.actions:
        action, meant = tables.actions[i], own.actions[i]
        yield Renamed("action", "", action.name, meant.name)
        for outcome, original in zip(action.outcomes, meant.outcomes, strict=True):
            if isinstance(outcome.key, str) and isinstance(original.key, str):
                yield Renamed("outcome", action.name, outcome.key, original.key)
