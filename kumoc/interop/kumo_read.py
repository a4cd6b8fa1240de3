"""KUMO's domain files, Python or JSON, in one plain form: as written, faults included.

In Python a domain is two lists (or sets) of names, and ``Outcomes``: a dict of
``{action: {"type": "str" | "float" | "int", "states": {label or (low, high): {truths ruled out}}}}``. In JSON it is
an object with the same three, where ``states`` may also be a list of ``{"state": ..., "rules_out": [...]}``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from pathlib import PurePath
from typing import TypeAlias

from kumoc.interop.literals import Entries, Filtered, Items, Node, SourceError, Value, read_json, read_python

TRUTH_LISTS = ("truths", "diseases", "abilities")
"""What KUMO's domains call their list of truths, in lower case."""
ACTION_LISTS = ("actions", "diagnosis", "tests")
"""What KUMO's domains call their list of actions, in lower case."""

MAX_NAMES = 10_000
"""Names in one list."""
MAX_STATES = 1_000
"""Outcomes of one action."""

_FIFTEEN_DIGITS = Context(prec=15)


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, and its line."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers between two, both included; the two may stand in any order, and be infinite."""

    low: Decimal
    high: Decimal


Key: TypeAlias = str | Decimal | Interval
"""What an outcome is known by: a label, one number, or an interval."""


@dataclass(frozen=True, slots=True)
class State:
    """An outcome and the truths it rules out or, with ``all_but``, the only ones that it does not."""

    key: Key
    names: tuple[Name, ...]
    all_but: bool
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """The outcomes of one action; ``type`` is empty where the source has none that is text."""

    action: Name
    type: str
    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain file; ``truth_list`` and ``action_list`` are what it calls its two lists."""

    name: str
    truth_list: str
    action_list: str
    truths: tuple[Name, ...]
    actions: tuple[Name, ...]
    tables: tuple[Table, ...]


def read_domain(text: str, filename: str) -> Domain:
    """The domain in ``text``; ``filename`` tells JSON from Python, and names a domain that does not name itself.

    Raises :class:`~kumoc.interop.literals.SourceError` for text that is neither, or that holds no domain.
    """
    text = text.removeprefix("\ufeff")
    file = PurePath(filename)
    is_python = file.suffix.lower() == ".py" or (file.suffix.lower() != ".json" and text.lstrip()[:1] not in ("{", "["))
    top = (read_python if is_python else read_json)(text)
    parts = _parts(top, "a domain")
    outcomes = next((part for name, part in parts.items() if name.casefold() == "outcomes"), None)
    if outcomes is None:
        raise SourceError("there is no 'Outcomes': this is no domain of KUMO's", top.line)
    truth_list, action_list = _find_lists(parts, outcomes, top)
    own_name = parts["domain"].value if "domain" in parts else None
    return Domain(
        name=own_name if isinstance(own_name, str) and own_name.strip() else file.stem,
        truth_list=truth_list,
        action_list=action_list,
        truths=_names(parts[truth_list], "a truth"),
        actions=_names(parts[action_list], "an action"),
        tables=tuple(_tables(outcomes, truth_list)),
    )


def _find_lists(parts: dict[str, Node], outcomes: Node, top: Node) -> tuple[str, str]:
    """The names of the lists of truths and of actions: KUMO's own, or else the only two lists there are."""
    lists = [name for name, part in parts.items() if isinstance(part.value, Items)]
    truths = _known(lists, TRUTH_LISTS)
    actions = _known(lists, ACTION_LISTS)
    if truths is None or actions is None:
        if len(lists) != 2:
            raise SourceError(
                "the lists of truths and of actions can't be told: call them Truths and Actions", top.line
            )
        with_outcomes = {key.value for key, _ in _pairs(outcomes, "Outcomes")}
        truths, actions = sorted(lists, key=lambda name: len(with_outcomes & _texts(parts[name])))
    return truths, actions


def _known(lists: list[str], known: Collection[str]) -> str | None:
    return next((name for name in lists if name.casefold() in known), None)


def _texts(node: Node) -> set[Value]:
    assert isinstance(node.value, Items)
    return {item.value for item in node.value.nodes if isinstance(item.value, str)}


