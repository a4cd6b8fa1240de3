"""What is asked of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kumoc.play.metrics import Convention

RESAMPLES = 1_000
"""Resamples of a bootstrap, if nobody asks for another number."""

PERMUTATIONS = 10
"""Random assignments of a permutation test, for each resample of a bootstrap: small p values take many."""

ALWAYS = ("model", "size")
"""What trajectories are always split by: a figure over several models or sizes means nothing."""

Scores = Mapping[str, Mapping[str, float]]
"""For each score from elsewhere, by its name, that of each model."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The convention of relative action counts, what to split ``by``, and what draws depend on.

    ``scores`` from elsewhere are what success is correlated with.
    """

    convention: Convention = Convention.OWN
    by: tuple[str, ...] = ()
    seed: int = 0
    resamples: int = RESAMPLES
    scores: Scores = field(default_factory=dict)

    @property
    def keys(self) -> tuple[str, ...]:
        """What rows are about: what to split by, first, and then what trajectories are always split by."""
        return tuple(dict.fromkeys((*self.by, *ALWAYS)))

    @property
    def permutations(self) -> int:
        """Random assignments of a permutation test."""
        return PERMUTATIONS * self.resamples
