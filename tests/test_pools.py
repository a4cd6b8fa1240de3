"""Splits that share no truths: the pools they are drawn from, and the rows that come of them."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from kumoc.benchmark import Benchmark, Mode, Size
from kumoc.generate import CannotGenerateError, check_instance, derive, feasible, generate, pools, with_truths
from kumoc.generate.draw import Draws
from kumoc.generate.pools import shares
from kumoc.release import BuildError
from kumoc.release.parquet import read
from kumoc.release.plan import Plan
from kumoc.tables import Tables, members, to_json
from tests.command import DOMAINS, kumoc, printed
from tests.sample import make_tables, random_tables, row

SPLITS = (("train", 60), ("validation", 0), ("test", 20))
SIZE = Size("small", 3, 4, splits=SPLITS, disjoint=True)


def names(tables: Tables) -> set[str]:
    return {truth.name for truth in tables.truths}


@pytest.mark.parametrize("mode", Mode)
def test_pools_hold_every_truth_once_and_have_instances(mode: Mode) -> None:
    parted = 0
    for seed in range(30):
        tables = random_tables(seed, 10, 7)
        size = replace(SIZE, mode=mode)
        try:
            found = pools(tables, size, seed)
        except CannotGenerateError:
            continue
        assert list(found) == ["train", "test"]
        assert names(found["train"]) | names(found["test"]) == names(tables)
        assert [len(pool.truths) for pool in found.values()] == [5, 5]
        for pool in found.values():
            assert pool.domain == tables.domain and feasible(pool, size) is None
            assert [action.name for action in pool.actions] == [action.name for action in tables.actions]
        parted += 1
    assert parted >= 15


def test_tables_with_fewer_truths_say_the_same_of_those() -> None:
    tables = random_tables(3, 9, 5)
    kept = 0b101101010
    pool, whole = to_json(with_truths(tables, kept)), to_json(tables)
    left = {tables.truths[i].name for i in members(kept)}
    for action in whole["actions"]:
        for outcome in action["outcomes"]:
            outcome["rules_out"] = [name for name in outcome["rules_out"] if name in left]
    whole["truths"] = [truth for truth in whole["truths"] if truth["name"] in left]
    assert pool == whole


@pytest.mark.parametrize("mode", Mode)
def test_rows_from_a_pool_are_proved_on_the_whole_domain(mode: Mode) -> None:
    tables = random_tables(8, 12, 8)
    size = replace(SIZE, mode=mode)
    listed = {}
    for split, pool in pools(tables, size, 1).items():
        rows = [row(generate(pool, size, derive(split, index)), mode.value) for index in range(15)]
        assert [check_instance(each, to_json(tables)) for each in rows] == [[]] * 15
        listed[split] = {name for each in rows for name in each["truths"]}
        assert listed[split] <= names(pool)
    assert not listed["train"] & listed["test"]


def test_a_size_that_is_not_disjoint_or_has_one_split_is_drawn_from_the_whole_domain() -> None:
    tables = random_tables(0, 8, 6)
    assert pools(tables, replace(SIZE, disjoint=False), 0) == {"train": tables, "test": tables}
    assert pools(tables, replace(SIZE, splits=(("train", 0), ("test", 9))), 0) == {"test": tables}


def test_pools_depend_on_the_seed_and_on_the_size() -> None:
    tables = random_tables(8, 12, 8)
    others = [pools(tables, replace(SIZE, name=name), seed)["test"] for name in ("a", "b") for seed in range(3)]
    assert len({pool.truths for pool in others}) > 3


def test_shares_are_in_proportion_but_for_those_that_would_be_too_small() -> None:
    assert shares(50, (800, 100, 100), 6) == (38, 6, 6)
    assert shares(10, (1, 1, 1), 2) == (4, 3, 3)
    assert shares(100, (80, 10, 10), 5) == (80, 10, 10)
    draws = Draws(4)
    for _ in range(300):
        weights = [1 + draws.below(1000) for _ in range(1 + draws.below(3))]
        least = draws.below(6)
        total = least * len(weights) + draws.below(40)
        found = shares(total, weights, least)
        assert sum(found) == total and min(found) >= least
        for (one, more), (other, less) in combinations(sorted(zip(weights, found, strict=True), reverse=True), 2):
            assert more >= less or one == other
        if all(total * weight >= least * sum(weights) for weight in weights):
            exact = [total * weight / sum(weights) for weight in weights]
            assert all(abs(share - right) < 1 for share, right in zip(found, exact, strict=True))


def test_too_few_truths_are_said() -> None:
    tables = random_tables(0, 5, 6)
    with pytest.raises(CannotGenerateError) as caught:
        pools(tables, SIZE, 0)
    assert caught.value.reason.sentence == "2 splits that share no truths need 6 truths, and there are 5."
    assert caught.value.reason.most_truths == 2


def test_truths_that_can_not_be_parted_are_said() -> None:
    tables = make_tables([(0b0001, 0b1110)], 4)  # only the first truth is told from any other
    size = replace(SIZE, truths=2, actions=1)
    assert feasible(tables, size) is None
    with pytest.raises(CannotGenerateError, match="no 2 sets of truths were found"):
        pools(tables, size, 0)
    plan = Plan(Benchmark("b", "1.0.0", "b", "", ("sample",), 0, (size,)), (tables,))
    assert plan.count == 80
    with pytest.raises(BuildError, match="'sample' has no disjoint splits of size 'small'"):
        list(plan.jobs())


def test_a_domain_with_no_instance_at_all_is_said_to_have_none() -> None:
    with pytest.raises(CannotGenerateError, match="nothing rules out"):
        pools(make_tables([(0b0001, 0)], 8), replace(SIZE, truths=2, actions=1), 0)


def test_a_release_of_a_disjoint_size_shares_no_truths(tmp_path: Path) -> None:
    (tmp_path / "apart.kumo").write_text(
        'benchmark apart version "1.0.0" { domains minerals\n'
        "  size small { truths 4  actions 6  train 12  validation 4  test 4  disjoint truths }\n}\n",
        encoding="utf-8",
    )
    result = kumoc("build", "apart.kumo", DOMAINS / "minerals.kumo", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    release = tmp_path / "dist" / "apart" / "1.0.0"
    listed = [
        {name for each in read(path) for name in each["truths"]}
        for path in sorted((release / "game-small" / "minerals").iterdir())
    ]
    assert len(listed) == 3
    assert all(not one & other for one, other in combinations(listed, 2))
    assert '"disjoint": true' in (release / "manifest.json").read_text(encoding="utf-8")


def test_pools_do_not_depend_on_hash_seeds() -> None:
    code = (
        "from tests.sample import random_tables; from tests.test_pools import SIZE; from kumoc.generate import pools\n"
        "print([pool.truths for pool in pools(random_tables(8, 12, 8), SIZE, 5).values()])"
    )
    assert "truth" in printed(code)
