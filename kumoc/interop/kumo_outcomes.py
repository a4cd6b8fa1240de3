"""The outcomes of one action: labels, whole numbers or ranges, whichever its states can only be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum, auto
from functools import reduce
from operator import and_

from kumoc.interop.kumo_draft import DraftAction, DraftOutcome, Note, Problem, Repair
from kumoc.interop.kumo_names import clean, clean_note, listed, spelling
from kumoc.interop.kumo_ranges import ClosedRange, cover_scale, plain
from kumoc.interop.kumo_read import Interval, Key, Name, State, Table
from kumoc.interop.kumo_truths import Truths


class _Reading(Enum):
    LABELS = auto()
    WHOLE_NUMBERS = auto()
    RANGES = auto()


@dataclass(frozen=True, slots=True)
class _Row:
    """A state with its names looked up."""

    state: State
    excludes: int
    notes: tuple[Note, ...]


def draft_outcomes(action: DraftAction, table: Table, truths: Truths) -> DraftAction:
    """``action`` with the outcomes of ``table``, and with notes on what was repaired or left in them."""
    place, line = f'action "{clean(table.action.text)}"', table.action.line
    rows = [_look_up(state, truths, place) for state in table.states]
    rows, notes = _free_excluded(rows, truths, place, line)
    reading, about_type = _read(table, place)
    about_ranges: tuple[Note, ...] = ()
    if reading is _Reading.LABELS:
        outcomes = _labels(rows, place)
    else:
        ranges = [_closed(row) for row in rows]
        outcomes, about_ranges = cover_scale(place, ranges, line, whole=reading is _Reading.WHOLE_NUMBERS)
    return replace(
        action,
        outcomes=outcomes,
        decimals=0 if reading is _Reading.WHOLE_NUMBERS else None,
        notes=(*notes, *about_type, *about_ranges, *_too_few(outcomes, place, line)),
    )


def _look_up(state: State, truths: Truths, action: str) -> _Row:
    mask, notes = truths.mask(state.names, f"{action}, outcome {_quoted(state.key)}")
    return _Row(state, truths.all & ~mask if state.all_but else mask, notes)


def _free_excluded(rows: list[_Row], truths: Truths, place: str, line: int) -> tuple[list[_Row], tuple[Note, ...]]:
    """Rows without the truths that all of them rule out: such a truth could never be the valid one."""
    always = reduce(and_, (row.excludes for row in rows))
    if len(rows) < 2 or not always:
        return rows, ()
    wrong = f"every outcome ruled out {listed(truths.names(always))}"
    done = "no outcome of this action does any more"
    freed = [replace(row, excludes=row.excludes & ~always) for row in rows]
    return freed, (Repair("always-excluded", line, place, wrong, done),)


def _read(table: Table, place: str) -> tuple[_Reading, tuple[Note, ...]]:
    """What the states are, whatever the declared type says; a note where it says something else."""
    keys = [state.key for state in table.states]
    line = table.action.line
    labelled = [isinstance(key, str) for key in keys]
    if any(labelled) and not all(labelled):
        wrong = "some of its outcomes are labels and some are numbers"
        return _Reading.LABELS, (Repair("mixed-outcomes", line, place, wrong, "all are labels here"),)
    single = [isinstance(key, Decimal) for key in keys]
    if all(labelled) or (all(single) and (table.type == "str" or not _are_whole(keys))):
        reading, expected, done = _Reading.LABELS, "str", "labels"
    elif _are_whole(keys) and (any(single) or table.type == "int"):
        reading, expected, done = _Reading.WHOLE_NUMBERS, "int", "whole numbers"
    else:
        reading, expected, done = _Reading.RANGES, "float", "ranges"
    notes: list[Note] = []
    if table.type != expected:
        wrong = f'its type "{clean(table.type)}" does not fit its outcomes' if table.type else "it has no type"
        notes.append(Repair("type", line, place, wrong, f"they are read as {done}"))
    if reading is _Reading.WHOLE_NUMBERS:
        wrong = "its outcomes are whole numbers, ends included"
        done = "read without decimals; each range reaches half a unit further, so that its whole numbers lie inside it"
        notes.append(Repair("whole-numbers", line, place, wrong, done))
    return reading, tuple(notes)


def _are_whole(keys: Sequence[Key]) -> bool:
    ends = [end for key in keys for end in ([key.low, key.high] if isinstance(key, Interval) else [key])]
    return all(isinstance(end, Decimal) and (end.is_infinite() or end == end.to_integral_value()) for end in ends)


def _closed(row: _Row) -> ClosedRange:
    match row.state.key:
        case Interval(low=low, high=high):
            return ClosedRange(low, high, row.excludes, row.state.line, row.notes)
        case Decimal() as number:
            return ClosedRange(number, number, row.excludes, row.state.line, row.notes)
    raise TypeError("a label is no range")


def _labels(rows: Sequence[_Row], action: str) -> tuple[DraftOutcome, ...]:
    """One outcome for each label; rows whose labels differ in case or spacing alone are one."""
    kept: dict[str, DraftOutcome] = {}
    for row in rows:
        name = Name(_label(row.state.key), row.state.line)
        label = clean(name.text)
        place = f'{action}, outcome "{label}"'
        first = kept.get(spelling(label))
        if first is not None:
            kept[spelling(label)] = _merged(first, row, f'{action}, outcome "{first.key}"')
            continue
        kept[spelling(label)] = DraftOutcome(label, row.excludes, (*clean_note(name, place), *row.notes))
    return tuple(kept.values())


def _merged(first: DraftOutcome, again: _Row, place: str) -> DraftOutcome:
    excludes = first.excludes & again.excludes
    label = clean(_label(again.state.key))
    wrong = (
        "it is given twice" if label == first.key else f'"{label}" is given too, which differs in case or spacing only'
    )
    same = first.excludes == again.excludes
    done = "taken once" if same else "taken as one, which rules out only what both did"
    note = Repair("repeated-outcome", again.state.line, place, wrong, done)
    return replace(first, excludes=excludes, notes=(*first.notes, *again.notes, note))


def _label(key: Key) -> str:
    match key:
        case Interval(low=low, high=high):
            return f"{plain(low)} to {plain(high)}"
        case Decimal() as number:
            return plain(number)
    return str(key)


def _quoted(key: Key) -> str:
    return f'"{clean(key)}"' if isinstance(key, str) else _label(key)


def _too_few(outcomes: Sequence[DraftOutcome], place: str, line: int) -> tuple[Note, ...]:
    if len(outcomes) > 1:
        return ()
    return (Problem("one-outcome", line, place, "it has only one outcome", "what else can be seen is not known"),)
