"""What the two players have in common: a bare game, and play by the first optimal action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from kumoc.generate.instance import Game
from kumoc.solve.bracket import TIE, Bounds, Bracket
from kumoc.solve.reductions import ALL, Reductions
from kumoc.solve.search import Move, Rules, Search
from kumoc.solve.work import OutOfWorkError, Work, collector_paused
from kumoc.tables import members


class Player(ABC):
    """A player of one bare game, who knows the optimal actions in every state of it.

    A state is a pair of bit masks: the truths that no outcome seen so far rules out, and the actions not yet taken.
    What is worked out for one question is kept for the next.
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

        ``work``: how many states each question may work out; one that needs more raises OutOfWorkError, except
        :attr:`bounds`. Raises ValueError for an action without outcomes, an outcome that excludes a truth beyond
        ``n_truths``, or ``valid`` outside ``1..n_truths``.
        """
        _check(n_truths, outcomes, valid)
        self.n_truths = n_truths
        self.outcomes = outcomes
        self.valid = valid
        self.truths = (1 << n_truths) - 1
        self.actions = (1 << len(outcomes)) - 1
        self._work = Work(work)
        self._rules = self._make_rules(reductions)
        self._search = Search(self._rules)
        self._bracket: Bracket | None = None
        self._bounds: Bounds | None = None
        self._blind = False
        self._steps: dict[tuple[int, int], tuple[int, ...]] = {}

    @abstractmethod
    def _make_rules(self, reductions: Reductions) -> Rules:
        """The game as this player sees it."""

    @property
    def value(self) -> float:
        """The expected number of actions from the start."""
        return self.state_value(self.truths, self.actions)

    @property
    def spent(self) -> int:
        """The number of states worked out so far, for all questions together."""
        return self._work.spent

    @property
    def bounds(self) -> Bounds:
        """The value as both bounds or, where it takes too much work, bounds that are sure to hold it.

        ``upper`` is then the true cost, in this player's model, of a policy that :meth:`trajectory` plays from now on.
        If not even the start can be worked out, that policy takes every action that excludes something. The answer
        stays the same when asked again; it may take as much work as three questions.
        """
        if self._bounds is None:
            self._bounds = self._find_bounds()
        return self._bounds

    def _find_bounds(self) -> Bounds:
        self._bracket = Bracket(self._rules, self._work)
        lower = self._rules.floor()
        try:
            value = self.value
            return Bounds(value, value)
        except OutOfWorkError:
            self._work.renew()
        with collector_paused():
            try:
                lower = max(lower, self._bracket.lower(self._rules.node(self.truths, self.actions)))
            except OutOfWorkError:
                self._work.renew()
            self._rules.hasty = True
            try:
                upper = self._bracket.upper(self._rules.node(self.truths, self.actions))
            except OutOfWorkError:
                self._blind = True
                upper = float(len(self._relevant(self.truths, self.actions)))
            finally:
                self._rules.hasty = False
        return Bounds(min(lower, upper), upper)

    def state_value(self, survivors: int, remaining: int) -> float:
        """The expected number of further actions; 0 where the player needs none."""
        self._work.renew()
        with collector_paused():
            return self._search.solve(self._rules.node(survivors, remaining))

    def optimal_actions(self, survivors: int, remaining: int) -> tuple[int, ...]:
        """All actions within :data:`TIE` of the best, ascending; empty where the player needs none."""
        self._work.renew()
        with collector_paused():
            node = self._rules.node(survivors, remaining)
            value = self._search.solve(node)
            if value == 0:
                return ()
            moves = self._rules.moves_at(survivors, remaining)
            return _actions(self._search.within(value + TIE, node, moves), remaining)

    def known(self, survivors: int, remaining: int) -> tuple[int, ...]:
        """The truths that the player can be sure of, ascending: none while it needs further actions."""
        self._work.renew()
        return tuple(members(self._rules.known(survivors, remaining)))

    def chances(self, survivors: int, remaining: int, action: int) -> tuple[float, ...]:
        """The probability of each outcome of ``action`` as the player sees it; all 0 in a state no world leads to."""
        self._work.renew()
        return self._rules.chances(survivors, remaining, action)

    def trajectory(self, observed: Sequence[int]) -> tuple[int, ...]:
        """The actions taken when action ``a`` shows its outcome number ``observed[a]``; ties go to the first listed.

        Raises OutOfWorkError beyond the limit, but not once :attr:`bounds` were asked for. Where the bounds are exact
        and there is too little work to find all that ties, the first of the optimal actions known so far is taken; what
        is taken in a state stays the same.
        """
        survivors, remaining = self.truths, self.actions
        taken: list[int] = []
        while steps := self._steps_at(survivors, remaining):
            for action in steps:
                taken.append(action)
                remaining &= ~(1 << action)
                survivors &= ~self.outcomes[action][observed[action]]
        return tuple(taken)

    def _steps_at(self, survivors: int, remaining: int) -> tuple[int, ...]:
        state = survivors, remaining
        known = self._steps.get(state) if self._bounds is not None else None
        if known is None:
            known = self._next_actions(survivors, remaining)
            if self._bounds is not None:
                self._steps[state] = known
        return known

    def _next_actions(self, survivors: int, remaining: int) -> tuple[int, ...]:
        if self._blind:
            return self._relevant(survivors, remaining)
        if self._bracket is None or self._bounds is None or self._bounds.exact:
            try:
                return self.optimal_actions(survivors, remaining)[:1]
            except OutOfWorkError:
                if self._bracket is None:
                    raise
        # the policy is known, and finding one's place in it takes little
        self._work.lift()
        node = self._rules.node(survivors, remaining)
        if node.solved and not node.bound:
            return ()
        actions = 0
        for move in self._bracket.choice(node):
            actions |= self._rules.actions_like(survivors, remaining, move)
        if actions:
            return (next(members(actions)),)
        return tuple(members(self._rules.rest_at(survivors, remaining)))

    def _relevant(self, survivors: int, remaining: int) -> tuple[int, ...]:
        """The remaining actions that can exclude a survivor."""
        return tuple([a for a in members(remaining) if any(mask & survivors for mask in self.outcomes[a])])


def _actions(moves: list[Move], remaining: int) -> tuple[int, ...]:
    actions = 0
    for move in moves:
        actions |= move.actions
    return tuple(members(actions & remaining))


def _check(n_truths: int, outcomes: Game, valid: int) -> None:
    if not 1 <= valid <= n_truths:
        raise ValueError(f"{valid} valid truths cannot be chosen among {n_truths} truths")
    for action, masks in enumerate(outcomes):
        if not masks:
            raise ValueError(f"action {action} has no outcome")
        if any(mask < 0 or mask >> n_truths for mask in masks):
            raise ValueError(f"an outcome of action {action} excludes a truth beyond the {n_truths} of the game")
