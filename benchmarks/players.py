"""How fast the two players are: against the plain recursions of reference.py, and as games grow.

    python benchmarks/players.py                      # about half an hour
    python benchmarks/players.py --instances 3        # a glance

Every instance is solved by both implementations in this process, one after the other, so that a ratio says something
even on a machine that does other things besides. The plain recursions give up beyond ``--plain-states`` states; the
ratio is then what it would at least have been, and stands after a ``>``.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))
import reference

from kumoc.benchmark import Size
from kumoc.compiler import compile_paths
from kumoc.generate import CannotGenerateError, Instance, derive, generate
from kumoc.solve import ExactPlayer, PaperPlayer, Player
from kumoc.tables import Tables

DOMAINS = ("medical", "chemical", "music", "education", "fantasy")
SIZES = ((4, 6), (6, 9), (8, 11), (12, 16))
GROWTH = ((8, 16), (12, 16), (16, 16), (20, 16), (12, 8), (12, 12), (12, 20), (12, 24), (16, 20), (20, 24))
PLAYERS: dict[str, tuple[type[Player], Callable[..., object]]] = {
    "paper": (PaperPlayer, reference.paper_values),
    "exact": (ExactPlayer, reference.exact_values),
}


@dataclass(frozen=True)
class Timing:
    """Seconds one instance took, plain ones infinite where they were given up; ``spent`` counts states worked out."""

    seconds: float
    plain: float
    plain_given_up: bool
    spent: int
    exact: bool


def main() -> None:
    """Measure and print both tables."""
    options = _options()
    domains = {tables.domain: tables for tables in compile_paths([Path(options.folder)]).tables}
    chosen = [domains[name] for name in options.domains.split(",")]
    console = Console(width=None if sys.stdout.isatty() else 120)
    _speed(console, chosen, options)
    _growth(console, chosen, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--instances", type=int, default=15, help="instances of each size and domain")
    parser.add_argument("--plain-states", type=int, default=300_000, help="where the plain recursions give up")
    parser.add_argument("--work", type=int, default=200_000, help="limit on states for the table of growth")
    parser.add_argument("--domains", default=",".join(DOMAINS))
    parser.add_argument("--folder", default=str(Path(__file__).parents[1] / "domains"))
    return parser.parse_args()


def _speed(console: Console, domains: Sequence[Tables], options: argparse.Namespace) -> None:
    table = Table(title="Milliseconds an instance: median / 95% / worst; ratio to the plain recursion, by medians")
    for column in ("player", "size", "domain", "kumoc", "plain, median", "ratio", "states, median", "MB at most"):
        table.add_column(column, justify="left" if column in ("player", "size", "domain") else "right")
    for name in PLAYERS:
        for size in SIZES:
            for tables in domains:
                instances = list(_instances(tables, size, options.instances))
                label = f"{name}, {size[0]} truths, {size[1]} actions, {tables.domain}"
                timings = [_timed(name, each, options.plain_states) for each in track(instances, label, transient=True)]
                table.add_row(name, _text(size), tables.domain, *_summary(timings), _memory(name, instances))
    console.print(table)


def _growth(console: Console, domains: Sequence[Tables], options: argparse.Namespace) -> None:
    table = Table(title=f"Growth, all domains together, at most {options.work:,} states a question")
    for column in ("size", "player", "ms: median / 95% / worst", "states, median", "exact"):
        table.add_column(column, justify="left" if column in ("size", "player") else "right")
    few = max(1, options.instances // 3)
    for size in GROWTH:
        instances = [each for tables in domains for each in _instances(tables, size, few)]
        for name in PLAYERS:
            label = f"{name}, {size[0]} truths, {size[1]} actions"
            timings = [_timed(name, each, 0, options.work) for each in track(instances, label, transient=True)]
            spent = median(timing.spent for timing in timings)
            exact = sum(timing.exact for timing in timings)
            row = (_quantiles([t.seconds for t in timings]), f"{spent:,.0f}", f"{exact} of {len(timings)}")
            table.add_row(_text(size), name, *row)
    console.print(table)


def _instances(tables: Tables, size: tuple[int, int], count: int) -> Iterator[Instance]:
    truths, actions = size
    if truths > len(tables.truths) or actions > len(tables.actions):
        return
    for index in range(count):
        wanted = Size("measured", truths=truths, actions=actions)
        try:
            yield generate(tables, wanted, derive(0, tables.domain, _text(size), index))
        except CannotGenerateError:
            return


def _timed(name: str, instance: Instance, plain_states: int, work: int | None = None) -> Timing:
    kind, plain_values = PLAYERS[name]
    n_truths, game, valid = len(instance.truths), instance.game, len(instance.valid)
    start = time.perf_counter()
    player = kind(n_truths, game, valid, work=work)
    bounds = player.bounds
    seconds = time.perf_counter() - start
    given_up = False
    start = time.perf_counter()
    if plain_states:
        try:
            plain = reference.value(plain_values(n_truths, game, valid, most=plain_states), n_truths, game)
            assert math.isclose(plain, bounds.lower, abs_tol=1e-9), (plain, bounds)
        except reference.TooManyStatesError:
            given_up = True
    return Timing(seconds, time.perf_counter() - start, given_up, player.spent, bounds.exact)


def _summary(timings: Sequence[Timing]) -> tuple[str, str, str, str]:
    seconds = [timing.seconds for timing in timings]
    plain = [timing.plain for timing in timings]
    over = ">" if 2 * sum(timing.plain_given_up for timing in timings) >= len(timings) else ""
    ratio = median(plain) / median(seconds)
    spent = median(timing.spent for timing in timings)
    return _quantiles(seconds), f"{over}{1000 * median(plain):,.1f}", f"{over}{ratio:,.1f}", f"{spent:,.0f}"


def _quantiles(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, math.ceil(0.95 * len(ordered)) - 1)]
    return " / ".join(f"{1000 * value:,.1f}" for value in (median(ordered), late, ordered[-1]))


def _memory(name: str, instances: Sequence[Instance]) -> str:
    """The most that the tables of one player take, over the first instances."""
    most = 0
    for instance in instances[:3]:
        tracemalloc.start()
        _ = PLAYERS[name][0](len(instance.truths), instance.game, len(instance.valid)).value
        most = max(most, tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return f"{most / 1e6:.1f}"


def _text(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"


if __name__ == "__main__":
    main()
