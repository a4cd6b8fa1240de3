"""A quick guess at the expected number of actions, to compare games by before one of them is worth an exact answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2

from kumoc.generate.instance import Game
from kumoc.solve.floor import outlook

_DECIMALS = 9


def guess(n_truths: int, outcomes: Game) -> float:
    """About how many actions are expected, for a small part of the work that it takes to find out.

    It is the cost of greedy play down to one survivor, where every pair of a survivor and an outcome that keeps it is
    equally likely. It is no bound, and says little by itself: it is there to tell how much harder one game may be than
    another like it, whether one truth is valid or several.
    """
    return _cost((1 << n_truths) - 1, outcomes)


def _cost(survivors: int, outcomes: Sequence[Sequence[int]]) -> float:
    if survivors.bit_count() <= 1:
        return 0.0
    # rounded, so that neither the last digit of a logarithm nor the order of a sum decides on any machine
    nothing = round(log2(survivors.bit_count()), _DECIMALS)
    ranked = [(round(outlook(survivors, masks), _DECIMALS), i) for i, masks in enumerate(outcomes)]
    telling = [(left, i) for left, i in ranked if left < nothing]
    if not telling:
        return 0.0
    best = min(telling)[1]
    rest = [outcomes[i] for _, i in telling if i != best]
    after = Counter([survivors & ~mask for mask in outcomes[best]])
    total = sum([times * each.bit_count() for each, times in after.items()])
    return 1.0 + sum([times * each.bit_count() / total * _cost(each, rest) for each, times in after.items()])
