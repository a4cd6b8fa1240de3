"""Players as models of Inspect: ``scripted/exact`` and others, for a release that is given as ``-M release=...``."""

from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from kumoc.play import Agent, Move, Name, Simulator, State, exact_player, greedy, random_action
from kumoc.play.moves import Act
from kumoc.release import load

PLAYERS: dict[str, Agent] = {"exact": exact_player(), "greedy": greedy(), "random": random_action()}
TOKENS = 7


class Second:
    """Names the second truth at once."""

    name = "second"

    def sit(self, _puzzle: Any, _trial: int) -> Callable[[State], Move]:
        return lambda _state: Name(1)


PLAYERS["second"] = Second()


def reply(player: str, row: dict[str, Any], said: int) -> str:
    """What a player says after it has spoken ``said`` times; one that is ``malformed`` is first sloppy, then mute."""
    simulator = Simulator.of(row)
    if player == "malformed":
        return f'I take\n<answer>"{row["actions"][0].upper()}".</answer>' if not said else "It is hard to say."
    strategy, state = PLAYERS[player].sit(simulator.puzzle, 0), simulator.start()
    for _ in range(said):
        state = simulator.step(state, strategy(state))
    move = strategy(state)
    assert isinstance(move, Act | Name)
    name = row["actions"][move.action] if isinstance(move, Act) else row["truths"][move.truth]
    return f"Let me think.\n<ANSWER> {name} </ANSWER>"


def named(player: str, row: dict[str, Any]) -> str:
    """What a player says that is given all outcomes."""
    match player:
        case "second":
            return f"<ANSWER> {row['truths'][1]} </ANSWER>"
        case "malformed":
            return f'<answer>"{row["valid_truths"][-1]}".</answer>'
    return f"<ANSWER> {row['valid_truths'][-1]} </ANSWER>"


@modelapi("scripted")
class Scripted(ModelAPI):
    def __init__(self, model_name: str, release: str, **others: Any) -> None:
        super().__init__(model_name, config=others.get("config", GenerateConfig()))
        self.rows = list(load(release))

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        row = next(row for row in self.rows if input[0].text.startswith(row["knowledge_book"].rstrip()))
        said = sum(message.role == "assistant" for message in input)
        game = input[0].role == "system"
        output = ModelOutput.from_content(
            self.model_name, reply(self.model_name, row, said) if game else named(self.model_name, row)
        )
        output.usage = ModelUsage(input_tokens=TOKENS - 2, output_tokens=2, total_tokens=TOKENS)
        return output
