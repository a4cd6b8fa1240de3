"""No reduction of the search changes what it finds, and work that runs out is said and not guessed past."""

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.solve import ExactPlayer, PaperPlayer
from kumoc.solve.reductions import ALL
from kumoc.solve.work import OutOfWorkError
from tests.sample import random_game


@pytest.mark.parametrize("player", [PaperPlayer, ExactPlayer])
@pytest.mark.parametrize("off", [field.name for field in fields(ALL)])
def test_a_reduction_changes_neither_values_nor_ties(player: type[PaperPlayer] | type[ExactPlayer], off: str) -> None:
    seen = {"compared": 0}

    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(st.integers(0, 2**32), st.integers(2, 5), st.integers(1, 6), st.floats(0.15, 0.5), st.integers(1, 2))
    def check(seed: int, truths: int, actions: int, density: float, valid: int) -> None:
        game = random_game(seed, truths, actions, density)
        if valid >= truths:
            return
        try:
            full = player(truths, game, valid)
        except ValueError:
            return
        plain = player(truths, game, valid, reductions=replace(ALL, **{off: False}))
        assert plain.value == pytest.approx(full.value, abs=1e-9)
        everything = full.truths, full.actions
        assert plain.optimal_actions(*everything) == full.optimal_actions(*everything)
        seen["compared"] += full.value > 0

    check()
    assert seen["compared"] >= 20


@pytest.mark.parametrize("player", [PaperPlayer, ExactPlayer])
def test_work_that_runs_out_is_said(player: type[PaperPlayer] | type[ExactPlayer]) -> None:
    game = tuple((0, 1 << i) for i in range(6))
    assert player(6, game, work=10_000).value == pytest.approx(player(6, game).value)
    with pytest.raises(OutOfWorkError):
        _ = player(6, game, work=3).value
