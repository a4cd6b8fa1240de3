"""The paper's game with actions that may be used again: it depends on survivors alone, and bounds all real games."""

from __future__ import annotations

from collections.abc import Iterable

from kumoc.solve.scope import ActionClass, Scope, Scopes


class Table:
    """The relaxed game from one set of survivors, for every number ``k`` of actions up to some.

    ``values`` holds the value by ``k``. Per class of actions: ``first`` is 1 plus the chance that a second action
    follows, ``stays`` the chance that all survivors are left, and ``others``, once it is worked out, the cost by ``k``
    of starting with that class but for what follows when all survivors are left.
    """

    __slots__ = ("first", "others", "stays", "values")

    def __init__(self, first: list[float], stays: list[float]) -> None:
        """The values for up to 2 actions are known without looking further."""
        self.first = first
        self.stays = stays
        self.others: list[list[float]] = [[] for _ in first]
        self.values = [0.0, 1.0, min(first)]


class Relaxation:
    """Values of the relaxed game: the best play of at most ``k`` actions when every action can be repeated.

    They are worked out when first asked for, and only as far as needed: a class that cannot be the best is left at
    the lower bound that two actions give it.
    """

    def __init__(self, scopes: Scopes, valid: int) -> None:
        """``scopes`` of the game; the game is over once no more than ``valid`` truths survive."""
        self._scopes = scopes
        self._valid = valid
        self._merges = scopes.reductions.outcomes

    def chances(self, scope: Scope, group: ActionClass) -> list[tuple[float, Scope]]:
        """What ``group`` leads to, with chances proportional to the numbers left; without what ends the game."""
        chances = group.chances
        if chances is None:
            survivors, scopes = scope.survivors, self._scopes.known
            left = [(survivors & ~mask) for mask in group.excluded]
            # an action whose every outcome excludes all survivors gives no distribution: it ends the game at once
            total = sum(map(int.bit_count, left))
            chances = group.chances = [
                (count * mask.bit_count() / total, scopes.get(mask) or self._scopes.at(mask, scope))
                for mask, count in self._counted(left)
                if mask.bit_count() > self._valid
            ]
        return chances

    def _counted(self, left: list[int]) -> Iterable[tuple[int, int]]:
        if not self._merges:
            return [(mask, 1) for mask in left]
        counts: dict[int, int] = {}
        for mask in left:
            counts[mask] = counts.get(mask, 0) + 1
        return counts.items()

    def value(self, scope: Scope, k: int) -> float:
        """The least expected number of actions, of at most ``k``; all survivors of ``scope`` can be excluded."""
        if k <= 1:
            return float(k)
        return self._table(scope, k).values[k]

    def bounds(self, scope: Scope, k: int) -> list[float]:
        """Per class of ``scope``, a lower bound of starting with it when ``k`` actions are allowed, 2 or more."""
        table = self._table(scope, 2)
        k = min(k, len(table.values) - 1)
        if k == 2:
            return table.first
        then = table.values[k - 1]
        return [
            cost[k] + stays * then if cost else first
            for first, stays, cost in zip(table.first, table.stays, table.others, strict=True)
        ]

    def _table(self, scope: Scope, k: int) -> Table:
        """The table, filled at least as far as ``k``."""
        table: Table | None = scope.relaxed
        if table is None:
            table = scope.relaxed = self._new_table(scope)
        if len(table.values) <= k:
            self._extend(scope, table, k + 1)
        return table

    def _new_table(self, scope: Scope) -> Table:
        self._scopes.build(scope)
        survivors, valid = scope.survivors, self._valid
        n_survivors = survivors.bit_count()
        first = []
        stays = []
        for group in scope.classes or ():
            sizes = [(survivors & ~mask).bit_count() for mask in group.excluded]
            total = sum(sizes) or 1
            going = sum([size for size in sizes if size > valid])
            first.append(1.0 + going / total)
            stays.append(sizes.count(n_survivors) * n_survivors / total)
        return Table(first, stays)

    def _extend(self, scope: Scope, table: Table, k: int) -> None:
        """Fill the table as far as ``k``."""
        first, stays, others, values = table.first, table.stays, table.others, table.values
        start = len(values)
        best = first.index(values[2])
        self._work_out(scope, table, best, k)
        limit = values[-1]
        stay = stays[best]
        for cost in others[best][start:]:
            limit = cost + stay * limit
        useful = [(others[best], stays[best])]
        for i, bound in enumerate(first):
            if bound < limit and i != best:
                self._work_out(scope, table, i, k)
                useful.append((others[i], stays[i]))
        value = values[-1]
        for j in range(start, k + 1):
            value = min([cost[j] + stay * value for cost, stay in useful])
            values.append(value)

    def _work_out(self, scope: Scope, table: Table, i: int, k: int) -> None:
        cost = table.others[i]
        if not cost:
            cost += (0.0, 1.0, table.first[i] - table.stays[i])
        start = len(cost)
        more = [1.0] * (k + 1 - start)
        for chance, after in self.chances(scope, (scope.classes or ())[i]):
            if after is not scope:
                values = self._table(after, k - 1).values[start - 1 : k]
                more = [sofar + chance * value for sofar, value in zip(more, values, strict=True)]
        cost += more
