"""The game as a state machine: an action shows its outcome, a named truth ends it, anything else is refused.

It reads a row of the game view and nothing else, and everything that plays goes through it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from kumoc.generate.instance import Game
from kumoc.play.moves import Act, Fault, Move, Name, Unread
from kumoc.views.read import BareGame, bare_game
from kumoc.views.turns import System, instructions

STEP_LIMIT = 50
"""Turns of a game, as in KUMO's published plays; a game of more actions has as many as these and one more."""


class Kind(StrEnum):
    """What came of a move."""

    ACT = "act"
    NAME = "name"
    REFUSE = "refuse"


class End(StrEnum):
    """Why a game is over."""

    NAMED = "named"
    """The player named a truth."""
    REFUSED = "refused"
    """The player said something that is neither an action nor a truth, and had no more tries."""
    LIMIT = "limit"
    """The player had taken all its turns."""


@dataclass(frozen=True, slots=True)
class Event:
    """One turn.

    ``name`` is the action or truth as it is listed, None where the move was refused; ``seen`` what the action showed,
    None where whoever recorded the play does not say.
    ``repeated``: the action had been taken before, and shows what it showed. ``wasted``: it could not tell the player
    anything, for it was repeated, no outcome of it rules out a survivor, or no more truths survived than are valid.
    ``ruled_out``: the truth that was named had been ruled out. ``fault`` and ``said`` are those of the move.
    """

    kind: Kind
    name: str | None = None
    seen: str | None = None
    repeated: bool = False
    wasted: bool = False
    ruled_out: bool = False
    fault: Fault | None = None
    said: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """How far a game has come: all of it is known to the player, but for ``success`` when it is over.

    ``survivors`` are the truths that nothing seen rules out and ``remaining`` the actions not yet taken, both masks.
    ``end`` is None as long as the game goes on.
    """

    survivors: int
    remaining: int
    events: tuple[Event, ...] = ()
    end: End | None = None
    success: bool = False

    @property
    def actions(self) -> int:
        """How many actions were taken, repeated ones included."""
        return sum(event.kind is Kind.ACT for event in self.events)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """An instance as its player knows it: nothing in it is hidden from the player.

    ``truths`` and ``actions`` are names in listed order and ``valid`` is how many truths are valid. ``game`` has,
    per action and outcome, the mask of truths that are ruled out. ``text`` is the knowledge book followed by how to
    answer, and ``language`` the code of what it is written in.
    """

    instance_id: str
    domain: str
    size: str
    truths: tuple[str, ...]
    actions: tuple[str, ...]
    valid: int
    game: Game
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Simulator:
    """The rules for one row; make it with :meth:`of`.

    ``limit`` is the number of turns, ``refusals`` how many moves may be refused before the next one ends the game (in
    KUMO none: the first parse error does).
    """

    row: Mapping[str, Any]
    bare: BareGame
    puzzle: Puzzle
    limit: int
    refusals: int

    @classmethod
    def of(
        cls, row: Mapping[str, Any], *, limit: int | None = None, refusals: int = 0, system: System = "book"
    ) -> Simulator:
        """The simulator of a row of the game view, which must have the form of its schema.

        ``system``: whether the player is given the book or the table of rules as JSON. Without a ``limit`` it is as
        :data:`STEP_LIMIT` says. Raises RowError if the row contradicts itself, and ValueError if there is no turn to
        take.
        """
        bare = bare_game(row)
        if limit is None:
            limit = max(STEP_LIMIT, len(bare.actions) + 1)
        if limit < 1 or refusals < 0:
            raise ValueError(f"a game of {limit} turns with {refusals} refusals can't be played")
        puzzle = Puzzle(
            instance_id=row["instance_id"],
            domain=row["domain"],
            size=row["size"],
            truths=bare.truths,
            actions=bare.actions,
            valid=len(bare.valid),
            game=bare.game,
            text=instructions(row, bare, system),
            language=row["language"],
        )
        return cls(row, bare, puzzle, limit, refusals)

    def start(self) -> State:
        """The state before the first move."""
        return State((1 << len(self.bare.truths)) - 1, (1 << len(self.bare.actions)) - 1)

    def step(self, state: State, move: Move) -> State:
        """The state after ``move``. Raises ValueError if the game is over, or for a position that is none."""
        if state.end is not None:
            raise ValueError("the game is over")
        match move:
            case Act(action) if 0 <= action < len(self.bare.actions):
                after = self._act(state, move)
            case Name(truth) if 0 <= truth < len(self.bare.truths):
                after = self._name(state, move)
            case Unread():
                after = self._refuse(state, move)
            case _:
                raise ValueError(f"there is nothing at the position of {move}")
        return replace(after, end=End.LIMIT) if after.end is None and len(after.events) == self.limit else after

    def _act(self, state: State, move: Act) -> State:
        action, masks = move.action, self.bare.game[move.action]
        repeated = not state.remaining >> action & 1
        known = state.survivors.bit_count() <= self.puzzle.valid
        event = Event(
            kind=Kind.ACT,
            name=self.bare.actions[action],
            seen=self.bare.seen[action],
            repeated=repeated,
            wasted=repeated or known or not any(mask & state.survivors for mask in masks),
            fault=move.fault,
            said=move.said,
        )
        survivors = state.survivors & ~masks[self.bare.observed[action]]
        return State(survivors, state.remaining & ~(1 << action), (*state.events, event))

    def _name(self, state: State, move: Name) -> State:
        ruled_out = not state.survivors >> move.truth & 1
        name = self.bare.truths[move.truth]
        event = Event(Kind.NAME, name, ruled_out=ruled_out, fault=move.fault, said=move.said)
        success = move.truth in self.bare.valid
        return replace(state, events=(*state.events, event), end=End.NAMED, success=success)

    def _refuse(self, state: State, move: Unread) -> State:
        events = (*state.events, Event(Kind.REFUSE, fault=move.fault, said=move.said))
        refused = sum(event.kind is Kind.REFUSE for event in events)
        return replace(state, events=events, end=End.REFUSED if refused > self.refusals else None)
