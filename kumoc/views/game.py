"""The game view: one row an instance, with all that is needed to play it and to check it.

Its first six columns are those of the published KUMO datasets, by name and type, for the scripts that read them.
What a player could not find within the limit on work is null, never a guess: a row is exact if nothing in it is.
``docs/dataset.md`` explains every column; ``schemas/instance.schema.json`` is the form of a row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from kumoc.benchmark import Mode
from kumoc.edition import Shown
from kumoc.generate.instance import Instance, Observation
from kumoc.solve import Bounds
from kumoc.tables import Action, Outcome, Range
from kumoc.views.play import Play

Row = dict[str, Any]
"""A row of a view: each column's value by its name."""

_LIST = ["string"]
_RULES = [
    {
        "action": "string",
        "label": "string",
        "low": "double",
        "high": "double",
        "closed": "bool",
        "unit": "string",
        "rules_out": _LIST,
    }
]
_OBSERVATIONS = [{"action": "string", "label": "string", "value": "double", "text": "string"}]
_RENAMED = [{"kind": "string", "action": "string", "shown": "string", "name": "string"}]

GAME_COLUMNS: dict[str, Any] = {
    # as published by KUMO
    "knowledge_book": "string",
    "action_list": _LIST,
    "truth_list": _LIST,
    "optimal_action_cnt": "int64",
    "observation": "string",
    "ground_truth": "string",
    # the project's own
    "instance_id": "string",
    "domain": "string",
    "size": "string",
    "mode": "string",
    "seed": "int64",
    "truths": _LIST,
    "actions": _LIST,
    "valid_truths": _LIST,
    "observations": _OBSERVATIONS,
    "rules": _RULES,
    "exact_expected_actions": "double",
    "exact_lower_bound": "double",
    "exact_upper_bound": "double",
    "exact_optimal_actions": _LIST,
    "exact_trajectory": _LIST,
    "exact_trajectory_length": "int64",
    "paper_expected_actions": "double",
    "paper_lower_bound": "double",
    "paper_upper_bound": "double",
    "paper_optimal_actions": _LIST,
    "paper_trajectory": _LIST,
    "paper_trajectory_length": "int64",
    "style": "string",
    "language": "string",
    "variant": "string",
    "renamed": _RENAMED,
    "canary": "string",
}
"""Columns and their types: a name of an Arrow type, ``[type]`` for a list, ``{field: type}`` for a struct."""

IDENTIFYING = ("instance_id", "domain", "size", "style", "language", "variant")
"""The columns that say which row it is, in every view."""

EXPECTED_DECIMALS = 9
"""Digits of an exported expectation: fewer than a double has, so that no order of summation shows in a row."""

_NOISE = 1e-12
"""More than the order of summation ever makes of a difference."""

PUBLISHED_EXTRA_STEPS = 2
"""KUMO's published counts are the real number of actions plus the named truth, which they count twice."""


def game_row(shown: Shown, size: str, mode: Mode, book: str, exact: Play, paper: Play, canary: str = "") -> Row:
    """The row of an instance as it is shown, in the order of :data:`GAME_COLUMNS`; ``canary`` is its release's."""
    instance = shown.instance
    meant = _meant(instance)
    truths, names, observations = meant["truths"], meant["actions"], meant["observations"]
    row = {
        "knowledge_book": book,
        "action_list": names,
        "truth_list": truths,
        "optimal_action_cnt": _published_count(paper),
        "observation": json.dumps(
            {seen["action"]: seen["value"] if seen["label"] is None else seen["label"] for seen in observations},
            ensure_ascii=False,
        ),
        "ground_truth": meant["valid_truths"][0],
        "instance_id": _identity(meant if shown.original is instance else _meant(shown.original)),
        "domain": meant["domain"],
        "size": size,
        "mode": str(mode),
        "seed": instance.seed,
        "truths": truths,
        "actions": names,
        "valid_truths": meant["valid_truths"],
        "observations": observations,
        "rules": meant["rules"],
    }
    edition = {
        "style": shown.edition.book.style,
        "language": instance.tables.language,
        "variant": str(shown.edition.variant),
        "renamed": [asdict(renamed) for renamed in shown.renamed],
        "canary": canary,
    }
    return row | _columns("exact", exact, names) | _columns("paper", paper, names) | edition


