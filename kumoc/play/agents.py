"""Who plays: a program, a script or a model, behind one small interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from kumoc.play.answers import read_answer
from kumoc.play.moves import Move
from kumoc.play.simulator import Event, Kind, Puzzle, Simulator, State
from kumoc.views.turns import Message, message, sight
from kumoc.views.wording import WORDINGS

Strategy = Callable[[State], Move]
"""How one game is played: the move in each state of it, asked for in the order of play."""


class Agent(Protocol):
    """Someone who plays any number of games."""

    @property
    def name(self) -> str:
        """What tables call it."""

    def sit(self, puzzle: Puzzle, trial: int) -> Strategy:
        """Begin a game; ``trial`` counts from 0 the games of this agent on the same instance."""


def play(simulator: Simulator, agent: Agent, trial: int = 0) -> State:
    """The state in which a game by ``agent`` ends."""
    strategy = agent.sit(simulator.puzzle, trial)
    state = simulator.start()
    while state.end is None:
        state = simulator.step(state, strategy(state))
    return state


def opening(puzzle: Puzzle) -> list[Message]:
    """The first messages of a game that is played in text: the system's and the user's."""
    return [message("system", puzzle.text), message("user", WORDINGS[puzzle.language].opening)]


def told(puzzle: Puzzle, event: Event) -> str:
    """What the user says after an action or a refused move, in the puzzle's language."""
    says = WORDINGS[puzzle.language]
    if event.kind is Kind.ACT:
        assert event.name is not None and event.seen is not None
        return sight(event.name, event.seen, says)
    return says.refused


@dataclass(frozen=True, slots=True)
class TextAgent:
    """Plays in text: ``reply`` gives the assistant's next message to a conversation.

    The conversation has the form and the wording of the chat view, which is what models are trained on.
    """

    name: str
    reply: Callable[[Sequence[Message]], str]

    def sit(self, puzzle: Puzzle, trial: int) -> Strategy:  # noqa: ARG002
        """Begin a conversation."""
        messages = opening(puzzle)

        def strategy(state: State) -> Move:
            if state.events:
                messages.append(message("user", told(puzzle, state.events[-1])))
            text = self.reply(tuple(messages))
            messages.append(message("assistant", text))
            return read_answer(text, puzzle.actions, puzzle.truths)

        return strategy
