"""Instances: proved, fair, the same everywhere and whatever the solver."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.benchmark import Mode, Size
from kumoc.generate import CannotGenerateError, Instance, Taken, check_instance, derive, generate, identity
from kumoc.generate import outcomes as counting
from kumoc.generate.instance import Game, restrict
from kumoc.tables import Range, Tables, to_json
from tests.command import printed
from tests.sample import chi_square, make_tables, random_tables, row, subsets, working
from tests.solvers import SOLVERS

MODES = (Mode.FAIR, Mode.PAPER)
SIZES = (Size("small", 4, 5), Size("pairs", 5, 7, valid=2), Size("large", 8, 10))
ROOT = Path(__file__).parent.parent


def _instances(tables: Tables, size: Size, count: int) -> list[Instance]:
    return [generate(tables, size, derive("test", size.name, i)) for i in range(count)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
def test_every_instance_is_what_was_asked_for_and_is_proved(size: Size, mode: Mode) -> None:
    proved = 0
    for seed in range(6):
        tables = random_tables(seed, truths=12, actions=14)
        plain = to_json(tables)
        for instance in _instances(tables, replace(size, mode=mode), 10):
            assert (len(instance.truths), len(instance.actions)) == (size.truths, size.actions)
            assert len(instance.valid) == size.valid
            assert list(instance.valid) == sorted(instance.valid)
            assert check_instance(row(instance, mode), plain) == []
            proved += 1
    assert proved == 60


def test_random_domains_give_proved_instances_or_an_explanation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumoc.generate.paper.TRIES", 40)
    outcomes = Counter[str]()

    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(
        st.integers(0, 2**32),
        st.floats(0.1, 0.6),
        st.builds(
            Size,
            name=st.just("any"),
            truths=st.integers(2, 6),
            actions=st.integers(1, 7),
            valid=st.integers(1, 2),
            mode=st.sampled_from(MODES),
        ),
    )
    def check(seed: int, density: float, size: Size) -> None:
        tables = random_tables(seed, truths=7, actions=7, density=density)
        try:
            instance = generate(tables, size, seed)
        except CannotGenerateError as error:
            assert error.reason.sentence
            outcomes["explained"] += 1
        else:
            assert check_instance(row(instance, size.mode), to_json(tables)) == []
            outcomes[size.mode] += 1

    check()
    assert min(outcomes["explained"], outcomes[Mode.FAIR], outcomes[Mode.PAPER]) > 10


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SOLVERS)
def test_instances_do_not_depend_on_the_models_of_the_solver(
    name: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = random_tables(7, truths=12, actions=14)
    rare = make_tables(_chained(9), 9)  # the truths have to be looked for by SAT
    sizes = [*(replace(size, mode=mode) for size in SIZES), Size("rare", 4, 8, mode=mode)]
    cases = [(rare if size.name == "rare" else tables, size, i) for size in sizes for i in range(6)]
    monkeypatch.setattr("kumoc.generate.fair.DRAWS", 3)
    monkeypatch.setattr("kumoc.generate.paper.REFUSALS", 3)
    usual = [generate(*case) for case in cases]
    monkeypatch.setattr("kumoc.generate.sat.Minicard", SOLVERS[name])
    assert [generate(*case) for case in cases] == usual


def _chained(truths: int) -> Game:
    """Actions that tell even truths from each other, and say next to nothing about odd ones."""
    return tuple((1 << i, ((1 << truths) - 1) & 0b101010101 & ~(1 << i)) for i in range(0, truths, 2)) + ((0, 0),) * 3


def test_instances_are_the_same_in_every_process() -> None:
    assert printed("from tests.test_generate import fingerprint; print(fingerprint())").strip() == fingerprint()


def fingerprint() -> str:
    """A digest of some instances of every mode and size."""
    tables = random_tables(3, truths=12, actions=14)
    described = [
        str((row(instance, mode), instance.seed))
        for mode in MODES
        for size in SIZES
        for instance in _instances(tables, replace(size, mode=mode), 5)
    ]
    return f"{derive(*described):016x}"


def test_instances_never_change() -> None:
    """A seed in a published benchmark must rebuild its row in every later version."""
    assert fingerprint() == "3059d190970b8987"


@pytest.mark.parametrize("mode", MODES)
def test_the_valid_truth_is_as_likely_at_every_place(mode: Mode) -> None:
    size = Size("small", 4, 5, mode=mode)
    instances = _instances(random_tables(5, truths=8, actions=9), size, 800)
    places = Counter(instance.valid[0] for instance in instances)
    assert chi_square([places[i] for i in range(4)], [200] * 4) < 18  # 3 degrees of freedom


def test_in_fair_mode_each_listed_truth_is_as_likely_to_be_valid() -> None:
    """Whatever the instance says: by the rank of a truth's name, by how often the book rules it out."""
    instances = _instances(random_tables(5, truths=8, actions=9), Size("small", 4, 5), 1000)
    by_name, by_mentions = Counter[int](), Counter[int]()
    for instance in instances:
        valid = instance.valid[0]
        mentions = [sum(mask >> i & 1 for masks in instance.game for mask in masks) for i in range(4)]
        by_name[sorted(instance.truths).index(instance.truths[valid])] += 1
        by_mentions[sorted((times, i) for i, times in enumerate(mentions)).index((mentions[valid], valid))] += 1
    for counts in (by_name, by_mentions):
        assert chi_square([counts[i] for i in range(4)], [250] * 4) < 18


