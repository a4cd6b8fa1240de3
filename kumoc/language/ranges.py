"""Scales and the half-open ranges that must cover them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise

from kumoc.diagnostics import Edit, Span
from kumoc.diagnostics.rules import (
    BAD_SETTING,
    EMPTY_RANGE,
    GAP_IN_RANGES,
    OUTSIDE_SCALE,
    OVERLAPPING_RANGES,
    RANGE_TOO_NARROW,
)
from kumoc.language.lex import MAX_DIGITS
from kumoc.language.report import Report
from kumoc.language.syntax import Interval, Number, NumberType
from kumoc.tables import Range, Scale, plain

MAX_DECIMALS = 9


def check_interval(interval: Interval, report: Report, *, point: bool = False) -> bool:
    """Whether ``low`` lies below ``high`` (or, for a ``point``, not above it); reported where not."""
    low, high = interval.low.value, interval.high.value
    if low < high or (point and low == high):
        return True
    message = f"the range {low:f}..{high:f} is"
    if low == high:
        report.add(EMPTY_RANGE, f"{message} empty", interval.span)
    else:
        turned = f"{high:f}..{low:f}"
        report.add(
            EMPTY_RANGE, f"{message} reversed", interval.span, f"write {turned}", fix=Edit(interval.span, turned)
        )
    return False


def resolve_scale(number_type: NumberType, cuts: Iterable[Decimal], report: Report) -> Scale | None:
    """The scale of a number type whose outcomes are bounded by ``cuts``; None, reported, where it is empty.

    Without declared ``decimals`` a value is read with one digit more than the bounds show, so that it can lie
    strictly between any two of them.
    """
    interval = number_type.scale
    usable = check_interval(interval, report)
    decimals = _decimals(number_type.decimals, report)
    if decimals is None:
        bounds = (interval.low.value, interval.high.value, *cuts)
        decimals = min(1 + max(_digits_after_point(bound) for bound in bounds), MAX_DECIMALS)
    if not usable:
        return None
    whole = max(bound.value.adjusted() + 1 for bound in (interval.low, interval.high))
    if whole + decimals > MAX_DIGITS:
        message = f"a value of this scale with {decimals} decimals would have more than {MAX_DIGITS} digits"
        report.add(BAD_SETTING, message, interval.span, "declare fewer decimals, or choose a unit that fits")
        return None
    unit = number_type.unit.text if number_type.unit else ""
    return Scale(plain(interval.low.value), plain(interval.high.value), decimals, unit)


def _decimals(declared: Number | None, report: Report) -> int | None:
    if declared is None:
        return None
    value = declared.value
    if value != value.to_integral_value() or not 0 <= value <= MAX_DECIMALS:
        report.add(BAD_SETTING, f"decimals must be a whole number from 0 to {MAX_DECIMALS}", declared.span)
        return None
    return int(value)


def _digits_after_point(value: Decimal) -> int:
    return max(0, -int(value.as_tuple().exponent))


def cut(scale: Scale, points: Sequence[Decimal]) -> tuple[Range, ...]:
    """The ranges that ascending ``points`` strictly inside ``scale`` make of it."""
    bounds = (scale.low, *(plain(point) for point in points), scale.high)
    return tuple(Range(low, high, closed=high == scale.high) for low, high in pairwise(bounds))


def check_cover(scale: Scale, intervals: Iterable[Interval], report: Report, *, whole: bool) -> bool:
    """Whether the intervals cover the scale once; overlaps, and gaps if ``whole``, are reported."""
    before = len(report.diagnostics)
    inside = [interval for interval in intervals if _check_inside(scale, interval, report)]
    in_order = sorted(inside, key=lambda interval: (interval.low.value, interval.high.value))
    complete = whole and len(report.diagnostics) == before
    for first, second in pairwise(in_order):
        if second.low.value < first.high.value:
            message = f"{_text(second)} overlaps {_text(first)}: a value may fall in only one of them"
            report.add(OVERLAPPING_RANGES, message, second.span, "", (("the other one", first.span),))
    if complete and in_order:
        ends = [scale.low, *(interval.high.value for interval in in_order)]
        starts = [*(interval.low.value for interval in in_order), scale.high]
        places = [interval.span for interval in in_order]
        for end, start, place in zip(ends, starts, [*places, places[-1]], strict=True):
            _check_gap(end, start, place, report)
    return len(report.diagnostics) == before


def _check_inside(scale: Scale, interval: Interval, report: Report) -> bool:
    if not check_interval(interval, report):
        return False
    if interval.low.value < scale.low or interval.high.value > scale.high:
        message = f"{_text(interval)} reaches outside the scale {scale.low:f}..{scale.high:f}"
        report.add(OUTSIDE_SCALE, message, interval.span, "widen the scale or narrow the range")
        return False
    return True


def _check_gap(end: Decimal, start: Decimal, place: Span, report: Report) -> None:
    if end < start:
        message = f"no range covers {end:f}..{start:f}"
        help_ = f"let the ranges beside it meet, or add `{end:f}..{start:f} rules out nothing`"
        report.add(GAP_IN_RANGES, message, place, help_)


def check_readable(scale: Scale, ranges: Iterable[tuple[Range, Span]], report: Report) -> None:
    """Report ranges that hold no value, written with the scale's decimals, strictly inside them."""
    for item, span in ranges:
        step = Decimal(1).scaleb(-scale.decimals)
        first_inside = ((item.low / step).to_integral_value(rounding="ROUND_FLOOR") + 1) * step
        if first_inside >= item.high:
            message = f"no value with {scale.decimals} decimals lies strictly inside {item.low:f}..{item.high:f}"
            report.add(RANGE_TOO_NARROW, message, span, "give the scale more decimals, or widen the range")


def _text(interval: Interval) -> str:
    return f"{interval.low.value:f}..{interval.high.value:f}"
