"""The limit on work: what is found within it is exact, and for all else there are bounds, never a guess."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumoc import solve
from kumoc.benchmark import DEFAULT_WORK, Benchmark, Edition, Mode, Size
from kumoc.compiler import compile_paths
from kumoc.edition import show
from kumoc.generate import generate
from kumoc.release import BuildError, Built, Plan, build
from kumoc.release.parquet import read
from kumoc.release.schemas import validator
from kumoc.solve import Bounds
from kumoc.views import GAME_COLUMNS, bracket_width, game_row, is_exact
from kumoc.views.play import Play
from tests.command import DOMAINS, kumoc
from tests.sample import random_tables
from tests.test_release import TEA, all_rows, load, manifest

MINERALS = DOMAINS / "minerals.kumo"
PLAYERS = {"exact": solve.ExactPlayer, "paper": solve.PaperPlayer}
LIMITS = (1, 20, 150)
OF_PLAYERS = {name for name in GAME_COLUMNS if name.startswith(tuple(PLAYERS))} | {"optimal_action_cnt"}


def built(place: Path, *, work: int, band: tuple[str, str] | None = None) -> Built:
    """A release of two sizes with the limit ``work``; the same instances whatever that is."""
    tables = compile_paths([MINERALS]).tables
    sizes = (
        Size("some", 6, 9, splits=(("test", 10),), work=work, difficulty=band and (Decimal(band[0]), Decimal(band[1]))),
        Size("pairs", 4, 8, valid=2, splits=(("test", 2),), work=work),
    )
    return build(Plan(Benchmark("limited", "1.0.0", "Limited", "", ("minerals",), 3, sizes), tables), place)


@pytest.fixture(scope="module")
def ample(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return built(tmp_path_factory.mktemp("ample"), work=DEFAULT_WORK)


@pytest.fixture(scope="module", params=LIMITS)
def tight(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return built(tmp_path_factory.mktemp("tight"), work=request.param)


@pytest.fixture(scope="module")
def tightest(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return built(tmp_path_factory.mktemp("tightest"), work=1)


# ---- rows


def test_enough_work_makes_every_row_exact(ample: Built) -> None:
    assert all(None not in row.values() for row in all_rows(ample.path))
    assert (ample.rows, ample.exact_rows, ample.widest_bracket) == (12, 12, 0)
    assert [(file["exact_rows"], file["widest_bracket"]) for file in manifest(ample.path)["files"]] == [(10, 0), (2, 0)]
    card = (ample.path / "README.md").read_text(encoding="utf-8")
    assert "| `some` | all | guide | en | original | 6 | 9 | 1 | fair | 2,000,000 | test 10 | all | 0 |" in card


def test_what_is_not_null_is_what_more_work_finds(tight: Built, ample: Built) -> None:
    rows = list(all_rows(tight.path))
    assert len(rows) == 12
    for row, known in zip(rows, all_rows(ample.path), strict=True):
        validator("instance").validate(row)
        assert {name: row[name] for name in row.keys() - OF_PLAYERS} == {
            name: known[name] for name in known.keys() - OF_PLAYERS
        }
        for player in PLAYERS:
            check_player(row, known, player)
        count = None if row["paper_optimal_actions"] is None else row["paper_trajectory_length"]
        assert row["optimal_action_cnt"] == (None if count is None else count + 2)


def check_player(row: dict[str, Any], known: dict[str, Any], player: str) -> None:
    lower, upper = row[f"{player}_lower_bound"], row[f"{player}_upper_bound"]
    expected, trajectory = row[f"{player}_expected_actions"], row[f"{player}_trajectory"]
    assert 0 <= lower <= known[f"{player}_expected_actions"] <= upper
    assert (expected is None) == (lower < upper)
    if expected is not None:
        assert expected == lower == known[f"{player}_expected_actions"]
    if row[f"{player}_optimal_actions"] is not None:
        assert expected is not None
        assert row[f"{player}_optimal_actions"] == known[f"{player}_optimal_actions"]
        assert trajectory == known[f"{player}_trajectory"]
    assert row[f"{player}_trajectory_length"] == len(trajectory)
    assert needs_nothing_more(row, trajectory, player)


def needs_nothing_more(row: dict[str, Any], trajectory: Sequence[str], player: str) -> bool:
    """Whether the game is over after ``trajectory``, by the judgement of a player without a limit."""
    labels = {seen["action"]: seen for seen in row["observations"]}
    survivors, remaining = (1 << len(row["truths"])) - 1, (1 << len(row["actions"])) - 1
    masks = []
    for position, action in enumerate(row["actions"]):
        rules = [rule for rule in row["rules"] if rule["action"] == action]
        masks.append(tuple(sum(1 << row["truths"].index(name) for name in rule["rules_out"]) for rule in rules))
        if action in trajectory:
            remaining &= ~(1 << position)
            (shown,) = [i for i, rule in enumerate(rules) if shows(rule, labels[action])]
            survivors &= ~masks[-1][shown]
    judge = PLAYERS[player](len(row["truths"]), tuple(masks), len(row["valid_truths"]))
    return judge.optimal_actions(survivors, remaining) == ()


def shows(rule: dict[str, Any], seen: dict[str, Any]) -> bool:
    if seen["label"] is not None:
        return bool(rule["label"] == seen["label"])
    return rule["low"] is not None and bool(rule["low"] < seen["value"] < rule["high"])


def test_little_work_gives_brackets_and_they_are_counted(tightest: Built, tmp_path: Path) -> None:
    rows = list(all_rows(tightest.path))
    assert sum(row["exact_expected_actions"] is None for row in rows) >= 5
    assert sum(row["paper_expected_actions"] is None for row in rows) >= 5
    assert sum(row["optimal_action_cnt"] is None for row in rows) >= 5
    assert load(tightest.path, "some", "test", tmp_path) == rows[:10]
    for file in manifest(tightest.path)["files"]:
        of_file = read(tightest.path / file["path"])
        assert file["exact_rows"] == sum(None not in row.values() for row in of_file) < file["rows"]
        assert file["widest_bracket"] == pytest.approx(max(gap(row, player) for row in of_file for player in PLAYERS))
    validator("manifest").validate(manifest(tightest.path))


def gap(row: dict[str, Any], player: str) -> float:
    return float(row[f"{player}_upper_bound"] - row[f"{player}_lower_bound"])


def test_the_card_says_how_many_rows_are_exact(tightest: Built) -> None:
    files = manifest(tightest.path)["files"]
    card = (tightest.path / "README.md").read_text(encoding="utf-8")
    some = f"{files[0]['exact_rows']} of 10 | {files[0]['widest_bracket']:.2g} |"
    for name, domain in (("some", "all"), ("some-minerals", "minerals")):
        assert f"| `{name}` | {domain} | guide | en | original | 6 | 9 | 1 | fair | 1 | test 10 | {some}" in card


def test_a_band_holds_whole_brackets(tmp_path: Path) -> None:
    def rows(place: str, band: tuple[str, str] | None) -> list[dict[str, Any]]:
        return [row for row in all_rows(built(tmp_path / place, work=60, band=band).path) if row["size"] == "some"]

    free = rows("free", None)
    top = sorted(row["exact_upper_bound"] for row in free)[2]
    banded = rows("banded", ("0", f"{top:.3f}"))
    edge = round(top, 3) + 1e-9
    reaching_out = [row for row in free if row["exact_lower_bound"] <= edge < row["exact_upper_bound"]]
    assert reaching_out and not {row["instance_id"] for row in reaching_out} & {row["instance_id"] for row in banded}
    assert len(banded) == 10 and all(row["exact_upper_bound"] <= edge + 1e-9 for row in banded)
    kept = [row for row in free if row["exact_upper_bound"] <= edge]
    assert kept and all(row in banded for row in kept)


def test_a_band_too_narrow_for_any_bracket_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="only brackets are known") as raised:
        built(tmp_path, work=1, band=("2.2", "2.21"))
    assert "raise `work`" in raised.value.help


# ---- the command


def test_another_limit_is_refused_under_the_same_version(tmp_path: Path) -> None:
    bench = 'benchmark limited version "1.0.0" { domains tea  size s { truths 3  actions 4  test 4  work 1 } }'
    (tmp_path / "bench.kumo").write_text(bench)
    first = kumoc("build", "bench.kumo", TEA, cwd=tmp_path, PYTHONHASHSEED="1")
    release = tmp_path / "dist" / "limited" / "1.0.0"
    (file,) = manifest(release)["files"]
    assert manifest(release)["inputs"]["sizes"][0]["work"] == 1
    told = f"{file['exact_rows']} of 4 exact; the widest bracket is {file['widest_bracket']:.2g} actions"
    assert f"rows     {told}" in first.stdout
    again = kumoc("build", "bench.kumo", TEA, cwd=tmp_path)
    assert again.returncode == 0 and "already built" in again.stdout and told in again.stdout
    anew = kumoc("build", "bench.kumo", TEA, "--overwrite", cwd=tmp_path, PYTHONHASHSEED="77")
    assert anew.stdout == first.stdout
    (tmp_path / "bench.kumo").write_text(bench.replace("work 1", "work 2"))
    changed = kumoc("build", "bench.kumo", TEA, cwd=tmp_path)
    assert changed.returncode == 1 and "sizes" in changed.stderr and "differs" in changed.stderr


# ---- digits


NEAR = st.floats(0, 20).flatmap(lambda one: st.tuples(st.just(one), st.floats(one, one + 1e-8)))


@given(st.tuples(st.floats(0, 20), st.floats(0, 20)) | NEAR)
def test_rounded_bounds_still_hold_what_they_held(pair: tuple[float, float]) -> None:
    lower, upper = sorted(pair)
    instance = generate(random_tables(1, 4, 5), Size("s", 3, 3), 0)
    known = Play(Bounds(upper, upper), (), ())
    row = game_row(show(instance, Edition()), "s", Mode.FAIR, "book", Play(Bounds(lower, upper), None, (0,)), known)
    assert row["paper_lower_bound"] == row["paper_upper_bound"] == row["paper_expected_actions"] == round(upper, 9)
    assert row["optimal_action_cnt"] == 2 and not is_exact(row)
    if upper - lower <= 1e-12:  # one value, but for the order of summation
        assert row["exact_expected_actions"] == round(upper, 9) and bracket_width(row) == 0
    else:
        assert row["exact_lower_bound"] - 1e-12 <= lower < upper <= row["exact_upper_bound"] + 1e-12
        assert bracket_width(row) <= upper - lower + 2.1e-9
        assert (row["exact_expected_actions"] is None) == (bracket_width(row) > 0)


@given(st.integers(0, 10_000), st.integers(1, 5_000))
def test_the_order_of_a_sum_does_not_show_in_bounds(thousandths: int, more: int) -> None:
    instance = generate(random_tables(1, 4, 5), Size("s", 3, 3), 0)
    low, high = thousandths / 1_000, (thousandths + more) / 1_000
    known = Play(Bounds(high, high), (), ())
    for noise in (-3e-15, 0, 3e-15):
        play = Play(Bounds(max(0, low + noise), high - noise), None, (0,))
        row = game_row(show(instance, Edition()), "s", Mode.FAIR, "book", play, known)
        assert (row["exact_lower_bound"], row["exact_upper_bound"]) == (low, high)
