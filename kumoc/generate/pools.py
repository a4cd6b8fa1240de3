"""Pools of truths, one a split, so that splits share none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kumoc.benchmark import Size
from kumoc.generate.draw import Draws, derive
from kumoc.generate.feasibility import Infeasible
from kumoc.generate.generator import CannotGenerateError, generate
from kumoc.tables import Action, Tables, members
from kumoc.translation import restricted

TRIES = 10
"""How many times truths are parted anew before it is said that they can't be."""


def pools(tables: Tables, size: Size, seed: int) -> dict[str, Tables]:
    """The tables that each split of ``size`` with any instance is drawn from, in a benchmark of that ``seed``.

    They are ``tables`` themselves, unless ``size.disjoint``: then each split has truths of its own, in proportion to
    its instances, yet at least half as many again as an instance lists if the domain has so many. Every pool has an
    instance, since the first thing dealt to it is the truths of one. Raises :class:`CannotGenerateError`.
    """
    splits = {split: count for split, count in size.splits if count}
    if not size.disjoint or len(splits) < 2:
        return dict.fromkeys(splits, tables)
    needed, there = len(splits) * size.truths, len(tables.truths)
    if needed > there:
        sentence = f"{len(splits)} splits that share no truths need {needed} truths, and there are {there}."
        raise CannotGenerateError(Infeasible(sentence, most_truths=there // len(splits)))
    least = min(size.truths + (size.truths + 1) // 2, there // len(splits))
    dealt = _deal(tables, size, shares(there, tuple(splits.values()), least), seed)
    return {split: with_truths(tables, pool) for split, pool in zip(splits, dealt, strict=True)}


def shares(total: int, weights: Sequence[int], least: int) -> tuple[int, ...]:
    """``total`` parted in proportion to ``weights`` (all positive), with at least ``least`` for each.

    ``total`` is at least ``least`` for each of them. Remainders go to the largest ones, of equal ones the first.
    """
    low: set[int] = set()
    while True:
        rest = total - least * len(low)
        weight = sum(each for i, each in enumerate(weights) if i not in low)
        more = {i for i, each in enumerate(weights) if i not in low and rest * each < least * weight}
        if not more:
            break
        low |= more
    shared = [least if i in low else rest * each // weight for i, each in enumerate(weights)]
    by_remainder = sorted(set(range(len(weights))) - low, key=lambda i: (-(rest * weights[i] % weight), i))
    for i in by_remainder[: total - sum(shared)]:
        shared[i] += 1
    return tuple(shared)


def with_truths(tables: Tables, kept: int) -> Tables:
    """The same domain with no truths but those of the mask ``kept``, in their order; all actions stay."""
    places = {truth: place for place, truth in enumerate(members(kept))}
    return replace(
        tables,
        truths=tuple(tables.truths[truth] for truth in places),
        actions=tuple(_restricted(action, kept, places) for action in tables.actions),
        translations=restricted(tables.translations, truths=tuple(places)),
    )


def _restricted(action: Action, kept: int, places: Mapping[int, int]) -> Action:
    outcomes = tuple(
        replace(outcome, excludes=sum(1 << places[truth] for truth in members(outcome.excludes & kept)))
        for outcome in action.outcomes
    )
    return replace(action, outcomes=outcomes)


def _deal(tables: Tables, size: Size, wanted: Sequence[int], seed: int) -> tuple[int, ...]:
    """Disjoint masks of as many truths as are ``wanted`` for each pool; together they hold all truths."""
    for attempt in range(TRIES):
        draw = derive(seed, tables.domain, size.name, "pools", attempt)
        cores = _cores(tables, size, len(wanted), draw)
        if isinstance(cores, list):
            return _filled(cores, wanted, len(tables.truths), Draws(draw))
        reason = cores
    sentence = (
        f"In {TRIES} tries no {len(wanted)} sets of truths were found that share none and each have an instance. "
        f"Of what was left the last time: {reason.sentence}"
    )
    raise CannotGenerateError(Infeasible(sentence, proved=False))


def _cores(tables: Tables, size: Size, count: int, draw: int) -> list[int] | Infeasible:
    """Disjoint masks of the truths of ``count`` instances; why there is no next one where that is so.

    Raises :class:`CannotGenerateError` if there is not even a first one.
    """
    left = (1 << len(tables.truths)) - 1
    cores: list[int] = []
    for position in range(count):
        try:
            instance = generate(with_truths(tables, left), size, derive(draw, position))
        except CannotGenerateError as error:
            if not cores:
                raise
            return error.reason
        truths = tuple(members(left))
        cores.append(sum(1 << truths[i] for i in instance.truths))
        left &= ~cores[-1]
    return cores


def _filled(cores: Sequence[int], wanted: Sequence[int], count: int, draws: Draws) -> tuple[int, ...]:
    """``cores`` filled up to the ``wanted`` numbers with the rest of ``count`` truths, in random order."""
    filled = list(cores)
    spare = [truth for truth in draws.permutation(count) if not any(pool >> truth & 1 for pool in filled)]
    for i, number in enumerate(wanted):
        lacking = number - filled[i].bit_count()
        filled[i] |= sum(1 << truth for truth in spare[:lacking])
        del spare[:lacking]
    return tuple(filled)
