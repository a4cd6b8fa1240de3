"""A domain on its way to ``.kumo`` text: repaired, with every repair noted on the thing it touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from kumoc.tables import Noun


@dataclass(frozen=True, slots=True)
class Repair:
    """A fault of the source that was repaired without guessing at what its authors meant.

    ``kind`` is a stable word for the fault, ``line`` (from 1) and ``place`` say where the source has it, ``wrong``
    what was wrong and ``done`` what stands there now.
    """

    kind: str
    line: int
    place: str
    wrong: str
    done: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault that is left for a person, as in :class:`Repair`; ``why`` says why it was not repaired."""

    kind: str
    line: int
    place: str
    wrong: str
    why: str


Note: TypeAlias = Repair | Problem
Span: TypeAlias = tuple[Decimal, Decimal]
"""The ends of a half-open range."""


@dataclass(frozen=True, slots=True)
class DraftTruth:
    """A truth."""

    name: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftOutcome:
    """A label or a range, and the mask of the truths it rules out."""

    key: str | Span
    excludes: int
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftAction:
    """An action; all its outcomes have labels, or all have ranges. ``decimals`` are given where they must be."""

    name: str
    outcomes: tuple[DraftOutcome, ...]
    decimals: int | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """The whole domain; ``notes`` are about actions that are not there any more."""

    source_name: str
    identifier: str
    title: str
    truth_noun: Noun
    action_noun: Noun
    truths: tuple[DraftTruth, ...]
    actions: tuple[DraftAction, ...]
    notes: tuple[Note, ...] = ()


def notes_of(draft: Draft) -> Iterator[Note]:
    """Every note, in the order in which the written text has them."""
    for truth in draft.truths:
        yield from truth.notes
    yield from draft.notes
    for action in draft.actions:
        yield from action.notes
        for outcome in action.outcomes:
            yield from outcome.notes
