"""How many fair lists a domain has, compared with trying them all; and how hard its instances are."""

from __future__ import annotations

import json
import re
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kumoc.benchmark import Size
from kumoc.cli.stats_command import command
from kumoc.evaluate.tables import Column, Interval, shown, to_json
from kumoc.generate import Lists, generate
from kumoc.generate.draw import Draws
from kumoc.interop import write_tables
from kumoc.solve import exact_value
from kumoc.survey import counting, covers
from kumoc.survey.counting import Share, census, steps
from kumoc.survey.covers import Count, fair_actions
from kumoc.survey.effort import effort
from kumoc.survey.figures import Figures, counts_figures, counts_table
from kumoc.tables import Tables, members
from tests.command import DOMAINS, kumoc
from tests.sample import make_tables, random_game, random_tables, subsets, working

TEA = DOMAINS / "tea.kumo"
SIZES = (Size("3,3", 3, 3), Size("4,4", 4, 4), Size("4,4,2", 4, 4, 2), Size("3,2", 3, 2))


def nothing(_: int) -> None:
    pass


def run(*arguments: object) -> Result:
    """``kumoc stats ARGUMENTS`` in this process."""
    return CliRunner().invoke(command, [*map(str, arguments)], env={"COLUMNS": None})


def is_fair(tables: Tables, truths: int, actions: tuple[int, ...], valid: int) -> bool:
    """Whether each world is possible, by trying every outcome of every action."""
    game = Lists(truths, sum(1 << action for action in actions)).game(tables)
    listed = (1 << truths.bit_count()) - 1
    return all(working(game, world, listed & ~world) for world in subsets(listed, valid))


def tried(tables: Tables, truths: int, size: Size) -> int:
    """How many sets of actions are fair with ``truths``, by trying them all."""
    chosen = combinations(range(len(tables.actions)), size.actions)
    return sum(is_fair(tables, truths, actions, size.valid) for actions in chosen)


@pytest.mark.parametrize("states", [covers.STATES, -1], ids=["counted", "bounded"])
def test_fair_sets_of_actions_are_counted(monkeypatch: pytest.MonkeyPatch, states: int) -> None:
    monkeypatch.setattr(covers, "STATES", states)
    some = between = 0
    for seed in range(12):
        tables = random_tables(seed, 5, 6, 0.45)
        for size in SIZES:
            for truths in subsets(0b11111, size.truths)[:3]:
                number, count = tried(tables, truths, size), fair_actions(tables, truths, size)
                assert count.lower <= number <= count.upper
                assert (count.lower > 0) == (number > 0)
                assert count.exact or states < 0
                some += number > 0
                between += count.lower < number < count.upper
    assert some >= 40 and (between >= 20 or states > 0), (some, between)


@pytest.mark.parametrize("every", [counting.EVERY, 0], ids=["all", "some"])
def test_fair_lists_are_counted(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    monkeypatch.setattr(counting, "EVERY", every)
    some = 0
    for seed in range(8):
        tables = random_tables(seed, 5, 5, 0.45)
        for size in SIZES:
            sets = subsets(0b11111, size.truths)
            numbers = {truths: tried(tables, truths, size) for truths in sets}
            known = [truths for truths in sets if numbers[truths]][:2]
            done: list[int] = []
            found = census(tables, size, known, 40, Draws(seed), done.append)
            assert found.lists.lower <= sum(numbers.values()) <= found.lists.upper
            assert found.sets == len(sets) and found.pairs == len(sets) * comb(5, size.actions)
            assert sum(done) <= steps(tables, size, 40)
            if every:
                assert found.lists.exact and found.share is None and found.examined == len(sets)
            else:
                assert found.lists.lower == sum(numbers[truths] for truths in known)
            some += 0 < sum(numbers.values()) < found.pairs
    assert some >= 15


def twinned(seed: int) -> Tables:
    """Six truths, of which nothing tells the first two apart, nor the next two."""
    places = (0b000011, 0b001100, 0b010000, 0b100000)
    game = random_game(seed, 4, 5, 0.45)
    return make_tables([tuple(sum(places[i] for i in members(mask)) for mask in masks) for masks in game], 6)


def test_no_list_has_two_truths_that_nothing_tells_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "EVERY", 0)
    size, some = Size("3,4", 3, 4), 0
    apart = [each for each in subsets(0b111111, 3) if each & 0b11 != 0b11 and each & 0b1100 != 0b1100]
    for seed in range(20):
        tables = twinned(seed)
        number = sum(tried(tables, truths, size) for truths in subsets(0b111111, 3))
        found = census(tables, size, (), 1, Draws(0), nothing)
        assert found.lists.lower == 0 and number <= found.lists.upper <= len(apart) * comb(5, 4)
        some += number > 0
    assert some >= 5


