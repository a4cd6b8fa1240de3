"""An OpenAI-compatible provider of one talker, with troubles."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.serving import Answer, Request
from tests.talkers import reply, row_of


BUSY = Answer(429, {"error": {"message": "slow down", "code": "rate_limit"}}, {"Retry-After": "0"})


def completion(model: str, text: str) -> Answer:
    """What the provider says when ``model`` answers ``text``."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    envelope = {"id": "1", "object": "chat.completion", "created": 0, "model": model, "usage": usage}
    return Answer(200, envelope | {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})


@dataclass
class Provider:
    """Answers about ``rows``, but the first ``busy`` times and about the instance that it ``refuses``."""

    rows: Sequence[dict[str, Any]]
    player: str = "exact"
    busy: int = 0
    refuses: str = ""

    def answer(self, request: Request) -> Answer:
        said = [(message["role"], message["content"]) for message in json.loads(request.body)["messages"]]
        row = row_of(self.rows, said)
        if self.busy:
            self.busy -= 1
            return BUSY
        if row["instance_id"] == self.refuses:
            return Answer(404, {"error": {"message": "no such model", "code": "gone"}})
        return completion(self.player, reply(self.player, row, said))
