"""Optimal play of one instance: what each player expects, what it may do first, and what it does."""

from __future__ import annotations

from dataclasses import dataclass

from kumoc.generate.instance import Instance
from kumoc.solve import ExactPlayer, PaperPlayer, Player


@dataclass(frozen=True, slots=True)
class Play:
    """A player on an instance: expected number of actions at the root, all optimal first actions, and the actions
    it takes on the instance's own outcomes (positions of listed actions)."""

    expected: float
    optimal: tuple[int, ...]
    trajectory: tuple[int, ...]


def paper_play(instance: Instance) -> Play:
    """How the paper's player plays ``instance``."""
    return _play(PaperPlayer(len(instance.truths), instance.game, len(instance.valid)), instance)


def exact_play(instance: Instance) -> Play:
    """How the Bayes-optimal player plays ``instance``."""
    return _play(ExactPlayer(len(instance.truths), instance.game, len(instance.valid)), instance)


def _play(player: Player, instance: Instance) -> Play:
    everything = (1 << len(instance.truths)) - 1, (1 << len(instance.actions)) - 1
    observed = [observation.outcome for observation in instance.observations]
    return Play(player.value, player.optimal_actions(*everything), player.trajectory(observed))
