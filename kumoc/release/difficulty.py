"""How hard the instances of a release are: expected numbers of actions, counted and drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any

from kumoc.solve import Bounds
from kumoc.templating import template

DIFFICULTY_NAME = "difficulty.svg"

BINS = 10
"""Bins an action: each is a tenth wide."""

MOST_LINES = 20
"""Lines of counts in a table."""
BANDS = 2
"""Bands an action, for figures that are given by difficulty: each is a half wide."""

_DUST = 1e-9
"""By less than this a multiple of an expectation, which has nine decimals, may fall short of a whole number."""

_WIDTH, _LEFT, _RIGHT = 720, 56, 704
_TOP, _PANEL, _STEP, _BOTTOM = 52, 96, 140, 52
_MOST_TICKS = 12
_FILLED = 0.92  # of the width of a bin
_LONGEST_BAR = 30


@dataclass(slots=True)
class Histogram:
    """Instances of one size by the exact player's expected number of actions, in bins of a tenth.

    ``known`` counts those whose expectation is known, ``brackets`` the others, by the middle of their bounds. Bin ``b``
    holds ``b / 10 <= x < (b + 1) / 10``.
    """

    known: Counter[int] = field(default_factory=Counter)
    brackets: Counter[int] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row of the game view."""
        self.count(Bounds(row["exact_lower_bound"], row["exact_upper_bound"]))

    def count(self, bounds: Bounds) -> None:
        """Count an instance with these bounds of its expectation."""
        counts = self.known if bounds.exact else self.brackets
        counts[floor((bounds.lower + bounds.upper) / 2 * BINS + _DUST)] += 1

    def __len__(self) -> int:
        """How many instances were counted."""
        return self.known.total() + self.brackets.total()


def difficulty_table(histograms: Mapping[str, Histogram]) -> tuple[str, ...]:
    """The lines of a table: a column of counts for each histogram that has any, by its name, and bars for all together.

    Bins are put together where there would be more than :data:`MOST_LINES` lines.
    """
    counts = {name: histogram.known + histogram.brackets for name, histogram in histograms.items() if len(histogram)}
    bins = set[int]().union(*counts.values())
    width = ceil((max(bins) + 1 - min(bins)) / MOST_LINES)
    rows = {
        start: [sum(column[at] for at in range(start, start + width)) for column in counts.values()]
        for start in range(min(bins), max(bins) + 1, width)
    }
    most = max(map(sum, rows.values()))
    head = f"{'expected':12}" + "".join(f"{name:>10}" for name in counts)
    return head, *(
        f"{start / BINS:4.1f} to {(start + width) / BINS:4.1f}"
        + "".join(f"{count:10,}" for count in row)
        + f"  {'#' * ceil(_LONGEST_BAR * sum(row) / most)}"
        for start, row in rows.items()
    )


def band(expected: float | None) -> str:
    """The name of the band that an instance is in, such as ``1.5 to 2``, by its ``exact_expected_actions``."""
    if expected is None:
        return "unknown"
    at = floor(expected * BANDS + _DUST)
    return f"{at / BANDS:g} to {(at + 1) / BANDS:g}"


def difficulty_svg(histograms: Mapping[str, Histogram]) -> str:
    """A plot with one panel a size, by its name, over one scale of expected actions; equal counts give equal text.

    A size without instances has no panel. The text is an SVG document without scripts, fonts or links.
    """
    shown = {name: histogram for name, histogram in histograms.items() if len(histogram)}
    bins = [at for histogram in shown.values() for at in (*histogram.known, *histogram.brackets)]
    first, last = min(bins, default=0) // BINS, max(bins, default=0) // BINS + 1
    unit = (_RIGHT - _LEFT) / (last - first)
    panels = [
        {
            "name": name,
            "count": len(histogram),
            "top": _TOP + i * _STEP,
            "most": max((histogram.known + histogram.brackets).values()),
            "bars": tuple(_bars(histogram, _TOP + i * _STEP + _PANEL, first, unit)),
        }
        for i, (name, histogram) in enumerate(shown.items())
    ]
    bottom = _TOP + max(0, len(panels) - 1) * _STEP + _PANEL
    ticks = range(first, last + 1, ceil((last - first) / _MOST_TICKS))
    return template("kumoc.release", "difficulty.svg.j2", escaped=True).render(
        width=_WIDTH,
        height=bottom + _BOTTOM,
        left=_LEFT,
        right=_RIGHT,
        panel=_PANEL,
        bar_width=unit / BINS * _FILLED,
        bottom=bottom,
        panels=panels,
        ticks=[(_LEFT + (tick - first) * unit, tick) for tick in ticks],
        brackets=any(histogram.brackets for histogram in shown.values()),
    )


def _bars(histogram: Histogram, ground: float, first: int, unit: float) -> Iterator[tuple[str, float, float, float]]:
    """(kind, x, y, height) of each bar; the instances with brackets stand on those without."""
    most = max((histogram.known + histogram.brackets).values())
    for at in sorted({*histogram.known, *histogram.brackets}):
        x, y = _LEFT + (at / BINS - first) * unit, ground
        for kind, count in (("known", histogram.known[at]), ("bracket", histogram.brackets[at])):
            if count:
                height = _PANEL * count / most
                y -= height
                yield kind, x, y, height
