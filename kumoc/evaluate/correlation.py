"""How success in the game goes along with scores from elsewhere."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from math import isfinite, nan

import numpy as np

from kumoc.evaluate.cautions import some
from kumoc.evaluate.estimates import balanced_mean
from kumoc.evaluate.groups import groups
from kumoc.evaluate.plays import Plays, PlaysError
from kumoc.evaluate.scores import key_columns
from kumoc.evaluate.settings import Scores, Settings
from kumoc.evaluate.tables import Cell, Column, Table

LEAST = 3
"""Models that a correlation takes."""


def read_scores(text: str, place: str) -> Scores:
    """Scores in CSV: a column ``model``, each once, and one for each score, finite numbers or nothing.

    Raises PlaysError.
    """
    rows = list(csv.DictReader(StringIO(text), restval=""))
    if not rows or "model" not in rows[0]:
        raise PlaysError(place, "has no column 'model' or no rows", "give a CSV file: model,score,other score")
    names = [name for name in rows[0] if name not in ("model", None)]
    scores: dict[str, dict[str, float]] = {name: {} for name in names}
    met: set[str] = set()
    for number, row in enumerate(rows, start=2):
        model = row["model"].strip()
        if model in met:
            raise PlaysError(f"{place}:{number}", f"{model!r} is there twice", "give each model one line")
        met.add(model)
        for name in names:
            if cell := row[name].strip():
                scores[name][model] = _number(cell, f"{place}:{number}", name)
    return scores


def _number(cell: str, place: str, name: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise PlaysError(place, f"{name} is no number: {cell!r}")
    return number


def correlation(plays: Plays, settings: Settings) -> Table:
    """Pearson's and Spearman's correlation of success rates with scores from elsewhere, over models, for each size."""
    success: dict[str, dict[str, float]] = {}
    for group in groups(plays, ("size", "model")):
        size, model = group.names
        values, domains = plays.numbers["success"][group.rows], plays.codes["domain"][group.rows]
        success.setdefault(size, {})[model] = balanced_mean(values, domains)
    rows = tuple(
        (size, name, *_correlated(rates, other))
        for size, rates in success.items()
        for name, other in settings.scores.items()
    )
    columns = (
        *key_columns(("size", "score")),
        Column("models", "models"),
        Column("pearson", "Pearson's r"),
        Column("pearson_p", "p"),
        Column("spearman", "Spearman's rho"),
        Column("spearman_p", "p"),
    )
    notes = (
        f"success rate against a score from elsewhere, over models that have both; at least {LEAST} models",
        *(f"without a score in {name}: {some(missing)}" for name, missing in _missing(plays, settings) if missing),
    )
    return Table("correlation", "Correlation with other scores", columns, rows, notes)


def _missing(plays: Plays, settings: Settings) -> Iterator[tuple[str, list[str]]]:
    """Of each score, the models that have none."""
    for name, scores in settings.scores.items():
        yield name, [model for model in plays.names["model"] if model not in scores]


def _correlated(rates: Mapping[str, float], other: Mapping[str, float]) -> Sequence[Cell]:
    from scipy import stats  # noqa: PLC0415 - takes a second, and few tables need it

    shared = [model for model in rates if model in other]
    ours, theirs = (np.array([values[model] for model in shared]) for values in (rates, other))
    if len(shared) < LEAST or len(np.unique(ours)) < 2 or len(np.unique(theirs)) < 2:
        return len(shared), None, None, None, None
    pearson, spearman = stats.pearsonr(ours, theirs), stats.spearmanr(ours, theirs)
    return len(shared), *(float(x) for x in (pearson.statistic, pearson.pvalue, spearman.statistic, spearman.pvalue))
