"""Both players: the definitions' own cases, a plain implementation, and brute force over worlds in exact fractions."""

from __future__ import annotations

import gc
import random
import runpy
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.solve import ExactPlayer, PaperPlayer, Player, exact_value, paper_value
from tests.command import printed
from tests.sample import random_game

REFERENCE = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "reference.py"))


def all_worlds(n_truths, game, valid):
    """Every world: its valid truths, its outcomes, and its probability."""
    worlds = []
    truths = (1 << n_truths) - 1
    for chosen in combinations(range(n_truths), valid):
        kept = sum(1 << truth for truth in chosen)
        keeping = [[o for o, mask in enumerate(masks) if not mask & kept] for masks in game]
        found = []
        for observed in product(*keeping):
            left = truths
            for masks, o in zip(game, observed, strict=True):
                left &= ~masks[o]
            if left == kept:
                found.append((kept, observed, Fraction(1)))
        worlds.append([(kept, observed, p / len(found)) for kept, observed, p in found])
    possible = [group for group in worlds if group]
    return [(kept, observed, p / len(possible)) for group in possible for kept, observed, p in group]


def brute_force(n_truths, game, valid):
    """The least expected number of actions over all policies, which see outcomes and nothing else."""
    worlds = all_worlds(n_truths, game, valid)
    if not worlds:
        return None

    @cache
    def cost(seen):
        possible = [w for w in worlds if all(o is None or w[1][a] == o for a, o in enumerate(seen))]
        named = -1
        for kept, _, _ in possible:
            named &= kept
        if named:
            return Fraction(0)
        total = sum(p for _, _, p in possible)
        best = None
        for action, o in enumerate(seen):
            if o is None:
                after = sum(
                    cost((*seen[:action], shown, *seen[action + 1 :]))
                    for shown in sorted({w[1][action] for w in possible})
                )
                best = total + after if best is None else min(best, total + after)
        assert best is not None, "the guarantee leaves two worlds apart after every action"
        return best

    return cost((None,) * len(game))


def random_games(seed, count, n_truths, n_actions, n_outcomes):
    """Games of one size, denser and sparser ones."""
    draw = random.Random(seed)
    for _ in range(count):
        density = draw.choice([0.15, 0.25, 0.4])
        yield tuple(
            tuple(
                sum(1 << truth for truth in range(n_truths) if draw.random() < density)
                for _ in range(draw.randint(2, n_outcomes))
            )
            for _ in range(n_actions)
        )


@pytest.mark.parametrize(
    ("game", "exact", "paper"),
    [
        (((0, 1), (0, 2), (0, 4)), 5 / 3, 1.4),
        (((0, 1), (0, 2), (0, 4), (0, 8)), 9 / 4, 1.6),
        (((0, 3), (0, 5), (0, 6)), 5 / 3, 1.75),
        (((4, 1), (2, 1), (0, 6)), 5 / 3, 2),
    ],
)
def test_cases_of_the_definition(game, exact, paper):
    n_truths = max(mask for masks in game for mask in masks).bit_length()
    assert exact_value(n_truths, game) == pytest.approx(exact, abs=1e-12)
    assert paper_value(n_truths, game) == pytest.approx(paper, abs=1e-12)


def test_nothing_to_do():
    assert paper_value(1, ()) == exact_value(1, ()) == 0
    assert ExactPlayer(1, ((0, 0),)).optimal_actions(1, 1) == ()
    assert PaperPlayer(3, ((0, 1),)).value == 0  # truths 1 and 2 are beyond exclusion
    assert PaperPlayer(3, ((1, 2, 4),), valid=3).trajectory((0,)) == ()


@pytest.mark.parametrize(
    ("n_truths", "game", "valid", "said"),
    [
        (2, ((0, 4),), 1, "beyond the 2"),
        (2, ((),), 1, "no outcome"),
        (2, ((0, 1),), 3, "3 valid truths"),
        (2, ((0, 1),), 0, "0 valid truths"),
    ],
)
def test_what_is_not_a_game_is_refused(n_truths, game, valid, said):
    for player in (PaperPlayer, ExactPlayer):
        with pytest.raises(ValueError, match=said):
            player(n_truths, game, valid)


def test_impossible_guarantee_is_refused():
    with pytest.raises(ValueError, match="no world is possible"):
        ExactPlayer(3, ((0, 1),))


