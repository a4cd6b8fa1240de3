"""Prove of one exported instance what every instance promises, sharing no code with what generated it.

The proof works on plain data and sets of names: a row as exported, and tables in their JSON form. A world is a set of
truths that could be the valid ones; it is possible if some outcomes, one of each listed action, rule out exactly the
other listed truths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, combinations
from math import isfinite
from typing import Any

Names = frozenset[str]
Row = Mapping[str, Any]


def check_instance(row: Row, tables: Mapping[str, Any], *, giveaways: bool = False) -> list[str]:
    """The promises that ``row`` breaks, as sentences; where the list is empty, all are proved.

    ``row`` has ``mode`` ("fair" or "paper"), the lists of names ``truths``, ``actions`` and ``valid_truths``, and
    ``observations``: for each action ``{"action": name, "label": str | None, "value": float | None, "text": str}``, the
    text being what the player is shown. ``tables`` is what :func:`kumoc.tables.to_json` gives. With ``giveaways`` an
    instance in paper mode may be one.
    """
    broken = list(_check_names(row, tables))
    if broken:
        return broken  # what names stand for nothing can be proved about
    broken += _check_observations(row, tables)
    broken += _check_worlds(row, tables, giveaways=giveaways)
    return broken


def _check_names(row: Row, tables: Mapping[str, Any]) -> Iterator[str]:
    if row["mode"] not in {"fair", "paper"}:
        yield f"{row['mode']!r} is no mode."
    for kind in ("truths", "actions"):
        listed: Sequence[str] = row[kind]
        known = {entry["name"] for entry in tables[kind]}
        yield from (f"{name!r} is not among the domain's {kind}." for name in listed if name not in known)
        yield from (f"{name!r} is listed more than once." for name, times in Counter(listed).items() if times > 1)
    valid = row["valid_truths"]
    yield from (f"{name!r} is valid but not listed." for name in valid if name not in row["truths"])
    if not 0 < len(set(valid)) == len(valid) < len(row["truths"]):
        yield "The valid truths are not at least one listed truth, each named once, and not all of them."
    if Counter(seen["action"] for seen in row["observations"]) != Counter(row["actions"]):
        yield "The observations are not one for each listed action."


def _check_observations(row: Row, tables: Mapping[str, Any]) -> Iterator[str]:
    actions = {action["name"]: action for action in tables["actions"]}
    valid = set(row["valid_truths"])
    left = set(row["truths"]) - valid
    for seen in row["observations"]:
        action = actions[seen["action"]]
        if action["scale"] is not None and not _is_written_with(seen["value"], action["scale"]["decimals"]):
            yield f"{seen['action']}: {seen['value']!r} is no number with {action['scale']['decimals']} decimals."
            continue
        if seen["text"] != _text(seen, action["scale"]):
            yield f"{seen['action']}: the player is shown {seen['text']!r}, which is not what was observed."
        fitting = [outcome for outcome in action["outcomes"] if _fits(seen, outcome)]
        if len(fitting) != 1:
            yield f"{seen['action']}: the observation fits {len(fitting)} outcomes, not one."
        for outcome in fitting:
            yield from (
                f"{seen['action']}: the observation rules out {name!r}, which is valid."
                for name in outcome["rules_out"]
                if name in valid
            )
            left -= set(outcome["rules_out"])
    yield from (f"No observation rules out {name!r}, which is not valid." for name in row["truths"] if name in left)


def _is_written_with(value: object, decimals: int) -> bool:
    """Whether ``value`` is a number whose shortest form has at most ``decimals`` digits after the point."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return False
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return isinstance(exponent, int) and exponent >= -decimals


def _text(seen: Mapping[str, Any], scale: Mapping[str, Any] | None) -> str:
    """What a player must be shown: the label, or the value with all its decimals and its unit."""
    if scale is None:
        return str(seen["label"])
    return f"{seen['value']:.{scale['decimals']}f} {scale['unit']}".rstrip()


def _fits(seen: Mapping[str, Any], outcome: Mapping[str, Any]) -> bool:
    """Whether ``seen`` shows ``outcome``: its label and no value, or no label and a value strictly inside its range."""
    if "label" in outcome:
        return seen["value"] is None and seen["label"] == outcome["label"]
    return seen["label"] is None and outcome["low"] < seen["value"] < outcome["high"]


def _check_worlds(row: Row, tables: Mapping[str, Any], *, giveaways: bool) -> Iterator[str]:
    listed = frozenset(row["truths"])
    results = {
        action["name"]: [listed.intersection(o["rules_out"]) for o in action["outcomes"]]
        for action in tables["actions"]
    }
    book = [results[name] for name in row["actions"]]
    worlds = [frozenset(world) for world in combinations(row["truths"], len(row["valid_truths"]))]
    if row["mode"] == "fair":
        for world in worlds:
            if not _is_possible(world, listed, book):
                yield f"Not fair: {' and '.join(map(repr, sorted(world)))} cannot be valid."
    elif not giveaways:
        common = listed
        for world in worlds:
            # a world that holds all that is common so far cannot change the verdict
            if common - world and _is_possible(world, listed, book):
                common &= world
        if common:
            yield "A giveaway: what is valid follows from the book alone."


def _is_possible(world: Names, listed: Names, book: Sequence[Sequence[Names]]) -> bool:
    offers = [[ruled_out for ruled_out in results if not ruled_out & world] for results in book]
    return all(offers) and _can_rule_out(listed - world, offers)


def _can_rule_out(left: Names, offers: Sequence[Sequence[Names]]) -> bool:
    """Whether one result of each of ``offers`` can be taken so that together they rule out all of ``left``.

    The truth that the fewest actions can rule out is tried first, by each of its actions in turn.
    """
    if not left:
        return True
    able: dict[str, list[int]] = {name: [] for name in left}
    for i, results in enumerate(offers):
        for name in left.intersection(chain.from_iterable(results)):
            able[name].append(i)
    hardest = min(left, key=lambda name: (len(able[name]), name))
    return any(
        _can_rule_out(left - taken, [*offers[:i], *offers[i + 1 :]])
        for i in able[hardest]
        for taken in offers[i]
        if hardest in taken
    )
