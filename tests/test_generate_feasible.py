"""Whether a size can be met: compared with trying everything on tiny domains."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

import pytest

from kumoc.benchmark import Mode, Size
from kumoc.generate import CannotGenerateError, feasible, generate
from kumoc.generate.draw import Draws
from kumoc.generate.instance import restrict
from kumoc.generate.sat import OpenQuestionError, Question
from kumoc.tables import Tables
from tests.sample import make_tables, random_tables, subsets, working

TRUTHS = 5
ACTIONS = 4


def _exists(tables: Tables, size: Size) -> bool:
    """Whether an instance exists, giveaways included, by trying all truths, actions, worlds and outcomes."""
    everything = (1 << size.truths) - 1
    for truths in combinations(range(len(tables.truths)), size.truths):
        for actions in combinations(range(len(tables.actions)), size.actions):
            game = restrict(tables, truths, actions)
            possible = (bool(working(game, world, everything & ~world)) for world in subsets(everything, size.valid))
            if all(possible) if size.mode is Mode.FAIR else any(possible):
                return True
    return False


@pytest.mark.parametrize("mode", Mode)
def test_it_is_feasible_exactly_when_trying_everything_finds_an_instance(
    mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumoc.generate.fair.DRAWS", 100)  # what cannot be drawn need not be tried so often
    seen = Counter[str]()
    for seed in range(80):
        draws = Draws(seed)
        density = (1 + draws.below(8)) / (20 if mode is Mode.FAIR else 80)
        tables = random_tables(seed, TRUTHS, ACTIONS, density)
        size = Size("any", 2 + draws.below(TRUTHS - 1), 1 + draws.below(ACTIONS), mode=mode, giveaways=True)
        reason = feasible(tables, size)
        assert (reason is None) is _exists(tables, size)
        if reason is None:
            seen["feasible"] += 1
            continue
        if reason.least_actions is not None:
            seen["too few actions"] += 1
            assert _exists(tables, replace(size, actions=reason.least_actions))
            assert not _exists(tables, replace(size, actions=reason.least_actions - 1))
        if reason.most_truths is not None:
            seen["too many truths"] += 1
            assert _exists(tables, replace(size, truths=reason.most_truths))
            assert not _exists(tables, replace(size, truths=reason.most_truths + 1))
        with pytest.raises(CannotGenerateError) as caught:
            generate(tables, size, seed)
        assert caught.value.reason == reason
    assert len(seen) == 3
    assert min(seen.values()) > 3


@pytest.mark.parametrize("mode", Mode)
def test_several_valid_truths_are_feasible_exactly_when_trying_everything_says_so(mode: Mode) -> None:
    seen = Counter[bool]()
    for seed in range(25):
        tables = random_tables(seed, TRUTHS, 5, 0.2 if mode is Mode.FAIR else 0.06)
        size = Size("pairs", 4, 4, valid=2, mode=mode)
        exists = _exists(tables, size)
        seen[exists] += 1
        assert (feasible(tables, size) is None) is exists
    assert min(seen[True], seen[False]) > 2


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        (Size("s", 7, 3), "There are 6 truths to choose from, not 7."),
        (Size("s", 3, 4), "There are 3 actions to choose from, not 4."),
        (Size("s", 3, 3, valid=3), "Of 3 truths 3 cannot be valid: at least one is, and one is not."),
        (Size("s", 3, 3, valid=0), "Of 3 truths 0 cannot be valid: at least one is, and one is not."),
    ],
)
@pytest.mark.parametrize("mode", Mode)
def test_what_is_not_there_cannot_be_listed(size: Size, sentence: str, mode: Mode) -> None:
    reason = feasible(make_tables(((1, 2), (4, 8), (16, 32)), 6), replace(size, mode=mode))
    assert reason is not None
    assert reason.sentence == sentence


def test_the_least_number_of_actions_is_told() -> None:
    tables = make_tables(((1, 0), (2, 0), (4, 0), (8, 0), (0, 0)), 4)
    reason = feasible(tables, Size("s", 4, 2))
    assert reason is not None
    assert reason.least_actions == 4
    assert reason.sentence == "4 truths need at least 4 actions, not 2."


def test_truths_that_nothing_tells_apart_are_named() -> None:
    """Truths 0 and 1 are always excluded together; nothing excludes truth 2."""
    tables = make_tables(((0b00011, 0b01000), (0b10000, 0)), 5)
    reason = feasible(tables, Size("s", 4, 2))
    assert reason is not None
    assert reason.most_truths == 2
    assert reason.pairs == tuple(_pairs(tables))
    assert ("truth 0", "truth 1") in reason.pairs
    assert ("truth 0", "truth 2") in reason.pairs
    assert reason.sentence == (
        "No 4 truths can be listed together: at most 2. "
        f"If truth 0 is valid, then nothing rules out truth 1; there are {len(reason.pairs)} such pairs."
    )


def _pairs(tables: Tables) -> Iterator[tuple[str, str]]:
    outcomes = [outcome.excludes for action in tables.actions for outcome in action.outcomes]
    for t, truth in enumerate(tables.truths):
        for u, other in enumerate(tables.truths):
            if t != u and not any(mask >> u & 1 and not mask >> t & 1 for mask in outcomes):
                yield truth.name, other.name


def test_a_domain_that_excludes_nothing_has_no_size_at_all() -> None:
    reason = feasible(make_tables(((0, 0), (0, 0)), 3), Size("s", 3, 2, mode=Mode.PAPER))
    assert reason is not None
    assert reason.most_truths is None
    assert reason.sentence == "No 3 truths can be listed together, nor any fewer."


def test_many_truths_of_one_kind_are_no_riddle_for_the_solver() -> None:
    """Twelve groups of five truths that are always excluded together: thirteen truths never fit."""
    groups = [0b11111 << 5 * i for i in range(12)]
    tables = make_tables(tuple((group, 0) for group in groups), 60)
    reason = feasible(tables, Size("s", 13, 12))
    assert reason is not None
    assert reason.most_truths == 12
    assert feasible(tables, Size("s", 12, 12)) is None
    assert len(generate(tables, Size("s", 12, 12), 0).truths) == 12


def test_a_question_that_stays_open_counts_as_feasible(monkeypatch: pytest.MonkeyPatch) -> None:
    def stays_open(*_: object) -> bool:
        raise OpenQuestionError

    tables = make_tables(((0, 0), (0, 0)), 3)
    size = Size("s", 3, 2)
    assert feasible(tables, size) is not None
    monkeypatch.setattr(Question, "satisfiable", stays_open)
    assert feasible(tables, size) is None
    with pytest.raises(CannotGenerateError, match="nothing shows that there is none"):
        generate(tables, size, 0)


def _pigeons(holes: int) -> Question:
    """One pigeon more than there are holes: a short question that takes the solver long."""
    question = Question()
    pigeons = [question.variables(holes) for _ in range(holes + 1)]
    for places in pigeons:
        question.add(places)
    for rivals in zip(*pigeons, strict=True):
        question.at_most_one(rivals)
    return question


def test_the_solver_gives_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumoc.generate.sat.CONFLICTS", 10)
    with pytest.raises(OpenQuestionError):
        _pigeons(8).satisfiable()


def test_an_interrupt_reaches_the_program_from_within_the_solver() -> None:
    question = _pigeons(11)
    with subprocess.Popen([sys.executable, "-c", INTERRUPT, str(os.getpid())]), pytest.raises(KeyboardInterrupt):
        while True:
            with suppress(OpenQuestionError):
                question.satisfiable()


INTERRUPT = "import os, signal, sys, time; time.sleep(0.2); os.kill(int(sys.argv[1]), signal.SIGINT)"
