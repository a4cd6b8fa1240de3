"""Figures from trajectories, held to plain second versions of each of them."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import isnan, nan, sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kumoc.evaluate.correlation import read_scores
from kumoc.evaluate.estimates import balanced_mean, domain_weights, holm, over_instances, shuffled, sign_flips
from kumoc.evaluate.plays import Plays, PlaysError, read_plays
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.signatures import independence
from kumoc.evaluate.suite import TABLES
from kumoc.evaluate.tables import Table
from kumoc.play.metrics import Convention
from kumoc.release.schemas import validator
from tests.plays import games, pocket_rows, write

DOMAINS = ("north", "south", "west")
QUICK = 200
T = {2: 4.3026527297, 3: 3.1824463053, 4: 2.7764451052}
"""The 97.5% point of Student's t, by degrees of freedom."""


@cache
def trajectories() -> tuple[dict[str, Any], ...]:
    found = games(pocket_rows(), {"able": 9, "fair": 7, "poor": 4}, trials=5, domains=DOMAINS)
    # domains of unequal weight, or nobody could tell a balanced mean from a plain one
    return tuple(each for number, each in enumerate(found) if each["domain"] != "west" or number % 7)


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Plays:
    return read_plays([write(tmp_path_factory.mktemp("plays") / "plays.jsonl", trajectories())])


def dicts(table: Table) -> list[dict[str, Any]]:
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def balanced(pairs: Sequence[tuple[str, float]]) -> float:
    """The mean of the domains' means, of (domain, value)."""
    domains = {domain for domain, value in pairs if not isnan(value)}
    means = [mean(value for domain, value in pairs if domain == each and not isnan(value)) for each in sorted(domains)]
    return mean(means) if means else nan


def paper_count(each: dict[str, Any]) -> float:
    actions = each["actions_taken"] + 2 if each["success"] else each["actions"] + 1
    return actions / each["optimal_action_cnt"] - 1


def own_count(each: dict[str, Any]) -> float:
    return each["actions_taken"] / each["exact_expected_actions"] - 1 if each["success"] else nan


RELATIVE: dict[Convention, Callable[[dict[str, Any]], float]] = {
    Convention.PAPER: paper_count,
    Convention.OWN: own_count,
}


# ---- reading


def test_the_trajectories_of_these_tests_are_varied_and_valid() -> None:
    seen = Counter(each["end"] for each in trajectories())
    assert seen["named"] > 100 and seen["refused"] > 10 and len(trajectories()) > 250
    assert sum(each["success"] and not each["strict_success"] for each in trajectories()) > 3
    for each in trajectories()[::20]:
        validator("trajectory").validate(each)


def test_columns_are_those_of_the_file(plays: Plays) -> None:
    assert len(plays) == len(trajectories())
    for name in ("model", "size", "domain", "instance_id"):
        assert [plays.names[name][code] for code in plays.codes[name]] == [each[name] for each in trajectories()]
    for name, column in plays.numbers.items():
        wanted = [nan if each[name] is None else float(each[name]) for each in trajectories()]
        assert np.array_equal(column, wanted, equal_nan=True), name
    strict = [len(each["parse_errors"]) for each in trajectories()]
    lenient = [sum(not error["forgiven"] for error in each["parse_errors"]) for each in trajectories()]
    assert plays.errors(strict=True).tolist() == strict and plays.errors(strict=False).tolist() == lenient
    for each, code in zip(trajectories(), plays.codes["instance_id"], strict=True):
        signature = plays.signatures[code]
        assert signature and list(signature.truths) == each["signature"]["truths"]


def test_files_are_read_as_one(tmp_path: Path, plays: Plays) -> None:
    half = len(trajectories()) // 2
    paths = [write(tmp_path / "a.jsonl", trajectories()[:half]), write(tmp_path / "b.jsonl", trajectories()[half:])]
    (tmp_path / "none.jsonl").touch()
    again = read_plays([paths[0], tmp_path / "none.jsonl", paths[1]])
    assert again.names == plays.names and again.signatures == plays.signatures
    assert all(np.array_equal(again.codes[name], plays.codes[name]) for name in plays.codes)
    assert np.array_equal(again.fault_play, plays.fault_play)


