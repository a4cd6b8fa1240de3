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
    return (*_lone_domains(plays, keys), *_mixed_releases(plays), *_different_instances(plays))


def _lone_domains(plays: Plays, keys: Sequence[str]) -> Iterator[str]:
    """Where a bootstrap has nothing to draw from."""
    lone = [group.names[-1] for group in groups(plays, (*keys, "domain")) if _instances(plays, group.rows) == 1]
    if lone:
        yield f"domains with a single instance add nothing to a bootstrap interval, which is too narrow: {some(lone)}"


def _mixed_releases(plays: Plays) -> Iterator[str]:
    for group in groups(plays, ("size",)):
        codes = np.unique(plays.codes["release"][group.rows])
        if len(codes) > 1:
            releases = some(plays.names["release"][code] for code in codes)
            yield f"the games of {group.names[0]} are from {len(codes)} releases: {releases}"


def _different_instances(plays: Plays) -> Iterator[str]:
    """Where models stand side by side that have not had the same to solve."""
    for group in groups(plays, ("size",)):
        counts = [_instances(plays, each.rows) for each in groups(plays, ("model",), group.rows)]
        if min(counts) < _instances(plays, group.rows):
            yield f"models played different instances of {group.names[0]}: --table pairs compares what two share"


def _instances(plays: Plays, rows: Ints) -> int:
    return len(np.unique(plays.codes["instance_id"][rows]))


def some(names: Iterable[str]) -> str:
    """The distinct names, or the first of them."""
    distinct = list(dict.fromkeys(names))
    more = len(distinct) - _LISTED
    return ", ".join(distinct[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
