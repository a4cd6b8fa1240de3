"""Where everything stands in the picture of a domain, in inches from its top left corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from kumoc.survey.kinship import Kinship
from kumoc.survey.structure import Structure
from kumoc.survey.words import Words

SLANT = 60
"""Degrees by which the names of actions are turned."""
ARCS = 1.5
"""Inches for the arcs that join truths."""
BARS = 0.45
"""Inches for the bars of actions."""
STRIP = 0.2
"""Inches for the letters of communities."""
KEY, KEY_FONT, LINE = 0.72, 7.0, 0.17
"""Inches from the left to the words of the legend, their size in points, and inches from line to line."""
PERCENT = 0.42
"""Inches for the percentages beside the bars."""
TITLE_FONT = 13.0
MARGIN = 0.25
"""Inches that are left free all around."""

_BOLD = 1.15
_COMMUNITY_GAP = 0.09
_FEW, _MANY = 14, 40
"""Rows up to which they are tall, and from which on they are low."""
_TALL, _LOW = 0.24, 0.155
_WIDE, _NARROW = 0.15, 0.048
_LACKING = 0x2E80
"""Where signs of East Asia begin, which the font lacks."""
_ALL_SLOTS = 9.0
"""Inches that all outcomes side by side should take."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``rows`` are the upper edges of truths, and ``blocks`` the left and right edges of actions, by position.

    The table goes from ``left`` and ``top`` to ``right`` and ``bottom``. A row is ``row`` high, an outcome ``slot``
    wide, and names are ``font`` points large. ``legend`` is its upper edge.
    """

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float
    row: float
    slot: float
    font: float
    legend: float
    rows: tuple[float, ...]
    blocks: tuple[tuple[float, float], ...]


def layout(structure: Structure, kin: Kinship, words: Words) -> Layout:
    """Where there is room for it all."""
    tables = structure.tables
    row = _between(len(tables.truths), _TALL, _LOW)
    font = min(9.0, row * 72 * 0.66)
    outcomes = sum(len(action.outcomes) for action in tables.actions)
    slot = min(_WIDE, max(_NARROW, _ALL_SLOTS / max(1, outcomes)))
    gap = max(0.06, row - 2 * slot)
    left = MARGIN + max(
        _widest(words.labels, font) * _BOLD + 0.12 + STRIP, _widest(words.caption.split("\n"), KEY_FONT) + PERCENT
    )
    top = MARGIN + 0.4 + LINE * len(words.lines) + 0.87 * _widest(words.headings, font)
    starts = accumulate((len(tables.actions[action].outcomes) * slot + gap for action in kin.actions), initial=left)
    edges = dict(zip(kin.actions, ((start, end - gap) for start, end in pairwise(starts)), strict=True))
    rows, y = {}, top
    for community in kin.communities:
        for truth in community:
            rows[truth] = y
            y += row
        y += _COMMUNITY_GAP
    right, bottom = max(end for _, end in edges.values()), y - _COMMUNITY_GAP
    legend = bottom + BARS + 0.3
    widths = (
        right + max(ARCS, _overhang(edges, words.headings, font, right)),
        KEY + _widest([meaning for _, meaning in words.keys], KEY_FONT),
        MARGIN + _widest(words.lines, KEY_FONT + 1),
        MARGIN + _widest([words.title], TITLE_FONT) * _BOLD,
    )
    return Layout(
        width=max(widths) + MARGIN,
        height=legend + LINE * len(words.keys) + MARGIN,
        left=left,
        top=top,
        right=right,
        bottom=bottom,
        row=row,
        slot=slot,
        font=font,
        legend=legend,
        rows=tuple(rows[truth] for truth in range(len(rows))),
        blocks=tuple(edges[action] for action in range(len(edges))),
    )


def _between(count: int, tall: float, low: float) -> float:
    share = min(1.0, max(0.0, (count - _FEW) / (_MANY - _FEW)))
    return tall + (low - tall) * share


def _overhang(edges: dict[int, tuple[float, float]], headings: Sequence[str], font: float, right: float) -> float:
    """By how much slanted names reach beyond ``right``."""
    return max(sum(edges[action]) / 2 + 0.5 * _inches(name, font) - right for action, name in enumerate(headings))


def _widest(texts: Sequence[str], font: float) -> float:
    return max(_inches(text, font) for text in texts)


def _inches(text: str, font: float) -> float:
    """How long a text is; a sign that the font lacks counts as wide as the font is high."""
    known = "".join(sign for sign in text if ord(sign) < _LACKING)
    width, _, _ = text_to_path.get_text_width_height_descent(known, FontProperties(size=font), ismath=False)
    return (float(width) + font * (len(text) - len(known))) / 72
