"""The style ``symbolic``: one JSON object in a fence, and nothing after it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NoReturn

from kumoc.book.reader.forms import Forms
from kumoc.book.reader.opening import read_opening, told
from kumoc.book.reader.page import Page
from kumoc.book.reader.rules import ActionEntry, Rule, Rules, Seen, TruthEntry

_FENCE = re.compile("```json")
_END = re.compile("```")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{}]')
_ENTRIES = 2
"""How deep the lists of entries are, where the object itself is 1."""


class _FormError(ValueError):
    """JSON of another form; the message says what should be there."""


def read_symbolic(page: Page, forms: Forms) -> Rules:
    """What a book says whose rules are JSON."""
    read_opening(page, forms)
    page.sentence(forms.json)
    if not page.take(_FENCE) and not page.cut_off:
        raise page.unreadable('"```json"')
    lines = []
    while not page.cut_off and not page.take(_END):
        lines.append(page.next_line('the end of the JSON, "```"'))
    if not page.ended:
        raise page.unreadable("the end of the book")
    text = "\n".join(lines)
    try:
        data = _fields(_parsed(_closed(text) if page.cut_off else text), {"truths": list, "actions": list})
        truths = [_truth(entry) for entry in data["truths"]]
        actions = [_action(entry) for entry in data["actions"]]
    except (_FormError, RecursionError) as error:
        raise page.unreadable(f"a sound JSON object above this line ({error})", back=1) from error
    return told(page, truths, actions)


def _closed(text: str) -> str:
    """JSON that ends early, with the entries that are complete and nothing after them."""
    depth = whole = lists = 0
    for token in _TOKEN.finditer(text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth == _ENTRIES and token[0] in "[}":
            whole, lists = token.end(), lists + (token[0] == "[")
    return text[:whole] + ("]}" if lists == 2 else '], "actions": []}' if lists else '{"truths": [], "actions": []}')


def _parsed(text: str) -> Any:
    try:
        # numbers are kept as they are written, and nothing else than a number can be one
        return json.loads(
            text, parse_float=Decimal, parse_int=Decimal, parse_constant=_refused, object_pairs_hook=_object
        )
    except (json.JSONDecodeError, ArithmeticError) as error:
        raise _FormError(str(error)) from error


def _refused(constant: str) -> NoReturn:
    raise _FormError(f"{constant} is no number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _FormError("a key is there twice")
    return found


def _fields(value: object, needed: Mapping[str, type], optional: Mapping[str, type] | None = None) -> dict[str, Any]:
    """``value``, an object with these fields and no others."""
    known = {**needed, **(optional or {})}
    if not isinstance(value, dict) or not needed.keys() <= value.keys() <= known.keys():
        raise _FormError(
            f"an object must have {', '.join(needed)} and may have {', '.join(optional or ()) or 'no more'}"
        )
    for key, field in value.items():
        if not isinstance(field, known[key]):
            raise _FormError(f"{key} has the wrong type")
    return value


def _truth(entry: object) -> TruthEntry:
    found = _fields(entry, {"name": str}, {"description": str})
    return TruthEntry(found["name"], found.get("description", ""))


def _action(entry: object) -> ActionEntry:
    found = _fields(entry, {"name": str, "rules": list}, {"description": str, "unit": str})
    unit = found.get("unit")
    rules = tuple(_rule(rule, measured=unit is not None) for rule in found["rules"])
    return ActionEntry(found["name"], found.get("description", ""), unit, rules)


def _rule(entry: object, *, measured: bool) -> Rule:
    bound = "at_most" if isinstance(entry, dict) and "at_most" in entry else "less_than"
    key = {"at_least": Decimal, bound: Decimal} if measured else {"outcome": str}
    found = _fields(entry, {**key, "rules_out": list})
    names: list[Any] = found["rules_out"]
    if not names or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise _FormError("rules_out must be a list of one name or more, each once")
    seen: Seen = (found["at_least"], found[bound], bound == "at_most") if measured else found["outcome"]
    return Rule(seen, frozenset(names), (json.dumps(entry, ensure_ascii=False, default=str),))
