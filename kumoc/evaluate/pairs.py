"""Two models on the same instances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kumoc.evaluate.estimates import (
    balanced_mean,
    domain_weights,
    holm,
    over_instances,
    sign_flips,
)
from kumoc.evaluate.groups import Group, groups, relative_counts
from kumoc.evaluate.instances import Instances, by_instance
from kumoc.evaluate.plays import Floats, Plays
from kumoc.evaluate.scores import MEANING, key_columns
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.tables import Cell, Column, Interval, Table
from kumoc.generate.draw import derive

_Difference = tuple[float | None, Interval | None, float | None]
"""A mean difference, its interval and p; None where no instance has one."""


@dataclass(frozen=True, slots=True)
class _Pair:
    cells: tuple[Cell, ...]
    success: _Difference
    relative: _Difference


def pairs(plays: Plays, settings: Settings) -> Table:
    """Every pair of models, compared on the instances that both have played.

    The difference of an instance is that of its means over trials, and their balanced mean is given with a bootstrap
    interval over instances. p is that of a permutation test that flips the signs of differences; Holm's correction is
    for all rows of the table, for each of the two measures by itself. Relative action counts are compared on instances
    where both have one.
    """
    keys = tuple(key for key in settings.keys if key != "model")
    relative = relative_counts(plays, settings.convention)
    found = [pair for group in groups(plays, keys) for pair in _pairs_in(plays, group, relative, settings)]
    successes = _with_holm([pair.success for pair in found])
    relatives = _with_holm([pair.relative for pair in found])
    rows = tuple(
        (*pair.cells, *success, *relative) for pair, success, relative in zip(found, successes, relatives, strict=True)
    )
    columns = (
        *key_columns((*keys, "model", "other")),
        Column("instances", "instances"),
        *_columns("success", "success"),
        *_columns("relative", "relative actions"),
    )
    notes = (
        "model less other, on the instances that both played; means of the domains' means over instances",
        "p: paired permutation test; Holm: corrected for all rows of this table",
        MEANING[settings.convention],
    )
    return Table("pairs", "Models compared in pairs", columns, rows, notes)


def _columns(measure: str, heading: str) -> tuple[Column, ...]:
    return (
        Column(f"{measure}_difference", f"{heading}: difference"),
        Column(f"{measure}_bootstrap", "bootstrap", "interval"),
        Column(f"{measure}_p", "p"),
        Column(f"{measure}_holm", "Holm"),
    )


def _with_holm(differences: Sequence[_Difference]) -> list[tuple[Cell, ...]]:
    adjusted = holm([p for *_, p in differences])
    return [(*difference, corrected) for difference, corrected in zip(differences, adjusted, strict=True)]


def _pairs_in(plays: Plays, group: Group, relative: Floats, settings: Settings) -> Iterator[_Pair]:
    models = [
        (model.names[0], by_instance(plays, model.rows, relative)) for model in groups(plays, ("model",), group.rows)
    ]
    for (name, one), (other, two) in combinations(models, 2):
        shared, first, second = np.intersect1d(one.codes, two.codes, assume_unique=True, return_indices=True)
        if len(shared):
            left, right = one.at(first), two.at(second)
            drawn = derive(settings.seed, *group.names, name, other)
            yield _Pair(
                (*group.names, name, other, len(shared)),
                _difference(left.success - right.success, left, drawn, settings),
                _difference(left.relative - right.relative, left, drawn, settings),
            )


def _difference(values: Floats, instances: Instances, seed: int, settings: Settings) -> _Difference:
    there = np.flatnonzero(np.isfinite(values))
    if not len(there):
        return None, None, None
    kept, those = values[there], instances.at(there)
    (interval,) = over_instances((kept,), those.domains, those.codes, seed, settings.resamples)
    p = sign_flips(kept, domain_weights(those.domains), seed, settings.permutations)
    return balanced_mean(kept, those.domains), interval, p
