"""Closed ranges in any order as half-open ranges that cover a scale.

The principle: a number rules out what every range that holds it in the source rules out, and no more. A number that
lies in no range rules out nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from kumoc.interop.kumo_draft import DraftOutcome, Note, Problem, Repair, Span

_HALF = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class ClosedRange:
    """The numbers from ``low`` to ``high``, both included, and the mask of the truths that they rule out."""

    low: Decimal
    high: Decimal
    excludes: int
    line: int
    notes: tuple[Note, ...] = ()


def cover_scale(
    action: str, ranges: Sequence[ClosedRange], line: int, *, whole: bool
) -> tuple[tuple[DraftOutcome, ...], tuple[Note, ...]]:
    """Half-open ranges, ascending and without gap or overlap, and the notes on the action as a whole.

    Where ``whole``, only whole numbers are measured, and every one of them lies strictly inside its range. An empty or
    an unbounded range can't be repaired: then the ranges stay as they are, but for ends in the wrong order.
    """
    ordered = [_swapped(action, each) for each in ranges]
    if any(_is_hopeless(each, whole=whole) for each in ordered):
        return tuple(_as_it_stands(action, each, whole=whole) for each in ordered), ()
    notes = []
    if any(after.low < before.low for before, after in pairwise(ordered)):
        notes.append(Repair("order", line, action, "its ranges were not in ascending order", "sorted"))
        ordered.sort(key=lambda each: (each.low, each.high))
    shared = {each.low for each in ordered} & {each.high for each in ordered}
    if shared and not whole:
        ends = ", ".join(map(plain, sorted(shared)))
        wrong = f"its ranges shared ends ({ends})"
        notes.append(Repair("half-open", line, action, wrong, "a shared end is in the upper range alone"))
    return tuple(_pieces(action, ordered, whole=whole)), tuple(notes)


def plain(number: Decimal) -> str:
    """The number in digits, without an exponent."""
    return format(number, "f")


def _swapped(action: str, each: ClosedRange) -> ClosedRange:
    if each.low <= each.high:
        return each
    wrong = f"its ends stood in the wrong order ({plain(each.low)}, then {plain(each.high)})"
    place = f"{action}, range {plain(each.high)}..{plain(each.low)}"
    note = Repair("reversed", each.line, place, wrong, "swapped")
    return replace(each, low=each.high, high=each.low, notes=(*each.notes, note))


def _is_hopeless(each: ClosedRange, *, whole: bool) -> bool:
    unbounded = not (each.low.is_finite() and each.high.is_finite())
    return unbounded or (each.low == each.high and not whole)


def _as_it_stands(action: str, each: ClosedRange, *, whole: bool) -> DraftOutcome:
    if not _is_hopeless(each, whole=whole):
        return DraftOutcome(_span(each, whole=whole), each.excludes, each.notes)
    place = f"{action}, range {plain(each.low)}..{plain(each.high)}"
    if each.low == each.high:
        problem = Problem("empty-range", each.line, place, "the range holds one number only", "its width is not known")
        return DraftOutcome((each.low, each.high), each.excludes, (*each.notes, problem))
    known = next((end for end in (each.low, each.high) if end.is_finite()), Decimal(0))
    missing = "lower" if each.high.is_finite() else "upper" if each.low.is_finite() else "lower or upper"
    why = f"a scale has two ends; until it is given, {plain(known)} stands in its place"
    problem = Problem("unbounded-range", each.line, place, f"the range has no {missing} end", why)
    return DraftOutcome((known, known), each.excludes, (*each.notes, problem))


def _pieces(action: str, ranges: Sequence[ClosedRange], *, whole: bool) -> Iterable[DraftOutcome]:
    """The scale cut at every end, each piece with what all the ranges that hold it rule out."""
    spans = [_span(each, whole=whole) for each in ranges]
    begun: set[int] = set()
    line = 0
    for (low, high), holders in _joined(spans):
        held_by = [ranges[index] for index in holders]
        notes = tuple(note for index in holders if index not in begun for note in ranges[index].notes)
        begun.update(holders)
        place = f"{action}, range {plain(low)}..{plain(high)}"
        if not held_by:
            wrong = f"the source leaves {plain(low)}..{plain(high)} out"
            gap = Repair("gap", line, place, wrong, "a range that rules out nothing was added")
            yield DraftOutcome((low, high), 0, (gap,))
            continue
        line = held_by[-1].line
        if len(held_by) > 1:
            wrong = f"the source's ranges {_listed(held_by)} overlap here"
            done = "only what all of them rule out is ruled out"
            notes = (*notes, Repair("overlap", line, place, wrong, done))
        excludes = held_by[0].excludes
        for each in held_by[1:]:
            excludes &= each.excludes
        yield DraftOutcome((low, high), excludes, notes)


def _joined(spans: Sequence[Span]) -> list[tuple[Span, tuple[int, ...]]]:
    """Neighbouring stretches of the scale, each with the positions of the spans that hold it; no two alike touch."""
    ends = sorted({end for span in spans for end in span})
    joined: list[tuple[Span, tuple[int, ...]]] = []
    for low, high in pairwise(ends):
        holders = tuple(index for index, span in enumerate(spans) if span[0] <= low and high <= span[1])
        if joined and joined[-1][1] == holders:
            joined[-1] = ((joined[-1][0][0], high), holders)
        else:
            joined.append(((low, high), holders))
    return joined


def _span(each: ClosedRange, *, whole: bool) -> Span:
    return (each.low - _HALF, each.high + _HALF) if whole else (each.low, each.high)


def _listed(ranges: Sequence[ClosedRange]) -> str:
    return " and ".join(f"{plain(each.low)} to {plain(each.high)}" for each in ranges)
