"""An instance: truths and actions drawn from one domain, the valid truths, and one observation per action."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from kumoc.tables import Tables

Game = tuple[tuple[int, ...], ...]
"""The bare game: per listed action, per outcome, the mask of listed truths it rules out (bit ``i``: truth ``i``)."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What an action showed: the position of its outcome and, for a measured action, the value read."""

    outcome: int
    value: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """One task.

    ``truths`` and ``actions`` are positions in the tables, in the order the player sees them; ``valid`` are
    positions in ``truths``, ascending; ``observations`` stand beside ``actions``. ``seed`` is the derived seed that
    rebuilds this instance alone.
    """

    tables: Tables
    truths: tuple[int, ...]
    actions: tuple[int, ...]
    valid: tuple[int, ...]
    observations: tuple[Observation, ...]
    seed: int

    @property
    def game(self) -> Game:
        """The rule-out masks over the listed truths, every outcome of every listed action included."""
        return restrict(self.tables, self.truths, self.actions)

    @property
    def observed(self) -> tuple[int, ...]:
        """Per listed action, the position of the outcome that is seen."""
        return tuple(observation.outcome for observation in self.observations)


def restrict(tables: Tables, truths: tuple[int, ...], actions: tuple[int, ...]) -> Game:
    """The bare game that these truths and actions of ``tables`` make, in the order given."""
    return tuple(
        tuple(
            sum(1 << i for i, truth in enumerate(truths) if outcome.excludes >> truth & 1)
            for outcome in tables.actions[action].outcomes
        )
        for action in actions
    )
