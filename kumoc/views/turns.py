"""Golden play as a conversation: the wording that all views of it share.

The system message tells the rules, each user message what was seen, and each assistant message ends in an answer
between the KUMO paper's marks. Names in sentences are quoted as in JSON, so that a sentence stays on its line and no
name can pass for markup; in an answer a name stands as it is, and :func:`answered` gives it back whatever it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from kumoc.tables import members
from kumoc.views.golden import Golden
from kumoc.views.read import BareGame
from kumoc.views.wording import WORDINGS, Wording

System = Literal["book", "table"]
"""What the system message gives the player: the knowledge book, or the table of rules as one line of JSON."""

Message = dict[str, str]

MESSAGES: list[dict[str, str]] = [{"role": "string", "content": "string"}]
"""The type of a column of messages, as TRL and chat templates read them."""

FIRST_REPLY = 2
"""Where the first assistant message stands: after the system's and the user's opening; each further one is 2 later."""

_ANSWER = re.compile(r"(?:\A|\n)<ANSWER> ?(.*?) ?</ANSWER>\s*\Z", re.DOTALL)


def conversation(row: Mapping[str, Any], play: Golden, system: System) -> list[Message]:
    """All messages of ``play``: system, user, assistant, user, assistant ..., the last of which names a truth.

    They are in the row's language.
    """
    says = WORDINGS[row["language"]]
    messages = [message("system", instructions(row, play.bare, system)), message("user", says.opening)]
    for number, action in enumerate(play.actions):
        messages.append(message("assistant", _reply(play, number, play.bare.actions[action], says)))
        messages.append(message("user", sight(play.bare.actions[action], play.bare.seen[action], says)))
    named = play.bare.truths[play.known[0]]
    return [*messages, message("assistant", _reply(play, len(play.actions), named, says))]


def answered(reply: str) -> str | None:
    """The name that ``reply`` ends in, of an action or a truth; None if it has no answer at its end.

    The answer goes from the first line that begins with the opening mark to the closing mark at the very end.
    """
    found = _ANSWER.search(reply)
    return found[1] if found else None


def message(role: str, content: str) -> Message:
    """One message of a conversation."""
    return {"role": role, "content": content}


def instructions(row: Mapping[str, Any], bare: BareGame, system: System = "book") -> str:
    """The system message: what the player is given to know, and how it has to answer; in the row's language."""
    return f"{knowledge(row, bare, system)}\n\n{WORDINGS[row['language']].how_to_answer}"


def knowledge(row: Mapping[str, Any], bare: BareGame, system: System) -> str:
    """What the player is given to know, in the row's language."""
    return str(row["knowledge_book"]).rstrip("\n") if system == "book" else _table(bare, WORDINGS[row["language"]])


def _table(bare: BareGame, says: Wording) -> str:
    """Per listed action and outcome, the listed truths that the outcome rules out."""
    rules = {
        name: {outcome: [bare.truths[i] for i in members(mask)] for outcome, mask in zip(outcomes, masks, strict=True)}
        for name, outcomes, masks in zip(bare.actions, bare.outcomes, bare.game, strict=True)
    }
    valid = len(bare.valid)
    table = json.dumps({"truths": bare.truths, "actions": rules}, ensure_ascii=False)
    return says.rules.format(valid=valid, hold="is" if valid == 1 else "are", table=table)


def sight(action: str, seen: str, says: Wording) -> str:
    """What the user says when ``action`` has shown ``seen``."""
    return says.sight.format(action=_quoted([action], says), seen=_quoted([seen], says))


def _reply(play: Golden, number: int, name: str, says: Wording) -> str:
    """What the player says in its turn ``number``: what follows from what it saw, if anything, and its answer."""
    answer = f"<ANSWER> {name} </ANSWER>"
    reasons = [*_progress(play, number, says), *_conclusion(play, number, says)]
    return f"{says.space.join(reasons)}\n{answer}" if reasons else answer


def _progress(play: Golden, number: int, says: Wording) -> Iterator[str]:
    if number:
        (before, _), (after, _) = play.states[number - 1 : number + 1]
        truths = play.bare.truths
        ruled_out = _quoted((truths[i] for i in members(before & ~after)), says) or says.nothing_new
        yield says.progress.format(ruled_out=ruled_out, left=_quoted((truths[i] for i in members(after)), says))


def _conclusion(play: Golden, number: int, says: Wording) -> Iterator[str]:
    """Why a truth is named while more truths are left than are valid: it follows from the guarantee."""
    survivors, _ = play.states[number]
    if number == len(play.actions) and survivors.bit_count() > len(play.bare.valid):
        yield says.conclusion.format(sure=_quoted([play.bare.truths[play.known[0]]], says))


def _quoted(names: Iterable[str], says: Wording) -> str:
    return says.comma.join(json.dumps(name, ensure_ascii=False) for name in names)
