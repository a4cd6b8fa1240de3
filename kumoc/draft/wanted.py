"""What is asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """A domain of at least so many ``truths`` and ``actions`` (by default the KUMO paper's), in so many ``rounds``."""

    truths: int = 50
    actions: int = 30
    rounds: int = 3
