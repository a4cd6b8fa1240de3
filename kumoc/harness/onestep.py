"""The game in one step: all outcomes are given, and a truth is to be named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kumoc.play import Name, Unread, read_answer
from kumoc.views.read import BareGame
from kumoc.views.turns import System, knowledge, sight
from kumoc.views.wording import WORDINGS


def question(row: Mapping[str, Any], bare: BareGame, system: System = "book") -> str:
    """What a player is asked, in one message, about ``row`` of the game view, whose game is ``bare``."""
    says = WORDINGS[row["language"]]
    sights = "\n".join(f"- {sight(action, seen, says)}" for action, seen in zip(bare.actions, bare.seen, strict=True))
    wanted = says.the_valid if len(bare.valid) == 1 else says.one_valid
    return f"{knowledge(row, bare, system)}\n\n{says.in_one_step.format(sights=sights, wanted=wanted)}"


def answer(text: str, bare: BareGame) -> Name | Unread:
    """The truth that ``text`` names; actions are no answers here."""
    move = read_answer(text, (), bare.truths)
    assert isinstance(move, Name | Unread)
    return move
