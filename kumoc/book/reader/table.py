"""The style ``table``: Markdown tables, one for the truths and one for each action."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kumoc.book.reader.forms import QUOTED, Forms
from kumoc.book.reader.guide import names_in, read_actions, seen
from kumoc.book.reader.opening import read_opening, told
from kumoc.book.reader.page import Page
from kumoc.book.reader.rules import Rule, Rules, TruthEntry

_ROW = re.compile(r"\| ((?:[^|\\]|\\[|\\])*) \| ((?:[^|\\]|\\[|\\])*) \|")
_LINE = re.compile(r"\|---\|---\|")
_ESCAPED = re.compile(r"\\(.)")


def read_table(page: Page, forms: Forms) -> Rules:
    """What a book of tables says."""
    read_opening(page, forms)
    page.sentence(*forms.truths)
    truths = []
    for name, description in _rows(page, forms.truth_columns):
        quoted = QUOTED.fullmatch(name)
        if not quoted:
            raise page.unreadable("a name in quotes", back=1)
        truths.append(TruthEntry(quoted[1], description))
    page.sentence(*forms.actions)
    return told(page, truths, read_actions(page, forms, _rules))


def _rules(page: Page, forms: Forms, unit: str | None) -> tuple[Rule, ...]:
    outcome, names = re.compile(forms.outcome(unit)), re.compile(forms.list)
    rules = []
    for condition, ruled_out in _rows(page, forms.rule_columns):
        found = outcome.fullmatch(condition)
        listed = names_in(ruled_out) if names.fullmatch(ruled_out) else None
        if not found or listed is None:
            raise page.unreadable("an outcome and what it rules out", back=1)
        rules.append(Rule(seen(found, forms), listed, (f"{condition} | {ruled_out}",)))
    return tuple(rules)


def _rows(page: Page, columns: str) -> Iterator[tuple[str, str]]:
    """The cells of each row, as it is read, of the table that begins here, if one does, with these columns."""
    if not page.take(re.compile(re.escape(columns))):
        return
    lined = page.take(_LINE)
    found = page.take(_ROW) if lined else None
    if not found and not page.cut_off:
        raise page.unreadable("a row of the table" if lined else "the line under the heads of a table")
    while found:
        yield _ESCAPED.sub(r"\1", found[1]), _ESCAPED.sub(r"\1", found[2])
        found = page.take(_ROW)
