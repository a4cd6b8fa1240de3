"""How long it takes to score many trajectories, and in how much memory.

    python benchmarks/scoring.py
    python benchmarks/scoring.py --trajectories 100000 --table scores --table pairs

The committed release is played by a random player and by the greedy one, which now and then names a truth at random;
each game stands in the file again and again, under another instance. Each line is a run of the real command in a
process of its own.

Measured on a virtual machine busy with four other things: 1,000,000 trajectories, a file of 1.2 GB, took

    scores and conduct   30 s of one core   (134 s in all)   706 MB
    passes               17 s               (103 s)          638 MB
    pairs                37 s               (205 s)          658 MB
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from kumoc.generate.draw import Draws
from kumoc.play import Name, Simulator, State, greedy, random_action, record, to_json
from kumoc.release import load

ROOT = Path(__file__).parents[1]
TRIALS = 5


def main() -> None:
    """Make a file, score it and print a table."""
    options = _options()
    table = Table(title=f"Scoring {options.trajectories:,} trajectories")
    for column in ("tables", "seconds", "CPU seconds", "MB at most"):
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plays.jsonl"
        _make(path, options.trajectories)
        for names in [[name] for name in options.table] or [["scores", "conduct"], ["passes"], ["pairs"]]:
            table.add_row(", ".join(names), *(f"{figure:,.0f}" for figure in _scored(path, names)))
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--trajectories", type=int, default=1_000_000)
    parser.add_argument("--table", action="append", default=[])
    return parser.parse_args()


def _make(path: Path, count: int) -> None:
    games = list(_games())
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            game = games[number % len(games)]
            again = {"instance_id": f"{game['instance_id']}-{number // len(games)}"}
            file.write(json.dumps(game | again, ensure_ascii=False) + "\n")


def _games() -> list[dict[str, Any]]:
    draws = Draws(1)
    found = []
    for row in load(ROOT / "dist" / "pocket" / "1.0.0"):
        simulator = Simulator.of(row)
        for agent in (random_action(), greedy()):
            for trial in range(TRIALS):
                strategy, state = agent.sit(simulator.puzzle, trial), simulator.start()
                while state.end is None:
                    state = _step(simulator, state, draws) or simulator.step(state, strategy(state))
                found.append(to_json(record(simulator, state, agent.name, trial)))
    return found


def _step(simulator: Simulator, state: State, draws: Draws) -> State | None:
    truths = len(simulator.puzzle.truths)
    return simulator.step(state, Name(draws.below(truths))) if draws.below(5) == 0 else None


def _scored(path: Path, names: list[str]) -> tuple[float, float, float]:
    """Seconds, seconds of computing, and megabytes."""
    tables = [part for name in names for part in ("--table", name)]
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "kumoc", "score", path, *tables], stdout=subprocess.DEVNULL, cwd=ROOT
    )
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