def test_signatures_do_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    known = [each for each in trajectories() if each["model"] == "able"][:40]
    bare = write(tmp_path / "bare.jsonl", [each | {"signature": None, "model": "bare"} for each in known])
    some = write(tmp_path / "some.jsonl", known)
    for paths in ([bare, some], [some, bare]):
        plays = read_plays(paths)
        assert len(plays.signatures) == len(plays.names["instance_id"]) and all(plays.signatures)
    assert read_plays([bare]).signatures == (None,) * len({each["instance_id"] for each in known})


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        ({"success": "yes"}, 2, "success"),
        ({"success": None}, 2, "success"),
        ({"model": None}, 2, "model"),
        ({"trial": 1.5}, 2, "trial"),
        ({"parse_errors": None}, 2, "parse_errors"),
        ({"parse_errors": [{"step": 0, "kind": "hiccup", "forgiven": False}]}, 2, "hiccup"),
        ({"parse_errors": [None]}, 2, "None is not of type 'object'"),
        ({"signature": {"truths": None, "actions": [1]}}, 2, "signature"),
        ({"trajectory_version": "2.0.0"}, 2, "is a trajectory of version 2.0.0, and not of 1."),
        ({"trajectory_version": None}, 2, "trajectory_version"),
        ({"actions_taken": -7}, 2, "actions_taken: -7 is less than the minimum of 0"),
        ({"optimal_action_cnt": 1}, 2, "optimal_action_cnt: 1 is less than the minimum of 2"),
        ({"exact_expected_actions": -0.5}, 2, "exact_expected_actions: -0.5"),
        ({"exact_expected_actions": nan}, 2, "is not JSON: it has no NaN"),
        ({"tokens": -1}, 2, "tokens: -1"),
        ({"actions": 0}, 2, "actions: 0"),
    ],
)
def test_a_line_of_another_form_is_named(tmp_path: Path, change: dict[str, Any], line: int, message: str) -> None:
    path = write(tmp_path / "x.jsonl", [trajectories()[0], trajectories()[-1] | change])
    with pytest.raises(PlaysError, match=message) as caught:
        read_plays([path])
    assert caught.value.place == f"{path}:{line}"


def test_files_are_read_block_by_block(tmp_path: Path, plays: Plays, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumoc.evaluate.plays._BLOCK", 8_000)
    path = write(tmp_path / "x.jsonl", trajectories())
    assert path.stat().st_size > 20 * 8_000
    again = read_plays([path])
    assert again.names == plays.names and again.signatures == plays.signatures
    assert np.array_equal(again.fault_play, plays.fault_play)
    assert all(np.array_equal(again.numbers[name], plays.numbers[name], equal_nan=True) for name in plays.numbers)
    write(path, [*trajectories(), trajectories()[0] | {"trial": -1}, trajectories()[0] | {"trial": "6"}])
    with pytest.raises(PlaysError) as caught:
        read_plays([path])
    assert caught.value.place == f"{path}:{len(trajectories()) + 1}"
    write(path, [*trajectories(), trajectories()[0] | {"instance_id": "x" * 30_000}])
    with pytest.raises(PlaysError, match="more than 8,000 bytes"):
        read_plays([path])


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"domain": "Tea", "seed": 0, "trajectories": []}\n')
    with pytest.raises(PlaysError) as caught:
        read_plays([path])
    assert "import-trajectories" in caught.value.help
    path.write_text("no JSON\n")
    with pytest.raises(PlaysError, match="not JSON"):
        read_plays([path])
    path.write_bytes(b"PAR1\x00\xff\x86")
    with pytest.raises(PlaysError, match=r"x\.jsonl:1: is not UTF-8 text"):
        read_plays([path])
    for nothing in ("", "\n", "\n \r\n"):
        path.write_text(nothing)
        with pytest.raises(PlaysError, match="no trajectories"):
            read_plays([path])
    write(path, trajectories()[:2])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"{")
    with pytest.raises(PlaysError, match=r"x\.jsonl:3: is not JSON"):
        read_plays([path])
    with pytest.raises(PlaysError, match="twice"):
        read_plays([write(path, [*trajectories()[:5], trajectories()[3]])])


