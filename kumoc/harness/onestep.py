"""The game in one step: all outcomes are given, and a truth is to be named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kumoc.play import Name, Unread, read_answer
from kumoc.views.read import BareGame
from kumoc.views.turns import System, knowledge, sight

_QUESTION = """\
Every action has been taken. These are the outcomes:

{sights}

Now name {wanted}. End your reply with one line that holds the name, exactly as it is written here and without quotes.

<ANSWER> name </ANSWER>"""


def question(row: Mapping[str, Any], bare: BareGame, system: System = "book") -> str:
    """What a player is asked, in one message, about ``row`` of the game view, whose game is ``bare``."""
    sights = "\n".join(f"- {sight(action, seen)}" for action, seen in zip(bare.actions, bare.seen, strict=True))
    wanted = "the one that is valid" if len(bare.valid) == 1 else "one of those that are valid"
    return f"{knowledge(row, bare, system)}\n\n{_QUESTION.format(sights=sights, wanted=wanted)}"


def answer(text: str, bare: BareGame) -> Name | Unread:
    """The truth that ``text`` names; actions are no answers here."""
    move = read_answer(text, (), bare.truths)
    assert isinstance(move, Name | Unread)
    return move
