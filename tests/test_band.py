"""Bands of difficulty: reached in few tries, fair, the same whoever builds, and honest where they are empty."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from math import fsum, log2
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.benchmark import Benchmark, Mode, Size
from kumoc.cli import cli
from kumoc.compiler import compile_paths
from kumoc.generate import Lists, changed, check_instance, derive, generate, is_fair, outcomes
from kumoc.generate.draw import Draws
from kumoc.generate.instance import Game
from kumoc.release import BuildError, Built, Plan, build, processes
from kumoc.release.band import Draw, draw
from kumoc.release.parquet import read
from kumoc.solve import TIE, ExactPlayer, exact_value, guess
from kumoc.tables import Tables, members, to_json
from tests.command import DOMAINS, kumoc, printed
from tests.sample import chi_square, random_game, random_tables, row, subsets, working


def domain(name: str) -> Tables:
    (tables,) = compile_paths([DOMAINS / f"{name}.kumo"]).tables
    return tables


MINERALS = domain("minerals")


def banded(name: str, truths: int, actions: int, low: str, high: str, **settings: Any) -> Size:
    return Size(name, truths, actions, difficulty=(Decimal(low), Decimal(high)), **settings)


LOW = banded("low", 4, 6, "0", "1")
"""Less than a fifth of the fair choices of minerals lie in this band, and about a third in the next."""

HIGH = banded("high", 5, 7, "3.2", "7")

MIDDLE = banded("middle", 4, 6, "1.45", "1.55")


def in_band(value: float, size: Size) -> bool:
    assert size.difficulty is not None
    return float(size.difficulty[0]) - TIE <= value <= float(size.difficulty[1]) + TIE


def draws_for(tables: Tables, size: Size, *place: str | int) -> Iterator[Draw]:
    """The draws for a row, until one is in the band."""
    for attempt in range(100):
        drawn = draw(tables, size, derive(*place, attempt))
        yield drawn
        if drawn.instance:
            return


# ---- the search


TAILS = [
    ("minerals", banded("high", 4, 6, "2.13", "6")),
    ("medical", banded("low", 4, 6, "0", "1.1")),
    ("minerals", banded("high", 6, 8, "2.35", "8")),
    ("chemical", banded("low", 6, 8, "0", "1.3")),
]


@pytest.mark.parametrize(("name", "size"), TAILS, ids=lambda value: value if isinstance(value, str) else value.name)
def test_the_edges_of_the_distribution_are_reached_in_few_tries(name: str, size: Size) -> None:
    tables = domain(name)
    blind, values = replace(size, difficulty=None), list[float]()
    for i in range(100):
        values.append(exact_value(size.truths, generate(tables, blind, derive("blind", i)).game))
    share = sum(in_band(value, size) for value in values) / len(values)
    assert share < 0.1
    rows = 8
    tried = sum(len(each.tried) for i in range(rows) for each in draws_for(tables, size, "row", i))
    assert tried < rows / max(share, 1 / len(values)) / 3
    assert tried < 10 * rows


def test_what_is_drawn_is_in_the_band_and_proved() -> None:
    walked = 0
    pairs = banded("pairs", 4, 6, "2.2", "4", valid=2)
    for size, tables in ((LOW, MINERALS), (pairs, random_tables(5, truths=10, actions=12))):
        for i in range(10):
            *_, last = draws_for(tables, size, size.name, i)
            instance = last.instance
            assert instance is not None and last.exact is not None
            assert (len(instance.truths), len(instance.actions)) == (size.truths, size.actions)
            assert len(instance.valid) == size.valid
            assert check_instance(row(instance, Mode.FAIR), to_json(tables)) == []
            assert in_band(ExactPlayer(size.truths, instance.game, size.valid).value, size)
            assert last.exact.bounds.exact and in_band(last.tried[-1].upper, size)
            assert not any(in_band(bounds.upper, size) for bounds in last.tried[:-1])
            walked += len(last.tried) > 1
    assert walked > 12


def test_a_choice_that_lies_in_the_band_is_what_it_would_be_without() -> None:
    kept = 0
    for seed in range(40):
        start = generate(MINERALS, MIDDLE, seed)
        drawn = draw(MINERALS, MIDDLE, seed)
        if in_band(exact_value(4, start.game), MIDDLE):
            assert drawn.instance == start and len(drawn.tried) == 1
            kept += 1
        else:
            assert drawn.instance != start and len(drawn.tried) > 1
    assert 5 < kept < 35


def test_where_nothing_can_be_changed_the_search_ends() -> None:
    tables = random_tables(8, truths=4, actions=5, density=0.5)
    drawn = draw(tables, banded("all", 4, 5, "4", "5"), 0)
    assert drawn.instance is None and len(drawn.tried) == 1


def test_paper_mode_is_searched_blindly_for_its_choice_is_not_to_be_changed() -> None:
    size, kept = replace(MIDDLE, mode=Mode.PAPER), 0
    for seed in range(40):
        drawn = draw(MINERALS, size, seed)
        assert len(drawn.tried) == 1
        if drawn.instance:
            assert drawn.instance == generate(MINERALS, size, seed)
            kept += 1
    assert 5 < kept < 35


def test_draws_are_the_same_in_every_process() -> None:
    assert printed("from tests.test_band import fingerprint; print(fingerprint())").strip() == fingerprint()


def fingerprint() -> str:
    tables = random_tables(3, truths=12, actions=14)
    drawn = [draw(tables, HIGH, seed) for seed in range(8)]
    assert sum(len(each.tried) > 1 for each in drawn) > 4
    return f"{derive(*(str((each.instance and row(each.instance, 'fair'), len(each.tried))) for each in drawn)):016x}"


def test_draws_never_change() -> None:
    """A seed in a published benchmark must rebuild its row in every later version."""
    assert fingerprint() == "69a3e0be9b0f6af4"


def test_the_last_digits_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logarithms and sums that differ by what they may on another machine, or in another version of Python."""
    usual = fingerprint()
    monkeypatch.setattr("kumoc.solve.guess.sum", fsum, raising=False)
    monkeypatch.setattr("kumoc.solve.floor.sum", fsum, raising=False)
    monkeypatch.setattr("kumoc.solve.search.sum", fsum, raising=False)
    monkeypatch.setattr("kumoc.solve.floor.log2", lambda number: log2(number) * (1 + 5e-16))
    assert fingerprint() == usual


