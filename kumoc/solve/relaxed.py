"""The paper's game with actions that may be used again: it depends on survivors alone, and bounds all real games."""

from __future__ import annotations

from kumoc.solve.scope import ActionClass, Scope, Scopes


class Relaxation:
    """Values of the relaxed game: the best play of at most ``k`` actions when every action can be repeated.

    They are worked out when first asked for, and only as far as needed: an action that is surely not the best keeps
    the lower bound it had for fewer actions.
    """

    def __init__(self, scopes: Scopes, valid: int) -> None:
        """``scopes`` of the game; the game is over once no more than ``valid`` truths survive."""
        self._scopes = scopes
        self._valid = valid
        self._chances: dict[ActionClass, list[tuple[float, Scope]]] = {}

    def chances(self, group: ActionClass) -> list[tuple[float, Scope]]:
        """What ``group`` leads to, with chances proportional to the numbers left; without what ends the game."""
        known = self._chances.get(group)
        if known is None:
            left = [(count, scope, scope.survivors.bit_count()) for count, scope in group.after]
            # an action whose every outcome excludes all survivors gives no distribution: it ends the game at once
            total = sum(count * size for count, _, size in left) or 1
            known = [(count * size / total, scope) for count, scope, size in left if size > self._valid]
            self._chances[group] = known
        return known

    def value(self, scope: Scope, k: int) -> float:
        """The least expected number of actions, of at most ``k``, from the survivors of ``scope``."""
        known = scope.relaxed.get(k)
        if known is None:
            known = scope.relaxed[k] = self._solve(scope, k)
        return known[0]

    def bounds(self, scope: Scope, k: int) -> list[float]:
        """Per class of ``scope``, a lower bound of the value of starting with it; exact for the best."""
        self.value(scope, k)
        return scope.relaxed[k][1]

    def _solve(self, scope: Scope, k: int) -> tuple[float, list[float]]:
        self._scopes.build(scope)
        classes = scope.classes or ()
        bounds = self._first_bounds(scope, classes, k)
        if k == 1:
            return 1.0, bounds
        exact: set[int] = set()
        while True:
            least = min(bounds)
            best = bounds.index(least)
            if best in exact:
                return least, bounds
            value = 1.0
            for chance, after in self.chances(classes[best]):
                known = after.relaxed.get(k - 1)
                value += chance * (known[0] if known else self.value(after, k - 1))
            bounds[best] = value
            exact.add(best)

    def _first_bounds(self, scope: Scope, classes: tuple[ActionClass, ...], k: int) -> list[float]:
        fewer = max((j for j in scope.relaxed if j < k), default=0)
        if fewer:
            return list(scope.relaxed[fewer][1])
        if k == 1:
            return [1.0] * len(classes)
        return [1.0 + sum(chance for chance, _ in self.chances(group)) for group in classes]
