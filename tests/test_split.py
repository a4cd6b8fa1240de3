"""Halves of a domain, and the smallest cuts, compared with trying every half."""

from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

from kumoc.diagnostics import Source
from kumoc.generate.draw import Draws
from kumoc.generate.sat import OpenQuestionError
from kumoc.interop import write_tables
from kumoc.language import compile_sources
from kumoc.split import CannotSplitError, Least, Split, cut, default_least, split_domain
from kumoc.split.balance import most_even
from kumoc.split.graph import components, reaches
from kumoc.tables import Tables, members, to_json
from tests.command import DOMAINS, kumoc
from tests.sample import make_tables, random_game

LEAST = Least(2)


def compiled(text: str) -> Tables:
    (tables,) = compile_sources([Source("half.kumo", text)]).tables
    return tables


def joined(*masks: int, truths: int) -> Tables:
    """A domain with an action for each of ``masks``, which joins these truths."""
    return make_tables([(mask & -mask, mask & (mask - 1), 0) for mask in masks], truths)


def side_by_side(seed: int, left: int, right: int) -> Tables:
    """Two unrelated fields in one domain, their truths and actions mixed."""
    draws = Draws(seed)
    places = draws.permutation(left + right)
    game = [
        tuple(sum(1 << places[shift + i] for i in members(mask)) for mask in masks)
        for shift, count in ((0, left), (left, right))
        for masks in [*random_game(seed + shift, count, 4), ((1 << count) - 1, 0)]
    ]
    return make_tables([game[i] for i in draws.permutation(len(game))], left + right, measured=(0, 5))


def assert_halves(tables: Tables, split: Split) -> None:
    """Each truth in one half, each action in one at most, and there with all its outcomes."""
    names = [{truth.name for truth in half.truths} for half in split.halves]
    assert names[0] | names[1] == {truth.name for truth in tables.truths} and not names[0] & names[1]
    original = {action["name"]: action for action in to_json(tables)["actions"]}
    left_out = {tables.actions[i].name for i in (*split.cut.actions, *split.idle)}
    placed = [action.name for half in split.halves for action in half.actions]
    assert sorted([*placed, *left_out]) == sorted(original)
    for half in split.halves:
        assert [action for action in to_json(half)["actions"] if action != original[action["name"]]] == []
        assert all(reaches(half))


@pytest.mark.parametrize("seed", range(8))
def test_two_unrelated_parts_are_the_halves(seed: int) -> None:
    tables = side_by_side(seed, 5, 4)
    split = split_domain(tables, LEAST)
    assert_halves(tables, split)
    assert sorted(len(half.truths) for half in split.halves) == [4, 5]
    assert split.cut == cut.Cut((), smallest=True)
    assert [half.domain for half in split.halves] == ["sample_a", "sample_b"]


def test_written_halves_compile_to_the_halves() -> None:
    for seed in range(4):
        for half in split_domain(side_by_side(seed, 6, 4), LEAST).halves:
            assert compiled(write_tables(half, ["A half."])) == half


@pytest.mark.parametrize("path", sorted(DOMAINS.glob("[!b]*.kumo")), ids=lambda path: path.stem)
def test_written_tables_compile_to_the_same_tables(path: Path) -> None:
    tables = compiled(path.read_text(encoding="utf-8"))
    assert compiled(write_tables(tables)) == tables


def fewest(count: int, reached: Iterable[int], least: Least) -> int | None:
    """How many actions must go, by trying every half."""
    found = []
    for half in range(1, 1 << count, 2):
        inside = sum(not mask & ~half for mask in reached)
        outside = sum(not mask & half for mask in reached)
        large = least.truths <= half.bit_count() <= count - least.truths
        if large and min(inside, outside) >= least.actions:
            found.append(sum(bool(mask & half and mask & ~half) for mask in reached))
    return min(found, default=None)


def hypergraph(draws: Draws, truths: int, actions: int) -> list[int]:
    return [sum({1 << draws.below(truths) for _ in range(1 + draws.below(4))}) for _ in range(actions)]


@pytest.mark.parametrize("grown", [True, False])
def test_the_smallest_cut_is_found(monkeypatch: pytest.MonkeyPatch, grown: bool) -> None:
    if not grown:
        monkeypatch.setattr(cut, "_grown_cut", lambda *_: None)
    draws = Draws(5)
    seen = {"none": 0, "whole": 0, "cut": 0}
    for _ in range(150):
        count, least = 4 + draws.below(5), Least(2 + draws.below(2), 1 + draws.below(2))
        tables = joined(*hypergraph(draws, count, 3 + draws.below(7)), truths=count)
        expected = fewest(count, reaches(tables), least)
        try:
            split = split_domain(tables, least)
        except CannotSplitError:
            assert expected is None
            seen["none"] += 1
            continue
        assert len(split.cut.actions) == expected and split.cut.smallest
        assert_halves(tables, split)
        assert all(len(half.truths) >= least.truths and len(half.actions) >= least.actions for half in split.halves)
        kept = [mask for action, mask in enumerate(reaches(tables)) if action not in split.cut.actions]
        assert len(components(count, kept)) > 1
        seen["cut" if expected else "whole"] += 1
    assert min(seen.values()) >= 15, seen


def test_a_cut_that_is_not_proved_the_smallest_is_not_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_hard(*_: object) -> None:
        raise OpenQuestionError

    tables = joined(0b000011, 0b001110, 0b110000, 0b010001, truths=6)
    proved = split_domain(tables, LEAST)
    monkeypatch.setattr(cut, "_cut_by_sat", too_hard)
    split = split_domain(tables, LEAST)
    assert proved.cut.smallest and not split.cut.smallest
    assert len(split.cut.actions) >= len(proved.cut.actions)
    assert_halves(tables, split)
    monkeypatch.setattr(cut, "_grown_cut", lambda *_: None)
    with pytest.raises(CannotSplitError, match="there may be some"):
        split_domain(tables, LEAST)


