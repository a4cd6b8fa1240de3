"""The two players, word for word: memoised recursions over states, with nothing done for speed.

They are the second implementation that the tests compare with, and what the benchmarks measure speed against.
A game is a tuple of actions; an action is a tuple of masks, the truths each of its outcomes excludes.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

Game = tuple[tuple[int, ...], ...]


class TooManyStatesError(Exception):
    """More states than allowed had to be visited."""


def paper_values(n_truths: int, game: Game, valid: int = 1, most: int | None = None):  # noqa: ARG001 (as below)
    """Algorithm 3 of the paper: a function from survivors and remaining actions to the values of the actions.

    It gives an empty dict where the game is over, and raises TooManyStatesError beyond ``most`` states.
    """

    @cache
    def values(survivors: int, remaining: frozenset[int]) -> dict[int, float]:
        _stop_beyond(most, values)
        excludable = 0
        for action in remaining:
            for mask in game[action]:
                excludable |= mask
        if survivors.bit_count() <= valid or not remaining or survivors & ~excludable:
            return {}
        return {action: action_value(survivors, remaining, action) for action in sorted(remaining)}

    def action_value(survivors: int, remaining: frozenset[int], action: int) -> float:
        left = [survivors & ~mask for mask in game[action]]
        total = sum(s.bit_count() for s in left)
        value = 1.0
        for s in left:
            if s:
                value += s.bit_count() / total * min(values(s, remaining - {action}).values(), default=0.0)
        return value

    return values


def exact_values(n_truths: int, game: Game, valid: int = 1, most: int | None = None):
    """The Bayes-optimal player: a function from survivors and remaining actions to the values of the actions.

    It gives an empty dict where a valid truth can be named. Raises ValueError if no world is possible, and
    TooManyStatesError beyond ``most`` states.
    """
    truths = (1 << n_truths) - 1
    everything = frozenset(range(len(game)))
    worlds = [sum(1 << truth for truth in chosen) for chosen in combinations(range(n_truths), valid)]
    keeping = {world: [sum(not mask & world for mask in masks) for masks in game] for world in worlds}
    worlds = [world for world in worlds if all(keeping[world])]

    @cache
    def guarantee(world: int, to_exclude: int, remaining: frozenset[int]) -> float:
        _stop_beyond(most, guarantee)
        if not to_exclude:
            return 1.0
        if not remaining:
            return 0.0
        action = min(remaining)
        kept = [mask for mask in game[action] if not mask & world]
        return sum(guarantee(world, to_exclude & ~mask, remaining - {action}) for mask in kept) / len(kept)

    at_root = {world: guarantee(world, truths & ~world, everything) for world in worlds}
    at_root = {world: chance for world, chance in at_root.items() if chance > 0}
    if not at_root:
        raise ValueError("no world is possible")

    @cache
    def weights(survivors: int, remaining: frozenset[int]) -> dict[int, float]:
        found = {}
        for world, chance in at_root.items():
            if world & ~survivors == 0:
                weight = guarantee(world, survivors & ~world, remaining) / chance
                for action in everything - remaining:
                    weight /= keeping[world][action]
                if weight > 0:
                    found[world] = weight
        return found

    @cache
    def values(survivors: int, remaining: frozenset[int]) -> dict[int, float]:
        _stop_beyond(most, values)
        possible = weights(survivors, remaining)
        named = survivors
        for world in possible:
            named &= world
        if named or not possible:
            return {}
        return {
            action: action_value(survivors, remaining, action)
            for action in sorted(remaining)
            if any(mask & survivors for mask in game[action])
        }

    def action_value(survivors: int, remaining: frozenset[int], action: int) -> float:
        total = sum(weights(survivors, remaining).values())
        value = 1.0
        for mask in game[action]:
            state = (survivors & ~mask, remaining - {action})
            value += sum(weights(*state).values()) / total * min(values(*state).values(), default=0.0)
        return value

    return values


def _stop_beyond(most: int | None, cached) -> None:
    if most is not None and cached.cache_info().currsize > most:
        raise TooManyStatesError


def value(values, n_truths: int, game: Game) -> float:
    """The expected number of actions from the start, by either function above."""
    return min(values((1 << n_truths) - 1, frozenset(range(len(game)))).values(), default=0.0)
