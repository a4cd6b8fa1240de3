"""Trajectories made for tests: played by the project's own simulator, or made up."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from kumoc.generate.draw import Draws
from kumoc.play import Act, Fault, Move, Name, Release, Simulator, State, Unread, record, to_json
from kumoc.release import load
from tests.command import ROOT

POCKET = ROOT / "dist" / "pocket" / "1.0.0"


def pocket_rows() -> list[dict[str, Any]]:
    """The rows of the committed release."""
    return list(load(POCKET))


def clumsy(simulator: Simulator, draws: Draws, skill: int) -> State:
    """A game by a player who is careful in ``skill`` of ten turns and guesses, repeats or mumbles in others."""
    state = simulator.start()
    while state.end is None:
        state = simulator.step(state, _move(simulator, state, draws, skill))
    return state


def _move(simulator: Simulator, state: State, draws: Draws, skill: int) -> Move:
    puzzle = simulator.puzzle
    left = [i for i in range(len(puzzle.truths)) if state.survivors >> i & 1]
    if draws.below(10) < skill:
        untaken = [i for i in range(len(puzzle.actions)) if state.remaining >> i & 1]
        return Name(left[0]) if len(left) <= puzzle.valid or not untaken else Act(untaken[0], _slip(draws), "so")
    match draws.below(8):
        case 0:
            return Unread((Fault.MISSING, Fault.UNKNOWN)[draws.below(2)])
        case 1 | 2:
            return Name(draws.below(len(puzzle.truths)))
    return Act(draws.below(len(puzzle.actions)))


def _slip(draws: Draws) -> Fault | None:
    return Fault.SPELLING if draws.below(12) == 0 else None


def games(
    rows: Iterable[dict[str, Any]], models: dict[str, int], trials: int, seed: int = 1, domains: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Trajectories of clumsy ``models`` by skill; rows are dealt out to made-up ``domains`` if there are any."""
    draws = Draws(seed)
    release = Release("pocket", "1.0.0", "0" * 64)
    found = []
    for number, row in enumerate(rows):
        if domains:
            row = row | {"domain": domains[number % len(domains)]}  # noqa: PLW2901
        simulator = Simulator.of(row)
        for model, skill in models.items():
            for trial in range(trials):
                state = clumsy(simulator, draws, skill)
                found.append(to_json(record(simulator, state, model, trial, release=release, tokens=draws.below(900))))
    return found


def write(path: Path, trajectories: Iterable[dict[str, Any]]) -> Path:
    """A file of trajectories."""
    path.write_text("".join(json.dumps(each) + "\n" for each in trajectories), encoding="utf-8")
    return path
