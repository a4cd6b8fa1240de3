"""Optimal play of one instance: what each player expects, what it may do first, and what it does."""

from __future__ import annotations

from dataclasses import dataclass

from kumoc.generate.instance import Instance
from kumoc.solve import Bounds, ExactPlayer, OutOfWorkError, PaperPlayer, Player


@dataclass(frozen=True, slots=True)
class Play:
    """A player on an instance; actions are positions of listed ones.

    ``bounds`` hold the expected number of actions at the root, ``optimal`` are all optimal first actions, and
    ``trajectory`` the actions taken on the instance's own outcomes: by the first optimal action where ``optimal`` is
    known, otherwise by a policy that costs the upper bound. What took too much work to find is None.
    """

    bounds: Bounds
    optimal: tuple[int, ...] | None
    trajectory: tuple[int, ...] | None


def paper_play(instance: Instance, work: int) -> Play:
    """How the paper's player plays ``instance``, working out at most ``work`` states for a question."""
    return _play(PaperPlayer(len(instance.truths), instance.game, len(instance.valid), work=work), instance)


def exact_play(instance: Instance, work: int) -> Play:
    """How the Bayes-optimal player plays ``instance``, working out at most ``work`` states for a question."""
    return _play(ExactPlayer(len(instance.truths), instance.game, len(instance.valid), work=work), instance)


def _play(player: Player, instance: Instance) -> Play:
    # before the bounds are asked for: from then on the player may follow another policy than the optimal one
    optimal = _optimal(player)
    return Play(player.bounds, optimal, _trajectory(player, instance))


def _optimal(player: Player) -> tuple[int, ...] | None:
    try:
        return player.optimal_actions(player.truths, player.actions)
    except OutOfWorkError:
        return None


def _trajectory(player: Player, instance: Instance) -> tuple[int, ...] | None:
    try:
        return player.trajectory([observation.outcome for observation in instance.observations])
    except OutOfWorkError:
        return None
