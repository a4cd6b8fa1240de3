"""Talkers as models of Inspect: ``scripted/exact`` and so on, for a release given as ``-M release=...``."""

from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from kumoc.release import load
from tests.talkers import TOKENS, reply, row_of


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
