"""Pass over epochs: how likely one of k plays of an instance succeeds, and how likely all of them do."""

from __future__ import annotations

from math import comb

import numpy as np

from kumoc.evaluate.estimates import balanced_mean
from kumoc.evaluate.groups import groups
from kumoc.evaluate.instances import Instances, by_instance
from kumoc.evaluate.plays import Floats, Plays
from kumoc.evaluate.scores import key_columns
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.tables import Cell, Column, Table

MOST = 10
"""The largest k that is shown."""


def passes(plays: Plays, settings: Settings) -> Table:
    """pass@k and pass^k of each group, for k up to the least number of trials that an instance has.

    Of an instance with c successes in n trials they are the shares of the k-sized selections of its trials that have
    any success, 1 - C(n - c, k) / C(n, k), and nothing else, C(c, k) / C(n, k): both without bias.
    """
    nothing = np.full(len(plays), np.nan)
    found = [(group.names, by_instance(plays, group.rows, nothing)) for group in groups(plays, settings.keys)]
    most = min(MOST, max(int(instances.trials.min()) for _, instances in found))
    rows: list[tuple[Cell, ...]] = []
    for names, instances in found:
        least = int(instances.trials.min())
        cells: list[Cell] = [*names, len(instances.codes), least]
        for any_ in (True, False):
            for k in range(1, most + 1):
                chances = _chances(instances, k, any_=any_) if k <= least else None
                cells.append(None if chances is None else balanced_mean(chances, instances.domains))
        rows.append(tuple(cells))
    ks = range(1, most + 1)
    columns = (
        *key_columns(settings.keys),
        Column("instances", "instances"),
        Column("trials", "trials"),
        *(Column(f"pass_at_{k}", f"pass@{k}") for k in ks),
        *(Column(f"pass_all_{k}", f"pass^{k}") for k in ks),
    )
    notes = (
        "pass@k: any of k plays of an instance succeeds; pass^k: all of them do; means of the domains' means",
        "trials: the least number that an instance of the group has",
    )
    return Table("passes", "Pass over trials", columns, tuple(rows), notes)


def _chances(instances: Instances, k: int, *, any_: bool) -> Floats:
    counted, place = np.unique(np.stack((instances.trials, instances.successes), axis=1), axis=0, return_inverse=True)
    shares = [1 - comb(n - c, k) / comb(n, k) if any_ else comb(c, k) / comb(n, k) for n, c in counted.tolist()]
    return np.array(shares)[place]
