"""The style ``prose``: running text, whose sentences say what an outcome rules out, or what rules out a truth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kumoc.book.reader.forms import QUOTED, SLOT, Forms, Way
from kumoc.book.reader.guide import names_in, seen
from kumoc.book.reader.opening import read_opening, told
from kumoc.book.reader.page import Page
from kumoc.book.reader.rules import ActionEntry, Rule, Rules, Seen, TruthEntry

Statement = tuple[str, Seen, frozenset[str], str]
"""An action, an outcome, names of truths that it rules out, and the sentence that says so."""


def read_prose(page: Page, forms: Forms) -> Rules:
    """What a book in prose says."""
    read_opening(page, forms, running=True)
    page.sentence(*forms.truths)
    truths = [TruthEntry(name, _about(page, forms, name)) for name in _listed(page, forms, 0)]
    page.sentence(*forms.actions)
    listed = [(name, _about(page, forms, name), _unit(page, forms, name)) for name in _listed(page, forms, 1)]
    page.sentence(forms.rules)
    units = {name: unit for name, _, unit in listed}
    statements: list[Statement] = []
    idle: dict[str, None] = {}
    while not page.ended:
        paragraph = _Paragraph(page.next_line("a rule"), forms, page.said, units)
        while not paragraph.ended:
            if not paragraph.read(statements, idle):
                raise page.unreadable(f"a rule, from its character {paragraph.at + 1} on,", back=1)
        if {action for action, *_ in statements} & idle.keys():
            raise page.unreadable("either what an action rules out or that it rules out nothing", back=1)
    told_of = {*idle, *(action for action, *_ in statements)}
    for name in units:
        if name not in told_of and not page.cut_off:
            raise page.unreadable(f'what "{name}" rules out, or that it rules out nothing,')
    actions = [ActionEntry(name, about, unit, _rules(name, statements)) for name, about, unit in listed]
    return told(page, truths, actions)


def _listed(page: Page, forms: Forms, kind: int) -> list[str]:
    """The names in the sentence that lists the truths (0) or the actions (1)."""
    for form in forms.are[kind]:
        parts = SLOT.split(form)
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = [f"({forms.list})" if slot == "names" else re.escape(page.said[slot]) for slot in parts[1::2]]
        if found := page.take(re.compile("".join(parts))):
            return QUOTED.findall(found[1])
    if page.cut_off:
        return []
    raise page.unreadable("a list of names")


def _about(page: Page, forms: Forms, name: str) -> str:
    found = page.take(re.compile(re.escape(forms.about).replace(r"\{name\}", re.escape(name)) + "(.+)"))
    return found[1] if found else ""


def _unit(page: Page, forms: Forms, name: str) -> str | None:
    bare, named = (
        re.compile(re.escape(form).replace(r"\{unit\}", "(.+)").replace(r"\{did\}", re.escape(name)))
        for form in forms.unit_of
    )
    if page.take(bare):
        return ""
    found = page.take(named)
    return found[1] if found else None


def _rules(action: str, statements: Sequence[Statement]) -> tuple[Rule, ...]:
    """What is said of an action, outcome by outcome; what is said twice is a rule of its own."""
    rules: list[Rule] = []
    for name, outcome, names, sentence in statements:
        if name == action:
            before = next((i for i, rule in enumerate(rules) if rule.seen == outcome), None)
            if before is None or rules[before].names & names:
                rules.append(Rule(outcome, names, (sentence,)))
            else:
                rule = rules[before]
                rules[before] = Rule(outcome, rule.names | names, (*rule.sentences, sentence))
    return tuple(rules)


class _Paragraph:
    """A line of sentences, read from left to right: each slot has one way to be read where it stands."""

    def __init__(self, text: str, forms: Forms, said: dict[str, str], units: dict[str, str | None]) -> None:
        self._text = text
        self._forms = forms
        self._said = said
        self._units = units
        self.at = 0

    @property
    def ended(self) -> bool:
        return self.at == len(self._text)

    def read(self, statements: list[Statement], idle: dict[str, None]) -> bool:
        """Read a sentence and the space after it; whether there is one that states something, and nothing twice."""
        start = self.at
        found = self._sentence()
        if found is None:
            return False
        sentence = self._text[start : self.at]
        statements += [(did, saw, found.names, sentence) for did, saw in found.seen]
        if not found.seen:
            if found.did in idle:
                return False
            idle[found.did] = None
        if self.ended:
            return True
        spaced = self._text.startswith(self._forms.space, self.at)
        self.at += len(self._forms.space)
        return spaced and not self.ended

    def _sentence(self) -> _Found | None:
        """What the sentence here says, in the first of the ways to say it that it follows."""
        forms, start = self._forms, self.at
        ways = [Way(form) for form in (*forms.ways, forms.nothing_of)]
        for way in (*ways, *forms.ways_for_truths):
            self.at, found = start, _Found()
            if self._follows_way(way, found):
                return found
        self.at = start
        return None

    def _follows_way(self, way: Way, found: _Found) -> bool:
        if not self._follows(way.head, found) or not self._follows(way.item, found):
            return False
        while way.joint and self._text.startswith(way.joint, self.at):
            self.at += len(way.joint)
            if not self._follows(way.item, found):
                return False
        return self._follows(way.tail, found)

    def _follows(self, form: str, found: _Found) -> bool:
        """Whether the form is what comes next; it is then read."""
        parts = SLOT.split(form)
        for i, part in enumerate(parts):
            if i % 2 == 0 or part in self._said:
                text = self._said[part] if i % 2 else part
                if not self._text.startswith(text, self.at):
                    return False
                self.at += len(text)
            elif not self._slot(part, found):
                return False
        return True

    def _slot(self, slot: str, found: _Found) -> bool:
        pattern = {"did": '"[^"]+"', "name": '"[^"]+"', "names": self._forms.list}.get(slot)
        if slot == "saw":
            pattern = self._forms.outcome(self._units.get(found.did))
        match = re.compile(pattern or "").match(self._text, self.at)
        if not match:
            return False
        self.at = match.end()
        if slot == "saw":
            found.seen.append((found.did, seen(match, self._forms)))
        elif slot == "did":
            found.did = match[0][1:-1]
            return found.did in self._units
        elif names := names_in(match[0]):
            found.names = names
        else:
            return False
        return True


@dataclass(slots=True)
class _Found:
    """What was read of a sentence so far: the action last named, outcomes with their actions, and truths."""

    did: str = ""
    seen: list[tuple[str, Seen]] = field(default_factory=list)
    names: frozenset[str] = frozenset()