# ---- fairness


def test_nothing_of_the_search_depends_on_what_is_valid_or_observed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other valid truths and other outcomes: the same candidates, and the same lists in the end."""
    usual = [draw(MINERALS, LOW, seed) for seed in range(40)]
    choose, sample = Draws.choose, outcomes.sample
    monkeypatch.setattr(Draws, "choose", lambda self, *sizes: choose(Draws(self.below(2**20)), *sizes))
    monkeypatch.setattr("kumoc.generate.fair.sample", lambda *given: sample(*given[:3], Draws(given[3].below(2**20))))
    other = [draw(MINERALS, LOW, seed) for seed in range(40)]
    assert sum(len(each.tried) > 1 for each in usual) > 25
    told = 0
    for one, two in zip(usual, other, strict=True):
        assert [bounds.upper for bounds in one.tried] == pytest.approx([bounds.upper for bounds in two.tried])
        if one.instance and two.instance:
            assert Lists.of(one.instance) == Lists.of(two.instance)
            told += one.instance.valid != two.instance.valid
        assert (one.instance is None) == (two.instance is None)
    assert told > 15


@pytest.fixture(scope="module")
def walked() -> list[Draw]:
    """What draws came to that walked to the band."""
    drawn = [draw(MINERALS, LOW, derive("fair", i)) for i in range(350)]
    found = [each for each in drawn if each.instance and len(each.tried) > 1]
    assert len(found) > 250
    return found


def test_every_truth_of_a_walked_instance_is_as_likely_to_be_valid(walked: list[Draw]) -> None:
    """By its place, by the rank of its name, by how often the book rules it out."""
    counts = [Counter[int]() for _ in range(3)]
    for each in walked:
        instance = each.instance
        assert instance is not None
        valid = instance.valid[0]
        mentions = [sum(mask >> i & 1 for masks in instance.game for mask in masks) for i in range(4)]
        ranks = (
            valid,
            sorted(instance.truths).index(instance.truths[valid]),
            sorted((times, i) for i, times in enumerate(mentions)).index((mentions[valid], valid)),
        )
        for count, rank in zip(counts, ranks, strict=True):
            count[rank] += 1
    for count in counts:
        assert chi_square([count[i] for i in range(4)], [len(walked) / 4] * 4) < 18  # 3 degrees of freedom


def test_the_order_of_a_walked_instance_says_nothing(walked: list[Draw]) -> None:
    """Neither places of truths nor those of actions that show something tell of what was changed on the way."""
    highest, telling = Counter[int](), Counter[int]()
    for each in walked:
        instance = each.instance
        assert instance is not None
        highest[instance.truths.index(max(instance.truths))] += 1
        for place, (masks, seen) in enumerate(zip(instance.game, instance.observed, strict=True)):
            telling[place] += masks[seen] != 0
    assert chi_square([highest[i] for i in range(4)], [len(walked) / 4] * 4) < 18
    assert chi_square([telling[i] for i in range(6)], [telling.total() / 6] * 6) < 21


# ---- what the search is made of


def test_a_change_replaces_one_truth_or_one_action() -> None:
    tables = random_tables(5, truths=8, actions=9)
    lists, draws = Lists(0b1111, 0b11111), Draws(1)
    seen = Counter[Lists]()
    for _ in range(1800):
        after = changed(tables, lists, draws)
        truths, actions = after.truths ^ lists.truths, after.actions ^ lists.actions
        assert (truths.bit_count(), actions.bit_count()) in {(2, 0), (0, 2)}
        assert (after.truths.bit_count(), after.actions.bit_count()) == (4, 5)
        seen[after] += 1
    by_truth = [count for after, count in seen.items() if after.truths != lists.truths]
    by_action = [count for after, count in seen.items() if after.actions != lists.actions]
    assert (len(by_truth), len(by_action)) == (4 * 4, 5 * 4)
    assert chi_square(by_truth, [900 / 16] * 16) < 45 and chi_square(by_action, [900 / 20] * 20) < 52
    everything = Lists((1 << 8) - 1, (1 << 9) - 1)
    assert changed(tables, everything, draws) == everything


def test_lists_are_fair_where_every_world_is_possible() -> None:
    tables, verdicts = random_tables(3, truths=6, actions=6, density=0.45), Counter[bool]()
    for valid in (1, 2):
        size = Size("any", 4, 4, valid)
        draws = Draws(valid)
        for _ in range(120):
            lists = Lists(sum(1 << i for i in draws.choose(6, 4)), sum(1 << i for i in draws.choose(6, 4)))
            game = lists.game(tables)
            fair = all(working(game, world, 15 & ~world) for world in subsets(15, valid))
            assert is_fair(tables, lists, size) == fair
            verdicts[fair] += 1
    assert min(verdicts.values()) > 30


def plain_guess(survivors: frozenset[int], game: list[list[frozenset[int]]]) -> float:
    """The guess from its definition, on sets."""
    if len(survivors) < 2:
        return 0.0
    best: tuple[float, int] | None = None
    for i, results in enumerate(game):
        left = [len(survivors - ruled_out) for ruled_out in results]
        mean = round(sum(size * log2(size) for size in left if size) / sum(left), 9)
        if mean < log2(len(survivors)) - 1e-9 and (best is None or mean < best[0]):
            best = mean, i
    if best is None:
        return 0.0
    rest = [results for i, results in enumerate(game) if i != best[1]]
    after = [survivors - ruled_out for ruled_out in game[best[1]]]
    total = sum(map(len, after))
    return 1 + sum(len(each) / total * plain_guess(each, rest) for each in after)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6), st.floats(0.1, 0.7))
def test_the_guess_is_what_it_says(seed: int, truths: int, actions: int, density: float) -> None:
    game = random_game(seed, truths, actions, density)
    sets = [[frozenset(members(mask)) for mask in masks] for masks in game]
    assert guess(truths, game) == pytest.approx(plain_guess(frozenset(range(truths)), sets))


def test_the_guess_mostly_knows_which_of_two_games_is_harder() -> None:
    games: list[Game] = [generate(MINERALS, Size("s", 6, 8), seed).game for seed in range(60)]
    rated = [(exact_value(6, game), guess(6, game)) for game in games]
    pairs = [(one, two) for i, one in enumerate(rated) for two in rated[:i] if abs(one[0] - two[0]) > 0.2]
    agreed = sum((one[0] < two[0]) == (one[1] < two[1]) for one, two in pairs)
    assert len(pairs) > 500 and agreed > 0.85 * len(pairs)


# ---- builds


def built(place: Path, size: Size, name: str = "tea", workers: int = 1) -> Built:
    plan = Plan(Benchmark("banded", "1.0.0", "Banded", "", (name,), 3, (size,)), (domain(name),))
    return build(plan, place, engine=processes(workers))


CROWDED = banded("crowded", 3, 4, "1.65", "1.7", splits=(("validation", 10), ("test", 20)))
"""Of 300 choices of tea some sixty are in this band, so that many rows are duplicates at first."""


def test_any_number_of_workers_tries_the_same(tmp_path: Path) -> None:
    one, two = (built(tmp_path / str(workers), CROWDED, workers=workers) for workers in (1, 2))
    texts = [(release.path / "manifest.json").read_text(encoding="utf-8") for release in (one, two)]
    assert texts[0] == texts[1] and one.rows == 30
    files = json.loads(texts[0])["files"]
    assert [file["rows"] for file in files] == [10, 20]
    assert one.tried == {"crowded": (sum(file["tried"] for file in files), 30)}
    rows = [row for file in files for row in read(one.path / file["path"])]
    places = [(split, i) for split, count in CROWDED.splits for i in range(count)]
    tried = Counter[str]()
    later = 0
    for (split, i), each in zip(places, rows, strict=True):
        assert in_band(each["exact_expected_actions"], CROWDED)
        for attempt in range(1000):
            seed = derive(3, "tea", "crowded", split, i, attempt)
            tried[split] += len(draw(domain("tea"), CROWDED, seed).tried)
            if seed == each["seed"]:
                break
        later += attempt > 0
    assert later > 5
    assert [tried[split] for split in ("validation", "test")] == [file["tried"] for file in files]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands are given up sooner."""
    monkeypatch.setattr("kumoc.release.rows.MAX_TRIED", dict.fromkeys(Mode, 60))


