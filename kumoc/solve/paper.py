"""The paper's player: survivors are taken to be equally likely after every outcome, whatever the guarantee says."""

from __future__ import annotations

from kumoc.generate.instance import Game
from kumoc.solve.classes import ActionClass, Classes
from kumoc.solve.player import TIE, Player
from kumoc.tables import members


class PaperPlayer(Player):
    """Optimal for Algorithm 3 of the paper (without the 1e-9 in its denominator)."""

    def __init__(self, n_truths: int, outcomes: Game, valid: int = 1) -> None:
        """See :class:`kumoc.solve.player.Player`."""
        super().__init__(n_truths, outcomes, valid)
        self._classes = Classes(outcomes)
        self._values: dict[tuple[int, int], float] = {}

    def state_value(self, survivors: int, remaining: int) -> float:
        """The expected number of further actions, in the paper's model."""
        return self._value(survivors, self._classes.representatives(survivors, remaining))

    def optimal_actions(self, survivors: int, remaining: int) -> tuple[int, ...]:
        """All actions within :data:`TIE` of the best, ascending; empty where the game is over."""
        relevant = self._classes.representatives(survivors, remaining)
        if self._value(survivors, relevant) == 0:
            return ()
        values = self._class_values(survivors, relevant, TIE)
        best = min(value for _, value in values)
        optimal = 0
        for group, value in values:
            if value <= best + TIE:
                optimal |= group.mask & remaining
        return tuple(members(optimal))

    def _value(self, survivors: int, remaining: int) -> float:
        known = self._values.get((survivors, remaining))
        if known is None:
            known = 0.0
            if not self._over(survivors, remaining):
                known = min(value for _, value in self._class_values(survivors, remaining, 0.0))
            self._values[survivors, remaining] = known
        return known

    def _over(self, survivors: int, remaining: int) -> bool:
        if survivors.bit_count() <= self.valid:
            return True
        excludable = 0
        for group in self._classes.on(survivors):
            if group.mask & remaining:
                for mask, _ in group.outcomes:
                    excludable |= mask
        return excludable != survivors

    def _class_values(self, survivors: int, remaining: int, slack: float) -> list[tuple[ActionClass, float]]:
        """Values of the remaining classes, but for those that are surely more than ``slack`` above the best."""
        bounds = []
        for order, group in enumerate(self._classes.on(survivors)):
            left = (remaining & group.mask).bit_count()
            if left:
                children = self._children(survivors, remaining & ~group.mask | group.first[left - 1], group)
                bounds.append((1.0 + sum(p for p, s, r in children if not self._over(s, r)), order, group, children))
        values: list[tuple[ActionClass, float]] = []
        best = float("inf")
        for bound, _, group, children in sorted(bounds, key=lambda entry: entry[:2]):
            if bound > best + slack:
                break
            value = 1.0 + sum(p * self._value(s, r) for p, s, r in children)
            values.append((group, value))
            best = min(best, value)
        return values

    def _children(self, survivors: int, rest: int, group: ActionClass) -> list[tuple[float, int, int]]:
        """Probability, survivors and remaining actions after each outcome."""
        left = [(survivors & ~mask, count) for mask, count in group.outcomes]
        # an action whose every outcome excludes all survivors gives no distribution: it ends the game at once
        total = sum(s.bit_count() * count for s, count in left) or 1
        return [(s.bit_count() * k / total, s, self._classes.representatives(s, rest)) for s, k in left if s]
