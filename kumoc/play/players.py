"""The players that come with the project: the yardsticks that every model is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kumoc.generate.draw import Draws, derive
from kumoc.play.agents import Agent, Strategy
from kumoc.play.moves import Act, Move, Name
from kumoc.play.simulator import Puzzle, State
from kumoc.solve import ExactPlayer, OutOfWorkError, PaperPlayer, Player, outlook
from kumoc.tables import members


@dataclass(frozen=True, slots=True)
class Eliminator:
    """Takes an action that it has not taken until no more truths survive than are valid, then names the first of them.

    ``choice`` gets the puzzle and the trial, and gives a function from a state to the action to take there.
    """

    name: str
    choice: Callable[[Puzzle, int], Callable[[State], int]]

    def sit(self, puzzle: Puzzle, trial: int) -> Strategy:
        """Begin a game."""
        choose = self.choice(puzzle, trial)

        def strategy(state: State) -> Move:
            if state.survivors.bit_count() <= puzzle.valid or not state.remaining:
                return Name(_first(state.survivors))
            return Act(choose(state))

        return strategy


def first_action() -> Agent:
    """Takes the action that is listed first among those not yet taken."""
    return Eliminator("first-action", lambda _puzzle, _trial: lambda state: _first(state.remaining))


def random_action(seed: int = 0) -> Agent:
    """Takes any action not yet taken, each as likely; draws depend on the seed, the instance and the trial alone."""

    def choice(puzzle: Puzzle, trial: int) -> Callable[[State], int]:
        draws = Draws(derive("random player", seed, puzzle.instance_id, trial))
        return lambda state: tuple(members(state.remaining))[draws.below(state.remaining.bit_count())]

    return Eliminator("random", choice)


def greedy() -> Agent:
    """Takes the action that leaves the smallest mean logarithm of the number of survivors, the first of equals.

    Every pair of a survivor and an outcome that keeps it counts as equally likely.
    """

    def choice(puzzle: Puzzle, _trial: int) -> Callable[[State], int]:
        return lambda state: min(
            members(state.remaining), key=lambda action: outlook(state.survivors, puzzle.game[action])
        )

    return Eliminator("greedy", choice)


@dataclass(frozen=True, slots=True)
class Optimal:
    """One of the two optimal players: takes the first of the optimal actions, and names the first truth it is sure of.

    ``work`` limits the states of each question; where an answer takes more, the greedy action is taken.
    """

    name: str
    kind: type[Player]
    work: int | None = None

    def sit(self, puzzle: Puzzle, trial: int) -> Strategy:
        """Begin a game."""
        player = self.kind(len(puzzle.truths), puzzle.game, puzzle.valid, work=self.work)
        otherwise = greedy().sit(puzzle, trial)

        def strategy(state: State) -> Move:
            try:
                optimal = player.optimal_actions(state.survivors, state.remaining)
                if optimal:
                    return Act(optimal[0])
                return Name(player.known(state.survivors, state.remaining)[0])
            except OutOfWorkError:
                return otherwise(state)

        return strategy


def exact_player(work: int | None = None) -> Agent:
    """The Bayes-optimal player of the real game."""
    return Optimal("exact", ExactPlayer, work)


def paper_player(work: int | None = None) -> Agent:
    """The optimal player of the KUMO paper."""
    return Optimal("paper", PaperPlayer, work)


def _first(mask: int) -> int:
    return next(members(mask))
