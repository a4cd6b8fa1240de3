from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.generate import outcomes
from kumoc.generate.draw import Draws
from kumoc.generate.instance import Game
from tests.sample import chi_square, random_game, working

TRUTHS = 5
EVERY = (1 << TRUTHS) - 1


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Game, int, int]:
    """Up to four actions over five truths (and a sixth that does not matter), the valid truths and the invalid."""
    masks = st.integers(0, (1 << TRUTHS + 1) - 1)
    actions = draw(st.lists(st.lists(masks, min_size=1, max_size=4).map(tuple), max_size=4).map(tuple))
    valid = draw(st.integers(0, EVERY))
    return actions, valid, draw(st.integers(0, EVERY)) & ~valid


def test_counts_are_those_of_enumeration() -> None:
    seen = Counter[bool]()

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(worlds())
    def check(world: tuple[Game, int, int]) -> None:
        expected = len(working(*world))
        seen[expected > 0] += 1
        assert outcomes.count(*world) == expected
        assert outcomes.possible(*world) is (expected > 0)

    check()
    assert min(seen[True], seen[False]) > 40


def test_samples_work() -> None:
    worked = 0

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(worlds(), st.integers(0, 2**32))
    def check(world: tuple[Game, int, int], seed: int) -> None:
        nonlocal worked
        expected = working(*world)
        if expected:
            worked += 1
            assert outcomes.sample(*world, Draws(seed)) in expected

    check()
    assert worked > 40


@pytest.mark.parametrize("seed", range(4))
def test_samples_are_uniform_over_what_works(seed: int) -> None:
    actions = random_game(seed, 4, 4, density=0.5)
    valid, invalid = next(
        (1 << i, 15 & ~(1 << i)) for i in range(4) if len(working(actions, 1 << i, 15 & ~(1 << i))) > 3
    )
    expected = working(actions, valid, invalid)
    draws = Draws(seed)
    counts = Counter(outcomes.sample(actions, valid, invalid, draws) for _ in range(60 * len(expected)))
    freedom = len(expected) - 1
    assert set(counts) == set(expected)
    assert (
        chi_square([counts[picked] for picked in expected], [60] * len(expected)) < freedom + 5 * (2 * freedom) ** 0.5
    )


def test_counts_may_exceed_any_machine_word() -> None:
    assert outcomes.count((tuple([0] * 1000),) * 30 + ((1, 0),), 0, 1) == 1000**30


def test_counting_is_given_up_when_there_are_too_many_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    actions = tuple((0, 0b11 << i, 0b1001 << i) for i in range(10)) * 2
    assert outcomes.count(actions, 0, (1 << 10) - 1) > 0
    monkeypatch.setattr(outcomes, "STATES", 8)
    with pytest.raises(outcomes.TooManyStatesError):
        outcomes.count(actions, 0, (1 << 10) - 1)