def test_nothing_is_less_than_nothing() -> None:
    column = Column("effect", "more actions", decimals=3)
    assert shown(column, -0.0001) == shown(column, 0.0001) == "0.000" and shown(column, -0.001) == "-0.001"
    assert shown(column, Interval(-0.0001, 0.5)) == "0.000 to 0.500"


def test_an_interval_holds_the_share() -> None:
    assert Share(0, 50).interval[0] == 0 and 0.05 < Share(0, 50).interval[1] < 0.08
    assert Share(50, 50).interval[1] == 1 and 0.92 < Share(50, 50).interval[0] < 0.95
    low, high = Share(500, 1000).interval
    assert low == pytest.approx(0.5 - 1.96 * sqrt(0.25 / 1000), abs=1e-4) and low + high == pytest.approx(1)


def test_effects_are_differences_of_means() -> None:
    tables = random_tables(3, 7, 8, 0.45)
    size = Size("4,5", 4, 5)
    found = effort(tables, size, 40, 1, nothing)
    for each in found.sample:
        lists = Lists(sum(1 << i for i in each.truths), sum(1 << i for i in each.actions))
        assert each.bounds.lower == each.bounds.upper == pytest.approx(exact_value(4, lists.game(tables)))
    compared = 0
    for kind, roles in (("truths", found.truths), ("actions", found.actions)):
        for position, role in enumerate(roles):
            inside = [each.expected for each in found.sample if position in getattr(each, kind)]
            outside = [each.expected for each in found.sample if position not in getattr(each, kind)]
            assert role.listed == len(inside)
            if role.effect:
                difference = sum(inside) / len(inside) - sum(outside) / len(outside)
                assert role.effect.difference == pytest.approx(difference)
                compared += 1
            else:
                assert min(len(inside), len(outside)) < 5
    assert compared >= 8
    for action, role in enumerate(found.actions):
        firsts = [action in (each.first or ()) for each in found.sample if action in each.actions]
        assert role.first == (pytest.approx(sum(firsts) / len(firsts)) if firsts else None)


def test_instances_are_those_of_a_build_and_bounded_where_work_runs_out() -> None:
    tables = random_tables(3, 7, 8, 0.45)
    exact = effort(tables, Size("4,5", 4, 5), 5, 1, nothing)
    bounded = effort(tables, Size("4,5", 4, 5, work=0), 5, 1, nothing)
    for one, other in zip(exact.sample, bounded.sample, strict=True):
        assert one.truths == other.truths and other.first is None
        assert other.bounds.lower <= one.bounds.lower + 1e-9 and one.bounds.upper <= other.bounds.upper + 1e-9
    assert any(not each.bounds.exact for each in bounded.sample)
    with pytest.raises(Exception, match="7 truths to choose from"):
        generate(tables, Size("8,5", 8, 5), 0)


def counted(lists: Count, share: Share) -> Figures:
    """Figures of a size with 10^20 pairs."""
    played = effort(random_tables(0, 5, 6, 0.45), Size("x", 4, 4), 2, 0, nothing)
    return Figures(Size("x", 4, 4), counting.Census(lists, 1, 9, 10**20, share), played)


def test_people_are_shown_bounds_that_hold() -> None:
    (row,) = counts_table([counted(Count(1_234_567_890_123, 9_999_999_999_999_999), Share(1, 10**7))]).rows
    assert row[4:8] == ("within bounds", "1.23e12", "1.00e16", "1.00e13")


@pytest.mark.parametrize(
    ("share", "about", "interval"),
    [
        (Share(0, 50), None, (10**18, 7.1e18)),
        (Share(1, 1000), 10**18, (10**18, 10**18)),
        (Share(1, 20), 5e18, (10**18, 10**19)),
        (Share(50, 50), 10**19, (10**19, 10**19)),
    ],
    ids=["none", "below", "between", "above"],
)
def test_an_estimate_is_within_what_is_proved(share: Share, about: float | None, interval: tuple[float, float]) -> None:
    figures = counted(Count(10**18, 10**19), share)
    (row,) = to_json(counts_figures([figures]))["rows"]
    assert row["estimate"] == (about and pytest.approx(about, abs=0 if isinstance(about, int) else 1e6))
    assert row["interval"] == pytest.approx(interval, rel=0.01)
    assert row["at_least"] <= row["interval"][0] <= row["interval"][1] <= row["at_most"]
    (told,) = counts_table([figures]).rows
    assert (told[7] is None) == (about is None) and told[8]


