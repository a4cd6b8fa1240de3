"""What to beware of in figures, as notes under a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kumoc.evaluate.groups import groups
from kumoc.evaluate.plays import Ints, Plays

_LISTED = 5
"""Names that a note lists."""


def cautions(plays: Plays, keys: Sequence[str]) -> tuple[str, ...]:
    """Notes on the trajectories as ``keys`` group them; none if there is nothing to beware of."""
    return tuple(_lone_domains(plays, keys))


def _lone_domains(plays: Plays, keys: Sequence[str]) -> Iterator[str]:
    """Where a bootstrap has nothing to draw from."""
    lone = [group.names[-1] for group in groups(plays, (*keys, "domain")) if _instances(plays, group.rows) == 1]
    if lone:
        yield f"domains with a single instance add nothing to a bootstrap interval, which is too narrow: {_some(lone)}"


def _instances(plays: Plays, rows: Ints) -> int:
    return len(np.unique(plays.codes["instance_id"][rows]))


def _some(names: Iterable[str]) -> str:
    """The distinct names, or the first of them."""
    distinct = list(dict.fromkeys(names))
    more = len(distinct) - _LISTED
    return ", ".join(distinct[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
