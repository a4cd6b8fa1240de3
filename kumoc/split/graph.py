"""The graph of a domain's truths, two of them joined where one action can rule out both (arXiv 2504.02810).

Each action joins all the truths it reaches, so that masks of these, one an action, are the whole graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from kumoc.tables import Tables


@dataclass(frozen=True, slots=True)
class Least:
    """What a half must hold, at least: 2 truths or more, 1 action or more."""

    truths: int
    actions: int = 1


def reaches(tables: Tables) -> tuple[int, ...]:
    """For each action the mask of the truths that one or another of its outcomes rules out."""
    return tuple(reduce(or_, (outcome.excludes for outcome in action.outcomes)) for action in tables.actions)


def components(count: int, reached: Iterable[int]) -> tuple[int, ...]:
    """The connected components of ``count`` truths as masks, ordered by their first truths."""
    parts = [1 << truth for truth in range(count)]
    for mask in reached:
        joined = reduce(or_, (part for part in parts if part & mask), 0)
        parts = [part for part in parts if not part & mask] + ([joined] if joined else [])
    return tuple(sorted(parts, key=lambda part: part & -part))
