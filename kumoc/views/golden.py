"""Golden play: the exact player's way through an instance, state by state, on the outcomes that it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kumoc.solve import ExactPlayer, OutOfWorkError, Player
from kumoc.views.read import BareGame, RowError, bare_game

State = tuple[int, int]
"""Truths that no outcome seen so far rules out, and actions not yet taken: two masks of positions."""


@dataclass(frozen=True, slots=True)
class Golden:
    """Optimal play of ``bare`` by ``player``.

    ``actions`` are positions of the actions taken, ``states`` the state before each of them and the one at the end,
    and ``known`` positions of the truths that the player is sure of then, in listed order.
    """

    bare: BareGame
    player: Player
    actions: tuple[int, ...]
    states: tuple[State, ...]
    known: tuple[int, ...]


def golden(row: Mapping[str, Any], player: Player | None = None) -> Golden | None:
    """The golden play of a row of the game view; None where the exact player's optimal play is not known.

    ``player`` is an exact player of the row's game; without one, a player with no limit on work is made. Raises
    RowError if the row contradicts itself.
    """
    if row["exact_optimal_actions"] is None:
        return None
    bare = bare_game(row)
    if player is None:
        player = ExactPlayer(len(bare.truths), bare.game, len(bare.valid))
    actions = tuple(bare.actions.index(name) for name in row["exact_trajectory"])
    states = _states(bare, actions)
    try:
        known = player.known(*states[-1])
    except OutOfWorkError:
        return None
    if not known:
        raise RowError("its trajectory ends before the exact player is sure of a truth")
    return Golden(bare, player, actions, states, known)


def _states(bare: BareGame, actions: tuple[int, ...]) -> tuple[State, ...]:
    survivors, remaining = (1 << len(bare.truths)) - 1, (1 << len(bare.actions)) - 1
    states = [(survivors, remaining)]
    for action in actions:
        survivors &= ~bare.game[action][bare.observed[action]]
        remaining &= ~(1 << action)
        states.append((survivors, remaining))
    return tuple(states)
