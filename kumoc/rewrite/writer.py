"""A model writes the book of one row anew, and is told what is wrong until it is right or the tries are over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kumoc.benchmark import Variant
from kumoc.book import Finding, Report, unnamed
from kumoc.generate.instance import Instance
from kumoc.models.answers import unshown
from kumoc.models.prompts import fence_of, fenced, prompt
from kumoc.models.talk import Said, Talker
from kumoc.rewrite.judge import judge
from kumoc.rewrite.settings import Settings
from kumoc.views import Row
from kumoc.views.restore import restore_alone

_NAMES = {"en": "English", "zh": "Chinese"}
_TOLD = {
    "missing": "The book lacks a rule",
    "contradicted": "The book gives a rule wrongly",
    "added": "The book has a rule that it must not have",
    "ambiguous": "The book is not clear",
    "undecided": "A reader could not tell what the book says: state it more plainly",
    "unanswered": "No reader has told what the book says",
}
MOST_EQUAL = 0.5
"""The share of the guide's lines that a book may have letter by letter."""

_OPENED, _CLOSED = "<BOOK>", "</BOOK>"


@dataclass(frozen=True, slots=True)
class Try:
    """One answer: its ``text``, how many findings of each kind its book has, and what was wrong with it."""

    text: str
    verdicts: dict[str, int]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a row: the ``book`` that passed, None where the guide is kept.

    ``silence`` says why a model gave no answer, after which the row was left; it is then neither. ``tokens`` are those
    that both models read and wrote.
    """

    book: str | None
    tries: tuple[Try, ...]
    tokens: tuple[int, int]
    silence: str = ""


async def rewrite(row: Row, writer: Talker, reader: Talker, settings: Settings) -> Outcome:
    """Have the guide of a row of the game view written anew, and judged, up to ``settings.tries`` times.

    Raises RowError where the row contradicts itself.
    """
    instance, guide = restore_alone(row), row["knowledge_book"]
    own_names = row["variant"] == Variant.ORIGINAL
    language = _NAMES[row["language"]]
    write = prompt("kumoc.rewrite", "write", guide=fenced(guide), language=language, own_names=own_names)
    asked: Said = ("user", write)
    messages = [asked]
    tries: list[Try] = []
    read = written = 0
    for _ in range(settings.tries):
        answer = await writer.answer(messages)
        read, written = read + answer.tokens[0], written + answer.tokens[1]
        silence = answer.fault if answer.absent else ""
        book = _book(answer.text)
        problems = [answer.fault] if answer.fault else list(_obvious(instance, guide, book))
        report = Report(settings.judge, ())
        if not problems:
            report, tokens = await judge(instance, book, reader, settings.judge)
            read, written = read + tokens[0], written + tokens[1]
            silence = next((finding.note for finding in report.findings if finding.kind == "unanswered"), "")
            problems = [_told(finding) for finding in report.findings if finding.kind != "stated"]
        tries.append(Try(answer.text, report.count(), tuple(problems)))
        if silence or not problems:
            return Outcome(None if problems else book, tuple(tries), (read, written), silence)
        if not answer.fault:
            # the last book and what is wrong with it, not all of them: prompts do not grow with the tries
            revise = prompt("kumoc.rewrite", "revise", problems=problems)
            messages = [asked, ("assistant", answer.text), ("user", revise)]
    return Outcome(None, tuple(tries), (read, written))


def _book(answer: str) -> str:
    """What stands between the last two lines that are marks, ending in a line break; empty where there are none."""
    lines = answer.splitlines()
    closed = next((i for i in reversed(range(len(lines))) if lines[i].strip() == _CLOSED), 0)
    opened = next((i for i in reversed(range(closed)) if lines[i].strip() == _OPENED), closed)
    text = "\n".join(lines[opened + 1 : closed]).strip()
    return f"{text}\n" if text else ""


def _obvious(instance: Instance, guide: str, book: str) -> Iterator[str]:
    """What is wrong with a book that takes no judge to see."""
    if not book:
        yield "There is no book between a line <BOOK> and a line </BOOK>."
        return
    if _equal_lines(guide, book) > MOST_EQUAL or fence_of(guide) in book:
        yield "It repeats the guide, or what was asked, in place of writing it anew."
    if _OPENED in book or _CLOSED in book:
        yield "It has a mark in it that belongs before or after a book."
    if unshown(book):
        yield "It has characters that are no text."
    yield from unnamed(instance, book)


def _equal_lines(guide: str, book: str) -> float:
    """The share of the lines of ``guide`` that ``book`` has too."""
    lines, others = ([" ".join(line.split()) for line in text.splitlines() if line.strip()] for text in (guide, book))
    return len([line for line in lines if line in others]) / len(lines)


def _told(finding: Finding) -> str:
    quoted = "".join(f" [{sentence}]" for sentence in finding.sentences)
    return f"{_TOLD[finding.kind]}: {finding}{quoted}"