def tables_of(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    return {table["name"]: table["rows"] for table in json.loads(result.stdout)["tables"]}


def test_the_command_counts_exactly_where_it_says_so(tmp_path: Path) -> None:
    tables = random_tables(5, 6, 6, 0.45)
    path = tmp_path / "sample.kumo"
    path.write_text(write_tables(tables), encoding="utf-8")
    found = tables_of(run(path, "--size", "3,3", "--size", "4,4,2", "--count", 8, "--format", "json"))
    for row, size in zip(found["counts"], (Size("3,3", 3, 3), Size("4,4,2", 4, 4, 2)), strict=True):
        number = sum(tried(tables, truths, size) for truths in subsets(0b111111, size.truths))
        assert (row["known"], row["at_least"], row["at_most"]) == ("exactly", number, number)
        assert row["worlds"] == comb(size.truths, size.valid) and number > 0
    assert [row["sampled"] for row in found["difficulty"]] == [8, 8]
    assert sum(row["instances"] for row in found["histogram"]) == 16
    assert len(found["truths"]) == len(found["actions"]) == 12
    assert sum(row["listed"] for row in found["truths"] if row["size"] == "3,3") == 24


def test_large_domains_are_bounded_and_the_result_depends_on_the_seed_alone() -> None:
    asked = (DOMAINS / "minerals.kumo", "--size", "4,6", "--count", "6", "--format", "json")
    here = run(*asked)
    assert kumoc("stats", *asked, PYTHONHASHSEED="77").stdout == here.stdout
    (row,) = tables_of(here)["counts"]
    assert row["known"] == "within bounds" and 0 < row["at_least"] < row["interval"][0] < row["interval"][1]
    assert row["interval"][1] <= row["at_most"] <= row["pairs"] == comb(50, 4) * comb(25, 6)


def test_sizes_are_those_that_are_declared(tmp_path: Path) -> None:
    declared = """
benchmark one version "1.0.0" {
  domains tea
  seed 1
  size small { truths 3  actions 5  test 2 }
  size paper { truths 3  actions 6  test 2  mode paper }
}
benchmark two version "1.0.0" {
  domains tea
  seed 1
  size small { truths 3  actions 4  test 2  difficulty 1..2 }
  size other { truths 3  actions 5  test 2 }
}
"""
    path = tmp_path / "both.kumo"
    path.write_text(TEA.read_text(encoding="utf-8") + declared, encoding="utf-8")
    found = tables_of(run(path, "--count", 2, "--format", "json"))
    assert [row["size"] for row in found["counts"]] == ["3,5,1", "3,4,1"]
    assert [row["size"] for row in tables_of(run(TEA, "--count", 2, "--format", "json"))["counts"]] == ["easy"]


def test_a_size_without_instances_has_a_row_that_says_why(tmp_path: Path) -> None:
    masks = [0b11 << 2 * pair for pair in range(6)]
    pairs = make_tables([(mask, 0xFFF & ~mask) for mask in masks for _ in range(3)], 12)
    path = tmp_path / "pairs.kumo"
    path.write_text(write_tables(pairs), encoding="utf-8")
    result = run(path, "--count", 2)
    assert result.exit_code == 0, result.stderr
    assert re.search(r"easy +4 +6 +1 +exactly +[1-9]", result.stdout)
    assert re.search(r"hard +12 +16 +1 +exactly +0 +0 +- +-\n", result.stdout)
    assert "  hard: No 12 truths can be listed together: at most 6." in result.stdout
    easy, hard = tables_of(run(path, "--count", 2, "--format", "json"))["counts"]
    assert easy["reason"] is None and "at most 6" in hard["reason"] and hard["at_most"] == 0
    given = run(path, "--count", 2, "--size", "12,16")
    assert given.exit_code == 1 and "at most 6" in given.stderr and given.stdout == ""


def test_a_domain_without_any_instance_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "idle.kumo"
    path.write_text(write_tables(make_tables([(0, 0)], 2)), encoding="utf-8")
    result = run(path)
    assert result.exit_code == 0 and re.search(r"small +2 +1 +1 +exactly +0 +0 ", result.stdout), result.stderr
    assert "Difficulty" not in result.stdout and "histogram" in tables_of(run(path, "--format", "json"))


def test_text_says_what_is_known_and_what_is_not() -> None:
    result = run(TEA, "--count", 12)
    assert result.exit_code == 0 and result.stderr == ""
    assert re.search(r"easy +4 +6 +1 +exactly +15 +15 +- +-\n", result.stdout)
    assert "Pu-erh" in result.stdout and "Steeping clock" in result.stdout and "####" in result.stdout


def test_bad_input_is_said(tmp_path: Path) -> None:
    (tmp_path / "wrong.kumo").write_text("domain wrong { }", encoding="utf-8")
    for arguments, said in (
        ((TEA, "--size", "7,6"), "There are 6 truths to choose from, not 7"),
        ((TEA, "--size", "6,1"), "6 truths need at least"),
        ((TEA, "--size", "4"), "TRUTHS,ACTIONS[,VALID]"),
        ((TEA, "--size", "4,6,4"), "one valid truth and one that is not"),
        ((tmp_path / "wrong.kumo",), "missing-declaration"),
        (("tee",), "did you mean 'tea'?"),
    ):
        result = run(*arguments)
        assert result.exit_code in (1, 2) and said in result.stderr and result.stdout == ""
