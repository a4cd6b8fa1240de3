"""Talk to a model through Inspect's interface: any provider, local servers, and models that are scripts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model, ModelOutput

TIMEOUT = 600.0
"""Seconds that a model has for an answer, where no other time is given."""
WAITS = (2.0, 5.0, 15.0, 30.0, 60.0)
"""Seconds until a provider that is busy, or can't be reached, is asked again, each time; then it is given up."""
MOST_CONTINUATIONS = 4
"""Times that a model is asked to go on with an answer that was cut off."""

_CONTINUE = "Your answer was cut off. Go on exactly where it stopped, and repeat nothing of it."

_WHOLE = ("stop", "unknown")
"""How an answer ends that is taken as it is: not every provider tells why, and what is cut off is of no use anyway."""

_MARKUP = re.compile(r"\[/?[a-z ]*\]")
"""What Inspect's messages hold for a terminal, such as ``[bold]``."""

Said = tuple[str, str]
"""A message: its role, ``user`` or ``assistant``, and its text."""


class ModelError(Exception):
    """A model that can't be had: the message says why, and ``help`` what to do about it."""

    def __init__(self, message: str, help_: str) -> None:
        """An error with its sentence and the way out."""
        super().__init__(message)
        self.help = help_


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said; ``fault`` says why it can't be used, if it can't. ``tokens`` are those read and written.

    ``absent`` is the fault of no model: its provider gave no answer, and may give one when it is asked again.
    """

    text: str
    fault: str
    tokens: tuple[int, int]
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Talker:
    """A model that is talked to; it has ``timeout`` seconds for each answer.

    ``on_trouble`` is told what keeps its provider from answering before that is asked again.
    """

    model: Model
    timeout: float
    on_trouble: Callable[[str], None] = lambda _: None

    async def answer(self, messages: Sequence[Said], schema: Mapping[str, Any] | None = None) -> Answer:
        """What the model says to ``messages``, put together where it was cut off; JSON of ``schema`` if one is given.

        Whatever the model or its provider does, there is an answer: it then has a fault.
        """
        text, read, written = "", 0, 0
        for _ in range(1 + MOST_CONTINUATIONS):
            further = [("assistant", text), ("user", _CONTINUE)] if text else []
            output = await self._patiently([*messages, *further], schema)
            if isinstance(output, str):
                return _absent(output, (read, written))
            if output.usage:
                read += output.usage.input_tokens
                written += output.usage.output_tokens
            if not output.choices or output.error:
                return _absent(f"there was no answer: {output.error or 'it is empty'}", (read, written))
            text += output.completion
            if output.stop_reason in _WHOLE:
                return Answer(text, "", (read, written))
            if output.stop_reason != "max_tokens" or not output.completion:
                return Answer(text, f"the answer ended with '{output.stop_reason}'", (read, written))
        return Answer(text, f"the answer was cut off {1 + MOST_CONTINUATIONS} times", (read, written))

    async def _patiently(self, messages: Sequence[Said], schema: Mapping[str, Any] | None) -> ModelOutput | str:
        """What the provider gives, asked again while that may help; or why it gives nothing."""
        trouble = ""
        try:
            async with asyncio.timeout(self.timeout):
                for wait in (*WAITS, None):
                    try:
                        return await self._generate(messages, schema)
                    except Exception as error:  # each provider raises what it likes
                        cause = _cause(error)
                        trouble = f": {' '.join(f'{type(cause).__name__}: {cause}'.split())[:300]}"
                        if wait is None or not self.model.should_retry(cause):
                            break
                    self.on_trouble(f"there is no answer yet{trouble}")
                    await asyncio.sleep(wait)
        except TimeoutError:
            return f"there was no answer within {self.timeout:g} seconds{trouble}"
        return f"there was no answer{trouble}"

    async def _generate(self, messages: Sequence[Said], schema: Mapping[str, Any] | None) -> ModelOutput:
        from inspect_ai.model import ChatMessageAssistant, ChatMessageUser  # noqa: PLC0415 - an extra, slow to load

        roles = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}
        return await self.model.generate([roles[role](content=text) for role, text in messages], config=_as(schema))


def _cause(error: Exception) -> BaseException:
    """What Inspect gave up for."""
    from tenacity import RetryError  # noqa: PLC0415 - it comes with Inspect

    return (error.__cause__ or error) if isinstance(error, RetryError) else error


def _absent(fault: str, tokens: tuple[int, int]) -> Answer:
    return Answer("", fault, tokens, absent=True)


def talker(name: str, timeout: float = TIMEOUT, on_trouble: Callable[[str], None] = lambda _: None) -> Talker:
    """The model of that name. Raises ModelError if Inspect is not there, knows none such, or lacks a key for it."""
    try:
        from inspect_ai.model import get_model  # noqa: PLC0415
    except ImportError as error:
        raise ModelError("models are asked through inspect-ai", "pip install 'kumoc[models]'") from error
    try:
        return Talker(get_model(name), timeout, on_trouble)
    except Exception as error:  # each provider raises what it likes
        message = " ".join(_MARKUP.sub("", str(error)).split())
        help_ = "name it as Inspect does, such as openai/gpt-5-mini, and give what its provider asks for"
        raise ModelError(f"the model can't be had: {message}", help_) from error


def _as(schema: Mapping[str, Any] | None) -> GenerateConfig:
    from inspect_ai.model import GenerateConfig, ResponseSchema  # noqa: PLC0415
    from inspect_ai.util import JSONSchema  # noqa: PLC0415

    if schema is None:
        return GenerateConfig(max_retries=0)
    return GenerateConfig(
        max_retries=0,
        response_schema=ResponseSchema(name="answer", json_schema=JSONSchema.model_validate(schema), strict=True),
    )
