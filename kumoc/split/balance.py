"""Parts dealt to two halves as evenly as can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kumoc.split.graph import Least
from kumoc.tables import members


def most_even(parts: Sequence[tuple[int, int]], least: Least) -> int | None:
    """The parts of the half that holds the first one, as a mask.

    A part is its numbers of truths and of actions. No other choice has halves with closer numbers of truths or, of
    those that do as well, closer numbers of actions (exact, by dynamic programming). None if there are no two halves
    that hold what they must.
    """
    reachable = _reachable(parts)
    truths, actions = (sum(part[i] for part in parts) for i in (0, 1))
    possible = (
        (abs(truths - 2 * held), abs(actions - 2 * used), held, used)
        for held, uses in reachable[-1].items()
        if least.truths <= held <= truths - least.truths
        for used in members(uses)
        if least.actions <= used <= actions - least.actions
    )
    best = min(possible, default=None)
    return None if best is None else _parts_of(best[2], best[3], parts, reachable)


def _reachable(parts: Sequence[tuple[int, int]]) -> list[dict[int, int]]:
    """What halves with the first part can hold of the first one, two, ... parts.

    By number of truths; bit ``n`` of the value says that they can have ``n`` actions.
    """
    (truths, actions), *others = parts
    layers = [{truths: 1 << actions}]
    for more_truths, more_actions in others:
        layer = dict(layers[-1])
        for held, uses in layers[-1].items():
            layer[held + more_truths] = layer.get(held + more_truths, 0) | uses << more_actions
        layers.append(layer)
    return layers


def _parts_of(truths: int, actions: int, parts: Sequence[tuple[int, int]], reachable: Sequence[dict[int, int]]) -> int:
    """Some parts that together hold these numbers; the later ones are left out where they can be."""
    chosen = 1
    for place, (layer, before) in zip(range(len(parts) - 1, 0, -1), pairwise(reversed(reachable)), strict=True):
        assert layer[truths] >> actions & 1
        if not before.get(truths, 0) >> actions & 1:
            chosen |= 1 << place
            truths, actions = truths - parts[place][0], actions - parts[place][1]
    return chosen
