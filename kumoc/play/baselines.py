"""The project's players on a release: what every model is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kumoc.play.agents import Agent, Strategy, play
from kumoc.play.metrics import own_relative, paper_relative
from kumoc.play.moves import Act, Move, Name
from kumoc.play.players import exact_player, first_action, greedy, paper_player, random_action
from kumoc.play.simulator import Puzzle, Simulator, State
from kumoc.play.trajectory import Release, Trajectory, record

SAMPLE = 100
"""Rows of each domain, size and split that the card of a release has figures of: the first ones."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Plays one row as the row says that an optimal player does: its ``actions``, then the truth it is sure of."""

    name: str
    actions: tuple[int, ...]
    truth: int

    def sit(self, puzzle: Puzzle, trial: int) -> Strategy:  # noqa: ARG002
        """Begin the game of that row."""

        def strategy(state: State) -> Move:
            taken = len(state.events)
            return Act(self.actions[taken]) if taken < len(self.actions) else Name(self.truth)

        return strategy


@dataclass(slots=True)
class Tally:
    """Sums over games; ``own`` and ``paper`` are sums of relative action counts, each with how many they are of."""

    games: int = 0
    won: int = 0
    actions: int = 0
    own: tuple[float, int] = (0.0, 0)
    paper: tuple[float, int] = (0.0, 0)

    def add(self, game: Trajectory) -> None:
        """Count a game."""
        expected, published = game.optimum.exact_expected_actions, game.optimum.optimal_action_cnt
        self.games += 1
        self.won += game.success
        if published is not None:
            relative = paper_relative(game.success, game.taken, game.actions, published)
            self.paper = self.paper[0] + relative, self.paper[1] + 1
        if game.success:
            self.actions += game.taken
            if expected:
                self.own = self.own[0] + own_relative(game.taken, expected), self.own[1] + 1


def figures(by_domain: Mapping[str, Tally]) -> dict[str, float | int | None]:
    """How many games there are and, as means of the domains' means, how they went.

    That is the success rate, actions of a success, and the relative action count in either convention; None where no
    game has one.
    """
    tallies = by_domain.values()
    return {
        "games": sum(tally.games for tally in tallies),
        "success": _mean([(tally.won, tally.games) for tally in tallies]),
        "actions": _mean([(tally.actions, tally.won) for tally in tallies]),
        "relative": _mean([tally.own for tally in tallies]),
        "relative_paper": _mean([tally.paper for tally in tallies]),
    }


@dataclass(slots=True)
class Baselines:
    """Tallies of each of the project's players: by size, then by its name, then by domain.

    The first three play each row, ``random`` by seed ``seed``. The optimal players play as the row says they do, which
    `kumoc verify` proves; where it does not say, that game is not counted. With ``work`` they work out their play anew
    instead, and may take that many states for each question.
    """

    seed: int = 0
    work: int | None = None
    tallies: dict[str, dict[str, dict[str, Tally]]] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any], release: Release | None = None) -> tuple[Trajectory, ...]:
        """Play a row of the game view with all players, and count that. Raises RowError if it contradicts itself."""
        simulator = Simulator.of(row)
        agents = (random_action(self.seed), first_action(), greedy(), *self._optimal(simulator))
        games = tuple(record(simulator, play(simulator, agent), agent.name, release=release) for agent in agents)
        tallies = self.tallies.setdefault(row["size"], {})
        for game in games:
            tallies.setdefault(game.model, {}).setdefault(game.domain, Tally()).add(game)
        return games

    def _optimal(self, simulator: Simulator) -> Sequence[Agent]:
        if self.work is not None:
            return exact_player(self.work), paper_player(self.work)
        return tuple(_recorded(simulator))


def _recorded(simulator: Simulator) -> Iterator[Agent]:
    for name in ("exact", "paper"):
        trajectory = simulator.row[f"{name}_trajectory"]
        if trajectory is not None:
            actions = tuple(simulator.bare.actions.index(action) for action in trajectory)
            yield Recorded(name, actions, simulator.bare.valid[0])


def _mean(ratios: Sequence[tuple[float, int]]) -> float | None:
    means = [total / count for total, count in ratios if count]
    return sum(means) / len(means) if means else None
