"""Models of Inspect that write and judge books: ``scribe/good``, and some that misbehave.

A writer turns each rule of the guide into a sentence of its own; the judge reads these sentences, and nothing else.
"""

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, StopReason, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

TRUTH = re.compile(r"^- (\".+?\")(?:: .*)?$", re.MULTILINE)
RULE = re.compile(r"- If the outcome is (.*?), rule out (.*)\.$")
SENTENCE = re.compile(r"^(\".*?\") showing (.*?) strikes off (.*)\.$", re.MULTILINE)
QUOTED = re.compile(r"\".*?\"")


def data(prompt: str) -> list[str]:
    """What is marked off as data."""
    return [text for _, text in re.findall(r"<(data-\w+)>\n(.*?)\n</\1>", prompt, re.DOTALL)]


def book_of(guide: str) -> str:
    valid = re.search(r"^Exactly (\w+) of the", guide, re.MULTILINE)
    assert valid
    lines = [f"Look for {valid[1]} of these, for so many are true.", "What else shows is no sign at all."]
    lines += [f"Of {name} much could be told." for name in TRUTH.findall(guide)]
    action = ""
    for line in guide.splitlines():
        if line.startswith("### "):
            action = line.removeprefix("### ")
            lines.append(f'Take "{action}".')
        elif found := RULE.match(line):
            lines.append(f'"{action}" showing {found[1]} strikes off {found[2]}.')
    return "\n".join(lines)


def judged(book: str, question: dict[str, Any]) -> str:
    if not question:
        valid = re.search(r"^Look for (one|\d+) of", book, re.MULTILINE)
        game = {
            "valid": (1 if valid[1] == "one" else int(valid[1])) if valid else 0,
            "truths": re.findall(r"^Of \"(.+)\" much could be told", book, re.MULTILINE),
            "actions": re.findall(r"^Take \"(.+)\"\.", book, re.MULTILINE),
            "others_rule_out_nothing": "no sign at all" in book,
        }
        return json.dumps(game)
    if "action" not in question:
        return json.dumps({"sentences": re.findall(r"It is never .*?\.", book)})
    numbers = {each["outcome"].removeprefix("an outcome of "): each["number"] for each in question["outcomes"]}
    rules = [
        {
            "outcome": numbers.get(found[2].strip('"'), 0),
            "rules_out": [json.loads(name) for name in QUOTED.findall(found[3])],
            "sentences": [found[0]],
            "clear": "perhaps" not in found[0],
        }
        for found in SENTENCE.finditer(book)
        if json.loads(found[1]) == question["action"]
    ]
    return json.dumps({"rules": rules})


@modelapi("scribe")
class Scribe(ModelAPI):
    def __init__(self, model_name: str, **others: Any) -> None:
        if model_name == "costs":
            raise RuntimeError("Install it with\n[bold]pip[/bold] first")
        super().__init__(model_name, config=others.get("config", GenerateConfig()))

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,
    ) -> ModelOutput:
        if calls := os.environ.get("SCRIBE_CALLS"):
            with Path(calls).open("a", encoding="utf-8") as file:
                file.write(f"{self.model_name}\n")
            allowed = int(os.environ.get("SCRIBE_LIMIT", "1000000"))
            if len(Path(calls).read_text(encoding="utf-8").splitlines()) > allowed:
                os._exit(9)
        if "hangs" in self.model_name:
            await asyncio.sleep(60)
        if "breaks" in self.model_name:
            raise RuntimeError("the wire\nis cut")
        said = [message.text for message in input]
        text, stop = self._judge(said) if config.response_schema else self._write(said)
        output = ModelOutput.from_content(self.model_name, text, stop_reason=stop)
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output

    def _judge(self, said: list[str]) -> tuple[str, StopReason]:
        book, *questions = data(said[0])
        question = json.loads(questions[0]) if questions else {}
        if "prose" in self.model_name:
            return "It all looks right to me.", "stop"
        if "inventive" in self.model_name:
            return judged(book, question).replace("strikes", "removes"), "stop"
        return judged(book, question), "stop"

    def _write(self, said: list[str]) -> tuple[str, StopReason]:
        book = book_of(data(said[0])[0])
        first = len(said) == 1
        match self.model_name:
            case "truncates":
                whole = f"<BOOK>\n{book}\n</BOOK>"
                done = sum(map(len, said[1::2]))
                return whole[done : done + 1000], "stop" if len(whole) <= done + 1000 else "max_tokens"
            case "endless":
                return "<BOOK>\nword", "max_tokens"
            case "repeats":
                return said[0], "stop"
            case "copies" | "retouches":
                aim = "Your goal" if self.model_name == "copies" else "Your aim"
                return f"<BOOK>\n{data(said[0])[0].replace('Your goal', aim)}\n</BOOK>", "stop"
            case "chats":
                return book, "stop"
            case "adds":
                book += '\nIt is never "Quartz".'
            case "overcounts":
                book = book.replace("Look for one", "Look for 3")
            case "closes":
                book += "\nThe line </BOOK> ends it."
            case "omits":
                book = "\n".join(line for line in book.splitlines() if "cubic" not in line)
            case "unsure":
                book = book.replace("strikes off", "perhaps showing strikes off", 1)
            case "learns" if first:
                book = book.replace(" strikes off ", ' strikes off "Nothing", ', 1)
            case "learns":
                assert "not yet what it must be" in said[-1]
        return f"Here it is:\n<BOOK>\n{book}\n</BOOK>", "stop"
