"""A picture of a domain: a row for each truth, a column for each outcome, arcs between truths that are alike.

Nearly every action of a domain can rule out nearly every truth, so that lines between them would cover each other. In
place of lines, the picture is the table itself, ordered so that like stands by like.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from kumoc.evaluate.plots import COLOURS, STYLE, image
from kumoc.survey.kinship import Kinship
from kumoc.survey.layout import (
    ARCS,
    BARS,
    KEY,
    KEY_FONT,
    LINE,
    MARGIN,
    PERCENT,
    SLANT,
    STRIP,
    TITLE_FONT,
    Layout,
    layout,
)
from kumoc.survey.structure import Pair, Structure
from kumoc.survey.words import Words, letters, words_of

_INK, _QUIET, _GROUND, _ALARM = "#1c1c1c", "#666666", "#f1f1f1", "#b00020"


def colour(number: int) -> str:
    """The colour of a community; after some they come again, which its letters make up for."""
    return COLOURS[number % len(COLOURS)]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that fills its ``place``."""

    place: Layout
    figure: Figure

    def file(self, kind: str) -> bytes:
        """As svg or png; letters stay letters in svg, so that its reader shows them in fonts of its own."""
        with mpl.rc_context({"svg.fonttype": "none"}), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a png shows a box in its place
            return image(self.figure, kind)


def picture(structure: Structure, kin: Kinship) -> Picture:
    """The picture; equal tables give equal bytes under one version of the library."""
    with mpl.rc_context(STYLE):
        words = words_of(structure, kin)
        place = layout(structure, kin, words)
        figure = Figure(figsize=(place.width, place.height))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, place.width), ylim=(place.height, 0))
        axes.axis("off")
        _draw_title(axes, words)
        _draw_actions(axes, structure, words, place)
        for number, community in enumerate(kin.communities):
            _draw_community(axes, structure, words, place, number, community)
        _draw_arcs(axes, structure, kin, place)
        _draw_bars(axes, structure, words, place)
        _draw_legend(axes, words, place)
    return Picture(place, figure)


def _draw_title(axes: Axes, words: Words) -> None:
    axes.text(MARGIN, MARGIN + 0.11, words.title, fontsize=TITLE_FONT, weight="bold", color=_INK)
    for i, line in enumerate(words.lines):
        axes.text(MARGIN, MARGIN + 0.33 + i * LINE, line, fontsize=KEY_FONT + 1, color=_QUIET)


def _draw_actions(axes: Axes, structure: Structure, words: Words, place: Layout) -> None:
    for action, ((start, end), heading) in enumerate(zip(place.blocks, words.headings, strict=True)):
        height = place.bottom - place.top
        axes.add_artist(Rectangle((start, place.top), end - start, height, color=_GROUND, linewidth=0))
        axes.text(
            (start + end) / 2,
            place.top - 0.06,
            heading,
            rotation=SLANT,
            rotation_mode="anchor",
            va="center",
            fontsize=place.font,
            color=_ALARM if action in structure.idle else _INK,
        )


def _draw_community(
    axes: Axes, structure: Structure, words: Words, place: Layout, number: int, community: Sequence[int]
) -> None:
    troubled = {*structure.giveaways, *(truth for group in structure.inseparable for truth in group)}
    upper, lower = place.rows[community[0]], place.rows[community[-1]] + place.row
    _draw_letters(axes, number, (place.left - STRIP - 0.03, upper, STRIP, lower - upper), place.font)
    for truth in community:
        y = place.rows[truth]
        axes.text(
            place.left - STRIP - 0.09,
            y + place.row / 2,
            words.labels[truth],
            ha="right",
            va="center_baseline",
            fontsize=place.font,
            color=_ALARM if truth in troubled else _INK,
            weight="bold" if truth in troubled else "normal",
        )
        filled = _filled(structure, place, truth)
        if filled:
            axes.add_artist(PathPatch(Path.make_compound_path(*filled), color=colour(number), linewidth=0))


def _draw_letters(axes: Axes, number: int, box: tuple[float, float, float, float], font: float) -> None:
    """A box in the colour of a community with its letters, in whichever ink is easier to read on it."""
    x, y, width, height = box
    axes.add_artist(Rectangle((x, y), width, height, color=colour(number), linewidth=0))
    red, green, blue = to_rgb(colour(number))
    ink = "white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else _INK
    middle = x + width / 2, y + height / 2
    axes.text(*middle, letters(number), color=ink, ha="center", va="center", fontsize=font, weight="bold")