# ---- the main figures


@pytest.mark.parametrize("convention", Convention)
@pytest.mark.parametrize("by", [(), ("domain",), ("difficulty", "size")])
def test_scores_are_those_of_the_definitions(plays: Plays, convention: Convention, by: tuple[str, ...]) -> None:
    table = dicts(TABLES["scores"](plays, Settings(convention, by, resamples=10)))
    met = 0
    for row in table:
        members = [each for each in trajectories() if belongs(each, row)]
        met += len(members)
        assert row["trajectories"] == len(members)
        assert row["instances"] == len({each["instance_id"] for each in members})
        success = [(each["domain"], float(each["success"])) for each in members]
        relative = [(each["domain"], RELATIVE[convention](each)) for each in members]
        assert row["success"] == pytest.approx(balanced(success))
        assert row["relative"] == pytest.approx(balanced(relative), nan_ok=True)
        trials = sorted({each["trial"] for each in members})
        means = [
            balanced([pair for pair, each in zip(success, members, strict=True) if each["trial"] == trial])
            for trial in trials
        ]
        half = T[len(means) - 1] * stdev(means) / sqrt(len(means))
        assert (row["success_t"].high - row["success_t"].low) / 2 == pytest.approx(half)
        assert row["success_t"].low + half == pytest.approx(row["success"])
    assert met == len(trajectories()) and len(table) >= 9


def belongs(each: dict[str, Any], row: dict[str, Any]) -> bool:
    for key in ("model", "size", "domain"):
        if key in row and row[key] != each[key]:
            return False
    if "difficulty" in row:
        low, high = map(float, row["difficulty"].split(" to "))
        return bool(low <= each["exact_expected_actions"] + 1e-9 < high)
    return True


def test_the_rows_of_a_table_follow_what_it_is_split_by(plays: Plays) -> None:
    keys = [column.key for column in TABLES["conduct"](plays, Settings(by=("domain", "size"))).columns]
    assert keys[:3] == ["domain", "size", "model"]


def test_conduct_and_errors_are_counted(plays: Plays) -> None:
    conduct = dicts(TABLES["conduct"](plays, Settings()))
    errors = dicts(TABLES["errors"](plays, Settings()))
    assert len(conduct) == len(errors) == 9
    for row, kinds in zip(conduct, errors, strict=True):
        members = [each for each in trajectories() if belongs(each, row)]
        for key, value in {
            "strict_success": lambda each: each["strict_success"],
            "strict_errors": lambda each: len(each["parse_errors"]),
            "errors": lambda each: sum(not error["forgiven"] for error in each["parse_errors"]),
            "actions": lambda each: each["actions_taken"] if each["success"] else nan,
            "exact": lambda each: each["exact_expected_actions"],
            "paper": lambda each: each["paper_trajectory_length"],
            "wasted": lambda each: each["wasted"],
            "repeated": lambda each: each["repeated"],
            "tokens": lambda each: each["tokens"],
        }.items():
            assert row[key] == pytest.approx(balanced([(each["domain"], float(value(each))) for each in members])), key
        counted = Counter(error["kind"] for each in members for error in each["parse_errors"])
        assert {kind: kinds[kind] for kind in counted} == counted and kinds["strict"] == counted.total()
        assert kinds["strict"] - kinds["lenient"] == counted["spelling"]
    assert sum(row["spelling"] for row in errors) > 3


