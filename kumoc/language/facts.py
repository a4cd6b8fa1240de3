"""Properties, the facts that truths give for them, and the actions derived from both."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from kumoc.diagnostics import Span
from kumoc.diagnostics.rules import (
    BAD_CUT_POINT,
    REPEATED_NAME,
    VALUE_OUTSIDE_TYPE,
    WRONG_LABEL_COUNT,
    WRONG_PROPERTY_KIND,
)
from kumoc.folding import folded
from kumoc.language import syntax
from kumoc.language.domain import ResolvedOutcome
from kumoc.language.names import Scope, declare, listed, suggest
from kumoc.language.ranges import check_interval, check_readable, cut, resolve_scale
from kumoc.language.report import Report
from kumoc.tables import Range, Scale

Shown = tuple[tuple[Decimal, Decimal], ...] | frozenset[str]
"""What a truth can show of a property: closed intervals of a quantity, ascending and apart, or values of a choice."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property and, per truth (by position), what it can show; a truth that is absent can show anything."""

    name: str
    type: syntax.NumberType | syntax.ChoiceType
    shown: dict[int, Shown]


def resolve_properties(
    declared: Iterable[syntax.Property],
    truths: Iterable[tuple[int, syntax.Truth]],
    lost: frozenset[str],
    report: Report,
) -> tuple[Scope, dict[str, Property]]:
    """The properties of a domain with the facts of all its truths, given with their positions."""
    declared = tuple(declared)
    scope = declare("property", (item.name for item in declared), report)
    properties = {
        item.name.text: Property(item.name.text, item.type, {})
        for item in declared
        if scope.words.get(item.name.text) is item.name
    }
    for item in properties.values():
        _check_type(item.type, report)
    for position, truth in truths:
        _read_facts(position, truth, scope, properties, lost, report)
    return scope, properties


def _check_type(type_: syntax.NumberType | syntax.ChoiceType, report: Report) -> None:
    if isinstance(type_, syntax.NumberType):
        resolve_scale(type_, (), report)
    else:
        declare("value", type_.values, report, folded)


def _read_facts(
    position: int,
    truth: syntax.Truth,
    scope: Scope,
    properties: Mapping[str, Property],
    lost: frozenset[str],
    report: Report,
) -> None:
    given: dict[str, Span] = {}
    for fact in truth.facts:
        name = fact.property.text
        if scope.find(fact.property, report, lost) is None:
            continue
        if name in given:
            message = f"'{truth.name.text}' gives '{name}' twice"
            help_ = f"join the values: `{name} a or b`"
            report.add(REPEATED_NAME, message, fact.property.span, help_, (("first given here", given[name]),))
            continue
        given[name] = fact.property.span
        item = properties[name]
        if any(isinstance(value, syntax.AnyValue) for value in fact.values):
            continue
        shown: Shown
        if isinstance(item.type, syntax.NumberType):
            shown = _merged(_quantities(item.name, item.type, fact.values, report))
        else:
            shown = frozenset(_choices(item.name, item.type, fact.values, report))
        if shown:
            item.shown[position] = shown


def _quantities(
    name: str, type_: syntax.NumberType, values: Iterable[syntax.FactValue], report: Report
) -> Iterable[tuple[Decimal, Decimal]]:
    low, high = type_.scale.low.value, type_.scale.high.value
    for value in values:
        if isinstance(value, syntax.Interval):
            interval = (value.low.value, value.high.value)
            if not check_interval(value, report, point=True):
                continue
        elif isinstance(value, syntax.Number):
            interval = (value.value, value.value)
        else:
            assert isinstance(value, syntax.Word)
            report.add(VALUE_OUTSIDE_TYPE, f"'{name}' is a number, '{value.text}' is not", value.span)
            continue
        if low < high and not low <= interval[0] <= interval[1] <= high:
            message = f"'{name}' goes from {low:f} to {high:f}; this lies outside"
            report.add(VALUE_OUTSIDE_TYPE, message, value.span, "correct the fact, or widen the property's scale")
            continue
        yield interval


