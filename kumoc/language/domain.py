"""A resolved domain: every name looked up, every outcome a mask of truths, every place remembered."""

from __future__ import annotations

from dataclasses import dataclass

from kumoc.diagnostics import Span
from kumoc.language.syntax import Word
from kumoc.tables import Noun, Range, Scale, members


@dataclass(frozen=True, slots=True)
class ResolvedOutcome:
    """An outcome and the mask of the truths it rules out."""

    key: str | Range
    excludes: int
    span: Span

    @property
    def text(self) -> str:
        """The key as it is written: a label, or ``low..high``."""
        return self.key if isinstance(self.key, str) else f"{self.key.low:f}..{self.key.high:f}"


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
class ResolvedGroup:
    """A group and the mask of the truths that it stands for."""

    name: Word
    mask: int


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
    groups: tuple[ResolvedGroup, ...]
    """Those that could be worked out."""
    unused: tuple[tuple[str, Word], ...]
    """Groups and properties that nothing uses, each with its kind."""
    whole: bool

    def names(self, mask: int) -> tuple[str, ...]:
        """The names of the truths in ``mask``, in order."""
        return tuple(self.truths[i].name.text for i in members(mask))
