"""The graph signature of an instance, which the KUMO paper tests against correctness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

from kumoc.generate.instance import Game


@dataclass(frozen=True, slots=True)
class Signature:
    """Sorted degrees of the graph that joins an action with each truth that some outcome of it excludes."""

    truths: tuple[int, ...]
    actions: tuple[int, ...]


def signature(n_truths: int, game: Game) -> Signature:
    """The signature of a bare game of ``n_truths`` truths.

    The degree of a truth is the number of actions with any outcome that excludes it; that of an action is the number
    of truths that any of its outcomes excludes.
    """
    excludable = [reduce(or_, masks, 0) for masks in game]
    truths = sorted(sum(mask >> truth & 1 for mask in excludable) for truth in range(n_truths))
    return Signature(tuple(truths), tuple(sorted(mask.bit_count() for mask in excludable)))
