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

System = Literal["book", "table"]
"""What the system message gives the player: the knowledge book, or the table of rules as one line of JSON."""

Message = dict[str, str]

MESSAGES: list[dict[str, str]] = [{"role": "string", "content": "string"}]
"""The type of a column of messages, as TRL and chat templates read them."""

FIRST_REPLY = 2
"""Where the first assistant message stands: after the system's and the user's opening; each further one is 2 later."""

OPENING = "Begin."
"""What the user says first."""

_HOW_TO_ANSWER = """\
End each reply with one line that holds one name, exactly as it is written here and without quotes: that of what to do \
next or, once you are sure, your final answer.

<ANSWER> name </ANSWER>"""

_RULES_OF_THE_TABLE = """\
This is a game of deduction. Of the truths in the table below, exactly {valid} {hold} valid.

In each round, take one action and see its outcome. The table says which truths each outcome of each action rules out.
An outcome never confirms a truth. Once every action has been taken, the outcomes seen rule out every truth that is not
valid. Name a valid truth after as few actions as you can.

{table}"""

_ANSWER = re.compile(r"(?:\A|\n)<ANSWER> ?(.*?) ?</ANSWER>\s*\Z", re.DOTALL)


def conversation(row: Mapping[str, Any], play: Golden, system: System) -> list[Message]:
    """All messages of ``play``: system, user, assistant, user, assistant ..., the last of which names a truth."""
    messages = [message("system", instructions(row, play.bare, system)), message("user", OPENING)]
    for number, action in enumerate(play.actions):
        messages.append(message("assistant", _reply(play, number, play.bare.actions[action])))
        messages.append(message("user", sight(play.bare.actions[action], play.bare.seen[action])))
    named = play.bare.truths[play.known[0]]
    return [*messages, message("assistant", _reply(play, len(play.actions), named))]


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
    """The system message: what the player is given to know, and how it has to answer."""
    return f"{knowledge(row, bare, system)}\n\n{_HOW_TO_ANSWER}"


def knowledge(row: Mapping[str, Any], bare: BareGame, system: System) -> str:
    """What the player is given to know."""
    return str(row["knowledge_book"]).rstrip("\n") if system == "book" else _table(bare)


def _table(bare: BareGame) -> str:
    """Per listed action and outcome, the listed truths that the outcome rules out."""
    rules = {
        name: {outcome: [bare.truths[i] for i in members(mask)] for outcome, mask in zip(outcomes, masks, strict=True)}
        for name, outcomes, masks in zip(bare.actions, bare.outcomes, bare.game, strict=True)
    }
    valid = len(bare.valid)
    table = json.dumps({"truths": bare.truths, "actions": rules}, ensure_ascii=False)
    return _RULES_OF_THE_TABLE.format(valid=valid, hold="is" if valid == 1 else "are", table=table)


def sight(action: str, seen: str) -> str:
    """What the user says when ``action`` has shown ``seen``."""
    return f"The outcome of {_quoted([action])} is {_quoted([seen])}."


def _reply(play: Golden, number: int, name: str) -> str:
    """What the player says in its turn ``number``: what follows from what it saw, if anything, and its answer."""
    answer = f"<ANSWER> {name} </ANSWER>"
    reasons = [*_progress(play, number), *_conclusion(play, number)]
    return f"{' '.join(reasons)}\n{answer}" if reasons else answer


def _progress(play: Golden, number: int) -> Iterator[str]:
    if number:
        (before, _), (after, _) = play.states[number - 1 : number + 1]
        truths = play.bare.truths
        ruled_out = _quoted(truths[i] for i in members(before & ~after)) or "nothing new"
        yield f"Ruled out: {ruled_out}. Left: {_quoted(truths[i] for i in members(after))}."


def _conclusion(play: Golden, number: int) -> Iterator[str]:
    """Why a truth is named while more truths are left than are valid: it follows from the guarantee."""
    survivors, _ = play.states[number]
    if number == len(play.actions) and survivors.bit_count() > len(play.bare.valid):
        sure = _quoted([play.bare.truths[play.known[0]]])
        yield f"If {sure} were not valid, the actions left could not rule out all that is not: it is valid."


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(json.dumps(name, ensure_ascii=False) for name in names)
