"""What the two players have in common: a bare game, and play by the first optimal action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from kumoc.generate.instance import Game

TIE = 1e-9
"""Actions whose values differ by no more than this are equally good."""


class Player(ABC):
    """A player of one bare game, who knows the optimal actions in every state of it.

    A state is a pair of bit masks: the truths that no outcome seen so far rules out, and the actions not yet taken.
    """

    def __init__(self, n_truths: int, outcomes: Game, valid: int = 1) -> None:
        """``outcomes``: per action, the truths (mask) each outcome excludes. ``valid``: the number of valid truths.

        Raises ValueError for a game that has no truths or names a truth beyond ``n_truths``, an action without
        outcomes, or ``valid`` outside ``1..n_truths``.
        """
        check(n_truths, outcomes, valid)
        self.n_truths = n_truths
        self.outcomes = outcomes
        self.valid = valid
        self.truths = (1 << n_truths) - 1
        self.actions = (1 << len(outcomes)) - 1

    @property
    def value(self) -> float:
        """The expected number of actions from the start."""
        return self.state_value(self.truths, self.actions)

    @abstractmethod
    def state_value(self, survivors: int, remaining: int) -> float:
        """The expected number of further actions."""

    @abstractmethod
    def optimal_actions(self, survivors: int, remaining: int) -> tuple[int, ...]:
        """All actions within :data:`TIE` of the best, ascending; empty where the player needs no further action."""

    def trajectory(self, observed: Sequence[int]) -> tuple[int, ...]:
        """The actions taken when action ``a`` shows its outcome number ``observed[a]``; ties go to the first listed."""
        survivors, remaining = self.truths, self.actions
        taken: list[int] = []
        while best := self.optimal_actions(survivors, remaining):
            action = best[0]
            taken.append(action)
            remaining &= ~(1 << action)
            survivors &= ~self.outcomes[action][observed[action]]
        return tuple(taken)


def check(n_truths: int, outcomes: Game, valid: int) -> None:
    """Refuse, with ValueError, what is not a game."""
    if not 1 <= valid <= n_truths:
        raise ValueError(f"{valid} valid truths cannot be chosen among {n_truths} truths")
    for action, masks in enumerate(outcomes):
        if not masks:
            raise ValueError(f"action {action} has no outcome")
        if any(mask < 0 or mask >> n_truths for mask in masks):
            raise ValueError(f"an outcome of action {action} excludes a truth beyond the {n_truths} of the game")
