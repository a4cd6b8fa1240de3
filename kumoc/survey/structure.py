"""What the tables of a domain say about its truths: which of them are hard to tell apart, and what no game can use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from math import comb
from operator import or_

from kumoc.generate.rivals import unexcludable
from kumoc.split.graph import reaches
from kumoc.tables import Tables, members

Pair = tuple[int, int]


@dataclass(frozen=True)
class Structure:
    """What :attr:`tables` say; truths and actions are positions in them.

    An action tells two truths apart if some outcome of it rules out one of them and keeps the other.
    """

    tables: Tables

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """For each action, for each truth the mask of the action's outcomes that rule the truth out."""
        return tuple(
            tuple(
                sum(1 << i for i, outcome in enumerate(action.outcomes) if outcome.excludes >> truth & 1)
                for truth in range(len(self.tables.truths))
            )
            for action in self.tables.actions
        )

    @cached_property
    def reached(self) -> tuple[int, ...]:
        """For each truth, how many actions have an outcome that rules it out."""
        masks = reaches(self.tables)
        return tuple(sum(mask >> truth & 1 for mask in masks) for truth in range(len(self.tables.truths)))

    @cached_property
    def giveaways(self) -> tuple[int, ...]:
        """The truths that nothing can rule out: where one is listed, it must be the answer."""
        everything = (1 << len(self.tables.truths)) - 1
        return tuple(members(everything & ~reduce(or_, reaches(self.tables), 0)))

    @cached_property
    def idle(self) -> tuple[int, ...]:
        """The actions that never rule anything out."""
        return tuple(action for action, mask in enumerate(reaches(self.tables)) if not mask)

    @cached_property
    def inseparable(self) -> tuple[tuple[int, ...], ...]:
        """The sets of two or more truths that every outcome treats alike, giveaways left out, by their first truths."""
        kept = unexcludable(self.tables)
        alike: dict[int, list[int]] = {}
        for truth, mask in enumerate(kept):
            if truth not in self.giveaways:
                twins = (other for other in members(mask & (1 << truth) - 1) if kept[other] >> truth & 1)
                alike.setdefault(next(twins, truth), []).append(truth)
        return tuple(tuple(group) for group in alike.values() if len(group) > 1)

    @cached_property
    def shadowed(self) -> tuple[Pair, ...]:
        """Pairs of which, were the first truth valid, the second could never be ruled out, though some action tells
        them apart: whatever rules out the second rules out the first. Giveaways are left out."""
        kept = unexcludable(self.tables)
        return tuple(
            (truth, other)
            for truth, mask in enumerate(kept)
            for other in members(mask)
            if not kept[other] >> truth & 1 and other not in self.giveaways
        )

    @cached_property
    def apart(self) -> dict[Pair, int]:
        """For each pair of truths, the lower one first, how many actions tell them apart."""
        profiles = tuple(zip(*self.columns, strict=True))
        return {
            (one, other): sum(a != b for a, b in zip(profiles[one], profiles[other], strict=True))
            for one, other in combinations(range(len(profiles)), 2)
        }

    @cached_property
    def telling(self) -> tuple[float, ...]:
        """For each action the share of all pairs of truths that it tells apart."""
        pairs = comb(len(self.tables.truths), 2)
        return tuple(
            1 - sum(comb(times, 2) for times in Counter(column).values()) / pairs if pairs else 0.0
            for column in self.columns
        )

    def telling_apart(self, one: int, other: int) -> tuple[int, ...]:
        """The actions that tell two truths apart."""
        return tuple(action for action, column in enumerate(self.columns) if column[one] != column[other])

    def nearest(self, truth: int) -> tuple[int, ...]:
        """The other truths, those that the fewest actions tell from ``truth`` first, of equals the first listed."""
        others = (other for other in range(len(self.tables.truths)) if other != truth)
        return tuple(sorted(others, key=lambda other: (self.apart[min(truth, other), max(truth, other)], other)))
