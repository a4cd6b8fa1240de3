"""A domain in two halves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from kumoc.generate import with_truths
from kumoc.generate.sat import OpenQuestionError
from kumoc.split.balance import most_even
from kumoc.split.cut import Cut, least_cut
from kumoc.split.graph import Least, components, reaches
from kumoc.tables import Tables, members
from kumoc.translation import restricted

LONGEST_NAME = 58
"""Characters kept of a domain's identifier: two more make it the name of a half, and 60 is the most."""


class CannotSplitError(Exception):
    """There are no two halves; the message says why, and reads after the domain's name."""


@dataclass(frozen=True, slots=True)
class Split:
    """A domain in two halves, which share no truths and no actions.

    ``parts`` are the numbers of truths in the connected components, all actions counted in. If ``cut`` names actions,
    the halves are without them, and there are no halves with them; ``idle`` ones are left out since they never rule
    anything out. Both are positions in the domain's actions.
    """

    halves: tuple[Tables, Tables]
    parts: tuple[int, ...]
    cut: Cut
    idle: tuple[int, ...]


def default_least(count: int) -> int:
    """The least number of truths of a half, of ``count`` in all: a quarter and no fewer than four, or half if few."""
    return max(2, min(count // 2, max(4, -(-count // 4))))


def split_domain(tables: Tables, least: Least) -> Split:
    """The most even halves of a domain that hold what they must.

    Truths are kept together that one action can rule out; where that leaves no two halves, as few actions as possible
    are left out. Numbers of truths are evened first, then those of actions. Raises :class:`CannotSplitError`.
    """
    count = len(tables.truths)
    if 2 * least.truths > count:
        raise CannotSplitError(f"has {count} truths: too few for two halves of at least {least.truths}")
    reached = {action: mask for action, mask in enumerate(reaches(tables)) if mask}
    parts = components(count, reached.values())
    cut = Cut((), smallest=True)
    first = _first_half(parts, tuple(reached.values()), least)
    if first is None:
        cut = _cut(count, reached, least)
        kept = tuple(mask for action, mask in reached.items() if action not in cut.actions)
        first = _first_half(components(count, kept), kept, least)
        assert first is not None
    second = (1 << count) - 1 & ~first
    return Split(
        halves=(_half(tables, first, "a"), _half(tables, second, "b")),
        parts=tuple(part.bit_count() for part in parts),
        cut=Cut(_across(reached, first), cut.smallest),
        idle=tuple(action for action in range(len(tables.actions)) if action not in reached),
    )


def _first_half(parts: Sequence[int], reached: Collection[int], least: Least) -> int | None:
    """The mask of truths of the half that holds the first one; None if no halves are large enough."""
    chosen = most_even([(part.bit_count(), sum(mask & part != 0 for mask in reached)) for part in parts], least)
    return None if chosen is None else sum(parts[place] for place in members(chosen))


def _cut(count: int, reached: Mapping[int, int], least: Least) -> Cut:
    if all(one & other for one, other in combinations(reached.values(), 2)):
        raise CannotSplitError("can't be split: for any two of its actions there is a truth that both can rule out")
    halves = f"no two halves of {least.truths} truths and {least.actions} actions or more each"
    try:
        cut = least_cut(count, tuple(reached.values()), least)
    except OpenQuestionError:
        raise CannotSplitError(f"was not split: {halves} were found, though there may be some") from None
    if cut is None:
        raise CannotSplitError(f"can't be split: whatever actions are left out, there are {halves}")
    positions = tuple(reached)
    return Cut(tuple(positions[place] for place in cut.actions), cut.smallest)


def _across(reached: Mapping[int, int], half: int) -> tuple[int, ...]:
    """The actions that can rule out truths of both halves."""
    return tuple(action for action, mask in reached.items() if mask & half and mask & ~half)


def _half(tables: Tables, truths: int, name: str) -> Tables:
    """The domain of these truths and of the actions that rule out some of them and no others."""
    half = with_truths(tables, truths)
    kept = tuple(i for i, mask in enumerate(reaches(tables)) if mask and not mask & ~truths)
    return replace(
        half,
        domain=f"{tables.domain[:LONGEST_NAME]}_{name}",
        actions=tuple(half.actions[i] for i in kept),
        translations=restricted(half.translations, actions=kept),
    )
