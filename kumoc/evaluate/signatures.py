"""Whether a model's success depends on the graph of the instance: the statistics of the KUMO paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kumoc.evaluate.estimates import shuffled
from kumoc.evaluate.groups import groups
from kumoc.evaluate.instances import Instances, by_instance
from kumoc.evaluate.plays import Floats, Ints, Plays
from kumoc.evaluate.scores import key_columns
from kumoc.evaluate.settings import ALWAYS, Settings
from kumoc.evaluate.tables import Cell, Column, Table
from kumoc.generate.draw import derive

ALL = "all"
"""What stands for all domains together."""


@dataclass(frozen=True, slots=True)
class Independence:
    """Pearson's chi-square test of independence of a table of counts, and how strong the dependence is.

    ``v`` is Cramér's V, ``corrected`` its bias-corrected form (Bergsma 2013); None, as ``p``, where one of the two
    variables has a single value.
    """

    chi2: float
    freedom: int
    p: float | None
    v: float | None
    corrected: float | None


def independence(counts: Ints) -> Independence:
    """The test on a table of counts whose rows and columns are not all 0; there is no continuity correction."""
    from scipy import stats  # noqa: PLC0415 - takes a second, and few tables need it

    rows, columns = counts.shape
    n = int(counts.sum())
    if min(rows, columns) < 2:
        return Independence(0.0, 0, None, None, None)
    found = stats.chi2_contingency(counts, correction=False)
    chi2, freedom = float(found.statistic), int(found.dof)
    v = float(np.sqrt(chi2 / n / (min(rows, columns) - 1)))
    return Independence(chi2, freedom, float(found.pvalue), v, _corrected(chi2 / n, rows, columns, n))


def _corrected(phi2: float, rows: int, columns: int, n: int) -> float | None:
    if n < 2:
        return None
    less = phi2 - (rows - 1) * (columns - 1) / (n - 1)
    left = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    return float(np.sqrt(max(0.0, less) / left)) if left > 0 else None


def signatures(plays: Plays, settings: Settings) -> Table:
    """The test of signature against correctness for each model and size, overall and within each domain.

    An instance is correct if more than half of its trials succeeded. In the permutation tests correctness is shuffled
    among instances: all of them, or, for the overall row, also those of each domain among themselves, which a mere
    difference between domains does not move.
    """
    columns = (
        *key_columns((*ALWAYS, "domain")),
        Column("instances", "instances"),
        Column("signatures", "signatures"),
        Column("correct", "correct"),
        Column("chi2", "chi-square", decimals=2),
        Column("freedom", "df"),
        Column("p", "p"),
        Column("v", "Cramér's V"),
        Column("v_corrected", "bias-corrected V"),
        Column("p_permutation", "permutation p"),
        Column("p_within_domains", "p within domains"),
    )
    rows: list[tuple[Cell, ...]] = []
    for group in groups(plays, ALWAYS):
        instances = by_instance(plays, group.rows, np.full(len(plays), np.nan))
        codes = _codes(plays, instances)
        known = np.flatnonzero(codes >= 0)
        if len(known):
            drawn = derive("signatures", settings.seed, *group.names)
            rows += [
                (*group.names, *row)
                for row in _tests(plays, instances.at(known), codes[known], drawn, settings.permutations)
            ]
    notes = (
        "signature: sorted degrees of truths and of actions, in the graph of which action can rule out which truth",
        "correct: more than half of the trials succeeded; permutation p: correctness shuffled among instances",
        "p within domains: the same among the instances of each domain",
    )
    return Table("signatures", "Graph signature and correctness", columns, tuple(rows), notes)


def _codes(plays: Plays, instances: Instances) -> Ints:
    """A number for each instance's signature; -1 where it is not known."""
    known: dict[object, int] = {None: -1}
    found = [plays.signatures[code] for code in instances.codes.tolist()]
    return np.array([known.setdefault(signature, len(known) - 1) for signature in found], dtype=np.int64)


def _tests(plays: Plays, instances: Instances, codes: Ints, seed: int, shuffles: int) -> Iterator[tuple[Cell, ...]]:
    correct = (2 * instances.successes > instances.trials).astype(np.int64)
    whole = np.zeros(len(codes), dtype=np.int64)
    domains = instances.domains
    within = None
    if len(np.unique(domains)) > 1:
        within = _permutation_p(codes, correct, domains, derive(seed, "within"), shuffles)
    yield ALL, *_test(codes, correct), _permutation_p(codes, correct, whole, derive(seed, ALL), shuffles), within
    for domain in np.unique(domains):
        name, at = plays.names["domain"][domain], domains == domain
        p = _permutation_p(codes[at], correct[at], whole[at], derive(seed, "domain", name), shuffles)
        yield name, *_test(codes[at], correct[at]), p, None


def _test(codes: Ints, correct: Ints) -> tuple[Cell, ...]:
    counts = _crossed(codes, correct)
    found = independence(counts)
    total = int(correct.sum())
    return len(codes), len(counts), total, found.chi2, found.freedom, found.p, found.v, found.corrected


def _crossed(codes: Ints, correct: Ints) -> Ints:
    """Instances by signature and correctness, without rows and columns of zeros."""
    _, row = np.unique(codes, return_inverse=True)
    _, column = np.unique(correct, return_inverse=True)
    counts = np.zeros((row.max() + 1, column.max() + 1), dtype=np.int64)
    np.add.at(counts, (row, column), 1)
    return counts


def _permutation_p(codes: Ints, correct: Ints, strata: Ints, seed: int, shuffles: int) -> float | None:
    """The share of shuffles of ``correct`` within ``strata`` whose chi-square is at least the observed one.

    The margins of the table stay, so that chi-square rises and falls with the sum of squares of the successes of each
    signature over its size: no shuffle needs the whole table.
    """
    if len(np.unique(correct)) < 2 or len(np.unique(codes)) < 2:
        return None
    order = np.argsort(strata, kind="stable")
    _, row = np.unique(codes[order], return_inverse=True)
    sizes = np.bincount(row)

    def statistics(labels: Ints) -> Floats:
        cells = (np.arange(len(labels))[:, None] * len(sizes) + row).ravel()
        successes = np.bincount(cells, weights=labels.ravel(), minlength=len(labels) * len(sizes))
        found: Floats = (successes.reshape(len(labels), -1) ** 2 / sizes).sum(axis=1)
        return found

    seen = correct[order]
    least = float(statistics(seen[None])[0]) * (1 - 1e-9)  # sums that should tie differ by the order of summation
    drawn = shuffled(seen, strata[order], seed, shuffles)
    reached = sum(int((statistics(labels) >= least).sum()) for labels in drawn)
    return (1 + reached) / (1 + shuffles)