# ---- the parts


def _names(node: Node, what: str) -> tuple[Name, ...]:
    """A list of names; those of a set, which has no order, are sorted."""
    if not isinstance(node.value, Items):
        raise SourceError(f"a list of names was expected, each {what}", node.line)
    if len(node.value.nodes) > MAX_NAMES:
        raise SourceError(f"a list of more than {MAX_NAMES:,} names", node.line)
    names = tuple(Name(_text(item, what), item.line) for item in node.value.nodes)
    return names if node.value.ordered else tuple(sorted(names, key=lambda name: (name.text, name.line)))


def _tables(outcomes: Node, truth_list: str) -> Iterator[Table]:
    for key, body in _pairs(outcomes, "Outcomes"):
        action = Name(_text(key, "an action"), key.line)
        parts = _parts(body, f"the entry of {action.text!r}")
        if "states" not in parts:
            raise SourceError(f"the entry of {action.text!r} has no 'states'", body.line)
        declared = parts["type"].value if "type" in parts else ""
        states = tuple(_state(state, ruled_out, truth_list) for state, ruled_out in _states(parts["states"]))
        if len(states) > MAX_STATES:
            raise SourceError(f"{action.text!r} has more than {MAX_STATES:,} outcomes", action.line)
        yield Table(action, declared if isinstance(declared, str) else "", states)


def _states(node: Node) -> Iterator[tuple[Node, Node]]:
    """Outcomes, each with what it rules out, from either way to write them."""
    if not isinstance(node.value, Items):
        yield from _pairs(node, "'states'")
        return
    for item in node.value.nodes:
        parts = _parts(item, "each of 'states'")
        if "state" not in parts or "rules_out" not in parts:
            raise SourceError("each of 'states' needs a 'state' and a 'rules_out'", item.line)
        yield parts["state"], parts["rules_out"]


def _state(state: Node, ruled_out: Node, truth_list: str) -> State:
    key = _key(state)
    match ruled_out.value:
        case Filtered(name=name, listed=listed, listed_only=listed_only):
            if name != truth_list:
                raise SourceError(f"only {truth_list}, the list of truths, can be filtered here", ruled_out.line)
            return State(key, _names(Node(listed, ruled_out.line), "a truth"), not listed_only, state.line)
        case Entries(pairs=()):  # {} where set() was meant
            return State(key, (), False, state.line)
    return State(key, _names(ruled_out, "a truth"), False, state.line)


def _key(node: Node) -> Key:
    match node.value:
        case bool() | None as constant:
            return str(constant)
        case str() as label:
            return label
        case Decimal() as number if number.is_finite():
            return _rounded(number)
        case Items(nodes=(low, high)):
            return Interval(_bound(low, Decimal("-Infinity")), _bound(high, Decimal("Infinity")))
    raise SourceError("an outcome is text, a number, or two numbers: the ends of a range", node.line)


def _bound(node: Node, unbounded: Decimal) -> Decimal:
    match node.value:
        case None:
            return unbounded
        case Decimal() as number:
            return _rounded(number)
    raise SourceError("the ends of a range are numbers", node.line)


def _rounded(number: Decimal) -> Decimal:
    """``number`` without zeros to spare and without the noise of binary arithmetic: 0.30000000000000004 is 0.3."""
    return _FIFTEEN_DIGITS.plus(number).normalize() + 0


def _text(node: Node, what: str) -> str:
    if not isinstance(node.value, str):
        raise SourceError(f"{what} must be text", node.line)
    return node.value


def _parts(node: Node, what: str) -> dict[str, Node]:
    """A mapping whose keys are words of the format."""
    parts: dict[str, Node] = {}
    for key, part in _pairs(node, what):
        if key.value in parts:
            raise SourceError(f"{key.value!r} is given twice", key.line)
        parts[_text(key, "a key")] = part
    return parts


def _pairs(node: Node, what: str) -> tuple[tuple[Node, Node], ...]:
    if not isinstance(node.value, Entries):
        raise SourceError(f"{what} must be a mapping", node.line)
    return node.value.pairs
