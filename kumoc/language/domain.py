"""A resolved domain: every name looked up, every outcome a mask of truths, every place remembered."""

from __future__ import annotations

from dataclasses import dataclass

from kumoc.diagnostics import Span
from kumoc.language.syntax import Word
from kumoc.tables import Noun, Range, Scale


@dataclass(frozen=True, slots=True)
class ResolvedOutcome:
    """An outcome and the mask of the truths it rules out."""

    key: str | Range
    excludes: int
    span: Span


@dataclass(frozen=True, slots=True)
class ResolvedAction:
    """An action; ``whole`` unless a fault hides part of what it rules out. A derived one names its ``property``."""

    name: Word
    description: str
    scale: Scale | None
    outcomes: tuple[ResolvedOutcome, ...]
    whole: bool
    property: str | None = None


@dataclass(frozen=True, slots=True)
class ResolvedTruth:
    """A truth and the properties it gives facts for."""

    name: Word
    description: str
    facts: frozenset[str]


@dataclass(frozen=True, slots=True)
class ResolvedDomain:
    """A domain after names are resolved; ``whole`` unless some part of it is missing for a reported fault."""

    name: Word
    span: Span
    title: str
    topic: str
    goal: str
    version: str
    language: str
    truth_noun: Noun
    action_noun: Noun
    truths: tuple[ResolvedTruth, ...]
    actions: tuple[ResolvedAction, ...]
    unused: tuple[tuple[str, Word], ...]
    """Groups and properties that nothing uses, each with its kind."""
    whole: bool
