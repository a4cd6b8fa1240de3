"""Count and sample the ways in which actions can rule out exactly the invalid truths.

An assignment takes one outcome of every action. It *works* when none of them excludes a valid truth and together
they exclude every invalid one. Working assignments are counted action by action, over the set of truths still to be
excluded. Sets of truths are masks; ``actions`` give, for each action, the mask of each of its outcomes (bits of
truths that are neither in ``valid`` nor in ``invalid`` do not matter).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import or_

from kumoc.generate.draw import Draws
from kumoc.generate.instance import Game
from kumoc.tables import members

STATES = 1 << 20
"""The most sets still to be excluded that are held between two actions before counting is given up."""


class TooManyStatesError(Exception):
    """The assignments cannot be counted within :data:`STATES`."""


def possible(actions: Game, valid: int, invalid: int) -> bool:
    """Whether some assignment works. Raises :class:`TooManyStatesError`."""
    offers = _offers(actions, valid)
    return bool(_states(offers, _order(offers, invalid), invalid)[-1])


def count(actions: Game, valid: int, invalid: int) -> int:
    """How many assignments work. Raises :class:`TooManyStatesError`."""
    offers = _offers(actions, valid)
    return _counts(offers, _order(offers, invalid), invalid)[0].get(invalid, 0)


def sample(actions: Game, valid: int, invalid: int, draws: Draws) -> tuple[int, ...]:
    """The position of one outcome for each action, drawn uniformly among the assignments that work.

    There must be one. Raises :class:`TooManyStatesError`.
    """
    offers = _offers(actions, valid)
    order = _order(offers, invalid)
    counts = _counts(offers, order, invalid)
    picked = [0] * len(actions)
    left = invalid
    for action, before, after in zip(order, counts, counts[1:], strict=False):
        ticket = draws.below(before[left])
        for position, mask in enumerate(actions[action]):
            share = 0 if mask & valid else after.get(left & ~mask, 0)
            if ticket < share:
                picked[action] = position
                left &= ~mask
                break
            ticket -= share
    return tuple(picked)


def _offers(actions: Game, valid: int) -> Game:
    """For each action the masks of its outcomes that keep every valid truth."""
    return tuple(tuple(mask for mask in masks if not mask & valid) for masks in actions)


def _order(offers: Game, invalid: int) -> list[int]:
    """The actions in an order that keeps the states few.

    Again and again the truth that the fewest waiting actions can exclude is dealt with: once those actions are past,
    it must have been excluded, so the states no longer differ in it (variable elimination by least degree).
    """
    reach = [_union(masks) & invalid for masks in offers]
    waiting = [action for action, mask in enumerate(reach) if mask]
    order = [action for action, mask in enumerate(reach) if not mask]
    while waiting:
        within = _union([reach[action] for action in waiting])
        rarest = min(members(within), key=lambda truth: sum(reach[action] >> truth & 1 for action in waiting))
        order += [action for action in waiting if reach[action] >> rarest & 1]
        waiting = [action for action in waiting if not reach[action] >> rarest & 1]
    return order


def _states(offers: Game, order: Sequence[int], invalid: int) -> list[set[int]]:
    """Before each step, and after the last: the sets that may be left to exclude and still can be excluded."""
    ahead = [*accumulate((_union(offers[action]) for action in reversed(order)), or_, initial=0)][::-1]
    states = [{invalid} if not invalid & ~ahead[0] else set[int]()]
    for action, within in zip(order, ahead[1:], strict=True):
        masks = set(offers[action])
        states.append({left & ~mask for left in states[-1] for mask in masks if not left & ~mask & ~within})
        if len(states[-1]) > STATES:
            raise TooManyStatesError
    return states


def _counts(offers: Game, order: Sequence[int], invalid: int) -> list[dict[int, int]]:
    """Beside :func:`_states`: in how many ways the actions from there on exclude each set."""
    *states, final = _states(offers, order, invalid)
    counts = [dict.fromkeys(final, 1)]
    for action, lefts in zip(reversed(order), reversed(states), strict=True):
        masks = offers[action]
        later = counts[-1]
        counts.append({left: sum(later.get(left & ~mask, 0) for mask in masks) for left in lefts})
    return counts[::-1]


def _union(masks: Sequence[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
