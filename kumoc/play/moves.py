"""What a player can do in its turn, and what can be wrong with how it says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """A parse error: why a text is not, to the letter, a listed name between the marks of an answer.

    The first two are forgiven by a lenient reading; the others leave no move, however it is read.
    """

    MARKS = "marks"
    """The marks are written in another way than ``<ANSWER>`` and ``</ANSWER>``."""
    SPELLING = "spelling"
    """One listed name is meant, and written in another way."""
    MISSING = "missing"
    """There are no marks."""
    UNCLOSED = "unclosed"
    """An answer is opened, and none is closed."""
    EMPTY = "empty"
    """Nothing stands between the marks."""
    AMBIGUOUS = "ambiguous"
    """Two or more listed names could be meant."""
    UNKNOWN = "unknown"
    """No listed name is meant."""
    UNRECORDED = "unrecorded"
    """There was a parse error, and whoever recorded the play did not say which."""


@dataclass(frozen=True, slots=True)
class Act:
    """Take the action at position ``action``; ``fault`` is what a strict reading objects to, in the text ``said``."""

    action: int
    fault: Fault | None = None
    said: str | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """Name the truth at position ``truth``, which ends the game; ``fault`` and ``said`` as in :class:`Act`."""

    truth: int
    fault: Fault | None = None
    said: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """Nothing that the game knows; ``said`` is what stands in place of a name, if anything does."""

    fault: Fault
    said: str | None = None


Move = Act | Name | Unread
"""What a player does in one turn: take an action, name a truth, or say what is neither."""
