"""How likely blind chance is to leave just this or that set of truths."""

from __future__ import annotations

from collections import Counter

from kumoc.generate.instance import Game
from kumoc.solve.work import Work


def leftovers(survivors: int, outcomes: Game, most: int, work: Work) -> dict[int, float]:
    """Per set of at most ``most`` of ``survivors``, the chance that uniform, independent outcomes leave exactly it.

    Sets of chance 0 are left out of the answer. A set is given up once more than ``most`` of it are beyond exclusion.
    """
    relevant = [masks for masks in outcomes if any(mask & survivors for mask in masks)]
    relevant.sort(key=lambda masks: -sum((mask & survivors).bit_count() for mask in masks) / len(masks))
    chances = {survivors: 1.0}
    for i, masks in enumerate(relevant):
        excludable = 0
        for later in relevant[i + 1 :]:
            for mask in later:
                excludable |= mask
        shares = [(mask, count / len(masks)) for mask, count in Counter(masks).items()]
        left: dict[int, float] = {}
        for before, chance in chances.items():
            for mask, share in shares:
                after = before & ~mask
                if after in left:
                    left[after] += chance * share
                elif (after & ~excludable).bit_count() <= most:
                    work.spend()
                    left[after] = chance * share
        chances = left
    return {left: chance for left, chance in chances.items() if left.bit_count() <= most}
