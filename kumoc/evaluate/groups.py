"""Trajectories by model, size, domain and difficulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kumoc.evaluate.plays import Floats, Ints, Plays
from kumoc.play.metrics import Convention, own_relative, paper_relative
from kumoc.release.difficulty import BANDS, band


@dataclass(frozen=True, slots=True)
class Group:
    """The trajectories at ``rows`` have these ``names``, one for each key."""

    names: tuple[str, ...]
    rows: Ints


def groups(plays: Plays, keys: Sequence[str], rows: Ints | None = None) -> Iterator[Group]:
    """The groups that ``keys`` make of all trajectories, or of those at ``rows``.

    A key is one of ``model``, ``size`` and ``domain``, whose names come in order of appearance, or ``difficulty``.
    """
    at = np.arange(len(plays)) if rows is None else rows
    named = [_coded(plays, key) for key in keys]
    shape = [len(names) for names, _ in named]
    combined = np.ravel_multi_index([codes[at] for _, codes in named], shape)
    order = np.argsort(combined, kind="stable")
    distinct, first = np.unique(combined[order], return_index=True)
    for combination, members in zip(distinct, np.split(at[order], first[1:]), strict=True):
        codes = np.unravel_index(combination, shape)
        yield Group(tuple(names[code] for (names, _), code in zip(named, codes, strict=True)), members)


def relative_counts(plays: Plays, convention: Convention) -> Floats:
    """The relative action count of each trajectory; not-a-number where the convention has none."""
    numbers = plays.numbers
    success, taken = numbers["success"], numbers["actions_taken"]
    if convention is Convention.PAPER:
        found: Floats = paper_relative(success, taken, numbers["actions"], numbers["optimal_action_cnt"])
        return found
    expected = numbers["exact_expected_actions"]
    counts = (success == 1) & (expected > 0)
    relative: Floats = np.full(len(plays), np.nan)
    relative[counts] = own_relative(taken[counts], expected[counts])
    return relative


def _coded(plays: Plays, key: str) -> tuple[Sequence[str], Ints]:
    if key != "difficulty":
        return plays.names[key], plays.codes[key]
    expected = plays.numbers["exact_expected_actions"]
    known = np.isfinite(expected)
    bins = np.where(known, np.floor(np.where(known, expected, 0) * BANDS + 1e-9), -1).astype(np.int64)
    distinct, codes = np.unique(bins, return_inverse=True)
    return [band(None if at < 0 else float(at) / BANDS) for at in distinct], codes
