"""What a game shows at first sight: a lower bound of the value, possible worlds, and how good an action looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2

from kumoc.generate.instance import Game


def least_depth(ending: float, outcomes: Game, most: int | None = None) -> float:
    """The least mean depth of a policy none of whose ends is likelier than ``ending``; see ``docs/players.md``.

    ``most``: depths count as no more than this, and ends at this depth may have any chance.
    """
    branchings = sorted([len(set(masks)) for masks in outcomes], reverse=True)
    share = 1.0
    for depth, branching in enumerate(branchings[:most]):
        after = 0.0 if depth + 1 == most else share / branching
        if after <= ending:
            return depth + (share - ending) / (share - after) if share > ending else float(depth)
        share = after
    return float(min(sum(branching > 1 for branching in branchings), len(branchings[:most])))


def witnessed(truths: int, outcomes: Game, worlds: Iterable[int]) -> list[int]:
    """Those of ``worlds`` (sets of valid truths) that a greedy choice of outcomes shows to be possible."""
    return [world for world in worlds if _leaves(truths, outcomes, world) == world]


def _leaves(left: int, outcomes: Game, world: int) -> int:
    for masks in outcomes:
        keeping = [mask for mask in masks if not mask & world]
        if not keeping:
            return 0
        left &= ~max(keeping, key=lambda mask: (mask & left).bit_count())
    return left


def outlook(survivors: int, excluded: Sequence[int], beside: int = 0) -> float:
    """The mean log2 of the number that an action leaves of ``survivors`` and ``beside`` others that it can't exclude.

    ``excluded`` holds, per outcome, the truths (mask) that it excludes.

    Every pair of a survivor and an outcome that keeps it counts as equally likely.
    """
    sizes = [(survivors & ~mask).bit_count() + beside for mask in excluded]
    total = sum(sizes)
    return sum([size * log2(size) for size in sizes if size]) / total if total else 0.0
