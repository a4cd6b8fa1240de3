"""Syntax nodes: what a file says, name by name, before anything is looked up.

A node carries the span that diagnostics point at, or the extent of all that was read for it. ``damaged`` marks a
node that lost a broken part: checks for completeness pass over it, since what is missing has been reported already.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from kumoc.diagnostics import Rule, Span


@dataclass(frozen=True, slots=True)
class Word:
    """A name or a text, in Unicode NFC and without its quotes."""

    text: str
    span: Span
    quoted: bool


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number, exactly as written."""

    value: Decimal
    span: Span


@dataclass(frozen=True, slots=True)
class Interval:
    """``low..high``, as written."""

    low: Number
    high: Number
    span: Span


@dataclass(frozen=True, slots=True)
class NumberType:
    """``number 1..10 unit "Mohs" decimals 1``; also the head of a measured action."""

    scale: Interval
    unit: Word | None
    decimals: Number | None


@dataclass(frozen=True, slots=True)
class ChoiceType:
    """``one of white, yellow``; ``yes or no`` is the choice of these two words."""

    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """``property NAME : TYPE``."""

    name: Word
    type: NumberType | ChoiceType
    extent: Span


@dataclass(frozen=True, slots=True)
class AnyValue:
    """``any``: the truth can show every value."""

    span: Span


FactValue = Number | Interval | Word | AnyValue


@dataclass(frozen=True, slots=True)
class Fact:
    """``streak white or grey``."""

    property: Word
    values: tuple[FactValue, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """A truth with its facts and its description."""

    name: Word
    facts: tuple[Fact, ...]
    description: Word | None
    extent: Span


@dataclass(frozen=True, slots=True)
class Everything:
    """``all``."""


@dataclass(frozen=True, slots=True)
class SetExpression:
    """The union of ``included``, together with all truths but the union of ``excepted`` where that is not None."""

    included: tuple[Word | Everything, ...]
    excepted: tuple[Word | Everything, ...] | None
    span: Span

    @property
    def words(self) -> tuple[Word, ...]:
        """The names in it, in order."""
        return tuple(item for item in (*self.included, *(self.excepted or ())) if isinstance(item, Word))


@dataclass(frozen=True, slots=True)
class Group:
    """``group NAME = SET``."""

    name: Word
    set: SetExpression
    extent: Span


@dataclass(frozen=True, slots=True)
class Observes:
    """``observes PROPERTY as "label", ...``."""

    property: Word
    labels: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """``measures PROPERTY cut at 1, 2``."""

    property: Word
    cuts: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class LabelOutcome:
    """``"label" rules out SET``."""

    key: Word
    set: SetExpression


@dataclass(frozen=True, slots=True)
class RangeOutcome:
    """``1..2 rules out SET``."""

    key: Interval
    set: SetExpression


@dataclass(frozen=True, slots=True)
class Labelled:
    """``{ "label" rules out SET ... }``."""

    outcomes: tuple[LabelOutcome, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """``number 1..8 { 1..2 rules out SET ... }``; the type is None where it is missing or could not be parsed."""

    type: NumberType | None
    outcomes: tuple[RangeOutcome, ...]


Body = Observes | Measures | Labelled | Measured


@dataclass(frozen=True, slots=True)
class Action:
    """An action with its description and its body."""

    name: Word
    description: Word | None
    body: Body
    extent: Span
    damaged: bool


@dataclass(frozen=True, slots=True)
class Truths:
    """``truths "one" "many" { ... }``."""

    one: Word
    many: Word
    entries: tuple[Truth, ...]
    extent: Span


@dataclass(frozen=True, slots=True)
class Actions:
    """``actions "one" "many" { ... }``."""

    one: Word
    many: Word
    entries: tuple[Action, ...]
    extent: Span


@dataclass(frozen=True, slots=True)
class Book:
    """``long 4000 words``, or a style alone."""

    style: Word
    words: Number | None


SettingValue = Word | Number | Interval | tuple[Word, ...] | tuple[Book, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A keyword with its value, such as ``topic "Earth science"``, ``seed 7`` or ``truths 4``."""

    keyword: str
    value: SettingValue
    span: Span


Member = Setting | Property | Truths | Group | Actions


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain's name, title and members, in order; ``span`` covers its head.

    It is ``faulty`` if something in it is wrong by itself, and has been reported.
    """

    name: Word
    title: Word | None
    members: tuple[Member, ...]
    span: Span
    extent: Span
    damaged: bool
    faulty: bool


@dataclass(frozen=True, slots=True)
class Size:
    """``size NAME { ... }``."""

    name: Word
    settings: tuple[Setting, ...]
    extent: Span
    damaged: bool


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark's name, version, settings and sizes; ``span`` covers its head."""

    name: Word
    version: Word
    settings: tuple[Setting, ...]
    sizes: tuple[Size, ...]
    span: Span
    extent: Span
    damaged: bool


@dataclass(frozen=True, slots=True)
class Wording:
    """``NAME "in other words" "description"``: what stands for ``name`` in a translation."""

    name: Word
    text: Word
    description: Word | None
    extent: Span


@dataclass(frozen=True, slots=True)
class Wordings:
    """``truths "one" "many" { ... }`` of a translation, or ``outcomes { ... }``, which has no nouns."""

    keyword: str
    nouns: tuple[Word, ...]
    entries: tuple[Wording, ...]
    span: Span
    extent: Span


@dataclass(frozen=True, slots=True)
class Translation:
    """``translation DOMAIN LANGUAGE "Title" { ... }``; ``span`` covers its head."""

    domain: Word
    language: Word
    title: Word | None
    members: tuple[Setting | Wordings, ...]
    span: Span
    extent: Span
    damaged: bool


@dataclass(frozen=True, slots=True)
class Allowance:
    """A ``comment`` that allows warnings of one rule about the entry that it ``covers``; None if there is no entry."""

    rule: Rule
    comment: Span
    covers: Span | None


@dataclass(frozen=True, slots=True)
class File:
    """All declarations of one source file; ``lost_words`` are the names in parts that could not be parsed."""

    declarations: tuple[Domain | Benchmark | Translation, ...]
    lost_words: frozenset[str]
    allowances: tuple[Allowance, ...] = ()
