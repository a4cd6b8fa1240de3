"""How many fair lists a domain has: sets of truths and actions with which every world is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb, sqrt

from kumoc.benchmark import Size
from kumoc.generate import Lists, is_fair
from kumoc.generate.draw import Draws
from kumoc.generate.rivals import cliques, inseparable
from kumoc.survey.covers import Count, fair_actions
from kumoc.tables import Tables, members

EVERY = 500
"""The most sets of truths that are all examined."""

EXAMINED = 50
"""Sets of truths that are examined where there are more."""

_QUANTILE = 1.959963984540054  # of the normal distribution, for 95%


@dataclass(frozen=True, slots=True)
class Share:
    """Of ``drawn`` uniform pairs of a set of truths and a set of actions, ``fair`` were fair lists."""

    fair: int
    drawn: int

    @property
    def mean(self) -> float:
        """The share, which estimates that among all pairs."""
        return self.fair / self.drawn

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for the share among all pairs, at 95%."""
        square = _QUANTILE**2 / self.drawn
        middle = self.mean + square / 2
        half = sqrt(self.mean * (1 - self.mean) * square + square**2 / 4)
        return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))


@dataclass(frozen=True, slots=True)
class Census:
    """What is known of the fair lists of a size.

    ``lists`` bounds their number, from ``examined`` of ``sets`` sets of truths. ``pairs`` is how many pairs of a set of
    truths and a set of actions there are, fair or not; ``share`` is None where nothing had to be estimated.
    """

    lists: Count
    examined: int
    sets: int
    pairs: int
    share: Share | None = None


def census(
    tables: Tables, size: Size, known: Iterable[int], drawn: int, draws: Draws, on_done: Callable[[int], None]
) -> Census:
    """Count the fair lists of ``size``: exactly, as a rule, if there are at most :data:`EVERY` sets of truths.

    Otherwise some sets of truths that are ``known`` to have fair lists give bounds, and ``drawn`` pairs an estimate.
    ``on_done`` hears of :func:`steps` at most.
    """
    sets = comb(len(tables.truths), size.truths)
    chosen = _all_sets(tables, size) if sets <= EVERY else islice(dict.fromkeys(known), EXAMINED)
    rivals = inseparable(tables)
    counts: list[Count] = []
    for truths in chosen:
        apart = not any(rivals[truth] & truths for truth in members(truths))
        counts.append(fair_actions(tables, truths, size) if apart else Count(0, 0))
        on_done(1)
    of_each = comb(len(tables.actions), size.actions)
    unseen = 0 if len(counts) == sets else _most_sets(cliques(rivals), size.truths) - len(counts)
    lists = Count(sum(count.lower for count in counts), sum(count.upper for count in counts) + unseen * of_each)
    share = None if lists.exact else _share(tables, size, drawn, draws, on_done)
    return Census(lists, len(counts), sets, sets * of_each, share)


def empty_census(tables: Tables, size: Size) -> Census:
    """That of a ``size`` which is known to have no fair lists."""
    sets = comb(len(tables.truths), size.truths)
    return Census(Count(0, 0), 0, sets, sets * comb(len(tables.actions), size.actions))


def steps(tables: Tables, size: Size, drawn: int) -> int:
    """How many steps a census takes at most."""
    sets = comb(len(tables.truths), size.truths)
    return (sets if sets <= EVERY else EXAMINED) + drawn


def _all_sets(tables: Tables, size: Size) -> Iterator[int]:
    chosen = combinations(range(len(tables.truths)), size.truths)
    return (sum(1 << truth for truth in truths) for truths in chosen)


def _drawn(count: int, size: int, draws: Draws) -> int:
    return sum(1 << member for member in draws.choose(count, size))


def _most_sets(groups: Sequence[int], size: int) -> int:
    """How many sets of ``size`` truths there are at most, if of each of disjoint ``groups`` one truth can be listed."""
    ways = [1] + [0] * size
    for group in groups:
        for chosen in range(size, 0, -1):
            ways[chosen] += ways[chosen - 1] * group.bit_count()
    return ways[size]


def _share(tables: Tables, size: Size, count: int, draws: Draws, on_done: Callable[[int], None]) -> Share:
    fair = 0
    for _ in range(count):
        truths = _drawn(len(tables.truths), size.truths, draws)
        fair += is_fair(tables, Lists(truths, _drawn(len(tables.actions), size.actions, draws)), size)
        on_done(1)
    return Share(fair, count)
