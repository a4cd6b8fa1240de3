"""A player's whole policy as a tree: what it does, what it may see, and what it can name in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kumoc.solve.player import Player
from kumoc.tables import members


@dataclass(frozen=True, slots=True)
class Named:
    """The end: ``truths`` are those the player can be sure of, ``survivors`` all that no outcome seen rules out."""

    survivors: tuple[int, ...]
    truths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """``outcomes`` of an action that leave the same survivors, their probability together, and what comes next."""

    outcomes: tuple[int, ...]
    probability: float
    then: Decision | Named


@dataclass(frozen=True, slots=True)
class Decision:
    """A state of play: the first of the optimal actions is taken.

    ``value`` is the expected number of further actions, ``optimal`` all actions that achieve it, ascending.
    ``branches`` leaves out outcomes that cannot be seen, and is empty where the tree was cut.
    """

    survivors: tuple[int, ...]
    value: float
    optimal: tuple[int, ...]
    branches: tuple[Branch, ...]

    @property
    def action(self) -> int:
        """The action taken."""
        return self.optimal[0]


def policy(player: Player, depth: int | None = None) -> Decision | Named:
    """The policy of ``player`` from the start, no deeper than ``depth`` actions if that is given.

    Raises OutOfWorkError if the player's limit on work does not allow it.
    """
    return _from(player, player.truths, player.actions, depth)


def _from(player: Player, survivors: int, remaining: int, depth: int | None) -> Decision | Named:
    optimal = player.optimal_actions(survivors, remaining)
    if not optimal:
        return Named(tuple(members(survivors)), player.known(survivors, remaining))
    value = player.state_value(survivors, remaining)
    branches = _branches(player, survivors, remaining, optimal[0], depth) if depth is None or depth > 0 else ()
    return Decision(tuple(members(survivors)), value, optimal, branches)


def _branches(player: Player, survivors: int, remaining: int, action: int, depth: int | None) -> tuple[Branch, ...]:
    seen: dict[int, list[int]] = {}
    chances = player.chances(survivors, remaining, action)
    for outcome, mask in enumerate(player.outcomes[action]):
        if chances[outcome] > 0:
            seen.setdefault(survivors & ~mask, []).append(outcome)
    deeper = None if depth is None else depth - 1
    rest = remaining & ~(1 << action)
    return tuple(
        Branch(tuple(outcomes), sum(chances[o] for o in outcomes), _from(player, left, rest, deeper))
        for left, outcomes in seen.items()
    )


Path = tuple[tuple[int, tuple[int, ...]], ...]
"""The actions taken, each with its outcomes that lead the same way."""


def walk(root: Decision | Named) -> Iterator[tuple[Path, float, Decision | Named]]:
    """Every node below and including ``root``, before those below it: how it is reached, with what chance, and itself.

    An end lies as many actions deep as its path is long.
    """
    yield from _walk((), 1.0, root)


def _walk(path: Path, chance: float, node: Decision | Named) -> Iterator[tuple[Path, float, Decision | Named]]:
    yield path, chance, node
    if isinstance(node, Decision):
        for branch in node.branches:
            yield from _walk((*path, (node.action, branch.outcomes)), chance * branch.probability, branch.then)


def to_json(node: Decision | Named) -> dict[str, Any]:
    """The tree as dicts, lists and numbers; truths, actions and outcomes are numbers, as in the nodes."""
    if isinstance(node, Named):
        return {"survivors": list(node.survivors), "truths": list(node.truths)}
    return {
        "survivors": list(node.survivors),
        "value": node.value,
        "action": node.action,
        "optimal": list(node.optimal),
        "branches": [
            {"outcomes": list(branch.outcomes), "probability": branch.probability, "then": to_json(branch.then)}
            for branch in node.branches
        ],
    }
