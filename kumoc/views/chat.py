"""The chat view: one row an instance, golden play of it as a conversation to train on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kumoc.solve import Player
from kumoc.views.game import IDENTIFYING, Row
from kumoc.views.golden import golden
from kumoc.views.turns import MESSAGES, System, conversation

CHAT_COLUMNS: dict[str, Any] = {
    "instance_id": "string",
    "domain": "string",
    "size": "string",
    "style": "string",
    "language": "string",
    "variant": "string",
    "messages": MESSAGES,
    "canary": "string",
}
"""Columns and their types, as in :data:`kumoc.views.GAME_COLUMNS`; ``schemas/chat.schema.json`` has the form."""


def chat_row(row: Mapping[str, Any], player: Player | None = None, *, system: System = "book") -> Row | None:
    """The conversation of golden play of a row of the game view; None where optimal play of it is not known.

    ``player`` is an exact player of the row's game, if there is one already. ``system``: whether the system message
    gives the book or the table of rules, the symbolic form that the KUMO paper trains on. Of several valid truths, the
    one named is the first listed that the player can be sure of. Raises RowError if the row contradicts itself.
    """
    play = golden(row, player)
    if play is None:
        return None
    head = {column: row[column] for column in IDENTIFYING}
    return head | {"messages": conversation(row, play, system), "canary": row["canary"]}
