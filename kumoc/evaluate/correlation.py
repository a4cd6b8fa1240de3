"""How success in the game goes along with scores from elsewhere."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import StringIO

import numpy as np

from kumoc.evaluate.estimates import balanced_mean
from kumoc.evaluate.groups import groups
from kumoc.evaluate.plays import Plays, PlaysError
from kumoc.evaluate.scores import key_columns
from kumoc.evaluate.settings import Scores, Settings
from kumoc.evaluate.tables import Cell, Column, Table

LEAST = 3
"""Models that a correlation takes."""


def read_scores(text: str, place: str) -> Scores:
    """Scores in CSV: a column ``model`` and one for each score, numbers or nothing. Raises PlaysError."""
    rows = list(csv.DictReader(StringIO(text), restval=""))
    if not rows or "model" not in rows[0]:
        raise PlaysError(place, "has no column 'model' or no rows", "give a CSV file: model,score,other score")
    names = [name for name in rows[0] if name not in ("model", None)]
    scores: dict[str, dict[str, float]] = {name: {} for name in names}
    for number, row in enumerate(rows, start=2):
        for name in names:
            cell = row[name].strip()
            try:
                if cell:
                    scores[name][row["model"].strip()] = float(cell)
            except ValueError as error:
                raise PlaysError(f"{place}:{number}", f"{name} is no number: {cell!r}") from error
    return scores


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
    notes = (f"success rate against a score from elsewhere, over models that have both; at least {LEAST} models",)
    return Table("correlation", "Correlation with other scores", columns, rows, notes)


def _correlated(rates: Mapping[str, float], other: Mapping[str, float]) -> Sequence[Cell]:
    from scipy import stats  # noqa: PLC0415 - takes a second, and few tables need it

    shared = [model for model in rates if model in other]
    ours, theirs = (np.array([values[model] for model in shared]) for values in (rates, other))
    if len(shared) < LEAST or len(np.unique(ours)) < 2 or len(np.unique(theirs)) < 2:
        return len(shared), None, None, None, None
    pearson, spearman = stats.pearsonr(ours, theirs), stats.spearmanr(ours, theirs)
    return len(shared), *(float(x) for x in (pearson.statistic, pearson.pvalue, spearman.statistic, spearman.pvalue))
