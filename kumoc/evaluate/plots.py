"""Plots of success and of numbers of actions; the figures of the KUMO paper that they are like are named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

from kumoc.evaluate.estimates import balanced_mean
from kumoc.evaluate.groups import groups, relative_counts
from kumoc.evaluate.plays import Floats, Plays
from kumoc.evaluate.scores import scores
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.tables import Cell, Interval, Table

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8c6d31", "#666666")
"""Told apart by most people who see colours differently (Okabe and Ito)."""
_MARKERS = "osD^vP*X"
_FILLS = ("full", "none", "left", "right")
_LETTER = 0.075
"""Inches that a letter takes, on average and with something to spare."""
_LINE = 0.19
"""Inches that a line of a legend takes."""
_TILTED = 24
"""Letters up to which names that do not fit side by side are tilted; longer ones stand upright."""
_ANNOTATED = 30
"""Columns of a heat map up to which its cells show their numbers."""
_SHOWN = 0.99
"""Share of plays whose numbers of actions a distribution shows."""
_EXACT, _PAPER = "exact player", "paper's player"
STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.parse_math": False,
    "svg.hashsalt": "kumoc",
}


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure under the ``name`` of its file, with a ``caption`` for a report."""

    name: str
    caption: str
    figure: Figure


def plots(plays: Plays, settings: Settings) -> tuple[Plot, ...]:
    """All plots of plays, by model and size whatever else tables are split by."""
    relative = relative_counts(plays, settings.convention)
    figures = scores(plays, replace(settings, by=()))
    with mpl.rc_context(STYLE):
        return (
            Plot(
                "success_actions",
                "Success rate against relative action count, with 95% bootstrap intervals: best is top left. Models "
                "without a relative action count are left out.",
                _scatter(figures),
            ),
            Plot("bars", "Success rate and relative action count, with 95% bootstrap intervals.", _bars(figures)),
            Plot(
                "heatmap_success",
                "Success rate of each model in each domain.",
                _heat_map(plays, "success rate", plays.numbers["success"], "viridis", (0.0, 1.0)),
            ),
            Plot(
                "heatmap_relative",
                "Relative action count of each model in each domain.",
                _heat_map(plays, "relative action count", relative, "viridis_r"),
            ),
            Plot(
                "actions",
                "Shares of all plays of a size, whatever their domain, by the number of actions they take; the axis "
                "ends where 99 of 100 plays do. Dashed: the optimal players, once on each instance.",
                _distribution(plays),
            ),
        )


def image(figure: Figure, kind: str = "png") -> bytes:
    """A figure as a file, png or svg; equal figures give equal bytes under one version of the library."""
    out = BytesIO()
    with mpl.rc_context(STYLE):
        figure.savefig(out, format=kind, dpi=160, metadata={"Date": None} if kind == "svg" else {"Software": None})
    return out.getvalue()


