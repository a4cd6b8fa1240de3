"""A model writes a domain, and is told what the compiler says of it, until it is sound or the rounds are over."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click

from kumoc.data import data_path
from kumoc.diagnostics import Diagnostic
from kumoc.diagnostics.text import render_text
from kumoc.draft.examine import MOST_CHARACTERS, Examined, examine
from kumoc.draft.proposals import Proposal
from kumoc.draft.wanted import Wanted
from kumoc.language.format import format_text
from kumoc.models.prompts import fence_of, fenced, prompt
from kumoc.models.talk import Answer, Said, Talker

_EXAMPLE = "domains/tea.kumo"
"""A domain in which each part of the language stands."""
_MOST_TOLD = 30
"""Messages of the compiler that a model is shown: more of them come of few mistakes."""
_LONGEST_TOLD = 20_000


@dataclass(frozen=True, slots=True)
class Round:
    """One answer: what is wrong with it, the compiler's messages, how many there are, and tokens read and written."""

    problems: tuple[str, ...]
    messages: str
    errors: int
    warnings: int
    tokens: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Draft:
    """What came of a proposal: the text in the project's style if it is ``sound``, else the last one that there was."""

    text: str
    sound: bool
    rounds: tuple[Round, ...]


async def draft(
    proposal: Proposal, wanted: Wanted, talker: Talker, on_round: Callable[[Draft], None] = lambda _: None
) -> Draft:
    """Have the domain of ``proposal`` written, in up to ``wanted.rounds`` answers; ``on_round`` hears what there is.

    A text without errors, and with as much in it as is wanted, is sound. Its warnings are told to the model while
    there are rounds left; of several sound texts the first with the fewest warnings is taken. A provider that gives no
    answer ends the rounds.
    """
    mark = fence_of(_shown(proposal))
    asked: Said = ("user", opening(proposal, wanted))
    messages = [asked]
    rounds: list[Round] = []
    sound: list[Examined] = []
    made = Draft("", False, ())
    for _ in range(wanted.rounds):
        answer = await talker.answer(messages)
        found = examine(answer.text, proposal["name"], wanted, mark)
        rounds.append(_round(answer, found))
        if found.is_sound and not answer.fault:
            sound.append(found)
        made = _made(sound, found.text or answer.text or made.text, rounds)
        on_round(made)
        if answer.absent or (found in sound and not found.warnings):
            break
        if answer.text.strip() and not answer.fault:
            # the last text and what is wrong with it, not all of them: prompts do not grow with the rounds
            messages = [asked, ("assistant", answer.text[:MOST_CHARACTERS]), ("user", _further(rounds[-1]))]
    return made


def _made(sound: Sequence[Examined], last: str, rounds: Sequence[Round]) -> Draft:
    """What came of ``rounds``: the best of the ``sound`` texts, or the ``last`` text that there was."""
    if sound:
        best = min(sound, key=lambda examined: examined.warnings)
        return Draft(format_text(best.text), True, tuple(rounds))
    return Draft(last[:MOST_CHARACTERS], False, tuple(rounds))


def opening(proposal: Proposal, wanted: Wanted) -> str:
    """What a model is asked first."""
    return prompt(
        "kumoc.draft",
        "write",
        proposal=fenced(_shown(proposal)),
        name=proposal["name"],
        truths=wanted.truths,
        actions=wanted.actions,
        example=data_path(_EXAMPLE).read_text(encoding="utf-8"),
    )


def _shown(proposal: Proposal) -> str:
    return json.dumps(proposal, ensure_ascii=False, indent=1)


def _round(answer: Answer, found: Examined) -> Round:
    problems = (answer.fault,) if answer.fault else found.problems
    errors = len(found.diagnostics) - found.warnings
    return Round(problems, _told(found.diagnostics), errors, found.warnings, answer.tokens)


def _further(done: Round) -> str:
    """What a model is asked after a round."""
    messages = fenced(done.messages) if done.messages else ""
    return prompt("kumoc.draft", "revise", problems=done.problems, messages=messages)


def _told(diagnostics: Sequence[Diagnostic]) -> str:
    """The compiler's messages as `kumoc check` prints them, as many as are of use."""
    text = click.unstyle(render_text(diagnostics[:_MOST_TOLD]))[:_LONGEST_TOLD].rstrip()
    more = len(diagnostics) - _MOST_TOLD
    return f"{text}\n\nand {more} more" if more > 0 else text
