"""Trajectories of one model on one size, put together by instance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kumoc.evaluate.plays import Floats, Ints, Plays


@dataclass(frozen=True, slots=True)
class Instances:
    """What came of each instance, in the order of their codes.

    ``codes`` are those of the instances and ``domains`` of their domains. ``trials`` counts plays and ``successes``
    those that succeeded; ``relative`` is the mean relative action count, not-a-number where no play has one.
    """

    codes: Ints
    domains: Ints
    trials: Ints
    successes: Ints
    relative: Floats

    @property
    def success(self) -> Floats:
        """The share of plays that succeeded."""
        shares: Floats = self.successes / self.trials
        return shares

    def at(self, chosen: Ints) -> Instances:
        """Those at some positions."""
        return Instances(
            self.codes[chosen],
            self.domains[chosen],
            self.trials[chosen],
            self.successes[chosen],
            self.relative[chosen],
        )


def by_instance(plays: Plays, rows: Ints, relative: Floats) -> Instances:
    """The trajectories at ``rows``, with the ``relative`` action counts of all trajectories."""
    codes, place = np.unique(plays.codes["instance_id"][rows], return_inverse=True)
    domains = np.zeros(len(codes), dtype=np.int64)
    domains[place] = plays.codes["domain"][rows]
    values = relative[rows]
    there = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        means = np.bincount(place[there], weights=values[there], minlength=len(codes)) / np.bincount(
            place[there], minlength=len(codes)
        )
    trials = np.bincount(place)
    successes = np.bincount(place, weights=plays.numbers["success"][rows]).astype(np.int64)
    return Instances(codes, domains, trials, successes, means)