def test_in_fair_mode_sets_of_two_valid_truths_are_equally_likely() -> None:
    instances = _instances(random_tables(2, truths=8, actions=9), Size("pairs", 4, 6, valid=2), 600)
    counts = Counter(instance.valid for instance in instances)
    assert chi_square([counts[pair] for pair in combinations(range(4), 2)], [100] * 6) < 21  # 5 degrees of freedom


def test_in_fair_mode_truths_are_uniform_over_those_that_can_be_listed() -> None:
    tables = random_tables(0, truths=7, actions=5, density=0.25)
    size = Size("small", 3, 4)
    listable = [truths for truths in subsets((1 << 7) - 1, 3) if _fair_actions(tables, truths, size)]
    assert 5 < len(listable) < 35
    counts = Counter(
        sum(1 << truth for truth in instance.truths) for instance in _instances(tables, size, 40 * len(listable))
    )
    freedom = len(listable) - 1
    assert set(counts) <= set(listable)
    assert (
        chi_square([counts[truths] for truths in listable], [40] * len(listable)) < freedom + 4.5 * (2 * freedom) ** 0.5
    )


def _fair_actions(tables: Tables, truths: int, size: Size) -> list[tuple[int, ...]]:
    """All sets of actions for which every world over ``truths`` is possible, by enumeration."""
    listed = tuple(i for i in range(truths.bit_length()) if truths >> i & 1)
    everything = (1 << size.truths) - 1
    return [
        actions
        for actions in combinations(range(len(tables.actions)), size.actions)
        if all(
            working(restrict(tables, listed, actions), world, everything & ~world)
            for world in subsets(everything, size.valid)
        )
    ]


def test_in_fair_mode_every_set_of_actions_that_will_do_can_be_chosen() -> None:
    tables = random_tables(5, truths=3, actions=6, density=0.4)
    size = Size("small", 3, 3)
    expected = {tuple(sorted(actions)) for actions in _fair_actions(tables, 7, size)}
    seen = {tuple(sorted(instance.actions)) for instance in _instances(tables, size, 40 * len(expected))}
    assert len(expected) > 5
    assert seen == expected


def test_in_fair_mode_outcomes_are_uniform_over_what_works() -> None:
    tables = random_tables(4, truths=3, actions=3, density=0.4)
    size = Size("all", 3, 3)
    seen = Counter[tuple[int, tuple[int, ...]]]()
    instances = _instances(tables, size, 1500)
    for instance in instances:
        shown = dict(zip(instance.actions, (each.outcome for each in instance.observations), strict=True))
        seen[1 << instance.truths[instance.valid[0]], tuple(shown[i] for i in range(3))] += 1
    game = restrict(tables, (0, 1, 2), (0, 1, 2))
    expected = {
        (world, picked): 500 / len(works)
        for world in (1, 2, 4)
        for works in [working(game, world, 7 & ~world)]
        for picked in works
    }
    freedom = len(expected) - 1
    assert set(seen) == set(expected)
    assert chi_square([seen[each] for each in expected], list(expected.values())) < freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("mode", MODES)
