"""Draw an instance whose difficulty lies in a band, without searching blindly.

A fair choice that lies outside is changed, a truth or an action at a time, until it comes to lie inside. All of this
looks at lists alone, at which truths and which actions there are: what is valid, what is observed and in which order is
drawn afterwards.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from kumoc.benchmark import Mode, Size
from kumoc.generate import Instance, Lists, changed, derive, generate, generate_with, is_fair
from kumoc.generate.draw import Draws
from kumoc.solve import TIE, Bounds, ExactPlayer, guess
from kumoc.tables import Tables, plain
from kumoc.views.game import EXPECTED_DECIMALS
from kumoc.views.play import Play, exact_play

STEPS = 20
"""Candidates that a walk may try after the one it starts from."""

PROPOSALS = 64
"""Changes that are looked at before the next candidate is tried."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What a draw came to.

    ``instance`` is None where that is none in the band, and ``exact`` is how the exact player plays it, None where
    there is no band. ``tried`` are the bounds of the candidates whose difficulty was worked out: first of the one that
    would be drawn if there were no band, then of those on the walk that starts there.
    """

    instance: Instance | None
    exact: Play | None
    tried: tuple[Bounds, ...]


def draw(tables: Tables, size: Size, seed: int) -> Draw:
    """The draw of ``size`` that ``seed`` stands for. Raises what :func:`kumoc.generate.generate` raises.

    In paper mode nothing is changed: the choice of that mode is what it is there for.
    """
    start = generate(tables, size, seed)
    if size.difficulty is None:
        return Draw(start, None, ())
    exact = exact_play(start, size.work)
    if in_band(exact.bounds, size):
        return Draw(start, exact, (exact.bounds,))
    if size.mode is Mode.PAPER:
        return Draw(None, None, (exact.bounds,))
    walk = _walk(tables, size, Lists.of(start), exact.bounds, Draws(derive(seed, "walk")))
    tried = tuple(candidate.bounds for candidate in walk)
    if in_band(tried[-1], size):
        instance = generate_with(tables, size, walk[-1].lists, seed)
        exact = exact_play(instance, size.work)
        # where only bounds are known they may be others in another order of truths and actions
        if in_band(exact.bounds, size):
            return Draw(instance, exact, tried)
    return Draw(None, None, tried)


def in_band(bounds: Bounds, size: Size) -> bool:
    """Whether an expectation within ``bounds`` is sure to lie in the band of ``size``, if it has one."""
    # the band is of decimals and values are sums of fractions: a value on its edge is inside
    return size.difficulty is None or _outside(bounds, size) <= TIE


def band_in_words(size: Size) -> str:
    """The band of ``size``, which has one, such as ``1.5 to 2``."""
    assert size.difficulty is not None
    low, high = map(plain, size.difficulty)
    return f"{low:f} to {high:f}"


def _outside(bounds: Bounds, size: Size) -> float:
    """By how many actions ``bounds`` reach out of the band, rounded: in which order was summed up decides nothing."""
    assert size.difficulty is not None
    low, high = map(float, size.difficulty)
    return round(max(low - bounds.lower, bounds.upper - high, 0.0), EXPECTED_DECIMALS)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Lists with bounds of their expectation, worked out or only likely, and the guess at it."""

    lists: Lists
    bounds: Bounds
    guess: float


def _walk(tables: Tables, size: Size, start: Lists, bounds: Bounds, draws: Draws) -> list[_Candidate]:
    """The candidates tried on the way from ``start``, which comes first; if the walk comes to the band, it ends there.

    It goes on from the last one that was no further from the band than those before.
    """
    here = _Candidate(start, bounds, _guess(tables, size, start))
    walk = [here]
    while len(walk) <= STEPS and not in_band(walk[-1].bounds, size):
        there = _proposed(tables, size, here, {candidate.lists for candidate in walk}, draws)
        if there is here:
            break
        player = ExactPlayer(size.truths, there.lists.game(tables), size.valid, work=size.work)
        walk.append(replace(there, bounds=player.bounds))
        if _outside(player.bounds, size) <= _outside(here.bounds, size):
            here = walk[-1]
    return walk


def _proposed(tables: Tables, size: Size, here: _Candidate, seen: Set[Lists], draws: Draws) -> _Candidate:
    """The next to be tried: fair, none of ``seen``, and as near to the band as changes that seem to help have led.

    It is ``here`` itself if none does. By how much the guess changes says what is likely of the expectation.
    """
    best = here
    for _ in range(PROPOSALS):
        lists = changed(tables, best.lists, draws)
        if lists in seen:
            continue
        guessed = _guess(tables, size, lists)
        shift = guessed - here.guess
        likely = Bounds(here.bounds.lower + shift, here.bounds.upper + shift)
        if _outside(likely, size) <= _outside(best.bounds, size) and is_fair(tables, lists, size):
            best = _Candidate(lists, likely, guessed)
            if in_band(likely, size):
                break
    return best


def _guess(tables: Tables, size: Size, lists: Lists) -> float:
    return guess(size.truths, lists.game(tables))
