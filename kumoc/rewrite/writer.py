"""A model writes the book of one row anew, and is told what is wrong until it is right or the tries are over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kumoc.book import Finding, Report, unnamed
from kumoc.generate.instance import Instance
from kumoc.models.answers import unshown
from kumoc.models.prompts import fence_of, fenced, prompt
from kumoc.models.talk import Said, Talker
from kumoc.rewrite.judge import judge
from kumoc.rewrite.settings import Settings

_NAMES = {"en": "English", "zh": "Chinese"}
_TOLD = {
    "missing": "The book lacks a rule",
    "contradicted": "The book gives a rule wrongly",
    "added": "The book has a rule that it must not have",
    "ambiguous": "The book is not clear",
    "undecided": "A reader could not tell what the book says: state it more plainly",
}


@dataclass(frozen=True, slots=True)
class Try:
    """One book that was written: how many findings of each kind it has, and what was wrong with it."""

    verdicts: dict[str, int]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a row: the ``book`` that passed, None where the guide is kept; ``unanswered`` if no model answered.

    ``tokens`` are those that both models read and wrote.
    """

    book: str | None
    tries: tuple[Try, ...]
    tokens: tuple[int, int]
    unanswered: bool


async def rewrite(
    instance: Instance, guide: str, language: str, writer: Talker, reader: Talker, settings: Settings
) -> Outcome:
    """Have the book ``guide`` of ``instance`` written anew, and judged, up to ``settings.tries`` times."""
    asked: Said = ("user", prompt("kumoc.rewrite", "write", guide=fenced(guide), language=_NAMES[language]))
    messages = [asked]
    tries: list[Try] = []
    read = written = 0
    answered = False
    for _ in range(settings.tries):
        answer = await writer.answer(messages)
        read, written = read + answer.tokens[0], written + answer.tokens[1]
        if answer.fault:
            tries.append(Try({}, (answer.fault,)))
            continue
        answered = True
        book = _book(answer.text)
        problems = list(_obvious(instance, guide, book))
        report = Report(settings.judge, ())
        if not problems:
            report, tokens = await judge(instance, book, reader, settings.judge)
            read, written = read + tokens[0], written + tokens[1]
            problems = [_told(finding) for finding in report.findings if finding.kind != "stated"]
        tries.append(Try(report.count(), tuple(problems)))
        if not problems:
            return Outcome(book, tuple(tries), (read, written), unanswered=False)
        # the last book and what is wrong with it, not all of them: prompts do not grow with the tries
        messages = [asked, ("assistant", answer.text), ("user", prompt("kumoc.rewrite", "revise", problems=problems))]
    return Outcome(None, tuple(tries), (read, written), unanswered=not answered)


def _book(answer: str) -> str:
    """What stands between the first mark and the last, ending in a line break; empty where there are no marks."""
    _, opened, rest = answer.partition("<BOOK>")
    text, closed, _ = rest.rpartition("</BOOK>")
    return f"{text.strip()}\n" if opened and closed and text.strip() else ""


def _obvious(instance: Instance, guide: str, book: str) -> Iterator[str]:
    """What is wrong with a book that takes no judge to see."""
    if not book:
        yield "There is no book between a line <BOOK> and a line </BOOK>."
        return
    if " ".join(guide.split()) in " ".join(book.split()) or fence_of(guide) in book:
        yield "It repeats the guide, or what was asked, in place of writing it anew."
    if unshown(book):
        yield "It has characters that are no text."
    yield from unnamed(instance, book)


def _told(finding: Finding) -> str:
    quoted = "".join(f" [{sentence}]" for sentence in finding.sentences)
    return f"{_TOLD[finding.kind]}: {finding}{quoted}"
