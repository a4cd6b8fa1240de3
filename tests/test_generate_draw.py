from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumoc.generate.draw import Draws, derive
from tests.sample import chi_square


@given(st.integers(0, 2**64 - 1), st.integers(1, 10**40))
def test_a_number_below_a_limit_of_any_size(seed: int, limit: int) -> None:
    assert 0 <= Draws(seed).below(limit) < limit


def test_numbers_below_a_limit_are_equally_likely() -> None:
    draws = Draws(1)
    counts = Counter(draws.below(6) for _ in range(6000))
    assert chi_square([counts[i] for i in range(6)], [1000] * 6) < 20  # 5 degrees of freedom


def test_permutations_are_equally_likely() -> None:
    draws = Draws(2)
    counts = Counter(draws.permutation(4) for _ in range(4800))
    assert chi_square([counts[order] for order in permutations(range(4))], [200] * 24) < 50  # 23 degrees


def test_selections_are_equally_likely_in_every_order() -> None:
    draws = Draws(3)
    counts = Counter(draws.choose(5, 2) for _ in range(4000))
    assert chi_square([counts[pair] for pair in permutations(range(5), 2)], [200] * 20) < 45  # 19 degrees


@given(st.integers(0, 2**64 - 1), st.integers(0, 30))
def test_a_permutation_holds_every_number_once_and_begins_with_the_selection(seed: int, count: int) -> None:
    whole = Draws(seed).permutation(count)
    assert sorted(whole) == list(range(count))
    assert Draws(seed).choose(count, count // 2) == whole[: count // 2]


def test_streams_never_change() -> None:
    """Published rows are rebuilt from their seeds: these numbers stay what they are for good."""
    assert derive(20261121, "minerals", "easy", "test", 0, 0) == 6662762299665887170
    draws = Draws(20261121)
    assert draws.permutation(10) == (8, 2, 9, 7, 4, 0, 1, 5, 6, 3)
    assert draws.below(10**30) == 408840882533409690103103378157


def test_seeds_differ_with_each_part_and_its_kind() -> None:
    parts = [(1, "a"), ("1", "a"), (1, "b"), (1, "a", ""), ("1a",), (1, "a", 0), (11, "a"), (), ("é",), ("e",)]
    seeds = {derive(*each) for each in parts}
    assert len(seeds) == len(parts)
    assert all(0 <= seed < 2**63 for seed in seeds)


@pytest.mark.parametrize("bit", [0, 31, 62])
def test_each_bit_of_a_seed_is_as_often_set_as_not(bit: int) -> None:
    ones = sum(derive("x", i) >> bit & 1 for i in range(4000))
    assert abs(ones - 2000) < 150
