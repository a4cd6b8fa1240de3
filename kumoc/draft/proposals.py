"""What domains could be about, by a model: each proposal has the form of ``schemas/proposals.schema.json``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from kumoc.draft.wanted import Wanted
from kumoc.language.names import skeleton
from kumoc.language.parse import is_domain_name
from kumoc.models.answers import UnusableError, as_json
from kumoc.models.prompts import fenced, prompt
from kumoc.models.talk import Talker
from kumoc.release.schemas import sentences, validator

Proposal = Mapping[str, Any]
"""``name``, ``title``, ``goal``, ``truths`` and ``actions`` of a domain that is to be written."""

_ENVELOPE = {"type": "object", "properties": {"proposals": {"type": "array"}}, "required": ["proposals"]}
_ASKED = ("type", "description", "required", "additionalProperties")
"""What providers take of a schema besides what it is made of; the rest is checked of the answer."""


class ProposalError(ValueError):
    """What was read is no proposal; the message says why."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """The proposals that are of use, what was wrong with the last answer, and the tokens read and written."""

    proposals: tuple[Proposal, ...]
    problems: tuple[str, ...]
    tokens: tuple[int, int]


async def propose(topic: str, number: int, talker: Talker, tries: int) -> Proposed:
    """Have ``number`` domains proposed about ``topic``, in up to ``tries`` answers.

    What is of use in an answer is kept, and the rest asked for again with what was wrong; so there may be fewer. A
    provider that gives no answer ends the tries.
    """
    kept: dict[str, Proposal] = {}
    problems: list[str] = []
    read = written = 0
    wanted = Wanted()
    for _ in range(tries):
        missing = number - len(kept)
        taken = [proposal["name"] for proposal in kept.values()]
        asked = prompt(
            "kumoc.draft",
            "propose",
            topic=fenced(topic),
            number=missing,
            truths=wanted.truths,
            actions=wanted.actions,
            taken=taken,
            problems=problems,
        )
        answer = await talker.answer([("user", asked)], _asked_for())
        read, written = read + answer.tokens[0], written + answer.tokens[1]
        problems = []
        try:
            if answer.fault:
                raise UnusableError(answer.fault)
            said = as_json(answer.text, _ENVELOPE)["proposals"]
        except UnusableError as error:
            problems = [str(error)]
            if answer.absent:
                break
            continue
        for position, each in enumerate(said[:missing], start=1):
            wrong = [f"proposal {position}: {fault}" for fault in _faults(each, kept)]
            problems += wrong
            if not wrong:
                kept[skeleton(each["name"])] = each
        if len(said) < missing:
            problems.append(f"{missing} were asked for and {len(said)} given")
        if len(kept) == number:
            break
    return Proposed(tuple(kept.values()), tuple(problems), (read, written))


def read_proposals(data: Any) -> tuple[Proposal, ...]:
    """The proposals in what a file says: those of ``kumoc propose``, or one by itself. Raises ProposalError."""
    if not isinstance(data, dict) or "proposals" not in data:
        data = {"proposals": [data]}
    for sentence in sentences(validator("proposals"), data):
        raise ProposalError(sentence)
    proposals: dict[str, Proposal] = {}
    for proposal in data["proposals"]:
        for fault in _faults(proposal, proposals):
            raise ProposalError(fault)
        proposals[skeleton(proposal["name"])] = proposal
    return tuple(proposals.values())


def _faults(said: Any, others: Collection[str]) -> Iterator[str]:
    """What is wrong with a proposal, beside ``others`` of these skeletons."""
    found = list(sentences(_proposal_validator(), said))
    yield from found
    if found:
        return
    name = said["name"]
    if not is_domain_name(name):
        yield f"'{name}' can't name a domain, since it is a word of the language"
    if skeleton(name) in others:
        yield f"there is another one named '{name}'"


def _proposal_validator() -> Draft202012Validator:
    schema: Any = validator("proposals").schema
    return Draft202012Validator({"$ref": "#/$defs/proposal", "$defs": schema["$defs"]})


def _asked_for() -> Mapping[str, Any]:
    """The schema of an answer, in the words that all providers know."""
    schema: Any = validator("proposals").schema
    proposals = _plain(schema["properties"]["proposals"], schema["$defs"])
    return {
        "type": "object",
        "properties": {"proposals": proposals},
        "required": ["proposals"],
        "additionalProperties": False,
    }


def _plain(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    whole = definitions[schema["$ref"].removeprefix("#/$defs/")] | schema if "$ref" in schema else schema
    plain = {name: whole[name] for name in _ASKED if name in whole}
    if "items" in whole:
        plain["items"] = _plain(whole["items"], definitions)
    if "properties" in whole:
        plain["properties"] = {name: _plain(each, definitions) for name, each in whole["properties"].items()}
    return plain
