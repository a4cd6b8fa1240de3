"""An instance solved: what ``kumoc solve`` has to tell, and its JSON form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from kumoc.cli.rows import Chosen
from kumoc.solve import (
    Branch,
    Comparison,
    Decision,
    ExactPlayer,
    Named,
    OutOfWorkError,
    PaperPlayer,
    Player,
    Step,
    compare,
    policy,
    walk,
)
from kumoc.views.game import EXPECTED_DECIMALS, rounded
from kumoc.views.play import Play, play
from kumoc.views.read import BareGame

_Answer = TypeVar("_Answer")

PLAYERS: dict[str, type[Player]] = {"exact": ExactPlayer, "paper": PaperPlayer}


@dataclass(frozen=True, slots=True)
class Solution:
    """A chosen instance, both players on it, and of ``player`` its tree and the comparison of a trajectory with it.

    ``tree`` is None if it is not wanted, ``comparison`` if there is no trajectory; either is None, and ``given_up``
    names it, where it takes too much work.
    """

    chosen: Chosen
    bare: BareGame
    plays: dict[str, Play]
    player: str
    tree: Decision | Named | None
    comparison: Comparison | None
    given_up: tuple[str, ...]


def solve(
    chosen: Chosen, bare: BareGame, player: str, trajectory: Sequence[int], work: int | None, *, with_tree: bool = True
) -> Solution:
    """Solve an instance; ``work`` limits the states of each question put to a player."""
    players = {name: kind(len(bare.truths), bare.game, len(bare.valid), work=work) for name, kind in PLAYERS.items()}
    judge = players[player]
    tree = _affordable(lambda: policy(judge)) if with_tree else None
    comparison = _affordable(lambda: compare(judge, trajectory, bare.observed)) if trajectory else None
    answers = (("tree", with_tree, tree), ("comparison", trajectory, comparison))
    given_up = tuple(name for name, asked, answer in answers if asked and answer is None)
    # after the tree: what it took is known by now, so that a value in the tree is known here too
    plays = {name: play(each, bare.observed) for name, each in players.items()}
    return Solution(chosen, bare, plays, player, tree, comparison, given_up)


def _affordable(question: Callable[[], _Answer]) -> _Answer | None:
    """The answer, or None where it takes too much work."""
    try:
        return question()
    except OutOfWorkError:
        return None


def states(tree: Decision | Named) -> int:
    """How many states a tree holds, decisions and ends, its root included."""
    return sum(1 for _ in walk(tree))


def to_json(solution: Solution, depth: int) -> dict[str, Any]:
    """The solution as plain data, names in place of positions; the tree is folded at ``depth`` actions."""
    bare, row = solution.bare, solution.chosen.row
    return {
        "instance": {
            "instance_id": row.get("instance_id"),
            "domain": row.get("domain"),
            "size": row.get("size"),
            "truths": list(bare.truths),
            "valid_truths": _named(bare.truths, bare.valid),
            "actions": list(bare.actions),
            "observed": list(bare.seen),
        },
        "players": {name: _play_to_json(bare, play) for name, play in solution.plays.items()},
        "player": solution.player,
        "tree": None if solution.tree is None else _tree_to_json(bare, solution.tree, depth),
        "comparison": None if solution.comparison is None else _comparison_to_json(bare, solution.comparison),
    }


def _named(names: Sequence[str], positions: Sequence[int]) -> list[str]:
    return [names[i] for i in positions]


def _round(number: float) -> float:
    return round(number, EXPECTED_DECIMALS) + 0.0  # no minus before a zero


def _play_to_json(bare: BareGame, play: Play) -> dict[str, Any]:
    lower, upper = rounded(play.bounds)
    return {
        "lower_bound": lower,
        "upper_bound": upper,
        "expected_actions": lower if play.bounds.exact else None,
        "optimal_actions": None if play.optimal is None else _named(bare.actions, play.optimal),
        "trajectory": _named(bare.actions, play.trajectory),
    }


def _tree_to_json(bare: BareGame, tree: Decision | Named, depth: int) -> dict[str, Any]:
    survivors = _named(bare.truths, tree.survivors)
    if isinstance(tree, Named):
        return {"survivors": survivors, "named": _named(bare.truths, tree.truths)}
    return {
        "survivors": survivors,
        "expected_actions": _round(tree.value),
        "action": bare.actions[tree.action],
        "optimal_actions": _named(bare.actions, tree.optimal),
        "branches": [_branch_to_json(bare, tree.action, branch, depth) for branch in tree.branches if depth > 0],
        "folded_states": 0 if depth > 0 else states(tree) - 1,
    }


def _branch_to_json(bare: BareGame, action: int, branch: Branch, depth: int) -> dict[str, Any]:
    return {
        "outcomes": _named(bare.outcomes[action], branch.outcomes),
        "probability": _round(branch.probability),
        "then": _tree_to_json(bare, branch.then, depth - 1),
    }


def _comparison_to_json(bare: BareGame, comparison: Comparison) -> dict[str, Any]:
    return {
        "steps": [_step_to_json(bare, step) for step in comparison.steps],
        "actions": len(comparison.steps),
        "expected_actions": _round(comparison.expected),
        "further_expected_actions": _round(comparison.further),
        "known_truths": _named(bare.truths, comparison.known),
        "regret": _round(comparison.regret),
        "luck": _round(comparison.luck),
    }


def _step_to_json(bare: BareGame, step: Step) -> dict[str, Any]:
    return {
        "action": bare.actions[step.action],
        "observed": bare.seen[step.action],
        "repeated": step.repeated,
        "survivors_before": _named(bare.truths, step.before),
        "survivors_after": _named(bare.truths, step.after),
        "expected_actions": _round(step.value),
        "optimal_actions": _named(bare.actions, step.optimal),
        "expected_if_taken": _round(step.expected),
        "optimal": step.is_optimal,
        "regret": _round(step.regret),
        "luck": _round(step.luck),
    }
