"""What a book says, in whatever style and language it says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

Seen = str | tuple[Decimal, Decimal, bool]
"""The outcome that a rule speaks of: a label, or a range as (low, high, whether high belongs to it)."""


@dataclass(frozen=True, slots=True)
class Rule:
    """An outcome, the names of the truths that it rules out, and the ``sentences`` of the book that say so."""

    seen: Seen
    names: frozenset[str]
    sentences: tuple[str, ...] = field(default=(), compare=False)


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
    """All that a book says; nouns are (one, many), and ``valid`` is the number of valid truths.

    ``in_play`` are the names of the truths and of the actions that belong to the game, in a book that has entries for
    others too; ``None`` where all entries do.
    """

    title: str
    topic: str
    goal: str
    truth_noun: tuple[str, str]
    action_noun: tuple[str, str]
    valid: int
    truths: tuple[TruthEntry, ...]
    actions: tuple[ActionEntry, ...]
    in_play: tuple[tuple[str, ...], tuple[str, ...]] | None = None


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
