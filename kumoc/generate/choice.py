"""What choosing an instance settles, before orders and measured values are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kumoc.generate.instance import Game
from kumoc.tables import Tables


@dataclass(frozen=True, slots=True)
class Choice:
    """Truths, actions and outcomes by their positions in the tables; the order of the actions says nothing yet.

    ``truths`` and ``valid`` are masks, ``valid`` within ``truths``. ``outcomes`` are the positions of the observed
    outcomes, beside ``actions``.
    """

    truths: int
    valid: int
    actions: tuple[int, ...]
    outcomes: tuple[int, ...]


def masks(tables: Tables, actions: Iterable[int]) -> Game:
    """For each of ``actions``, the masks of its outcomes over all truths of ``tables``."""
    return tuple(tuple(outcome.excludes for outcome in tables.actions[action].outcomes) for action in actions)
