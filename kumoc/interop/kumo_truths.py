"""The truths of a domain, and what names in its tables mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kumoc.interop.kumo_draft import DraftTruth, Note, Problem, Repair
from kumoc.interop.kumo_names import clean, clean_note, spelling
from kumoc.interop.kumo_read import Name
from kumoc.language.names import skeleton


@dataclass(frozen=True, slots=True)
class Truths:
    """The truths, and their positions by three ways to write them, from the strictest to the loosest."""

    drafts: tuple[DraftTruth, ...]
    by_name: dict[str, int]
    by_spelling: dict[str, int]
    by_skeleton: dict[str, int]

    @property
    def all(self) -> int:
        """The mask of all truths."""
        return (1 << len(self.drafts)) - 1

    def names(self, mask: int) -> list[str]:
        """The names of the truths in ``mask``."""
        return [truth.name for position, truth in enumerate(self.drafts) if mask >> position & 1]

    def mask(self, names: Iterable[Name], place: str) -> tuple[int, tuple[Note, ...]]:
        """The truths that ``names`` mean, and notes on the names that are no truth's as written."""
        mask = 0
        notes: list[Note] = []
        for name in names:
            text = clean(name.text)
            position = self._find(text)
            if position is None:
                wrong = f'"{text}", which it rules out, is no truth of this domain'
                notes.append(Repair("unknown-truth", name.line, place, wrong, "left out"))
                continue
            mask |= 1 << position
            if text not in self.by_name:
                wrong = f'it rules out "{text}", which no truth is called'
                done = f'taken as "{self.drafts[position].name}", which differs in case, spacing or punctuation only'
                notes.append(Repair("spelling", name.line, place, wrong, done))
        return mask, tuple(notes)

    def _find(self, text: str) -> int | None:
        for positions, key in ((self.by_name, text), (self.by_spelling, spelling(text))):
            if key in positions:
                return positions[key]
        return self.by_skeleton.get(skeleton(text))


def gather_truths(names: Iterable[Name]) -> Truths:
    """The truths in order; those that differ in case or spacing alone are one, called what the first is called."""
    kept: list[str] = []
    notes: list[list[Note]] = []
    by_name: dict[str, int] = {}
    by_spelling: dict[str, int] = {}
    by_skeleton: dict[str, list[int]] = {}
    for name in names:
        text = clean(name.text)
        position = by_name[text] = by_spelling.setdefault(spelling(text), len(kept))
        if position < len(kept):
            notes[position].append(_repeated(name, kept[position]))
            continue
        place = f'truth "{text}"'
        notes.append(list(clean_note(name, place)))
        alike = by_skeleton.setdefault(skeleton(text), [])
        if alike:
            notes[-1].append(confusable(name, kept[alike[0]], place))
        alike.append(position)
        kept.append(text)
    drafts = tuple(DraftTruth(text, tuple(about)) for text, about in zip(kept, notes, strict=True))
    unique = {key: alike[0] for key, alike in by_skeleton.items() if len(alike) == 1}
    return Truths(drafts, by_name, by_spelling, unique)


def _repeated(name: Name, first: str) -> Repair:
    text = clean(name.text)
    wrong = "it was listed twice" if text == first else f'"{text}" is listed too, which differs in case or spacing only'
    return Repair("repeated-truth", name.line, f'truth "{first}"', wrong, "taken as one truth")


def confusable(name: Name, other: str, place: str) -> Problem:
    """The note on a name that differs from an earlier one by more than case and spacing, but not by much."""
    wrong = f'it can be confused with "{other}"'
    return Problem("confusable-names", name.line, place, wrong, "which of the two needs another name can't be told")
