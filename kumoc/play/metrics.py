"""Relative action counts: how many actions more than the optimum, in parts of it.

The functions take numbers or arrays of them alike.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from kumoc.views.game import PUBLISHED_EXTRA_STEPS


class Convention(StrEnum):
    """What a relative action count counts."""

    PAPER = "paper"
    """Actions plus 2 of a success, listed actions plus 1 of any other play, against KUMO's published optimal count."""
    OWN = "own"
    """Real actions, of successes only, against the exact player's expectation."""


def paper_relative(success: Any, taken: Any, listed: Any, published: Any) -> Any:
    """Relative action count in the paper's convention; ``published`` is the instance's ``optimal_action_cnt``."""
    counted = success * (taken + PUBLISHED_EXTRA_STEPS) + (1 - success) * (listed + 1)
    return counted / published - 1


def own_relative(taken: Any, expected: Any) -> Any:
    """Relative action count of a success; ``expected`` is the instance's ``exact_expected_actions``, which is not 0."""
    return taken / expected - 1
