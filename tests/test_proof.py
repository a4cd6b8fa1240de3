"""The independent proof: it accepts good instances, and sees each kind of fault in a spoiled one."""

import ast
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.benchmark import Mode, Size
from kumoc.generate import check_instance, generate, proof
from kumoc.tables import to_json
from tests.sample import make_tables, random_game, random_tables, row, subsets, working

TABLES = make_tables(((1, 2), (2, 4), (4, 8), (8, 1), (1, 4), (2, 8)), 5, measured=[1])
"""Every outcome excludes one truth; the fifth truth is never excluded, so it is never listed in fair mode."""

PLAIN = to_json(TABLES)
MEASURED = 1
Row = dict[str, Any]


@pytest.fixture
def good() -> Row:
    """All six actions, of which the second is measured."""
    instance = row(generate(TABLES, Size("all", 4, 6), 7), Mode.FAIR)
    assert check_instance(instance, PLAIN) == []
    return instance


def _measured(instance: Row) -> dict[str, Any]:
    return next(seen for seen in instance["observations"] if seen["action"] == "action 1")


def _labelled(instance: Row) -> dict[str, Any]:
    return next(seen for seen in instance["observations"] if seen["action"] == "action 0")


def _rename(kind: str) -> Callable[[Row], None]:
    def spoil(instance: Row) -> None:
        instance[kind][0] = "stranger"

    return spoil


def _repeat(kind: str) -> Callable[[Row], None]:
    def spoil(instance: Row) -> None:
        instance[kind].append(instance[kind][0])

    return spoil


def _set(find: Callable[[Row], dict[str, Any]], **changes: object) -> Callable[[Row], None]:
    return lambda instance: find(instance).update(changes)


def _other_truth_valid(instance: Row) -> None:
    instance["valid_truths"] = [next(name for name in instance["truths"] if name not in instance["valid_truths"])]