def test_figures_do_not_depend_on_what_else_is_there(tmp_path: Path, plays: Plays) -> None:
    alone = read_plays([write(tmp_path / "x.jsonl", [each for each in trajectories() if each["model"] == "fair"])])
    wanted = [row for row in TABLES["scores"](plays, Settings(resamples=QUICK)).rows if row[0] == "fair"]
    assert list(TABLES["scores"](alone, Settings(resamples=QUICK)).rows) == wanted
    other = TABLES["scores"](alone, Settings(resamples=QUICK, seed=1)).rows
    assert list(other) != wanted and [row[:5] for row in other] == [row[:5] for row in wanted]


# ---- intervals and tests


def test_the_bootstrap_draws_instances_within_domains() -> None:
    # a domain whose instances are all alike moves nothing, however its trials differ
    values = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    instances = np.array([0, 0, 1, 1, 2, 2])
    domains = np.array([0, 0, 0, 0, 1, 1])
    (interval,) = over_instances((values,), domains, instances, 0, QUICK)
    assert interval is not None and interval.low == interval.high == 0.5


def test_of_single_instances_there_is_no_interval() -> None:
    values = np.array([1.0, 0.0, 1.0, 1.0])
    alone, domains = np.zeros(4, dtype=int), np.array([0, 0, 1, 1])
    assert over_instances((values,), alone, alone, 0, QUICK) == [None]
    assert over_instances((values,), domains, domains, 0, QUICK) == [None]
    # two instances, of which one alone has a relative action count
    some = over_instances((values, np.array([nan, nan, 0.5, 1.0])), alone, domains, 0, QUICK)
    assert some[0] is not None and some[1] is None


def test_domains_of_a_single_instance_are_noted(tmp_path: Path) -> None:
    easy = [each for each in trajectories() if each["size"] == "easy"]
    kept = {domain: [each for each in easy if each["domain"] == domain] for domain in DOMAINS}
    lone = [each for each in kept["west"] if each["instance_id"] == kept["west"][0]["instance_id"]]
    said = [
        " ".join(TABLES["scores"](read_plays([write(tmp_path / "x.jsonl", some)]), Settings(resamples=10)).notes)
        for some in (kept["north"], [*kept["north"], *lone])
    ]
    assert "single instance" not in said[0] and "too narrow: west" in said[1]


def test_what_was_not_played_alike_is_noted(tmp_path: Path) -> None:
    easy = [each for each in trajectories() if each["size"] == "easy"]
    able = [each for each in easy if each["model"] == "able"]
    other = {"name": "pocket", "version": "1.1.0", "rows_sha256": "1" * 64}

    def notes(*parts: list[dict[str, Any]]) -> str:
        path = write(tmp_path / "x.jsonl", [each for part in parts for each in part])
        return " ".join(TABLES["scores"](read_plays([path]), Settings(resamples=10)).notes)

    assert "releases" not in notes(easy) and "different instances" not in notes(easy)
    mixed = notes(able, [each | {"release": other, "model": "new"} for each in able])
    assert "the games of easy are from 2 releases: pocket 1.0.0 00000000, pocket 1.1.0 11111111" in mixed
    assert "different instances" not in mixed
    assert "no release" in notes(able, [each | {"release": None, "model": "new"} for each in able])
    fewer = notes(able, [each | {"model": "new"} for each in able[5:]])
    assert "models played different instances of easy" in fewer and "releases" not in fewer


