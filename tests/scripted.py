"""Players that speak as models do; for Inspect they are ``scripted/exact`` and so on, given ``-M release=...``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from kumoc.play import Act, Agent, Name, Simulator, exact_player, greedy, random_action
from kumoc.release import load

PLAYERS: dict[str, Agent] = {"exact": exact_player(), "greedy": greedy(), "random": random_action()}
NAMES = (*PLAYERS, "second", "malformed")
TOKENS = 7
"""Those of each call."""

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


@modelapi("scripted")
class Scripted(ModelAPI):
    def __init__(self, model_name: str, release: str, **others: Any) -> None:
        super().__init__(model_name, config=others.get("config", GenerateConfig()))
        self.rows = list(load(Path(release)))

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        said = [(message.role, message.text) for message in input]
        output = ModelOutput.from_content(self.model_name, reply(self.model_name, row_of(self.rows, said), said))
        output.usage = ModelUsage(input_tokens=TOKENS - 2, output_tokens=2, total_tokens=TOKENS)
        return output
