"""Read a book back: what it says, taken from its text alone.

This module is the other half of a proof, so it shares nothing with the renderer: it knows the names and the form of
the text, sentence by sentence, and takes nothing that it does not know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

Seen = str | tuple[Decimal, Decimal, bool]
"""The outcome that a rule speaks of: a label, or a range as (low, high, whether high belongs to it)."""

Rule = tuple[Seen, frozenset[str]]
"""An outcome and the names of the truths that it rules out."""


@dataclass(frozen=True, slots=True)
class TruthEntry:
    """A truth that the book lists; ``description`` is empty where the book gives none."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """An action that the book lists, and its rules in the book's order.

    ``unit`` is that of a measured action, empty for a bare number; ``None`` where outcomes are labels.
    """

    name: str
    description: str
    unit: str | None
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """All that a book says; nouns are (one, many), and ``valid`` is the number of valid truths."""

    title: str
    topic: str
    goal: str
    truth_noun: tuple[str, str]
    action_noun: tuple[str, str]
    valid: int
    truths: tuple[TruthEntry, ...]
    actions: tuple[ActionEntry, ...]


class UnreadableBook(ValueError):  # noqa: N818 - the name says what is wrong, as a sentence would
    """A line that does not belong where it stands: its number from 1, its text, and what is ``expected`` there.

    ``text`` is ``None`` where the book ends too early; ``line`` is then the one after its last.
    """

    def __init__(self, line: int, text: str | None, expected: str) -> None:
        """See the class for what the arguments mean."""
        found = f"the book ends before line {line}" if text is None else f'line {line} is "{text}"'
        super().__init__(f"{found} where {expected} should be")
        self.line = line
        self.text = text
        self.expected = expected


_SLOT = re.compile(r"\{(\w+)\}")
_NAMES = r'"[^"]+"(?:(?:, "[^"]+")* and "[^"]+")?'
_NAME = re.compile(r'"([^"]+)"')
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_TRUTH = re.compile(r'- "([^"]+)"(?:: (.+))?')
_ACTION = re.compile(r"### (.+)")
_DESCRIPTION = re.compile(r"Description: (.+)")
_UNIT = re.compile(r"The outcome is a number(?: in (.+))?\.")
_LABEL_RULE = re.compile(rf'- If the outcome is "(?P<label>[^"]+)", rule out (?P<names>{_NAMES})\.')


class _Page:
    """The lines of a book that are not empty, read from the first to the last."""

    def __init__(self, text: str) -> None:
        # splitlines knows every line break of Unicode, so that text which a reader may see as two lines counts as two
        lines = text.splitlines()
        self._lines = [(number, line) for number, line in enumerate(lines, start=1) if line]
        self._end = len(lines) + 1
        self._at = 0
        self.said: dict[str, str] = {}

    @property
    def ended(self) -> bool:
        """Whether no line is left."""
        return self._at == len(self._lines)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match of the whole next line, which is then read; ``None``, and nothing read, where it does not fit."""
        found = None if self.ended else pattern.fullmatch(self._lines[self._at][1])
        self._at += found is not None
        return found

    def unreadable(self, expected: str) -> UnreadableBook:
        """The error that the next line is not what was ``expected``."""
        number, text = (self._end, None) if self.ended else self._lines[self._at]
        return UnreadableBook(number, text, expected)

    def says(self, form: str) -> bool:
        """Whether the next line has this ``form``; it is then read.

        A ``{slot}`` of a form holds what an earlier line said of it. In the first line that has it, the slot holds
        any text: a form has at most one such slot beside ``{valid}``, so there is one way to read it.
        """
        found = self.take(self._pattern(form))
        if found:
            self.said |= found.groupdict()
        return found is not None

    def sentence(self, *forms: str) -> None:
        """Read a line that must have one of these ``forms``."""
        if not any(map(self.says, forms)):
            filled = (_SLOT.sub(lambda slot: self.said.get(slot[1], slot[0]), form) for form in forms)
            raise self.unreadable(" or ".join(f'"{form}"' for form in filled))

    def _pattern(self, form: str) -> re.Pattern[str]:
        parts = _SLOT.split(form)
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = map(self._slot, parts[1::2])
        return re.compile("".join(parts))

    def _slot(self, name: str) -> str:
        if name in self.said:
            return re.escape(self.said[name])
        return rf"(?P<{name}>{'[1-9][0-9]{0,8}' if name == 'valid' else '.+'})"


