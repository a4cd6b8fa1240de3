"""What a row says of the two players, and whether it is what they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kumoc.solve import TIE, Bounds
from kumoc.views.play import Play

PLAYERS = ("exact", "paper")


def claimed(row: Mapping[str, Any], player: str) -> Play:
    """The play that ``row`` claims of ``player``. Raises ValueError, with a sentence, where that can't be a play."""
    lower, upper = row[f"{player}_lower_bound"], row[f"{player}_upper_bound"]
    if not lower <= upper <= len(row["actions"]):
        raise ValueError(f"{player}_upper_bound: bounds of {lower} and {upper} actions, of {len(row['actions'])}")
    trajectory = _positions(row, f"{player}_trajectory")
    if row[f"{player}_optimal_actions"] is None:
        return Play(Bounds(lower, upper), None, trajectory)
    optimal = _positions(row, f"{player}_optimal_actions")
    if list(optimal) != sorted(set(optimal)):
        raise ValueError(f"{player}_optimal_actions: they are not in listed order")
    if trajectory[:1] != optimal[:1]:
        raise ValueError(f"{player}_trajectory: it does not begin with the first of the optimal actions")
    return Play(Bounds(lower, upper), optimal, trajectory)


def agree(player: str, said: Play, found: Play) -> Iterator[str]:
    """Where a play that another version of kumoc found contradicts the one that this version found.

    What one of them has bounds for, or does not know, the other may know.
    """
    if said.bounds.lower > found.bounds.upper + TIE or said.bounds.upper < found.bounds.lower - TIE:
        yield (
            f"{player}_expected_actions: it lies between {said.bounds.lower} and {said.bounds.upper} in the row, "
            f"but between {found.bounds.lower} and {found.bounds.upper}"
        )
    if said.optimal is None or found.optimal is None:
        return
    if said.optimal != found.optimal:
        yield f"{player}_optimal_actions: they are not those that are optimal"
    elif said.trajectory != found.trajectory:
        yield f"{player}_trajectory: it is not that of the optimal actions listed first"


def _positions(row: Mapping[str, Any], column: str) -> tuple[int, ...]:
    position = {name: i for i, name in enumerate(row["actions"])}
    for name in row[column]:
        if name not in position:
            raise ValueError(f"{column}: the action {name!r} is not listed")
    return tuple(position[name] for name in row[column])
