"""The exact player: Bayes-optimal in the real game, where the observations together leave exactly the valid truths."""

from __future__ import annotations

from kumoc.generate.instance import Game
from kumoc.solve.classes import ActionClass, Classes
from kumoc.solve.player import TIE, Player
from kumoc.tables import members

_EMPTY: dict[int, float] = {}


class ExactPlayer(Player):
    """Needs the fewest actions on average among all players who never name a truth that might be invalid."""

    def __init__(self, n_truths: int, outcomes: Game, valid: int = 1) -> None:
        """See :class:`kumoc.solve.player.Player`. Raises ValueError if no world is possible."""
        super().__init__(n_truths, outcomes, valid)
        self._classes = Classes(outcomes)
        self._weights: dict[tuple[int, int], dict[int, float]] = {}
        self._values: dict[tuple[int, int], float] = {}
        root = self._chances(self.truths, self._classes.representatives(self.truths, self.actions))
        if not root:
            raise ValueError(
                f"no world is possible: no set of outcomes excludes all but {valid} of the {n_truths} truths"
            )
        self._prior = {world: 1.0 / chance for world, chance in root.items()}

    def state_value(self, survivors: int, remaining: int) -> float:
        """The expected number of further actions; 0 in a state that no world leads to."""
        return self._value(survivors, self._classes.representatives(survivors, remaining))

    def optimal_actions(self, survivors: int, remaining: int) -> tuple[int, ...]:
        """All actions within :data:`TIE` of the best, ascending; empty where a valid truth can be named."""
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
        """Whether some truth lies in every world that is still possible, or no world is."""
        common = -1
        for world in self._chances(survivors, remaining):
            common &= world
        return common != 0

    def _weight(self, survivors: int, remaining: int) -> float:
        return sum(self._prior[world] * chance for world, chance in self._chances(survivors, remaining).items())

    def _chances(self, survivors: int, remaining: int) -> dict[int, float]:
        """Per world, the chance that outcomes drawn uniformly and independently leave exactly it of ``survivors``."""
        known = self._weights.get((survivors, remaining))
        if known is None:
            known = self._weights[survivors, remaining] = self._mean_chances(survivors, remaining)
        return known

    def _mean_chances(self, survivors: int, remaining: int) -> dict[int, float]:
        size = survivors.bit_count()
        if size < self.valid:
            return _EMPTY
        if not remaining:
            return {survivors: 1.0} if size == self.valid else _EMPTY
        group = next(group for group in self._classes.on(survivors) if group.mask & remaining)
        chances: dict[int, float] = {}
        for share, left, rest in self._children(survivors, remaining, group):
            for world, chance in self._chances(left, rest).items():
                chances[world] = chances.get(world, 0.0) + share * chance
        return chances

    def _class_values(self, survivors: int, remaining: int, slack: float) -> list[tuple[ActionClass, float]]:
        """Values of the remaining classes, but for those that are surely more than ``slack`` above the best."""
        total = self._weight(survivors, remaining)
        bounds = []
        for order, group in enumerate(self._classes.on(survivors)):
            if group.mask & remaining:
                children = [
                    (share * self._weight(s, r) / total, s, r)
                    for share, s, r in self._children(survivors, remaining, group)
                    if not self._over(s, r)
                ]
                bounds.append((1.0 + sum(p for p, _, _ in children), order, group, children))
        values: list[tuple[ActionClass, float]] = []
        best = float("inf")
        for bound, _, group, children in sorted(bounds, key=lambda entry: entry[:2]):
            if bound > best + slack:
                break
            value = 1.0 + sum(p * self._value(s, r) for p, s, r in children)
            values.append((group, value))
            best = min(best, value)
        return values

    def _children(self, survivors: int, remaining: int, group: ActionClass) -> list[tuple[float, int, int]]:
        """Share of the class's outcomes, survivors and remaining actions after each outcome."""
        left = (remaining & group.mask).bit_count()
        rest = remaining & ~group.mask | group.first[left - 1]
        n_outcomes = sum(count for _, count in group.outcomes)
        return [
            (count / n_outcomes, survivors & ~mask, self._classes.representatives(survivors & ~mask, rest))
            for mask, count in group.outcomes
            if mask != survivors
        ]
