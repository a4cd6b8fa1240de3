"""Players that speak as models do."""

from collections.abc import Sequence
from typing import Any

from kumoc.play import Act, Agent, Name, Simulator, exact_player, greedy, random_action

PLAYERS: dict[str, Agent] = {"exact": exact_player(), "greedy": greedy(), "random": random_action()}
NAMES = (*PLAYERS, "second", "malformed")
TOKENS = 7
"""What each of their replies is said to take."""
Said = Sequence[tuple[str, str]]
"""Messages, by their roles and texts."""


def row_of(rows: Sequence[dict[str, Any]], said: Said) -> dict[str, Any]:
    """What a conversation is about."""
    return next(row for row in rows if said[0][1].startswith(row["knowledge_book"].rstrip()))


def reply(player: str, row: dict[str, Any], said: Said) -> str:
    """What a player says next, in a game or, if it is given all outcomes, at once."""
    turn = sum(role == "assistant" for role, _ in said)
    return _in_game(player, row, turn) if said[0][0] == "system" else _at_once(player, row)


def _in_game(player: str, row: dict[str, Any], turn: int) -> str:
    if player == "second":
        return f"<ANSWER>{row['truths'][1]}</ANSWER>"
    if player == "malformed":
        return "It is hard to say." if turn else f'I take\n<answer>"{row["actions"][0].upper()}".</answer>'
    simulator = Simulator.of(row)
    strategy, state = PLAYERS[player].sit(simulator.puzzle, 0), simulator.start()
    for _ in range(turn):
        state = simulator.step(state, strategy(state))
    move = strategy(state)
    assert isinstance(move, Act | Name)
    name = row["actions"][move.action] if isinstance(move, Act) else row["truths"][move.truth]
    return f"Let me think.\n<ANSWER> {name} </ANSWER>"


def _at_once(player: str, row: dict[str, Any]) -> str:
    if player == "second":
        return f"<ANSWER>{row['truths'][1]}</ANSWER>"
    if player == "malformed":
        return f'<answer>"{row["valid_truths"][-1]}".</answer>'
    return f"<ANSWER> {row['truths'][0]} </ANSWER> No:\n<ANSWER> {row['valid_truths'][-1]} </ANSWER>"