def read(text: str) -> Rules:
    """What the book ``text``, an English ``guide``, says.

    Raises :class:`UnreadableBook` at the first line that is not one of the guide's, wherever it stands: a sentence of
    the introduction counts as much as a rule. Empty lines mean nothing.
    """
    page = _Page(text)
    _introduction(page)
    page.sentence("## The {truths}", "## The {truth}")
    truths = _truths(page)
    page.sentence("## The {actions}", "## The {action}")
    actions = _actions(page)
    said = page.said
    return Rules(
        title=said["title"],
        topic=said.get("topic", ""),
        goal=said["goal"],
        truth_noun=(said["truth"], said["truths"]),
        action_noun=(said["action"], said["actions"]),
        valid=int(said.get("valid", "1")),
        truths=truths,
        actions=actions,
    )


def _introduction(page: _Page) -> None:
    page.sentence("# {title}")
    page.says("This is a game of deduction from the field of {topic}.")
    page.sentence("Your goal is to {goal}.")
    one = page.says("Exactly one of the {truths} listed below is valid.")
    if not one:
        page.sentence("Exactly {valid} of the {truths} listed below are valid.")
    page.sentence("In each round, choose one {action} and see its outcome. This book says what each outcome rules out.")
    page.sentence("- An outcome only ever rules {truths} out. It never confirms one.")
    page.sentence("- Any {truth} that no outcome seen so far rules out is still possible.")
    page.sentence("- An outcome that this book does not list rules out nothing.")
    page.sentence("- Once every {action} has been chosen, the outcomes seen rule out every {truth} that is not valid.")
    page.sentence("- Descriptions are background. Only the rules under each {action} count.")
    page.sentence(
        "Name the valid {truth} after as few {actions} as you can."
        if one
        else "Name one of the valid {truths} after as few {actions} as you can."
    )


def _truths(page: _Page) -> tuple[TruthEntry, ...]:
    entries = []
    while found := page.take(_TRUTH):
        entries.append(TruthEntry(found[1], found[2] or ""))
    return tuple(entries)


def _actions(page: _Page) -> tuple[ActionEntry, ...]:
    entries = []
    while not page.ended:
        entries.append(_action(page))
    return tuple(entries)


def _action(page: _Page) -> ActionEntry:
    heading = page.take(_ACTION)
    if not heading:
        raise page.unreadable("a rule or the heading of the next action")
    description = page.take(_DESCRIPTION)
    measured = page.take(_UNIT)
    unit = (measured[1] or "") if measured else None
    return ActionEntry(heading[1], description[1] if description else "", unit, _rules(page, unit))


def _rules(page: _Page, unit: str | None) -> tuple[Rule, ...]:
    pattern = _LABEL_RULE if unit is None else _range_rule(unit)
    rules = []
    while found := page.take(pattern):
        rules.append(_rule(found))
    if not rules and not page.says("No outcome of this {action} rules out any {truth} listed above."):
        raise page.unreadable("a rule")
    return tuple(rules)


def _range_rule(unit: str) -> re.Pattern[str]:
    after = re.escape(f" {unit}" if unit else "")
    return re.compile(
        rf"- If the outcome is at least (?P<low>{_NUMBER}) and (?P<upto>less than|at most) (?P<high>{_NUMBER}){after}"
        rf", rule out (?P<names>{_NAMES})\."
    )


def _rule(found: re.Match[str]) -> Rule:
    said = found.groupdict()
    names = frozenset(_NAME.findall(said["names"]))
    if "label" in said:
        return said["label"], names
    return (Decimal(said["low"]), Decimal(said["high"]), said["upto"] == "at most"), names