def test_the_order_of_actions_says_nothing(mode: Mode) -> None:
    """Observations that exclude a listed truth stand at every place equally often."""
    instances = _instances(random_tables(6, truths=10, actions=12), Size("small", 4, 6, mode=mode), 600)
    telling = Counter(
        place
        for instance in instances
        for place, (masks, seen) in enumerate(zip(instance.game, instance.observations, strict=True))
        if masks[seen.outcome]
    )
    mean = telling.total() / 6
    assert chi_square([telling[i] for i in range(6)], [mean] * 6) < 21


def test_measured_values_are_uniform_strictly_inside_their_range() -> None:
    tables = make_tables(((1, 2), (1, 2), (1, 2)), 2, measured=[0, 1, 2])
    values = Counter[Decimal]()
    for instance in _instances(tables, Size("two", 2, 3), 700):
        for action, seen in zip(instance.actions, instance.observations, strict=True):
            span = tables.actions[action].outcomes[seen.outcome].key
            assert isinstance(span, Range)
            assert seen.value is not None
            assert span.low < seen.value < span.high
            assert seen.value.as_tuple().exponent == -1
            values[seen.value] += 1
    assert len(values) == 8
    for tenths in (range(1, 5), range(6, 10)):
        counts = [values[Decimal(each) / 10] for each in tenths]
        assert chi_square(counts, [sum(counts) / 4] * 4) < 18  # 3 degrees of freedom


def test_a_range_without_a_readable_value_is_refused() -> None:
    tables = make_tables(((1, 2),), 2, measured=[0])
    action = tables.actions[0]
    assert action.scale is not None
    coarse = replace(tables, actions=(replace(action, scale=replace(action.scale, decimals=0)),))
    with pytest.raises(ValueError, match="action 0: no value of 0 decimals"):
        generate(coarse, Size("two", 2, 1), 0)


def test_the_paper_shows_no_more_actions_than_needed_before_it_fills_up() -> None:
    """Related actions come before unrelated ones; a domain with just enough related ones lists them all."""
    related = ((1, 0), (2, 0), (4, 0), (8, 0))
    tables = make_tables(related + ((0, 0),) * 6, 4)
    for instance in _instances(tables, Size("all", 4, 5, mode=Mode.PAPER), 20):
        assert set(range(4)) < set(instance.actions)


def test_paper_mode_lets_giveaways_through_only_when_asked() -> None:
    """Of the two truths only the first is ever excluded, so it is always the second that is valid."""
    tables = make_tables(((1, 0), (0, 1)), 2)
    size = Size("two", 2, 2, mode=Mode.PAPER)
    with pytest.raises(CannotGenerateError, match="no giveaway"):
        generate(tables, size, 0)
    instance = generate(tables, replace(size, giveaways=True), 0)
    exported = row(instance, Mode.PAPER)
    assert exported["valid_truths"] == ["truth 1"]
    assert check_instance(exported, to_json(tables)) == ["A giveaway: what is valid follows from the book alone."]
    assert check_instance(exported, to_json(tables), giveaways=True) == []


def _count_new(instances: Iterable[Instance], mode: Mode, taken: Taken) -> int:
    new = 0
    for instance in instances:
        if not taken.has(identity(instance), mode):
            taken.add(identity(instance), mode)
            new += 1
    return new


def test_duplicates_share_all_and_fair_ones_their_lists() -> None:
    tables = random_tables(8, truths=4, actions=5, density=0.5)
    size = Size("all", 4, 5)
    instances = _instances(tables, size, 40)
    assert _count_new(instances, Mode.FAIR, Taken()) == 1
    shown = {
        (
            instance.truths[instance.valid[0]],
            frozenset(
                (action, seen.outcome) for action, seen in zip(instance.actions, instance.observations, strict=True)
            ),
        )
        for instance in instances
    }
    assert _count_new(instances, Mode.PAPER, Taken()) == len(shown) > 10
    fair_first, paper_first = Taken(), Taken()
    assert _count_new(instances, Mode.FAIR, fair_first) and _count_new(instances, Mode.PAPER, fair_first) == 0
    assert _count_new(instances, Mode.PAPER, paper_first) and _count_new(instances, Mode.FAIR, paper_first) == 0


def test_what_cannot_be_counted_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "STATES", 1)
    with pytest.raises(CannotGenerateError, match="cannot be counted"):
        generate(random_tables(0, truths=8, actions=10), Size("large", 8, 10), 0)