@pytest.mark.usefixtures("impatient")
def test_a_domain_with_too_few_in_the_band_says_how_many_it_gives(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"too few instances of 1.65 to 1.7 expected actions") as raised:
        built(tmp_path, replace(CROWDED, splits=(("test", 300),)))
    most = re.search(r"ask for (\d+) at most", raised.value.help)
    assert most and 20 < int(most[1]) < 100 and not list(tmp_path.iterdir())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("mode", Mode)
def test_an_empty_band_is_an_error_that_shows_what_there_is(mode: Mode, tmp_path: Path) -> None:
    with pytest.raises(BuildError) as raised:
        built(tmp_path, replace(banded("hard", 3, 4, "3", "4.0"), mode=mode))
    assert not list(tmp_path.iterdir()) and "choose a band" in raised.value.help
    said = re.search(r"none of (\d+) choices .* has 3 to 4 expected actions", str(raised.value))
    assert said and 60 <= int(said[1]) <= 80
    head, *lines = raised.value.details
    columns = ["drawn", "walked"] if mode is Mode.FAIR else ["drawn"]
    assert head.split() == ["expected", *columns]
    counts = [list(map(int, line.rstrip("# ").split()[3:])) for line in lines]
    assert {len(count) for count in counts} == {len(columns)} and sum(map(sum, counts)) == int(said[1])
    walks = re.search(r"(\d+) of them on walks", str(raised.value))
    assert walks is None if mode is Mode.PAPER else walks and int(walks[1]) == sum(count[1] for count in counts)


