"""How many sets of actions make every world of some listed truths possible.

A world is a set of truths that could be the valid ones, and is possible if one outcome of each action can be taken so
that together they exclude just the other listed truths. An action with which some world is never possible, since each
outcome of it excludes a truth of that world, is in no such set. Of the others, one more never does harm.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate, combinations
from math import comb
from operator import or_

from kumoc.benchmark import Size
from kumoc.generate import Lists, is_fair
from kumoc.generate.outcomes import TooManyStatesError
from kumoc.generate.sat import OpenQuestionError
from kumoc.generate.worlds import ask
from kumoc.tables import Tables, members

STATES = 1_000
"""The most states that are held between two kinds of actions before exact counting is given up."""

Offer = tuple[tuple[int, ...], ...]
"""What an action can do: for each world the sets that an outcome excludes, those left out that lie within another."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number that is sure to be at least ``lower`` and at most ``upper``."""

    lower: int
    upper: int

    @property
    def exact(self) -> bool:
        """Whether the number is known."""
        return self.lower == self.upper


def fair_actions(tables: Tables, truths: int, size: Size) -> Count:
    """How many sets of ``size.actions`` actions are fair with the ``size.truths`` listed ``truths``."""
    worlds = tuple(sum(1 << truth for truth in world) for world in combinations(members(truths), size.valid))
    offers = {action: _offer(tables, action, truths, worlds) for action in range(len(tables.actions))}
    usable = {action: offer for action, offer in offers.items() if all(offer)}
    try:
        number = _count(tuple(usable.values()), tuple(truths & ~world for world in worlds), size.actions)
    except TooManyStatesError:
        return _bounds(tables, truths, size, usable, worlds)
    return Count(number, number)


def _offer(tables: Tables, action: int, truths: int, worlds: Iterable[int]) -> Offer:
    masks = tuple({outcome.excludes & truths: None for outcome in tables.actions[action].outcomes})
    return tuple(_largest([mask for mask in masks if not mask & world]) for world in worlds)


def _largest(masks: Sequence[int]) -> tuple[int, ...]:
    """Those of distinct ``masks`` that lie within no other, ascending."""
    return tuple(sorted(mask for mask in masks if not any(mask & more == mask != more for more in masks)))


class _World:
    """What may be left to exclude in one world, by numbers that stand for sets of such masks; 0 stands for nothing."""

    def __init__(self, invalid: int) -> None:
        self._numbers: dict[tuple[int, ...], int] = {(0,): 0}
        self._lefts: list[tuple[int, ...]] = [(0,)]
        self._after: dict[tuple[int, tuple[int, ...]], int] = {}
        self._hopeful: dict[tuple[int, int], int | None] = {}
        self.start = self._number((invalid,))

    def after(self, number: int, masks: tuple[int, ...]) -> int:
        """After an action that can exclude any one of ``masks``; what is left besides less of it is left out."""
        if not number:
            return 0
        key = number, masks
        if key not in self._after:
            lefts = {left & ~mask for left in self._lefts[number] for mask in masks}
            self._after[key] = self._number(tuple(sorted(left for left in lefts if not _any_within(left, lefts))))
        return self._after[key]

    def hopeful(self, number: int, ahead: int) -> int | None:
        """Less what the actions to come, which can exclude ``ahead`` in all, can't exclude; None if that is all."""
        key = number, ahead
        if key not in self._hopeful:
            lefts = tuple(left for left in self._lefts[number] if not left & ~ahead)
            self._hopeful[key] = self._number(lefts) if lefts else None
        return self._hopeful[key]

    def _number(self, lefts: tuple[int, ...]) -> int:
        number = self._numbers.setdefault(lefts, len(self._lefts))
        if number == len(self._lefts):
            self._lefts.append(lefts)
        return number


def _any_within(left: int, lefts: Iterable[int]) -> bool:
    return any(less & left == less != left for less in lefts)


