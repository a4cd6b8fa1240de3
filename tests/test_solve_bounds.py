"""Bounds hold the value under any limit on work, and the policy of the upper bound costs what is said."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.solve import Decision, ExactPlayer, Named, OutOfWorkError, PaperPlayer, Player, policy, to_json, walk
from kumoc.solve.floor import least_depth
from tests.command import printed
from tests.sample import random_game
from tests.test_solve_players import all_worlds

ROOT = Path(__file__).parents[1]
REFERENCE = runpy.run_path(str(ROOT / "benchmarks" / "reference.py"))
PLAYERS = {"paper": PaperPlayer, "exact": ExactPlayer}
LIMITS = (0, 1, 2, 3, 5, 8, 13, 20, 30, 45, 70, 110, 170, 300, 10_000)


def cost_of_play(player: Player, kind: str, n_truths: int, game, valid: int) -> float:
    """The mean number of actions of ``player.trajectory``, by the chances that the player believes in."""
    if kind == "exact":
        return float(sum(p * len(player.trajectory(seen)) for _, seen, p in all_worlds(n_truths, game, valid)))
    cost = 0.0
    everything = product(*(range(len(masks)) for masks in game))
    played = {seen: player.trajectory(seen) for seen in everything}
    # the chance of a play is that of the outcomes it saw
    plays = {(actions, tuple(seen[a] for a in actions)) for seen, actions in played.items()}
    for actions, seen in sorted(plays):
        survivors, chance = (1 << n_truths) - 1, 1.0
        for action, outcome in zip(actions, seen, strict=True):
            left = [(survivors & ~mask).bit_count() for mask in game[action]]
            chance *= left[outcome] / sum(left) if sum(left) else 0.0
            survivors &= ~game[action][outcome]
        cost += chance * len(actions)
    return cost


@pytest.mark.parametrize("kind", PLAYERS)
def test_bounds_hold_the_value_and_play_costs_the_upper_one(kind: str) -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=250, deadline=None, derandomize=True)
    @given(
        st.integers(0, 2**32),
        st.integers(2, 5),
        st.integers(2, 5),
        st.sampled_from([0.15, 0.25, 0.4]),
        st.sampled_from([1, 1, 2]),
        st.sampled_from(LIMITS),
    )
    def check(seed: int, truths: int, actions: int, density: float, valid: int, work: int) -> None:
        game = random_game(seed, truths, actions, density)
        try:
            value = REFERENCE["value"](REFERENCE[f"{kind}_values"](truths, game, valid), truths, game)
        except ValueError:
            return
        player = PLAYERS[kind](truths, game, valid, work=work)
        bounds = player.bounds
        assert bounds.lower <= value + 1e-9
        assert value <= bounds.upper + 1e-9
        assert player.bounds == bounds
        assert cost_of_play(player, kind, truths, game, valid) == pytest.approx(bounds.upper, abs=1e-8)
        if work == LIMITS[-1]:
            assert bounds.exact
        seen["positive"] += value > 0
        seen["open"] += bounds.gap > 1e-9
        seen["between"] += bounds.gap > 1e-9 and bounds.upper < actions

    check()
    assert seen["positive"] >= 60, seen
    assert seen["open"] >= 20, seen
    assert seen["between"] >= 10, seen


@pytest.mark.parametrize("kind", PLAYERS)
def test_bounds_over_many_limits_of_larger_games(kind: str) -> None:
    compared = open_ones = 0
    for seed in range(24):
        game = random_game(seed, 6, 8, 0.3)
        try:
            value = PLAYERS[kind](6, game).value
        except ValueError:
            continue
        for work in (0, 4, 16, 40, 100, 250, 600, 1500):
            bounds = PLAYERS[kind](6, game, work=work).bounds
            assert bounds.lower <= value + 1e-9
            assert value <= bounds.upper + 1e-9
            open_ones += bounds.gap > 1e-9
            compared += 1
        enough = PLAYERS[kind](6, game, work=1_000_000).bounds
        assert enough.exact
        assert enough.upper == pytest.approx(value)
    assert compared > 60
    assert open_ones > 30


@pytest.mark.parametrize("kind", PLAYERS)
def test_later_questions_do_not_change_the_policy(kind: str) -> None:
    changed = 0
    for seed in range(40):
        game = random_game(seed, 6, 7, 0.3)
        try:
            player = PLAYERS[kind](6, game, work=120)
        except ValueError:
            continue
        bounds = player.bounds
        if bounds.exact:
            continue
        worlds = [tuple(seed % len(masks) for masks in game), tuple(0 for _ in game), tuple(-1 for _ in game)]
        before = [player.trajectory(seen) for seen in worlds]
        for _ in range(40):
            for survivors in (0b111111, 0b111, 0b101011):
                try:
                    player.state_value(survivors, player.actions)
                except OutOfWorkError:
                    changed += 1
        assert player.bounds == bounds
        assert [player.trajectory(seen) for seen in worlds] == before
    assert changed > 5


SCRIPT = """
from kumoc.solve import ExactPlayer, PaperPlayer
from tests.sample import random_game
for seed in range(10):
    game = random_game(seed, 7, 8, 0.3)
    for kind in (PaperPlayer, ExactPlayer):
        try:
            player = kind(7, game, work=150)
        except ValueError:
            continue
        bounds = player.bounds
        print(bounds.lower.hex(), bounds.upper.hex(), player.trajectory((0,) * 8), player.trajectory((1,) * 8))
