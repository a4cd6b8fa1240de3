"""The compiled domain: what every stage after the language reads.

Inside the program truths are positions in :attr:`Tables.truths` and a set of truths is an integer used as a bit
mask (bit ``i`` stands for ``truths[i]``). Names appear only at the edge: in the JSON form that
``schemas/tables.schema.json`` describes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

TABLES_VERSION = "1.1.0"
"""Version of the JSON form; its major number rises when a reader of the old form would go wrong."""


DEFAULT_LANGUAGE = "en"
"""The language of a domain that does not say."""


@dataclass(frozen=True, slots=True)
class Noun:
    """What a field calls one of its truths or actions, in the singular and in the plural."""

    one: str
    many: str


@dataclass(frozen=True, slots=True)
class Truth:
    """One candidate answer; ``description`` is a sentence for the reader, or empty."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a measured action: ``low`` to ``high``, read with ``decimals`` digits after the point."""

    low: Decimal
    high: Decimal
    decimals: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """``low <= x < high``; the last range of a scale includes ``high`` too (``closed``)."""

    low: Decimal
    high: Decimal
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result of an action: a label or, for a measured action, a range; and the mask of truths it rules out."""

    key: str | Range
    excludes: int


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player can do; a measured action has a ``scale`` and its outcomes' keys are ranges in order."""

    name: str
    outcomes: tuple[Outcome, ...]
    description: str = ""
    scale: Scale | None = None


@dataclass(frozen=True, slots=True)
class ActionWords:
    """What an action is called in another language; ``labels`` stand beside its outcomes, empty ones beside ranges."""

    name: str
    description: str
    unit: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """All names and descriptions of a domain in another ``language``, beside its truths and actions.

    A text that has not been translated is empty.
    """

    language: str
    title: str
    topic: str
    goal: str
    truth_noun: Noun
    action_noun: Noun
    truths: tuple[Truth, ...]
    actions: tuple[ActionWords, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """A compiled domain. ``domain`` is its identifier, ``title`` what people read; ``version`` is the domain's own.

    ``language`` is that of its texts, a code of ISO 639 such as ``en``.
    """

    domain: str
    title: str
    topic: str
    goal: str
    version: str
    truth_noun: Noun
    action_noun: Noun
    truths: tuple[Truth, ...]
    actions: tuple[Action, ...]
    language: str = DEFAULT_LANGUAGE
    translations: tuple[Translation, ...] = ()


def members(mask: int) -> Iterator[int]:
    """The positions of the bits set in ``mask``, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def plain(value: Decimal) -> Decimal:
    """The same number with no zeros to spare and no exponent: ``2.60`` becomes ``2.6``, ``1E+1`` becomes ``10``."""
    shortest = value.normalize() + 0
    return shortest if shortest.as_tuple().exponent <= 0 else shortest.quantize(Decimal(1))  # type: ignore[operator]


def to_json(tables: Tables) -> dict[str, Any]:
    """``tables`` as plain data of the form that ``schemas/tables.schema.json`` describes."""
    return {
        "tables_version": TABLES_VERSION,
        "domain": tables.domain,
        "title": tables.title,
        "topic": tables.topic,
        "goal": tables.goal,
        "version": tables.version,
        "truth_noun": {"one": tables.truth_noun.one, "many": tables.truth_noun.many},
        "action_noun": {"one": tables.action_noun.one, "many": tables.action_noun.many},
        "truths": [{"name": truth.name, "description": truth.description} for truth in tables.truths],
        "actions": [_action_to_json(action, tables.truths) for action in tables.actions],
        "language": tables.language,
        "translations": [_translation_to_json(translation) for translation in tables.translations],
    }


def _translation_to_json(translation: Translation) -> dict[str, Any]:
    return asdict(translation) | {
        "truths": [asdict(truth) for truth in translation.truths],
        "actions": [asdict(action) | {"labels": list(action.labels)} for action in translation.actions],
    }


def _action_to_json(action: Action, truths: tuple[Truth, ...]) -> dict[str, Any]:
    scale = action.scale
    return {
        "name": action.name,
        "description": action.description,
        "scale": None
        if scale is None
        else {"low": float(scale.low), "high": float(scale.high), "decimals": scale.decimals, "unit": scale.unit},
        "outcomes": [
            _key_to_json(outcome.key) | {"rules_out": [truths[i].name for i in members(outcome.excludes)]}
            for outcome in action.outcomes
        ],
    }


def _key_to_json(key: str | Range) -> dict[str, Any]:
    if isinstance(key, str):
        return {"label": key}
    return {"low": float(key.low), "high": float(key.high), "closed": key.closed}


def from_json(data: Mapping[str, Any]) -> Tables:
    """The tables that :func:`to_json` wrote; ``data`` is trusted to be valid against the schema."""
    position = {truth["name"]: i for i, truth in enumerate(data["truths"])}
    return Tables(
        domain=data["domain"],
        title=data["title"],
        topic=data["topic"],
        goal=data["goal"],
        version=data["version"],
        truth_noun=Noun(**data["truth_noun"]),
        action_noun=Noun(**data["action_noun"]),
        truths=tuple(Truth(truth["name"], truth["description"]) for truth in data["truths"]),
        actions=tuple(_action_from_json(action, position) for action in data["actions"]),
        language=data["language"],
        translations=tuple(_translation_from_json(translation) for translation in data["translations"]),
    )


def _translation_from_json(translation: Mapping[str, Any]) -> Translation:
    return Translation(
        **{
            **translation,
            "truth_noun": Noun(**translation["truth_noun"]),
            "action_noun": Noun(**translation["action_noun"]),
            "truths": tuple(Truth(**truth) for truth in translation["truths"]),
            "actions": tuple(
                ActionWords(**{**action, "labels": tuple(action["labels"])}) for action in translation["actions"]
            ),
        }
    )


def _action_from_json(action: Mapping[str, Any], position: Mapping[str, int]) -> Action:
    scale = action["scale"]
    return Action(
        name=action["name"],
        description=action["description"],
        scale=None
        if scale is None
        else Scale(_decimal(scale["low"]), _decimal(scale["high"]), scale["decimals"], scale["unit"]),
        outcomes=tuple(
            Outcome(_key_from_json(outcome), sum(1 << position[name] for name in outcome["rules_out"]))
            for outcome in action["outcomes"]
        ),
    )


def _key_from_json(outcome: Mapping[str, Any]) -> str | Range:
    if "label" in outcome:
        return str(outcome["label"])
    return Range(_decimal(outcome["low"]), _decimal(outcome["high"]), bool(outcome["closed"]))


def _decimal(value: float) -> Decimal:
    # repr of a double gives back the decimal text it was read from, up to 15 significant digits
    return plain(Decimal(repr(value)))