def _count(offers: Sequence[Offer], invalid: Sequence[int], actions: int) -> int:
    """How many sets of ``actions`` of ``offers`` can exclude all of ``invalid`` in every world.

    Equal offers are one kind, of which some number is taken. Kind by kind, sets are counted by what they may leave to
    exclude in each world and by how many actions they have. Raises TooManyStatesError.
    """
    kinds = sorted(Counter(offers).items(), key=lambda kind: _reach(kind[0]))
    ahead = _ahead([offer for offer, _ in kinds], len(invalid))
    left = [*accumulate((times for _, times in reversed(kinds)), initial=0)][::-1]
    worlds = [_World(mask) for mask in invalid]
    found = 0
    states = {tuple(world.start for world in worlds): {0: 1}}
    for (offer, times), rest, more in zip(kinds, ahead[1:], left[1:], strict=True):
        later: dict[tuple[int, ...], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for state, ways in states.items():
            for taken, after in _repeated(worlds, state, offer, rest, min(times, actions)):
                for used, number in ways.items():
                    if used + taken <= actions <= used + taken + more:
                        if any(after):
                            later[after][used + taken] += number * comb(times, taken)
                        else:
                            found += number * comb(times, taken) * comb(more, actions - used - taken)
        states = {state: dict(ways) for state, ways in later.items()}
        if len(states) > STATES:
            raise TooManyStatesError
    return found


def _ahead(offers: Sequence[Offer], worlds: int) -> list[tuple[int, ...]]:
    """Before each of ``offers``, and after the last: for each world all that they and those after them can exclude."""
    ahead = [(0,) * worlds]
    for offer in reversed(offers):
        ahead.append(tuple(reduce(or_, masks, rest) for masks, rest in zip(offer, ahead[-1], strict=True)))
    return ahead[::-1]


def _reach(offer: Offer) -> tuple[int, Offer]:
    """What kinds are ordered by: those that exclude little first, as they keep states few."""
    return sum(reduce(or_, masks, 0).bit_count() for masks in offer), offer


def _repeated(
    worlds: Sequence[_World], state: tuple[int, ...], offer: Offer, ahead: Sequence[int], most: int
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(how many actions of a kind are taken, the state after them), less the states from which no way leads on."""
    for taken in range(most + 1):
        after = tuple(world.hopeful(number, rest) for world, number, rest in zip(worlds, state, ahead, strict=True))
        if None not in after:
            yield taken, tuple(number for number in after if number is not None)
        state = tuple(world.after(number, masks) for world, number, masks in zip(worlds, state, offer, strict=True))


def _bounds(tables: Tables, truths: int, size: Size, usable: Mapping[int, Offer], worlds: Sequence[int]) -> Count:
    """What is sure where exact counting takes too much.

    At least: every set with the actions of some fair one that suffice by themselves. At most: every set with, for each
    world and each other truth, an action that can exclude the latter, for the pair for which this says the most.
    """
    least_able = min(
        sum(any(mask >> truth & 1 for mask in offer[i]) for offer in usable.values())
        for i, world in enumerate(worlds)
        for truth in members(truths & ~world)
    )
    most = comb(len(usable), size.actions) - comb(len(usable) - least_able, size.actions)
    enough = _enough(tables, truths, size)
    if enough is None:
        return Count(0, most)
    return Count(comb(len(usable) - enough, size.actions - enough), most)


def _enough(tables: Tables, truths: int, size: Size) -> int | None:
    """A number of actions, at most ``size.actions``, some of which make every world possible; None if none is found."""
    question, _, taken = ask(tables, truths, size)
    try:
        if not question.satisfiable():
            return None
        kept = {variable - taken[0] for variable in question.settle(taken, size.actions)}
    except OpenQuestionError:
        return None
    for action in sorted(kept):
        fewer = kept - {action}
        lists = Lists(truths, sum(1 << other for other in fewer))
        if is_fair(tables, lists, replace(size, actions=len(fewer))):
            kept = fewer
    return len(kept)