FAULTS: dict[str, tuple[Callable[[Row], object], str]] = {
    "mode": (lambda instance: instance.update(mode="fare"), "is no mode"),
    "unknown truth": (_rename("truths"), "'stranger' is not among the domain's truths"),
    "unknown action": (_rename("actions"), "'stranger' is not among the domain's actions"),
    "truth twice": (_repeat("truths"), "is listed more than once"),
    "action twice": (_repeat("actions"), "is listed more than once"),
    "valid truth not listed": (_set(lambda i: i, valid_truths=["truth 4"]), "'truth 4' is valid but not listed"),
    "no valid truth": (_set(lambda i: i, valid_truths=[]), "at least one listed truth"),
    "valid truth twice": (_repeat("valid_truths"), "each named once"),
    "all truths valid": (lambda i: i.update(valid_truths=[*i["truths"]]), "not all of them"),
    "another text shown": (_set(lambda i: i["observations"][0], text="something else"), "is shown 'something else'"),
    "action not observed": (lambda i: i["observations"].pop(), "not one for each listed action"),
    "action observed twice": (
        lambda i: i["observations"].append(i["observations"][0]),
        "not one for each listed action",
    ),
    "unlisted action observed": (lambda i: i["actions"].pop(), "not one for each listed action"),
    "no such label": (_set(_labelled, label="label 9"), "action 0: the observation fits 0 outcomes"),
    "label missing": (_set(_labelled, label=None), "action 0: the observation fits 0 outcomes"),
    "value for a label": (_set(_labelled, value=0.3), "action 0: the observation fits 0 outcomes"),
    "label for a value": (_set(_measured, label="label 0"), "action 1: the observation fits 0 outcomes"),
    "value missing": (_set(_measured, value=None), "action 1: None is no number"),
    "value no number": (_set(_measured, value="0.3"), "action 1: '0.3' is no number"),
    "value true": (_set(_measured, value=True), "action 1: True is no number"),
    "value not finite": (_set(_measured, value=float("nan")), "action 1: nan is no number"),
    "value on an edge": (_set(_measured, value=0.5), "action 1: the observation fits 0 outcomes"),
    "value at the end of the scale": (_set(_measured, value=1.0), "action 1: the observation fits 0 outcomes"),
    "value off the scale": (_set(_measured, value=7.5), "action 1: the observation fits 0 outcomes"),
    "too many decimals": (_set(_measured, value=0.25), "action 1: 0.25 is no number with 1 decimals"),
    "another truth valid": (_other_truth_valid, "which is valid"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_seen(fault: str, good: Row) -> None:
    spoil, sentence = FAULTS[fault]
    spoiled = deepcopy(good)
    spoil(spoiled)
    broken = check_instance(spoiled, PLAIN)
    assert any(sentence in each for each in broken), broken


def test_a_label_that_two_outcomes_share_is_seen(good: Row) -> None:
    twins = deepcopy(PLAIN)
    for outcome in twins["actions"][0]["outcomes"]:
        outcome["label"] = _labelled(good)["label"]
    assert any("action 0: the observation fits 2 outcomes" in each for each in check_instance(good, twins))


def test_every_observation_of_an_outcome_that_excludes_a_valid_truth_is_seen(good: Row) -> None:
    valid = good["valid_truths"][0]
    spoiled = 0
    for number, seen in enumerate(good["observations"]):
        for outcome in PLAIN["actions"][int(seen["action"][-1])]["outcomes"]:
            if valid in outcome["rules_out"]:
                wrong = deepcopy(good)
                inside = outcome["low"] + 0.2 if "low" in outcome else None
                wrong["observations"][number] |= {"label": outcome.get("label"), "value": inside}
                assert f"{seen['action']}: the observation rules out '{valid}', which is valid." in check_instance(
                    wrong, PLAIN
                )
                spoiled += 1
    assert spoiled > 1


def test_an_invalid_truth_that_no_observation_rules_out_is_seen(good: Row) -> None:
    blunt = deepcopy(PLAIN)
    invalid = next(name for name in good["truths"] if name not in good["valid_truths"])
    for action in blunt["actions"]:
        for outcome in action["outcomes"]:
            outcome["rules_out"] = [name for name in outcome["rules_out"] if name != invalid]
    broken = check_instance(good, blunt)
    assert f"No observation rules out '{invalid}', which is not valid." in broken
    assert any(each.startswith("Not fair") for each in broken)


def test_unfair_instances_and_giveaways_are_exactly_those_found_by_enumeration() -> None:
    """On random games of the paper's kind, with one valid truth and with two."""
    seen = {"fair": 0, "unfair": 0, "giveaway": 0, "sound": 0}

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(st.integers(0, 2**32), st.floats(0.1, 0.5), st.integers(2, 4), st.integers(1, 4), st.integers(1, 2))
    def check(seed: int, density: float, truths: int, actions: int, valid: int) -> None:
        game = random_game(seed, truths, actions, density)
        everything = (1 << truths) - 1
        worlds = subsets(everything, valid)
        works = {world: working(game, world, everything & ~world) for world in worlds}
        possible = [world for world in worlds if works[world]]
        if not possible or valid == truths:
            return
        world = possible[seed % len(possible)]
        tables = make_tables(game, truths)
        exported = {
            "truths": [truth.name for truth in tables.truths],
            "actions": [action.name for action in tables.actions],
            "valid_truths": [f"truth {i}" for i in range(truths) if world >> i & 1],
            "observations": [
                {"action": f"action {i}", "label": f"label {outcome}", "value": None, "text": f"label {outcome}"}
                for i, outcome in enumerate(works[world][0])
            ],
        }
        common = everything
        for each in possible:
            common &= each
        impossible = [each for each in worlds if each not in possible]
        fair = check_instance(exported | {"mode": "fair"}, to_json(tables))
        assert len(fair) == len(impossible)
        assert all(sentence.startswith("Not fair") for sentence in fair)
        paper = check_instance(exported | {"mode": "paper"}, to_json(tables))
        assert len(paper) == bool(common)
        assert all(sentence.startswith("A giveaway") for sentence in paper)
        assert check_instance(exported | {"mode": "paper"}, to_json(tables), giveaways=True) == []
        seen["unfair" if impossible else "fair"] += 1
        seen["giveaway" if common else "sound"] += 1

    check()
    assert min(seen.values()) > 20


def test_the_proof_needs_little_time_for_what_has_many_outcomes() -> None:
    """Each of 10 worlds of 9 others, with 14 actions: trying all outcomes would take years."""
    tables = random_tables(0, truths=14, actions=18)
    for seed in range(5):
        assert check_instance(row(generate(tables, Size("large", 10, 14), seed), Mode.FAIR), to_json(tables)) == []


def test_the_proof_shares_no_code_with_the_generator() -> None:
    imported = set()
    for node in ast.walk(ast.parse(Path(proof.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module)
        elif isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
    assert imported
    assert not any(name is None or name.startswith(("kumoc", "pysat")) for name in imported)
