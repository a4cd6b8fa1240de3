"""The steps view: one row for each decision of golden play, with all that is optimal there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kumoc.solve import OutOfWorkError, Player
from kumoc.tables import members
from kumoc.views.game import EXPECTED_DECIMALS, IDENTIFYING, Row
from kumoc.views.golden import Golden, golden
from kumoc.views.read import RowError
from kumoc.views.turns import FIRST_REPLY, MESSAGES, conversation

_LIST = ["string"]

STEPS_COLUMNS: dict[str, Any] = {
    "instance_id": "string",
    "domain": "string",
    "size": "string",
    "style": "string",
    "language": "string",
    "variant": "string",
    "step": "int64",
    "history": [{"action": "string", "text": "string"}],
    "survivors": _LIST,
    "remaining_actions": _LIST,
    "expected_actions": "double",
    "optimal_actions": _LIST,
    "action": "string",
    "names": _LIST,
    "prompt": MESSAGES,
    "completion": MESSAGES,
    "canary": "string",
}
"""Columns and their types, as in :data:`kumoc.views.GAME_COLUMNS`; ``schemas/steps.schema.json`` has the form."""


def steps_rows(row: Mapping[str, Any], player: Player | None = None) -> list[Row]:
    """One row for each action of golden play of a row of the game view, and one for the truth named in the end.

    There are none where optimal play is not known at every step: no row claims what was not proved. ``player`` is an
    exact player of the row's game, if there is one already; its limit on work holds. Raises RowError if the row
    contradicts itself.
    """
    play = golden(row, player)
    if play is None:
        return []
    try:
        decisions = list(_decisions(play))
    except OutOfWorkError:
        return []
    head = {column: row[column] for column in IDENTIFYING}
    messages = conversation(row, play, "book")
    rows = []
    for step, decision in enumerate(decisions):
        reply = FIRST_REPLY + 2 * step
        rows.append(
            head
            | {"step": step, "history": _history(play, step)}
            | decision
            | {"prompt": messages[:reply], "completion": [messages[reply]], "canary": row["canary"]}
        )
    return rows


def _decisions(play: Golden) -> Iterator[Row]:
    """What is optimal in each state, and what is done there."""
    for (survivors, remaining), action in zip(play.states, (*play.actions, None), strict=True):
        optimal = play.player.optimal_actions(survivors, remaining)
        if action not in (optimal or (None,)):
            raise RowError("its trajectory is not optimal")
        yield {
            "survivors": [play.bare.truths[i] for i in members(survivors)],
            "remaining_actions": [play.bare.actions[i] for i in members(remaining)],
            "expected_actions": round(play.player.state_value(survivors, remaining), EXPECTED_DECIMALS),
            "optimal_actions": [play.bare.actions[i] for i in optimal],
            "action": None if action is None else play.bare.actions[action],
            "names": [play.bare.truths[i] for i in play.known] if action is None else [],
        }


def _history(play: Golden, step: int) -> list[Row]:
    return [{"action": play.bare.actions[i], "text": play.bare.seen[i]} for i in play.actions[:step]]