def _merged(intervals: Iterable[tuple[Decimal, Decimal]]) -> tuple[tuple[Decimal, Decimal], ...]:
    merged: list[tuple[Decimal, Decimal]] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _choices(name: str, type_: syntax.ChoiceType, values: Iterable[syntax.FactValue], report: Report) -> Iterable[str]:
    known = {value.text: None for value in type_.values}
    for value in values:
        if isinstance(value, syntax.Word):
            if value.text in known:
                yield value.text
            else:
                help_, fix = suggest(value, known, report)
                help_ = help_ or f"it is one of {listed(tuple(known))}"
                report.add(VALUE_OUTSIDE_TYPE, f"'{value.text}' is no value of '{name}'", value.span, help_, fix=fix)
        else:
            assert not isinstance(value, syntax.AnyValue)
            message = f"'{name}' is not a number"
            report.add(VALUE_OUTSIDE_TYPE, message, value.span, f"it is one of {listed(tuple(known))}")


def observe(body: syntax.Observes, item: Property, report: Report) -> tuple[ResolvedOutcome, ...] | None:
    """The outcomes of an action that observes a choice; None where they can't be derived, which is reported."""
    if isinstance(item.type, syntax.NumberType):
        message = f"'{item.name}' is a number: it is measured, not observed"
        report.add(WRONG_PROPERTY_KIND, message, body.property.span, f"write `measures {item.name} cut at ...`")
        return None
    values = item.type.values
    if body.labels and len(body.labels) != len(values):
        stand = "1 label stands" if len(body.labels) == 1 else f"{len(body.labels)} labels stand"
        message = f"'{item.name}' has {len(values)} values, but {stand} here"
        named = listed([value.text for value in values])
        report.add(
            WRONG_LABEL_COUNT, message, body.labels[0].span, f"give one label for each of {named}, in this order"
        )
        return None
    labels = body.labels or values
    declare("outcome", body.labels, report, folded)
    return tuple(
        ResolvedOutcome(
            label.text,
            _mask(i for i, shown in item.shown.items() if value.text not in shown),
            label.span if body.labels else body.property.span,
        )
        for label, value in zip(labels, values, strict=True)
    )


def measure(body: syntax.Measures, item: Property, report: Report) -> tuple[Scale, tuple[ResolvedOutcome, ...]] | None:
    """The scale and outcomes of an action that measures a quantity; None where they can't be derived."""
    if not isinstance(item.type, syntax.NumberType):
        message = f"'{item.name}' is not a number: it is observed, not measured"
        report.add(WRONG_PROPERTY_KIND, message, body.property.span, f"write `observes {item.name}`")
        return None
    interval = item.type.scale
    if interval.low.value >= interval.high.value or not _check_cuts(body.cuts, interval, report):
        return None
    points = [number.value for number in body.cuts]
    scale = resolve_scale(item.type, points, Report(report.source))  # its faults were reported with the property
    assert scale is not None
    ranges = cut(scale, points)
    spans = [*(number.span for number in body.cuts), body.cuts[-1].span]
    check_readable(scale, zip(ranges, spans, strict=True), report)
    return scale, tuple(
        ResolvedOutcome(
            range_,
            _mask(i for i, shown in item.shown.items() if not _meets(shown, range_)),
            span,
        )
        for range_, span in zip(ranges, spans, strict=True)
    )


def _check_cuts(cuts: tuple[syntax.Number, ...], interval: syntax.Interval, report: Report) -> bool:
    sound = True
    floor = interval.low.value
    for number in cuts:
        if not interval.low.value < number.value < interval.high.value:
            message = f"the cut {number.value:f} does not lie inside {interval.low.value:f}..{interval.high.value:f}"
            report.add(BAD_CUT_POINT, message, number.span, "the ends of the scale need no cut")
            sound = False
        elif number.value <= floor:
            message = f"the cut {number.value:f} does not lie above the one before it"
            report.add(BAD_CUT_POINT, message, number.span, "list cuts in ascending order, each once")
            sound = False
        else:
            floor = number.value
    return sound


def _mask(positions: Iterable[int]) -> int:
    return sum(1 << position for position in positions)


def _meets(shown: Shown, range_: Range) -> bool:
    assert isinstance(shown, tuple)
    first = bisect_left(shown, range_.low, key=lambda interval: interval[1])
    if first == len(shown):
        return False
    start = shown[first][0]
    return start < range_.high or (range_.closed and start == range_.high)
