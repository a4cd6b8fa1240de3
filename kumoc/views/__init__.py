"""Rows of each dataset view, made from one instance."""

from typing import Any

from kumoc.solve import Player
from kumoc.views.chat import CHAT_COLUMNS, chat_row
from kumoc.views.game import GAME_COLUMNS, Row, bracket_width, game_row, is_exact
from kumoc.views.steps import STEPS_COLUMNS, steps_rows
from kumoc.views.turns import answered

__all__ = [
    "CHAT_COLUMNS",
    "GAME_COLUMNS",
    "STEPS_COLUMNS",
    "VIEW_COLUMNS",
    "VIEW_SCHEMAS",
    "Row",
    "answered",
    "bracket_width",
    "chat_row",
    "game_row",
    "is_exact",
    "steps_rows",
    "view_rows",
]

VIEW_COLUMNS: dict[str, dict[str, Any]] = {"game": GAME_COLUMNS, "chat": CHAT_COLUMNS, "steps": STEPS_COLUMNS}
"""The columns of each view, in the order of :data:`kumoc.benchmark.VIEWS`."""

VIEW_SCHEMAS = {"game": "instance", "chat": "chat", "steps": "steps"}
"""The schema of each view's rows, by the name that :func:`kumoc.release.schemas.validator` takes."""


def view_rows(view: str, row: Row, player: Player | None = None) -> list[Row]:
    """The rows of ``view`` that come of ``row``, a row of the game view.

    ``player`` is an exact player of the row's game, if there is one already. Raises ValueError for a name that is
    no view's, and RowError if the row contradicts itself.
    """
    match view:
        case "game":
            return [row]
        case "chat":
            conversation = chat_row(row, player)
            return [] if conversation is None else [conversation]
        case "steps":
            return steps_rows(row, player)
    raise ValueError(f"there is no view {view!r}")
