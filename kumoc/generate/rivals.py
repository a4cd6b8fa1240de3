"""Pairs of truths that no fair instance lists together, since nothing would ever tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kumoc.tables import Tables, members


@lru_cache(maxsize=16)
def unexcludable(tables: Tables) -> tuple[int, ...]:
    """For each truth the mask of those that, were it valid, could not be excluded.

    That is, no outcome excludes them and keeps it.
    """
    everything = (1 << len(tables.truths)) - 1
    kept = [everything & ~(1 << truth) for truth in range(len(tables.truths))]
    for action in tables.actions:
        for outcome in action.outcomes:
            for truth in members(everything & ~outcome.excludes):
                kept[truth] &= ~outcome.excludes
    return tuple(kept)


def inseparable(tables: Tables) -> tuple[int, ...]:
    """For each truth the mask of its rivals: if one of the two is valid, the other cannot be excluded."""
    kept = unexcludable(tables)
    return tuple(
        mask | sum(1 << other for other, theirs in enumerate(kept) if theirs >> truth & 1)
        for truth, mask in enumerate(kept)
    )


def cliques(rivals: Sequence[int]) -> list[int]:
    """The truths parted into sets of mutual rivals, few and large as far as a greedy choice goes."""
    left = (1 << len(rivals)) - 1
    parts = []
    while left:
        clique, common = 0, left
        while common:
            truth = max(members(common), key=lambda member: (rivals[member] & common).bit_count())
            clique |= 1 << truth
            common &= rivals[truth]
        parts.append(clique)
        left &= ~clique
    return parts
