"""The paper's game with actions that may be used again: it depends on survivors alone, and bounds all real games."""

from __future__ import annotations

from kumoc.generate.instance import Game
from kumoc.solve.work import Work

Row = tuple[float, float, int, tuple[int, ...]]
"""What an action does to a set of survivors: 1 plus the chance that a second action follows, the chance that all
survivors are left, and the smaller sets it may leave without ending the game: each with a chance of its size divided
by the number before them."""


class Relaxation:
    """Values of the relaxed game: the best play of at most ``k`` actions when every action can be repeated.

    They are worked out when first asked for, and only as far as needed: an action that cannot be the best is left at
    the lower bound that two actions give it.
    """

    def __init__(self, truths: int, game: Game, valid: int, work: Work) -> None:
        """The game is over once no more than ``valid`` of ``truths`` (mask) survive."""
        self._actions = sorted({_kept(truths, masks) for masks in game})
        self._valid = valid
        self._work = work
        self._values: dict[int, list[float]] = {}
        self._rows: dict[int, list[Row]] = {}

    def values(self, survivors: int) -> list[float]:
        """The values by ``k``, as far as they are known; :meth:`fill` adds to this list."""
        values = self._values.get(survivors)
        if values is None:
            values = self._values[survivors] = [0.0, 1.0]
        return values

    def fill(self, survivors: int, k: int) -> list[float]:
        """The values for 0 to at least ``k`` actions; all ``survivors``, more than the valid ones, can be excluded."""
        values = self.values(survivors)
        if len(values) <= k:
            rows = self._rows.get(survivors)
            if rows is None:
                self._work.spend()
                rows = self._rows[survivors] = self._rows_of(survivors)
                values.append(rows[0][0])
            if len(values) <= k:
                self._extend(values, rows, k)
        return values

    def _rows_of(self, survivors: int) -> list[Row]:
        """What each action does, the most promising first; of actions that are sure to be no better than another, none.

        Among those that can do no more than end the game, that is so of all but the one most likely to do it.
        """
        n_survivors = survivors.bit_count()
        rows: set[Row] = set()
        ending = 1.0
        for idle, kept in self._actions:
            total = stay = idle * n_survivors
            going = 0
            leaves: tuple[int, ...] = ()
            for mask in kept:
                left = survivors & mask
                size = left.bit_count()
                total += size
                if size == n_survivors:
                    stay += size
                elif size > self._valid:
                    going += size
                    leaves += (left,)
            if leaves:
                rows.add((1.0 + (stay + going) / total, stay / total, total, leaves))
            else:
                # an action whose every outcome excludes all survivors gives no distribution: it ends the game at once
                ending = min(ending, stay / (total or 1))
        rows.add((1.0 + ending, ending, 1, ()))
        return sorted(rows)

    def _extend(self, values: list[float], rows: list[Row], k: int) -> None:
        known = self._values
        start = len(values)
        costs: list[list[float]] = []
        stays: list[float] = []
        limit = float("inf")
        for first, stay, total, leaves in rows:
            if first >= limit:
                break
            cost: list[float] = []
            for left in leaves:
                chance = left.bit_count() / total
                after = known.get(left, ())
                if len(after) <= k:
                    # as far as here, not just to k - 1: a set that is met on many ways is then filled once
                    after = self.fill(left, k)
                if cost:
                    cost = [sofar + chance * value for sofar, value in zip(cost, after[start - 1 : k], strict=True)]
                else:
                    cost = [1.0 + chance * value for value in after[start - 1 : k]]
            cost = cost or [1.0] * (k + 1 - start)
            if not costs:
                limit = values[-1]
                for part in cost:
                    limit = part + stay * limit
            costs.append(cost)
            stays.append(stay)
        value = values[-1]
        for column in zip(*costs, strict=True):
            value = min([part + stay * value for part, stay in zip(column, stays, strict=True)])
            values.append(value)


def _kept(truths: int, masks: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """How many of the outcomes keep all truths, and what others keep; those that keep none are never seen."""
    return masks.count(0), tuple(sorted([truths & ~mask for mask in masks if mask and mask != truths]))
