"""Optimal play of one instance: what each player expects, what it may do first, and what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kumoc.generate.instance import Instance
from kumoc.solve import Bounds, ExactPlayer, OutOfWorkError, PaperPlayer, Player


@dataclass(frozen=True, slots=True)
class Play:
    """A player on an instance; actions are positions of listed ones.

    ``bounds`` hold the expected number of actions at the root, ``optimal`` are all optimal first actions, None if they
    took too much work to find, and ``trajectory`` the actions taken on the instance's own outcomes: by the first
    optimal action where ``optimal`` is known, otherwise by a policy that costs the upper bound.
    """

    bounds: Bounds
    optimal: tuple[int, ...] | None
    trajectory: tuple[int, ...]


def paper_play(instance: Instance, work: int) -> Play:
    """How the paper's player plays ``instance``, working out at most ``work`` states for a question."""
    return play(PaperPlayer(len(instance.truths), instance.game, len(instance.valid), work=work), instance.observed)


def exact_play(instance: Instance, work: int) -> Play:
    """How the Bayes-optimal player plays ``instance``, working out at most ``work`` states for a question."""
    return play(ExactPlayer(len(instance.truths), instance.game, len(instance.valid), work=work), instance.observed)


def play(player: Player, observed: Sequence[int]) -> Play:
    """How ``player`` plays its game where action ``a`` shows its outcome number ``observed[a]``."""
    # before the bounds are asked for: from then on the player may follow another policy than the optimal one
    try:
        optimal = player.optimal_actions(player.truths, player.actions)
    except OutOfWorkError:
        optimal = None
    return Play(player.bounds, optimal, player.trajectory(observed))