def test_exact_player_is_optimal_over_all_policies():
    seen = {1: 0, 2: 0, "impossible": 0}

    @settings(max_examples=800, deadline=None, derandomize=True)
    @given(st.integers(0), st.integers(2, 4), st.integers(2, 5), st.sampled_from([1, 1, 2]))
    def check(seed, n_truths, n_actions, valid):
        (game,) = random_games(seed, 1, n_truths, n_actions, n_outcomes=3)
        expected = brute_force(n_truths, game, valid)
        if expected is None:
            seen["impossible"] += 1
            with pytest.raises(ValueError, match="no world"):
                ExactPlayer(n_truths, game, valid)
        else:
            seen[valid] += expected > 0
            assert ExactPlayer(n_truths, game, valid).value == pytest.approx(float(expected), abs=1e-9)

    check()
    assert seen[1] >= 40, seen
    assert seen[2] >= 10, seen


def compare_states(kind, game, n_truths, valid):
    """The optimal actions of all states that optimal play meets: equal, with their values, to the plain player's."""
    plain = REFERENCE[f"{kind}_values"](n_truths, game, valid)
    player = {"paper": PaperPlayer, "exact": ExactPlayer}[kind](n_truths, game, valid)
    frontier, met = [(player.truths, frozenset(range(len(game))))], {}
    while frontier:
        survivors, left = state = frontier.pop()
        if state in met:
            continue
        remaining = sum(1 << action for action in left)
        values = plain(survivors, left)
        best = min(values.values(), default=0.0)
        met[state] = tuple(action for action, value in values.items() if value <= best + 1e-9)
        assert player.state_value(survivors, remaining) == pytest.approx(best, abs=1e-9)
        assert player.optimal_actions(survivors, remaining) == met[state]
        frontier += [(survivors & ~mask, left - {action}) for action in met[state] for mask in game[action]]
    return list(met.values())


@pytest.mark.parametrize("valid", [1, 2])
@pytest.mark.parametrize("kind", ["paper", "exact"])
def test_values_and_ties_agree_with_the_plain_implementation(kind, valid):
    optimal = []
    for game in random_games(seed=valid, count=100, n_truths=5, n_actions=5, n_outcomes=4):
        with suppress(ValueError):
            optimal += compare_states(kind, game, 5, valid)
    assert len(optimal) > 300
    assert len([actions for actions in optimal if len(actions) > 1]) > 20


@pytest.mark.parametrize("valid", [1, 2])
def test_actions_that_show_nothing_may_be_the_best_in_the_papers_game(valid):
    waits = waits_among_others = 0
    draws = random.Random(valid)
    for telling in random_games(seed=valid, count=150, n_truths=4, n_actions=3, n_outcomes=3):
        nothing = [(0,) * draws.randint(1, 3) + (0b1111,) for _ in range(draws.randint(1, 3))]
        start = compare_states("paper", (*nothing, *telling), 4, valid)[0]
        waits += 0 in start
        waits_among_others += 0 in start and max(start) >= len(nothing)
    assert waits >= 40
    assert waits_among_others >= 5


@pytest.mark.parametrize("valid", [1, 2])
def test_play_of_the_exact_policy_costs_its_value(valid):
    played = 0
    for game in random_games(seed=10 + valid, count=150, n_truths=4, n_actions=5, n_outcomes=3):
        worlds = all_worlds(4, game, valid)
        if worlds:
            player = ExactPlayer(4, game, valid)
            cost = sum(p * len(player.trajectory(observed)) for _, observed, p in worlds)
            assert float(cost) == pytest.approx(player.value, abs=1e-9)
            played += player.value > 0
    assert played >= 15


def test_play_takes_the_first_of_equally_good_actions():
    game = ((0, 1), (0, 2), (0, 4), (0, 4))
    player = ExactPlayer(3, game)
    first = player.optimal_actions(0b111, 0b1111)
    assert len(first) > 1
    assert player.trajectory((1, 1, 0, 0))[0] == first[0]


SCRIPT = """
import random
from kumoc.solve import ExactPlayer, PaperPlayer
draw = random.Random(3)
game = tuple(tuple(sum(1 << t for t in range(6) if draw.random() < 0.3) for _ in range(3)) for _ in range(7))
for player in (PaperPlayer(6, game), ExactPlayer(6, game)):
    print(player.value.hex(), player.trajectory((0,) * 7), player.optimal_actions(63, 127))
"""


def test_the_same_under_any_hash_seed():
    assert len(printed(SCRIPT).splitlines()) == 2


@pytest.mark.parametrize("kind", [PaperPlayer, ExactPlayer])
def test_a_player_that_is_let_go_leaves_nothing_to_the_cyclic_collector(kind: type[Player]) -> None:
    """Its tables are large: builds of many rows would grow until the collector comes round."""
    games = [random_game(seed, 6, 8) for seed in range(20)]
    gc.collect()
    for game in games:
        player = kind(6, game)
        player.optimal_actions(player.truths, player.actions)
        player.trajectory((0,) * 8)
        del player
    assert gc.collect() == 0
