"""The styles ``guide`` and ``long``: entries under headings, and a line for each rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from kumoc.book.reader.forms import QUOTED, Forms
from kumoc.book.reader.opening import read_opening, told
from kumoc.book.reader.page import Page
from kumoc.book.reader.rules import ActionEntry, Rule, Rules, Seen, TruthEntry

_LISTED = re.compile(r'- "([^"]+)"')
_ACTION = re.compile(r"### (.+)")

RulesReader = Callable[[Page, Forms, str | None], tuple[Rule, ...]]
"""Reads the rules of an action with that unit (None: labels); none where there are none."""


def read_guide(page: Page, forms: Forms) -> Rules:
    """What a guide says."""
    read_opening(page, forms)
    page.sentence(*forms.truths)
    truths = _truths(page, forms)
    page.sentence(*forms.actions)
    return told(page, truths, read_actions(page, forms, _rules))


def read_long(page: Page, forms: Forms) -> Rules:
    """What a guide says that has entries for more than is in play."""
    read_opening(page, forms, in_play=True)
    page.sentence(forms.in_play[0])
    truths = _in_play(page)
    page.sentence(forms.in_play[1])
    in_play = truths, _in_play(page)
    page.sentence(forms.entries[0])
    entries = _truths(page, forms)
    page.sentence(forms.entries[1])
    return told(page, entries, read_actions(page, forms, _rules), in_play)


def _in_play(page: Page) -> tuple[str, ...]:
    names = []
    while found := page.take(_LISTED):
        names.append(found[1])
    return tuple(names)


def _truths(page: Page, forms: Forms) -> tuple[TruthEntry, ...]:
    pattern = re.compile(rf'- "([^"]+)"(?:{forms.colon}(.+))?')
    entries = []
    while found := page.take(pattern):
        entries.append(TruthEntry(found[1], found[2] or ""))
    return tuple(entries)


def read_actions(page: Page, forms: Forms, rules: RulesReader) -> tuple[ActionEntry, ...]:
    """The entries of actions under their headings, to the end of the page."""
    entries = []
    while not page.ended:
        heading = page.take(_ACTION)
        if not heading:
            raise page.unreadable("a rule or the heading of the next action")
        description = page.take(re.compile(f"{forms.description}(.+)"))
        unit = _unit(page, forms)
        found = rules(page, forms, unit)
        if not found and not page.says(forms.nothing):
            if page.cut_off:
                break
            raise page.unreadable("a rule")
        entries.append(ActionEntry(heading[1], description[1] if description else "", unit, found))
    return tuple(entries)


def _unit(page: Page, forms: Forms) -> str | None:
    bare, named = (re.escape(form).replace(r"\{unit\}", "(.+)") for form in forms.unit)
    if page.take(re.compile(bare)):
        return ""
    found = page.take(re.compile(named))
    return found[1] if found else None


def _rules(page: Page, forms: Forms, unit: str | None) -> tuple[Rule, ...]:
    pattern = re.escape(forms.rule).replace(r"\{names\}", f"(?P<names>{forms.list})")
    sentence = re.compile(pattern.replace(r"\{saw\}", forms.outcome(unit)))
    rules = []
    while found := page.take(sentence):
        names = names_in(found["names"])
        if names is None:
            raise page.unreadable("a rule that gives each name once", back=1)
        rules.append(Rule(seen(found, forms), names, (found[0],)))
    return tuple(rules)


def seen(found: re.Match[str], forms: Forms) -> Seen:
    """The outcome in a match of the pattern of :meth:`Forms.outcome`."""
    said = found.groupdict()
    if "label" in said:
        return str(said["label"])
    return Decimal(said["low"]), Decimal(said["high"]), said["upto"] == forms.upto[1]


def names_in(text: str) -> frozenset[str] | None:
    """The names in quotes in a list of them; None if one is there twice."""
    names = QUOTED.findall(text)
    found = frozenset(names)
    return found if len(found) == len(names) else None
