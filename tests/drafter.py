"""Models of Inspect that propose and write domains: ``drafter/good``, and some that make mistakes."""

import json
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, StopReason, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tests.scribe import data

SHORE = """domain shore "On the shore" {
  goal "name the shell"
  property coiled : yes or no
  property length : number 0..20 unit "cm"
  truths "shell" "shells" {
    Cockle { coiled no length 2..5 } "Ribbed, in two halves."
    Limpet { coiled no length 2..6 }
    Razor { coiled no length 8..20 }
    Whelk { coiled yes length 2..4 }
    Winkle { coiled yes length 1..3 }
  }
  group burrowers = Cockle, Razor
  actions "look" "looks" {
    "Look from above" observes coiled as "a spiral", "no spiral"
    "Lay it along a ruler" measures length cut at 3, 7
    "Dig where it lay" {
      "in the sand" rules out all but burrowers
      "on the rock" rules out burrowers
    }
    "Look at what it eats" {
      "animals" rules out Winkle, Limpet
      "nothing seen" rules out nothing
    }
  }
}
"""
PROPOSAL = {
    "name": "shore",
    "title": "On the shore",
    "goal": "name the shell",
    "truths": {"one": "shell", "many": "shells", "examples": ["Cockle", "Limpet", "Razor", "Whelk"]},
    "actions": {"one": "look", "many": "looks", "examples": ["Look from above", "Dig where it lay", "Smell it"]},
}

BENCHMARK = """benchmark a version "1.0.0" {
  domains shore
  templates "/etc"
  size small { truths 3 actions 3 }
}
"""
MISTAKES = {
    "stops": lambda text: text.replace("rules out Winkle, Limpet", "rules out Winkle, Limpot"),
    "syntax": lambda text: text.replace("observes coiled as", "observs coiled as"),
    "unknown": lambda text: text.replace("rules out Winkle, Limpet", "rules out Winkle, Limpit"),
    "excludes": lambda text: text.replace("rules out nothing", "rules out Winkle, Whelk"),
    "few": lambda text: text.replace("    Razor { coiled no length 8..20 }\n", "").replace("Cockle, Razor", "Cockle"),
    "idle": lambda text: text.replace("    \"Look from above\" observes coiled as \"a spiral\", \"no spiral\"\n", ""),
    "warned": lambda text: text.replace("  group burrowers", "  group spare = Winkle\n  group burrowers"),
    "renames": lambda text: text.replace("domain shore", "domain beach"),
    "declares": lambda text: text + BENCHMARK,
    "allows": lambda text: text.replace("  group b", "  # kumoc: allow unused-name - so\n  group x = Razor\n  group b"),
    "escapes": lambda text: f"# \x1b[31mred\x1b[0m\n{text}",
    "long": lambda text: text.replace("Ribbed", "Ribbed " * 100_000),
    "markup": lambda text: text.replace("Ribbed", "<script>alert(1)</script> {{ 7 * 7 }} </data-0000000000000000>"),
}  # fmt: skip


@modelapi("drafter")
class Drafter(ModelAPI):
    def __init__(self, model_name: str, **others: Any) -> None:
        super().__init__(model_name, config=others.get("config", GenerateConfig()))

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,
    ) -> ModelOutput:
        said = [message.text for message in input]
        if self.model_name == "breaks" or (self.model_name.endswith("-breaks") and "This was wrong" in said[0]):
            raise RuntimeError("the wire is cut")
        if self.model_name == "stops" and len(said) > 1:
            raise KeyboardInterrupt
        text, stop = self._propose(said, config) if config.response_schema else self._write(said)
        output = ModelOutput.from_content(self.model_name, text, stop_reason=stop)
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output

    def _write(self, said: list[str]) -> tuple[str, StopReason]:
        name, _, always = self.model_name.partition("-")
        fenced = f"Here it is:\n\n```kumo\n{SHORE}```\n\nSay if you want more."
        if name in MISTAKES and (always or len(said) == 1):
            return f"```kumo\n{MISTAKES[name](SHORE)}```\n", "stop"
        match name:
            case "truncates" | "endless":
                done = sum(map(len, said[1::2]))
                return fenced[done : done + (400 if name == "truncates" else 10)], (
                    "stop" if len(fenced) <= done + 400 and name == "truncates" else "max_tokens"
                )
            case "bare":
                return f"A domain of shells.\n\n{SHORE}\nI hope that this helps.", "stop"
            case "refuses":
                return "I can't help with that.", "stop"
            case "repeats":
                return said[0], "stop"
            case "mute":
                return "", "stop"
            case "worsens":  # warned at first, broken from then on
                return MISTAKES["warned" if len(said) == 1 else "unknown"](SHORE), "stop"
        ends = {"ends": fenced, "breaks off": fenced[:400]}  # without a word why
        return ends.get(name, fenced), "unknown" if name in ends else "stop"

    def _propose(self, said: list[str], config: GenerateConfig) -> tuple[str, StopReason]:
        assert config.response_schema
        assert "pattern" not in config.response_schema.json_schema.model_dump_json(exclude_none=True)
        (topic,) = data(said[0])
        again = "This was wrong" in said[0]
        names = [name for name in topic.split() if f" {name}," not in said[0] and f" {name}." not in said[0]]
        proposals = [PROPOSAL | {"name": name} for name in names]
        before = ""
        match self.model_name:
            case "prose" if not again:
                return "I would propose shells, and then birds.", "stop"
            case "shouts":
                return "SHELLS!", "stop"
            case "doubles" if not again:
                proposals[1] = proposals[0]
            case "lacks" | "lacks-breaks":
                proposals = proposals[:1]
            case "more":
                proposals += [PROPOSAL | {"name": "surplus"}]
            case "misnames" if not again:
                proposals[0] = PROPOSAL | {"name": "sea-shells"}
                proposals[1] = PROPOSAL | {"name": "domain"}
            case "escapes":
                proposals[0] = PROPOSAL | {"title": "\x1b[31mred"}
            case "cut":
                whole, done = json.dumps({"proposals": proposals}), sum(map(len, said[1::2]))
                return whole[done : done + 300], "stop" if len(whole) <= done + 300 else "max_tokens"
            case "thinks":
                thought = json.dumps({"proposals": proposals[1:]})
                before = f"<think>A {{set}} of {{{{names}}}}, or {thought}?</think> {{here}}: "
        return f"{before}```json\n{json.dumps({'proposals': proposals})}\n``` (as {{asked}})", "stop"
