"""All tables by name."""

from __future__ import annotations

from collections.abc import Callable

from kumoc.evaluate.correlation import correlation
from kumoc.evaluate.pairs import pairs
from kumoc.evaluate.passes import passes
from kumoc.evaluate.plays import Plays
from kumoc.evaluate.scores import conduct, parse_errors, scores
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.signatures import signatures
from kumoc.evaluate.tables import Table

TABLES: dict[str, Callable[[Plays, Settings], Table]] = {
    "scores": scores,
    "conduct": conduct,
    "passes": passes,
    "pairs": pairs,
    "errors": parse_errors,
    "signatures": signatures,
    "correlation": correlation,
}
"""In the order in which they are given; the last one takes scores from elsewhere."""