def _meant(instance: Instance) -> Row:
    """What the player meets and what is true: the columns that make an instance what it is."""
    truths = [instance.tables.truths[i].name for i in instance.truths]
    actions = [instance.tables.actions[i] for i in instance.actions]
    return {
        "domain": instance.tables.domain,
        "truths": truths,
        "actions": [action.name for action in actions],
        "valid_truths": [truths[i] for i in instance.valid],
        "observations": [_observation(*pair) for pair in zip(actions, instance.observations, strict=True)],
        "rules": list(_rules(instance, truths)),
    }


def is_exact(row: Row) -> bool:
    """Whether both players' expectations, optimal first actions and trajectories by the first of these are known."""
    return all(row[column] is not None for column in GAME_COLUMNS)


def bracket_width(row: Row) -> float:
    """The larger of the two players' distances between bounds, in actions; 0 where both expectations are known."""
    widths: list[float] = [row[f"{player}_upper_bound"] - row[f"{player}_lower_bound"] for player in ("exact", "paper")]
    return round(max(widths), EXPECTED_DECIMALS)


def _identity(meant: Row) -> str:
    """The domain and a digest of what is met and true under the domain's own names, in any release and edition."""
    digest = hashlib.sha256(json.dumps(list(meant.values()), ensure_ascii=False).encode()).hexdigest()
    return f"{meant['domain']}-{digest[:16]}"


def _published_count(paper: Play) -> int | None:
    return None if paper.optimal is None else len(paper.trajectory) + PUBLISHED_EXTRA_STEPS


def _columns(player: str, play: Play, names: list[str]) -> Row:
    lower, upper = rounded(play.bounds)
    return {
        f"{player}_expected_actions": lower if lower == upper else None,
        f"{player}_lower_bound": lower,
        f"{player}_upper_bound": upper,
        f"{player}_optimal_actions": None if play.optimal is None else [names[i] for i in play.optimal],
        f"{player}_trajectory": [names[i] for i in play.trajectory],
        f"{player}_trajectory_length": len(play.trajectory),
    }


def rounded(bounds: Bounds, decimals: int = EXPECTED_DECIMALS) -> tuple[float, float]:
    """Both bounds to so many decimals: a known value to the nearest, a bracket outwards, so that it holds."""
    if bounds.gap <= _NOISE:
        return (round(bounds.upper, decimals),) * 2
    unit = Decimal(1).scaleb(-decimals)
    lower = Decimal(bounds.lower + _NOISE).quantize(unit, ROUND_FLOOR)
    upper = Decimal(bounds.upper - _NOISE).quantize(unit, ROUND_CEILING)
    return float(lower), float(upper)


def _observation(action: Action, seen: Observation) -> Row:
    key = action.outcomes[seen.outcome].key
    if isinstance(key, str):
        return {"action": action.name, "label": key, "value": None, "text": key}
    assert seen.value is not None and action.scale is not None
    text = f"{seen.value:.{action.scale.decimals}f} {action.scale.unit}".rstrip()
    return {"action": action.name, "label": None, "value": float(seen.value), "text": text}


def _rules(instance: Instance, truths: list[str]) -> Iterator[Row]:
    for position in instance.actions:
        action = instance.tables.actions[position]
        for outcome in action.outcomes:
            ruled_out = [name for i, name in zip(instance.truths, truths, strict=True) if outcome.excludes >> i & 1]
            yield _rule(action, outcome) | {"rules_out": ruled_out}


def _rule(action: Action, outcome: Outcome) -> Row:
    key = outcome.key
    return {
        "action": action.name,
        "label": key if isinstance(key, str) else None,
        "low": float(key.low) if isinstance(key, Range) else None,
        "high": float(key.high) if isinstance(key, Range) else None,
        "closed": key.closed if isinstance(key, Range) else None,
        "unit": action.scale.unit if action.scale else None,
    }
