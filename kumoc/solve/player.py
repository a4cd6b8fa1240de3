"""What the two players have in common: a bare game, and play by the first optimal action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from kumoc.generate.instance import Game
from kumoc.solve.reductions import ALL, Reductions
from kumoc.solve.scope import Scopes
from kumoc.solve.search import Move, Node, Search
from kumoc.solve.work import Work
from kumoc.tables import members

TIE = 1e-9
"""Actions whose values differ by no more than this are equally good."""


class Player(Search, ABC):
    """A player of one bare game, who knows the optimal actions in every state of it.

    A state is a pair of bit masks: the truths that no outcome seen so far rules out, and the actions not yet taken.
    """

    def __init__(
        self,
        n_truths: int,
        outcomes: Game,
        valid: int = 1,
        *,
        work: int | None = None,
        reductions: Reductions = ALL,
    ) -> None:
        """``outcomes``: per action, the truths (mask) each outcome excludes. ``valid``: the number of valid truths.

        ``work`` limits the states worked out, for this player's whole life; beyond it questions raise OutOfWorkError.
        Raises ValueError for an action without outcomes, an outcome that excludes a truth beyond ``n_truths``, or
        ``valid`` outside ``1..n_truths``.
        """
        _check(n_truths, outcomes, valid)
        self.n_truths = n_truths
        self.outcomes = outcomes
        self.valid = valid
        self.truths = (1 << n_truths) - 1
        self.actions = (1 << len(outcomes)) - 1
        self._work = Work(work)
        self._reductions = reductions
        self._scopes = Scopes(outcomes, reductions, self._work)

    @property
    def value(self) -> float:
        """The expected number of actions from the start."""
        return self.state_value(self.truths, self.actions)

    def state_value(self, survivors: int, remaining: int) -> float:
        """The expected number of further actions; 0 where the player needs none."""
        return self.solve(self._node(survivors, remaining))

    def optimal_actions(self, survivors: int, remaining: int) -> tuple[int, ...]:
        """All actions within :data:`TIE` of the best, ascending; empty where the player needs none."""
        node = self._node(survivors, remaining)
        if self.solve(node) == 0:
            return ()
        optimal = 0
        for move in self.best(node, self._moves_here(survivors, remaining, node), TIE):
            optimal |= move.actions & remaining
        return tuple(members(optimal))

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

    @abstractmethod
    def known(self, survivors: int, remaining: int) -> int:
        """The truths (mask) that the player may name: those it can be sure of."""

    @abstractmethod
    def chances(self, survivors: int, remaining: int, action: int) -> tuple[float, ...]:
        """The probability of each outcome of ``action``, as the player sees it."""

    @abstractmethod
    def _node(self, survivors: int, remaining: int) -> Node:
        """The state, which stands for all states known to have the same value."""

    @abstractmethod
    def _moves_here(self, survivors: int, remaining: int, node: Node) -> list[Move]:
        """The moves of this very state, of which ``node`` is the representative."""


def _check(n_truths: int, outcomes: Game, valid: int) -> None:
    if not 1 <= valid <= n_truths:
        raise ValueError(f"{valid} valid truths cannot be chosen among {n_truths} truths")
    for action, masks in enumerate(outcomes):
        if not masks:
            raise ValueError(f"action {action} has no outcome")
        if any(mask < 0 or mask >> n_truths for mask in masks):
            raise ValueError(f"an outcome of action {action} excludes a truth beyond the {n_truths} of the game")