def _filled(structure: Structure, place: Layout, truth: int) -> list[Path]:
    """A rectangle for each run of outcomes that leave ``truth`` standing."""
    inset = place.row * 0.14
    y, height = place.rows[truth] + inset, place.row - 2 * inset
    actions = zip(place.blocks, structure.columns, structure.tables.actions, strict=True)
    return [
        _rectangle(start + first * place.slot, y, count * place.slot, height)
        for (start, _), column, action in actions
        for first, count in _kept(column[truth], len(action.outcomes))
    ]


def _kept(ruled_out: int, outcomes: int) -> Iterator[tuple[int, int]]:
    """(first, how many) of each run of outcomes that do not rule a truth out."""
    first = 0
    for i in range(outcomes + 1):
        if i == outcomes or ruled_out >> i & 1:
            if first < i:
                yield first, i - first
            first = i + 1


def _rectangle(x: float, y: float, width: float, height: float) -> Path:
    return Path([(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)], closed=True)


def _draw_arcs(axes: Axes, structure: Structure, kin: Kinship, place: Layout) -> None:
    """Thin arcs for truths that few actions tell apart, in the order of how few; then those that none does."""
    community = {truth: i for i, part in enumerate(kin.communities) for truth in part}
    alike = {(one, other) for group in structure.inseparable for one, other in pairwise(group)}
    numbers = [structure.apart[pair] for pair in kin.near]
    least, most = min(numbers, default=0), max(numbers, default=0)
    for pair in sorted(set(kin.near) - alike, key=lambda each: (-structure.apart[each], each)):
        one, other = (community[truth] for truth in pair)
        closeness = (most - structure.apart[pair]) / max(1, most - least)
        style = {"edgecolor": colour(one) if one == other else "#9a9a9a", "linewidth": 0.35 + 1.3 * closeness**2}
        axes.add_artist(PathPatch(_arc(pair, place), facecolor="none", **style))
    for pair in structure.shadowed:
        axes.add_artist(PathPatch(_arc(pair, place), facecolor="none", edgecolor=_ALARM, linewidth=1.1, linestyle="--"))
    for pair in sorted(alike):
        axes.add_artist(PathPatch(_arc(pair, place), facecolor="none", edgecolor=_ALARM, linewidth=2.4))


def _arc(pair: Pair, place: Layout) -> Path:
    high, low = sorted(place.rows[truth] + place.row / 2 for truth in pair)
    span = place.bottom - place.top
    x, reach = place.right + 0.07, (0.12 + (ARCS - 0.2) * ((low - high) / span) ** 0.6) * 4 / 3
    path = [(x, high), (x + reach, high), (x + reach, low), (x, low)]
    return Path(path, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])


def _draw_bars(axes: Axes, structure: Structure, words: Words, place: Layout) -> None:
    ground = place.bottom + 0.1
    for (start, end), share in zip(place.blocks, structure.telling, strict=True):
        axes.add_artist(Rectangle((start, ground), end - start, BARS * share, color="#777777", linewidth=0))
    for share in (0.0, 0.5, 1.0):
        y = ground + BARS * share
        axes.plot((place.left, place.right), (y, y), color="#cccccc", linewidth=0.5, zorder=0)
        axes.text(place.left - 0.06, y, f"{share:.0%}", ha="right", va="center", fontsize=KEY_FONT - 0.5, color=_QUIET)
    at = place.left - PERCENT, ground + BARS / 2
    axes.text(*at, words.caption, ha="right", va="center", fontsize=KEY_FONT - 0.5, color=_QUIET)


def _draw_legend(axes: Axes, words: Words, place: Layout) -> None:
    for i, (kind, meaning) in enumerate(words.keys):
        y = place.legend + (i + 0.5) * LINE
        _draw_key(axes, kind, y)
        axes.text(KEY, y, meaning, va="center", fontsize=KEY_FONT, color=_INK)


def _draw_key(axes: Axes, kind: str, y: float) -> None:
    match kind:
        case "slots":
            axes.add_artist(Rectangle((MARGIN, y - 0.06), 0.36, 0.12, color=_GROUND, linewidth=0))
            axes.add_artist(Rectangle((MARGIN + 0.09, y - 0.06), 0.09, 0.12, color=COLOURS[0], linewidth=0))
        case "strip":
            for i in range(3):
                _draw_letters(axes, i, (MARGIN + 0.12 * i, y - 0.06, 0.12, 0.12), 6)
        case "arc" | "alike" | "shadowed":
            style = {"arc": (COLOURS[0], 1.0, "-"), "alike": (_ALARM, 2.4, "-"), "shadowed": (_ALARM, 1.1, "--")}[kind]
            axes.plot((MARGIN, MARGIN + 0.36), (y, y), color=style[0], linewidth=style[1], linestyle=style[2])