@pytest.mark.usefixtures("impatient")
def test_the_command_shows_it_and_leaves_nothing_behind(tmp_path: Path) -> None:
    source = tmp_path / "band.kumo"
    source.write_text(
        'benchmark band version "1.0.0" {\n  domains tea\n  size some { truths 3  actions 4  test 10 }\n'
        "  size hard { truths 3  actions 4  test 20  difficulty 3..4 }\n}\n"
    )
    arguments = ["build", source, DOMAINS / "tea.kumo", "--out", tmp_path / "dist", "--workers", 1]
    result = CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)
    assert result.return_value == 1 and not result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["band.kumo"]
    first, *table, last = result.stderr.splitlines()
    assert first.startswith("error: row ") and "'hard'" in first and last.startswith("  = help: ")
    assert len(table) > 4 and all(line.startswith("  | ") for line in table)


def test_builds_manifests_and_cards_say_how_many_were_tried(tmp_path: Path) -> None:
    (tmp_path / "band.kumo").write_text(
        'benchmark band version "1.0.0" { domains tea, minerals\n'
        "  size tail { truths 3  actions 4  test 4  validation 2  difficulty 1..1.20  books guide, table }\n"
        "  size free { truths 3  actions 4  test 2 }\n  views game, chat\n}\n"
    )
    sources = ("band.kumo", DOMAINS / "tea.kumo", DOMAINS / "minerals.kumo")
    result = kumoc("build", *sources, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    release = tmp_path / "dist" / "band" / "1.0.0"
    files = json.loads((release / "manifest.json").read_text(encoding="utf-8"))["files"]
    tried = dict.fromkeys(("tea", "minerals"), 0)
    for file in files:
        if (file["size"], file["view"]) == ("tail", "game"):
            assert file["tried"] > file["rows"]
            tried[file["domain"]] += file["tried"] if file["edition"] == "" else 0
        else:
            assert file["tried"] == 0
    told = f"band     tail: 12 instances of {sum(tried.values())} choices of truths and actions tried"
    assert told in result.stdout
    again = kumoc("build", *sources, cwd=tmp_path)
    assert "already built" in again.stdout and told in again.stdout
    card = (release / "README.md").read_text(encoding="utf-8")
    assert f"| `tail` | 1 to 1.2 | 12 | {sum(tried.values())} |" in card
    assert f"| `tail-tea` | 1 to 1.2 | 6 | {tried['tea']} |" in card
    assert sum(file["tried"] for file in files) == 2 * sum(tried.values())  # in both editions
    assert not any(f"| `{name}` | 1" in card for name in ("free", "chat-tail", "tail-table"))
    verified = kumoc("verify", release)
    assert verified.returncode == 0, verified.stdout