def test_halves_are_as_even_as_can_be() -> None:
    draws = Draws(2)
    found = 0
    for _ in range(200):
        parts = [(1 + draws.below(5), draws.below(4)) for _ in range(1 + draws.below(7))]
        least = Least(2, draws.below(2) + 1)
        sums = [sum(part[i] for part in parts) for i in (0, 1)]
        halves = []
        for others in product((0, 1), repeat=len(parts) - 1):
            held, used = (
                sum(part[i] for part, inside in zip(parts, (1, *others), strict=True) if inside) for i in (0, 1)
            )
            if min(held, sums[0] - held) >= least.truths and min(used, sums[1] - used) >= least.actions:
                halves.append((abs(sums[0] - 2 * held), abs(sums[1] - 2 * used)))
        chosen = most_even(parts, least)
        if chosen is None:
            assert not halves
            continue
        held, used = (sum(parts[place][i] for place in members(chosen)) for i in (0, 1))
        assert chosen & 1 and (abs(sums[0] - 2 * held), abs(sums[1] - 2 * used)) == min(halves)
        found += 1
    assert found >= 100


def test_parts_are_what_actions_leave_unconnected() -> None:
    assert components(7, (0b0000110, 0b0001010, 0b1010000, 0)) == (0b0000001, 0b0001110, 0b1010000, 0b0100000)


def test_an_action_that_rules_nothing_out_is_in_neither_half() -> None:
    tables = make_tables([(0b0011, 0), (0, 0), (0b1100, 0)], 4)
    split = split_domain(tables, LEAST)
    assert split.idle == (1,)
    assert_halves(tables, split)


def test_a_half_has_a_quarter_of_the_truths_unless_told() -> None:
    assert [default_least(count) for count in (2, 5, 6, 8, 16, 17, 50)] == [2, 2, 3, 4, 4, 5, 13]


def test_why_a_domain_can_not_be_split() -> None:
    for tables, why in (
        (joined(0b11, 0b110, truths=3), "has 3 truths: too few"),
        (joined(0b0111, 0b0110, 0b1110, truths=4), "for any two of its actions"),
        (joined(0b0001, 0b1110, truths=4), "no two halves of 2 truths and 1 actions"),
    ):
        with pytest.raises(CannotSplitError, match=why):
            split_domain(tables, LEAST)


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """Eight truths in one part, which falls in two without the third action or the fourth."""
    masks = (0b00000111, 0b00001110, 0b00001001, 0b00011000, 0b11100000, 0b01110000)
    path = tmp_path / "sample.kumo"
    path.write_text(write_tables(joined(*masks, truths=8)), encoding="utf-8")
    return path


def test_nothing_is_cut_unasked(chain: Path, tmp_path: Path) -> None:
    refused = kumoc("split", chain, "-o", tmp_path / "out")
    assert refused.returncode == 1 and "--cut" in refused.stderr
    assert "leaving out 1 of 6 actions (no fewer will do):\n  action 3\n" in refused.stdout
    assert not (tmp_path / "out").exists()
    done = kumoc("split", chain, "-o", tmp_path / "out", "--cut")
    assert done.returncode == 0, done.stderr
    halves = [compiled((tmp_path / "out" / f"sample_{name}.kumo").read_text(encoding="utf-8")) for name in "ab"]
    assert [[action.name for action in half.actions] for half in halves] == [
        ["action 0", "action 1", "action 2"],
        ["action 4", "action 5"],
    ]
    again = kumoc("split", chain, "-o", tmp_path / "out", "--cut")
    assert again.returncode == 1 and "exists already" in again.stderr
    assert kumoc("split", chain, "-o", tmp_path / "out", "--cut", "--overwrite").returncode == 0


def test_the_result_does_not_depend_on_hash_seeds(chain: Path, tmp_path: Path) -> None:
    written = []
    for seed in ("0", "1", "77"):
        result = kumoc("split", chain, "-o", tmp_path / seed, "--cut", "--least", "3", PYTHONHASHSEED=seed)
        files = [path.read_bytes() for path in sorted((tmp_path / seed).iterdir())]
        written.append((result.stdout.replace(str(tmp_path / seed), ""), files))
    assert written[0] == written[1] == written[2] and len(written[0][1]) == 2


def test_bad_input_is_said(tmp_path: Path) -> None:
    result = kumoc("split", DOMAINS / "tea.kumo", "-o", tmp_path)
    assert result.returncode == 1 and "'tea' can't be split" in result.stderr
    two = write_tables(joined(3, 6, truths=3)) + write_tables(joined(3, truths=2)).replace("sample", "other", 1)
    (tmp_path / "two.kumo").write_text(two, encoding="utf-8")
    result = kumoc("split", tmp_path / "two.kumo", "-o", tmp_path)
    assert result.returncode == 1 and "2 domains, not one" in result.stderr and "--domain" in result.stderr
    result = kumoc("split", tmp_path / "two.kumo", "-o", tmp_path, "--domain", "other")
    assert result.returncode == 1 and "'other' has 2 truths: too few" in result.stderr
    (tmp_path / "wrong.kumo").write_text("domain wrong { }", encoding="utf-8")
    result = kumoc("split", tmp_path / "wrong.kumo")
    assert result.returncode == 1 and "missing-declaration" in result.stderr