def test_the_bootstrap_interval_is_as_wide_as_theory_says() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=400)
    (interval, none) = over_instances((values, np.full(400, nan)), np.zeros(400, dtype=int), np.arange(400), 5, 2_000)
    half = 1.96 * values.std() / 20
    assert none is None and interval is not None
    assert interval.low == pytest.approx(values.mean() - half, abs=0.012)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.012)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_permutation_p_of_pairs_is_near_that_of_all_patterns(whole: list[int]) -> None:
    differences = np.array(whole, dtype=float)
    domains = np.arange(len(whole)) % 2
    weights = domain_weights(domains)
    assert weights @ differences == pytest.approx(balanced_mean(differences, domains))
    sums = [abs(sum(s * t for s, t in zip(signs, differences * weights, strict=True)))
            for signs in product((1, -1), repeat=len(whole))]  # fmt: skip
    exact = mean(float(total >= sums[0] - 1e-9) for total in sums)
    assert sign_flips(differences, weights, 1, 4_000) == pytest.approx(exact, abs=0.04)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, None, 0.03, 0.005]) == pytest.approx([0.03, 0.06, None, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0] and holm([]) == []


def test_pairs_compare_the_instances_that_both_played(tmp_path: Path) -> None:
    some = [each for each in trajectories() if each["model"] != "able" or each["instance_id"][-1] in "02468ace"]
    plays = read_plays([write(tmp_path / "x.jsonl", some)])
    table = dicts(TABLES["pairs"](plays, Settings(Convention.PAPER, resamples=QUICK)))
    assert len(table) == 9
    for row in table:
        sides: list[dict[str, list[dict[str, Any]]]] = []
        for model in (row["model"], row["other"]):
            side: dict[str, list[dict[str, Any]]] = {}
            for each in some:
                if (each["model"], each["size"]) == (model, row["size"]):
                    side.setdefault(each["instance_id"], []).append(each)
            sides.append(side)
        one, two = sides
        shared = [instance for instance in one if instance in two]
        assert row["instances"] == len(shared)
        for key, value in (("success", lambda each: float(each["success"])), ("relative", paper_count)):
            found = balanced(
                [(one[each][0]["domain"], mean(map(value, one[each])) - mean(map(value, two[each]))) for each in shared]
            )
            assert row[f"{key}_difference"] == pytest.approx(found)
            twice = Counter(one[each][0]["domain"] for each in shared).most_common(1)[0][1] > 1
            assert (row[f"{key}_bootstrap"] is not None) == twice
            if twice:
                assert row[f"{key}_bootstrap"].low - 1e-9 <= found <= row[f"{key}_bootstrap"].high + 1e-9
    for key in ("success", "relative"):
        assert [row[f"{key}_holm"] for row in table] == holm([row[f"{key}_p"] for row in table])
    assert min(row["success_p"] for row in table) < 0.05


def test_pass_over_trials_counts_selections(plays: Plays) -> None:
    table = dicts(TABLES["passes"](plays, Settings()))
    for row in table:
        instances: dict[str, list[dict[str, Any]]] = {}
        for each in trajectories():
            if belongs(each, row):
                instances.setdefault(each["instance_id"], []).append(each)
        least = min(map(len, instances.values()))
        assert row["trials"] == least
        for k in range(1, 6):
            any_, all_ = (row.get(f"pass_{what}_{k}") for what in ("at", "all"))
            if k > least:
                assert any_ is None and all_ is None
                continue
            for found, over in ((any_, any), (all_, all)):
                shares = [
                    (each[0]["domain"], mean(over(t["success"] for t in some) for some in combinations(each, k)))
                    for each in instances.values()
                ]
                assert found == pytest.approx(balanced(shares))
    assert any(row["trials"] < 5 for row in table) and any(row["trials"] == 5 for row in table)


def test_independence_by_hand() -> None:
    # expected counts 12, 8, 18, 12; every difference is 3
    found = independence(np.array([[15, 5], [15, 15]]))
    chi2 = 9 / 12 + 9 / 8 + 9 / 18 + 9 / 12
    assert (found.chi2, found.freedom) == (pytest.approx(chi2), 1)
    assert found.p == pytest.approx(0.0771, abs=5e-5) and found.v == pytest.approx(sqrt(chi2 / 50))
    # Bergsma: both numbers of categories become 2 - 1/49
    assert found.corrected == pytest.approx(sqrt((chi2 / 50 - 1 / 49) / (1 - 1 / 49)))
    assert independence(np.array([[3], [4]])).v is None
    weak = independence(np.array([[10, 10], [11, 10]]))
    assert weak.corrected == 0.0 and weak.v is not None and weak.v > 0


def test_signatures_are_tested_overall_and_within_domains(tmp_path: Path) -> None:
    # in each domain its own signature, and luck of its own: dependence that domains explain
    base = next(each for each in trajectories() if each["success"])
    made = [
        base | {
            "instance_id": f"{domain}-{number}",
            "domain": domain,
            "trial": trial,
            "signature": {"truths": [degree, 2], "actions": [1]},
            "success": (trial < 3) == (number % 4 < odds),
        }
        for domain, degree, odds in (("a", 1, 1), ("b", 2, 3))
        for number in range(8)
        for trial in range(5)
    ]  # fmt: skip
    plays = read_plays([write(tmp_path / "x.jsonl", made)])
    table = dicts(TABLES["signatures"](plays, Settings(resamples=QUICK)))
    assert [row["domain"] for row in table] == ["all", "a", "b"]
    overall = table[0]
    assert (overall["instances"], overall["signatures"], overall["correct"]) == (16, 2, 8)
    assert overall["chi2"] == pytest.approx(4.0) and overall["v"] == pytest.approx(0.5)
    # of the 12,870 ways to shuffle eight of sixteen, those with at least 6 or at most 2 in the first half
    assert overall["p_permutation"] == pytest.approx(2 * (28 * 28 + 8 * 8 + 1) / 12_870, abs=0.03)
    assert overall["p_within_domains"] == 1.0
    assert table[1]["correct"] == 2 and table[1]["v"] is None and table[1]["p_permutation"] is None


def test_shuffles_stay_within_strata_and_reach_every_order() -> None:
    strata = np.array([0, 0, 0, 1, 1])
    rows = np.concatenate(list(shuffled(np.array([1, 2, 3, 8, 9]), strata, 4, 1_200)))
    seen = Counter(map(tuple, rows.tolist()))
    assert set(seen) == {(*a, *b) for a in permutations((1, 2, 3)) for b in permutations((8, 9))}
    assert min(seen.values()) > 60


def test_correlation_with_scores_from_elsewhere(plays: Plays) -> None:
    scores = read_scores("model,quiz,other\nable,30,1\nfair,20,\npoor,12,5\nnobody,1,1\n", "x.csv")
    table = dicts(TABLES["correlation"](plays, Settings(scores=scores)))
    rates = {
        model: balanced(
            [(each["domain"], float(each["success"])) for each in trajectories()
             if each["model"] == model and each["size"] == "easy"]
        )
        for model in ("able", "fair", "poor")
    }  # fmt: skip
    quiz = next(row for row in table if (row["size"], row["score"]) == ("easy", "quiz"))
    assert rates["able"] > rates["fair"] > rates["poor"]
    x, y = list(rates.values()), [30, 20, 12]
    covariance = mean(a * b for a, b in zip(x, y, strict=True)) - mean(x) * mean(y)
    spread = [sqrt(mean(v * v for v in values) - mean(values) ** 2) for values in (x, y)]
    assert quiz["models"] == 3 and quiz["spearman"] == pytest.approx(1.0)
    assert quiz["pearson"] == pytest.approx(covariance / spread[0] / spread[1])
    notes = TABLES["correlation"](plays, Settings(scores=scores)).notes
    assert notes[1:] == ("without a score in other: fair",)
    other = next(row for row in table if (row["size"], row["score"]) == ("easy", "other"))
    assert other["models"] == 2 and other["pearson"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "model"),
        ("model,b\nx,high\n", "no number"),
        ("model,b\nx,1\ny,nan\n", "csv:3: b is no number: 'nan'"),
        ("model,b\nx,-inf\n", "no number"),
        ("model,b\nx,1\nx ,2\n", "csv:3: 'x' is there twice"),
        ("", "no"),
    ],
)
def test_scores_of_another_form_are_refused(text: str, message: str) -> None:
    with pytest.raises(PlaysError, match=message):
        read_scores(text, "scores.csv")


def test_plain_json_has_no_numbers_that_json_does_not_know(plays: Plays) -> None:
    from kumoc.evaluate.tables import to_json  # noqa: PLC0415

    for name, table in TABLES.items():
        if name != "correlation":
            json.dumps(to_json(table(plays, Settings(resamples=10))), allow_nan=False)
