"""The main tables: how often models are right and how many actions they take, and how they play."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kumoc.evaluate.cautions import cautions
from kumoc.evaluate.estimates import balanced_mean, over_instances, over_trials
from kumoc.evaluate.groups import Group, groups, relative_counts
from kumoc.evaluate.plays import KINDS, Floats, Plays
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.tables import Cell, Column, Table
from kumoc.generate.draw import derive
from kumoc.play import Fault
from kumoc.play.metrics import Convention
from kumoc.play.trajectory import FORGIVEN

MEANING = {
    Convention.PAPER: "relative action count in the paper's convention: real actions + 2 of a success, listed "
    "actions + 1 of any other play, over the published optimal count, less 1",
    Convention.OWN: "relative action count: real actions of a success over the exact player's expectation, less 1",
}
BALANCED = "means of the domains' means; 95% intervals: t over trials, bootstrap over instances"


def key_columns(keys: Sequence[str]) -> tuple[Column, ...]:
    """The columns that say which group a row is about."""
    return tuple(Column(key, key, "text") for key in keys)


def scores(plays: Plays, settings: Settings) -> Table:
    """Success and relative action count of each group, with both intervals."""
    relative = relative_counts(plays, settings.convention)
    columns = (
        *key_columns(settings.keys),
        Column("instances", "instances"),
        Column("trajectories", "plays"),
        Column("success", "success"),
        Column("success_t", "t over trials", "interval"),
        Column("success_bootstrap", "bootstrap", "interval"),
        Column("relative", "relative actions"),
        Column("relative_t", "t over trials", "interval"),
        Column("relative_bootstrap", "bootstrap", "interval"),
    )
    rows = tuple(_score(plays, group, relative, settings) for group in groups(plays, settings.keys))
    notes = (BALANCED, MEANING[settings.convention], *cautions(plays, settings.keys))
    return Table("scores", "Success and relative action count", columns, rows, notes)


def _score(plays: Plays, group: Group, relative: Floats, settings: Settings) -> tuple[Cell, ...]:
    at = group.rows
    domains, instances = plays.codes["domain"][at], plays.codes["instance_id"][at]
    trials = plays.numbers["trial"][at].astype(np.int64)
    measured = (plays.numbers["success"][at], relative[at])
    cells: list[Cell] = [*group.names, len(np.unique(instances)), len(at)]
    seed = derive(settings.seed, *group.names)
    intervals = over_instances(measured, domains, instances, seed, settings.resamples)
    for values, interval in zip(measured, intervals, strict=True):
        cells += [balanced_mean(values, domains), over_trials(values, domains, trials), interval]
    return tuple(cells)


def conduct(plays: Plays, settings: Settings) -> Table:
    """How each group plays: what a strict reading makes of it, actions, waste and tokens; means of domains' means."""
    numbers = plays.numbers
    success = numbers["success"] == 1
    won: Floats = np.where(success, numbers["actions_taken"], np.nan)
    figures = (
        (Column("strict_success", "strict success"), numbers["strict_success"]),
        (Column("strict_errors", "parse errors, strict"), plays.errors(strict=True)),
        (Column("errors", "lenient"), plays.errors(strict=False)),
        (Column("actions", "actions of a success", decimals=2), won),
        (Column("exact", "exact player", decimals=2), numbers["exact_expected_actions"]),
        (Column("paper", "paper's player", decimals=2), numbers["paper_trajectory_length"]),
        (Column("repeated", "repeated", decimals=2), numbers["repeated"]),
        (Column("wasted", "wasted", decimals=2), numbers["wasted"]),
        (Column("tokens", "tokens", decimals=0), numbers["tokens"]),
    )
    rows: list[tuple[Cell, ...]] = []
    for group in groups(plays, settings.keys):
        domains = plays.codes["domain"][group.rows]
        rows.append((*group.names, *(balanced_mean(values[group.rows], domains) for _, values in figures)))
    notes = (
        "means over plays of the domains' means",
        "strict success: no parse error that is forgiven otherwise",
        "exact player: actions that it expects to need; paper's player: actions that it takes; both on all instances",
        "repeated, wasted: actions taken before, and actions that could not tell anything",
    )
    columns = (*key_columns(settings.keys), *(column for column, _ in figures))
    return Table("conduct", "How models play", columns, tuple(rows), notes)


def parse_errors(plays: Plays, settings: Settings) -> Table:
    """Numbers of parse errors of each group, by kind."""
    rows: list[tuple[Cell, ...]] = []
    for group in groups(plays, settings.keys):
        inside = np.zeros(len(plays), dtype=bool)
        inside[group.rows] = True
        counts = np.bincount(plays.fault_kind[inside[plays.fault_play]], minlength=len(KINDS)).tolist()
        forgiven = sum(count for kind, count in zip(KINDS, counts, strict=True) if Fault(kind) in FORGIVEN)
        total = sum(counts)
        rows.append((*group.names, len(group.rows), total, total - forgiven, *counts))
    columns = (
        *key_columns(settings.keys),
        Column("trajectories", "plays"),
        Column("strict", "strict"),
        Column("lenient", "lenient"),
        *(Column(kind, kind) for kind in KINDS),
    )
    notes = ("marks and spelling are errors of a strict reading only",)
    return Table("errors", "Parse errors", columns, tuple(rows), notes)
