"""Rows that are chosen to be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumoc.cli.rows import NAMING, NEEDED, Choice, Chosen, InputError

if TYPE_CHECKING:
    from kumoc.play import Simulator


def played_columns() -> tuple[str, ...]:
    """What a row must have to be played, and to be recorded as a trajectory."""
    from kumoc.play import Optimum  # noqa: PLC0415 - loaded only where it is used

    return (*NEEDED, *NAMING, "language", "knowledge_book", *Optimum.__slots__)


def simulator_of(chosen: Chosen) -> Simulator:
    """The game of a row with those columns. Raises InputError if the row contradicts itself."""
    from kumoc.play import Simulator  # noqa: PLC0415
    from kumoc.views.read import RowError  # noqa: PLC0415

    try:
        return Simulator.of(chosen.row)
    except RowError as error:
        raise InputError(chosen.where, str(error), "such an instance can't be played: build it again") from error


def origin(choice: Choice) -> dict[str, str]:
    """What a trajectory says of where its row was chosen: the edition that shows it, if that is not the size's own."""
    return {"edition": choice.edition} if choice.edition else {}
