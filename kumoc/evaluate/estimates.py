"""Means that count each domain alike, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import special

from kumoc.evaluate.plays import Floats, Ints
from kumoc.evaluate.tables import Interval
from kumoc.generate.draw import derive

CONFIDENCE = 0.95
_BATCH = 2_000_000
"""Numbers drawn at a time."""


def balanced_mean(values: Floats, domains: Ints) -> float:
    """The mean of the domains' means of ``values``; not-a-number counts nowhere, and is the mean of nothing."""
    totals, counts = _totals(values, domains)
    with np.errstate(invalid="ignore"):
        return _mean(totals / counts)


def over_trials(values: Floats, domains: Ints, trials: Ints) -> Interval | None:
    """The t interval of the balanced mean over trials, as in the KUMO paper; None for fewer than two trials."""
    means = np.array([balanced_mean(values[trials == trial], domains[trials == trial]) for trial in np.unique(trials)])
    means = means[np.isfinite(means)]
    if len(means) < 2:
        return None
    half = float(special.stdtrit(len(means) - 1, (1 + CONFIDENCE) / 2) * means.std(ddof=1) / np.sqrt(len(means)))
    middle = balanced_mean(values, domains)
    return Interval(middle - half, middle + half)


def over_instances(
    columns: Sequence[Floats], domains: Ints, instances: Ints, seed: int, resamples: int
) -> list[Interval | None]:
    """For each of ``columns`` the bootstrap interval of its balanced mean, over resamples of instances.

    Instances are drawn with all their trials and within their domain, the same ones for all columns. The interval
    goes from one percentile to the other; None if no domain has two instances with values, for then all resamples are
    alike. Draws depend on ``seed`` alone, under any version of numpy.
    """
    cluster, place = np.unique(instances, return_inverse=True)
    domain_of = np.zeros(len(cluster), dtype=np.int64)
    domain_of[place] = domains
    sums, counts = zip(*(_totals(column, place, len(cluster)) for column in columns), strict=True)
    both = np.stack((*sums, *counts), axis=1)
    means = np.full((len(columns), len(np.unique(domain_of)), resamples), np.nan)
    bits = np.random.PCG64(derive("bootstrap", seed))
    for row, domain in enumerate(np.unique(domain_of)):
        members = both[domain_of == domain]
        done = 0
        for picked in _picks(bits, len(members), resamples):
            drawn = members[picked].sum(axis=1)
            with np.errstate(invalid="ignore", divide="ignore"):
                part = drawn[:, : len(columns)] / drawn[:, len(columns) :]
            means[:, row, done : done + len(picked)] = part.T
            done += len(picked)
    return [
        _percentiles(_mean_over_domains(each)) if np.bincount(domain_of[there > 0]).max(initial=0) > 1 else None
        for each, there in zip(means, counts, strict=True)
    ]


def sign_flips(differences: Floats, weights: Floats, seed: int, patterns: int) -> float:
    """The p value of the paired permutation test that ``weights @ differences`` is 0.

    The sign of each difference is flipped at random: were the two sides alike, each pattern of signs would be equally
    likely. What was observed counts as one of the patterns, so that p is never 0.
    """
    terms = differences * weights
    terms = terms[terms != 0]
    observed = abs(float(terms.sum()))
    bits = np.random.PCG64(derive("permutation", seed))
    sums = np.zeros(patterns)
    for start in range(0, len(terms), step := max(64, _BATCH // patterns)):
        part = terms[start : start + step]
        words = bits.random_raw(patterns * -(-len(part) // 64)).astype("<u8").reshape(patterns, -1)
        signs = np.unpackbits(words.view(np.uint8), axis=1, count=len(part))
        sums += part.sum() - 2 * (signs @ part)
    # sums that should tie differ by the order of summation
    return float((1 + (np.abs(sums) >= observed * (1 - 1e-9)).sum()) / (1 + patterns))


def shuffled(values: Ints, strata: Ints, seed: int, count: int) -> Iterator[Ints]:
    """``count`` rows, some at a time: ``values`` in a random order, each within its stratum; strata must ascend."""
    bits = np.random.PCG64(derive("shuffle", seed))
    step = max(1, _BATCH // len(values))
    for start in range(0, count, step):
        rows = min(step, count - start)
        fractions = (bits.random_raw(rows * len(values)) >> np.uint64(11)).reshape(rows, -1) / 2.0**53
        yield values[np.argsort(strata + fractions, axis=1)]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p values adjusted for their number by Holm's step-down method; None stays None and counts for nothing."""
    order = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, i) in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * p))
        adjusted[i] = least
    return adjusted


def domain_weights(domains: Ints) -> Floats:
    """A weight for each entry, such that the weighted sum is the balanced mean."""
    counts = np.bincount(domains)
    weights: Floats = 1.0 / (counts[domains] * np.count_nonzero(counts))
    return weights


def _totals(values: Floats, groups: Ints, length: int = 0) -> tuple[Floats, Floats]:
    """The sum and the number of the values that are numbers, by group."""
    there = np.isfinite(values)
    totals = np.bincount(groups[there], weights=values[there], minlength=length)
    return totals.astype(np.float64), np.bincount(groups[there], minlength=length).astype(np.float64)


def _mean(values: Floats) -> float:
    there = values[np.isfinite(values)]
    return float(there.mean()) if len(there) else float("nan")


def _mean_over_domains(means: Floats) -> Floats:
    """The mean over the first axis of what is a number there."""
    there = np.isfinite(means)
    with np.errstate(invalid="ignore"):
        found: Floats = np.where(there, means, 0).sum(axis=0) / there.sum(axis=0)
    return found


def _picks(bits: np.random.PCG64, size: int, resamples: int) -> Iterator[Ints]:
    """Rows of ``size`` positions below ``size``, ``resamples`` in all.

    Of the generators of numpy only raw bits stay the same in all versions; the bias of a remainder of 64 of them does
    not matter.
    """
    step = max(1, _BATCH // size)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        raw = bits.random_raw(rows * size) % np.uint64(size)
        yield raw.astype(np.int64).reshape(rows, size)


def _percentiles(values: Floats) -> Interval | None:
    there = values[np.isfinite(values)]
    if not len(there):
        return None
    low, high = np.quantile(there, ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2))
    return Interval(float(low), float(high))