"""


def test_the_same_under_any_hash_seed() -> None:
    assert len(printed(SCRIPT).splitlines()) > 10


def test_some_actions_are_needed_where_the_chances_are_out_of_reach() -> None:
    game = tuple((0, 1 << i) for i in range(6))
    bounds = ExactPlayer(6, game, work=0).bounds
    assert bounds.lower >= 1
    assert bounds.upper == 6


@pytest.mark.parametrize(
    ("ending", "branchings", "most", "depth"),
    [
        (1, (2,), None, 0),
        (1 / 2, (2,), None, 1),
        (1 / 3, (2, 2), None, 5 / 3),
        (1 / 4, (2, 2, 2), None, 2),
        (1 / 6, (2, 3), None, 2),
        (1 / 6, (3, 2), 1, 5 / 6),
        (1 / 9, (3, 3), 5, 2),
    ],
)
def test_least_depth(ending: float, branchings: tuple[int, ...], most: int | None, depth: float) -> None:
    assert least_depth(ending, tuple(tuple(range(b)) for b in branchings), most) == pytest.approx(depth)


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_value_of_a_policy_is_the_mean_depth_of_its_ends(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    checked = 0
    for seed in range(40):
        game = random_game(seed, 5, 5, 0.3)
        try:
            player = PLAYERS[kind](5, game)
        except ValueError:
            continue
        root = policy(player)
        nodes = list(walk(root))
        assert nodes[0] == ((), 1.0, root)
        ends = [(path, chance) for path, chance, node in nodes if isinstance(node, Named)]
        assert sum(chance for _, chance in ends) == pytest.approx(1)
        assert sum(chance * len(path) for path, chance in ends) == pytest.approx(player.value, abs=1e-9)
        for path, _, node in nodes:
            survivors = player.truths
            for action, outcomes in path:
                survivors &= ~game[action][outcomes[0]]
            assert sum(1 << truth for truth in node.survivors) == survivors
        plain = json.loads(json.dumps(to_json(root)))
        assert plain == to_json(root)
        assert plain["survivors"] == list(root.survivors)
        if isinstance(root, Decision):
            assert plain["action"] == root.action
            assert len(plain["branches"]) == len(root.branches)
            checked += 1
    assert checked >= 10
    assert capsys.readouterr().out == ""