def _scatter(table: Table) -> Figure:
    models, sizes = _distinct(table, "model"), _distinct(table, "size")
    figure = _beside_legend([*models, *sizes], 4.2)
    axes = figure.subplots()
    for row in _rows(table):
        x, y = row["relative"], row["success"]
        if not isinstance(x, float) or not isinstance(y, float) or not np.isfinite(x):
            continue
        number = models.index(str(row["model"]))
        axes.errorbar(
            x,
            y,
            xerr=_reach(x, row["relative_bootstrap"]),
            yerr=_reach(y, row["success_bootstrap"]),
            color=_colour(number),
            marker=_again(_MARKERS, sizes.index(str(row["size"]))),
            fillstyle=_again(_FILLS, number // len(COLOURS)),
            linestyle="none",
            elinewidth=1,
            capsize=2,
        )
    for i, model in enumerate(models):
        fill = _again(_FILLS, i // len(COLOURS))
        axes.plot([], [], color=_colour(i), marker="o", fillstyle=fill, linestyle="none", label=model)
    for i, size in enumerate(sizes):
        axes.plot([], [], color="#444444", marker=_again(_MARKERS, i), linestyle="none", label=size)
    axes.set(xlabel="relative action count", ylabel="success rate", ylim=(-0.02, 1.02))
    axes.grid(color="#e5e5e5")
    figure.legend(frameon=False, loc="outside right upper")
    return figure


def _bars(table: Table) -> Figure:
    """Like Fig. 4."""
    models, sizes = _distinct(table, "model"), _distinct(table, "size")
    slot = max(0.5 * len(sizes), 4.8 / len(models))
    angle = 0 if _length(models) <= slot else 30 if _longest(models) <= _TILTED else 90
    height = 5.2 + _length(models) * np.sin(np.radians(angle))
    figure = Figure(figsize=(1.8 + slot * len(models), height), layout="constrained")
    cells = {(str(row["model"]), str(row["size"])): row for row in _rows(table)}
    panels: Sequence[Axes] = figure.subplots(2, 1, sharex=True)
    width = 0.8 / len(sizes)
    for axes, measure, heading in zip(
        panels, ("success", "relative"), ("success rate", "relative action count"), strict=True
    ):
        for i, size in enumerate(sizes):
            for j, model in enumerate(models):
                row = cells.get((model, size), {})
                value = row.get(measure)
                if isinstance(value, float) and np.isfinite(value):
                    x = j + (i - (len(sizes) - 1) / 2) * width
                    reach = _reach(value, row[f"{measure}_bootstrap"])
                    axes.bar(x, value, width * 0.94, color=_colour(i), yerr=reach, capsize=2, ecolor="#333333")
        axes.set_ylabel(heading)
        axes.grid(axis="y", color="#e5e5e5")
        axes.axhline(0, color="#333333", linewidth=0.8)
    panels[0].set_ylim(0, 1)
    panels[1].set_xticks(range(len(models)), models, rotation=angle, ha="right" if angle == 30 else "center")
    for i, size in enumerate(sizes):
        panels[0].bar([0], [0], color=_colour(i), label=size)
    figure.legend(frameon=False, ncols=min(4, len(sizes)), loc="outside upper center")
    return figure


def _heat_map(
    plays: Plays, heading: str, values: Floats, colours: str, ends: tuple[float, float] | None = None
) -> Figure:
    """Like Fig. 3: a panel for each size, a row for each model, a column for each domain."""
    models, sizes, domains = (plays.names[name] for name in ("model", "size", "domain"))
    means = np.full((len(sizes), len(models), len(domains)), np.nan)
    for group in groups(plays, ("size", "model", "domain")):
        size, model, domain = group.names
        at = sizes.index(size), models.index(model), domains.index(domain)
        means[at] = balanced_mean(values[group.rows], plays.codes["domain"][group.rows])
    width = max(5.0, 1.8 + _length(models) + 0.62 * len(domains))
    height = 0.7 + 0.6 * _length(domains) + len(sizes) * (0.55 + 0.38 * len(models))
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = np.atleast_1d(figure.subplots(len(sizes), 1, sharex=True))
    low, high = ends or _ends(means[np.isfinite(means)])
    picture = None
    for axes, size, panel in zip(panels, sizes, means, strict=True):
        picture = axes.imshow(panel, vmin=low, vmax=high, cmap=colours, aspect="auto")
        axes.set_title(size, loc="left", fontsize=9)
        axes.set_yticks(range(len(models)), models)
        axes.set_xticks(range(len(domains)), domains, rotation=35, ha="right")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        if len(domains) <= _ANNOTATED:
            _annotate(axes, panel, picture)
    if picture is not None:
        figure.colorbar(picture, ax=list(panels), label=heading, shrink=0.9)
    return figure


def _annotate(axes: Axes, panel: Floats, picture: AxesImage) -> None:
    for (i, j), value in np.ndenumerate(panel):
        if np.isfinite(value):
            red, green, blue, _ = picture.to_rgba(np.array(value))
            ink = "white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else "black"
            axes.text(j, i, f"{value:.2f}", ha="center", va="center", color=ink)


def _distribution(plays: Plays) -> Figure:
    """Like Fig. 6c: a panel for each size."""
    sizes, models = plays.names["size"], plays.names["model"]
    figure = _beside_legend([*models, _EXACT, _PAPER], 0.8 + 2.4 * len(sizes))
    panels = np.atleast_1d(figure.subplots(len(sizes), 1))
    for axes, group in zip(
        panels, sorted(groups(plays, ("size",)), key=lambda each: sizes.index(each.names[0])), strict=True
    ):
        for each in groups(plays, ("model",), group.rows):
            shares = _shares(plays.numbers["actions_taken"][each.rows])
            model = models.index(each.names[0])
            marker = _again(_MARKERS, model // len(COLOURS))
            axes.plot(
                range(len(shares)), shares, color=_colour(model), marker=marker, markersize=4, label=each.names[0]
            )
        _, first = np.unique(plays.codes["instance_id"][group.rows], return_index=True)
        for column, label, colour in (
            ("exact_trajectory_length", _EXACT, "#000000"),
            ("paper_trajectory_length", _PAPER, "#999999"),
        ):
            shares = _shares(plays.numbers[column][group.rows[first]])
            if len(shares):
                axes.plot(range(len(shares)), shares, color=colour, linestyle="--", linewidth=1.2, label=label)
        most = np.quantile(plays.numbers["actions_taken"][group.rows], _SHOWN)
        axes.set_xlim(-0.5, most + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(group.names[0], loc="left", fontsize=9)
        axes.set_ylabel("share of plays")
        axes.set_ylim(bottom=0)
        axes.grid(color="#e5e5e5")
    panels[-1].set_xlabel("actions taken")
    named = {label: line for axes in panels for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    order = [label for label in (*models, _EXACT, _PAPER) if label in named]
    figure.legend([named[label] for label in order], order, frameon=False, loc="outside right upper")
    return figure


def _beside_legend(labels: Sequence[str], height: float) -> Figure:
    """A figure of that height, or of more if the legend takes it, wide enough for the legend beside the axes."""
    return Figure(figsize=(5.0 + _length(labels), max(height, _LINE * (len(labels) + 2))), layout="constrained")


def _length(names: Sequence[str]) -> float:
    """Inches that the longest of the names takes."""
    return _LETTER * _longest(names)


def _longest(names: Sequence[str]) -> int:
    return max(map(len, names))


def _shares(counts: Floats) -> Floats:
    there = counts[np.isfinite(counts)].astype(np.int64)
    found: Floats = np.bincount(there) / max(1, len(there))
    return found


def _ends(values: Floats) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    return min(low, 0.0), high if high > low else low + 1.0


def _rows(table: Table) -> Iterator[dict[str, Cell]]:
    keys = [column.key for column in table.columns]
    return (dict(zip(keys, row, strict=True)) for row in table.rows)


def _distinct(table: Table, key: str) -> list[str]:
    return list(dict.fromkeys(str(row[key]) for row in _rows(table)))


def _reach(middle: float, interval: Cell) -> list[list[float]] | None:
    """How far an interval goes to either side, as matplotlib wants it."""
    if not isinstance(interval, Interval):
        return None
    return [[max(0.0, middle - interval.low)], [max(0.0, interval.high - middle)]]


def _colour(number: int) -> str:
    return _again(COLOURS, number)


def _again(things: Sequence[str], number: int) -> str:
    """Things in their order, and over again when there are no more."""
    return things[number % len(things)]
