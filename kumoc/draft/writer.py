"""A model writes a domain, and is told what the compiler says of it, until it is sound or the rounds are over."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click

from kumoc.data import data_path
from kumoc.diagnostics import Diagnostic
from kumoc.diagnostics.text import render_text
from kumoc.draft.examine import MOST_CHARACTERS, Examined, examine, text_of
from kumoc.draft.proposals import Proposal
from kumoc.draft.wanted import Wanted
from kumoc.language.format import format_text
from kumoc.models.prompts import fence_of, fenced, prompt
from kumoc.models.talk import Said, Talker

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
    proposal: Proposal, wanted: Wanted, talker: Talker, on_round: Callable[[Round], None] = lambda _: None
) -> Draft:
    """Have the domain of ``proposal`` written, in up to ``wanted.rounds`` answers; ``on_round`` is told of each.

    A text without errors, and with as much in it as is wanted, is sound. Its warnings are told to the model while
    there are rounds left; of several sound texts the first with the fewest warnings is taken.
    """
    shown = json.dumps(proposal, ensure_ascii=False, indent=1)
    asked: Said = ("user", _first(proposal, wanted, shown))
    messages = [asked]
    rounds: list[Round] = []
    sound: list[Examined] = []
    last = ""
    for _ in range(wanted.rounds):
        answer = await talker.answer(messages)
        found = examine(text_of(answer.text[: 2 * MOST_CHARACTERS]), proposal["name"], wanted, fence_of(shown))
        problems = (answer.fault,) if answer.fault else found.problems
        told = _told(found.diagnostics)
        errors = len(found.diagnostics) - found.warnings
        rounds.append(Round(problems, told, errors, found.warnings, answer.tokens))
        on_round(rounds[-1])
        if answer.text.strip():
            last = found.text or answer.text
        if answer.fault or not answer.text.strip():
            continue
        if found.is_sound:
            sound.append(found)
            if not found.warnings:
                break
        # the last text and what is wrong with it, not all of them: prompts do not grow with the rounds
        told = fenced(told) if told else ""
        further = prompt("kumoc.draft", "revise", problems=found.problems, messages=told)
        messages = [asked, ("assistant", answer.text[:MOST_CHARACTERS]), ("user", further)]
    if sound:
        best = min(sound, key=lambda examined: examined.warnings)
        return Draft(format_text(best.text), True, tuple(rounds))
    return Draft(last[:MOST_CHARACTERS], False, tuple(rounds))


def _first(proposal: Proposal, wanted: Wanted, shown: str) -> str:
    return prompt(
        "kumoc.draft",
        "write",
        proposal=fenced(shown),
        name=proposal["name"],
        truths=wanted.truths,
        actions=wanted.actions,
        example=data_path(_EXAMPLE).read_text(encoding="utf-8"),
    )


def _told(diagnostics: Sequence[Diagnostic]) -> str:
    """The compiler's messages as `kumoc check` prints them, as many as are of use."""
    text = click.unstyle(render_text(diagnostics[:_MOST_TOLD]))[:_LONGEST_TOLD].rstrip()
    more = len(diagnostics) - _MOST_TOLD
    return f"{text}\n\nand {more} more" if more > 0 else text
