"""The tables of a release: whether they are sound, and those that the manifest was written for."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kumoc.release.folder import Folder, UnreadableError, parse_json
from kumoc.release.verify.form import faults
from kumoc.release.verify.report import Log
from kumoc.tables import Tables, from_json, to_json


def read_tables(folder: Folder, entry: Mapping[str, Any], log: Log) -> Tables | None:
    """The tables of the domain that ``entry`` of a manifest names, or None, if nothing can be proved by them.

    What is wrong is logged.
    """
    path = f"tables/{entry['name']}.json"
    try:
        text = folder.text(path)
        data = parse_json(text)
    except UnreadableError as error:
        # that it is missing, or no file, was found when its bytes were digested
        if log.is_clean(path):
            log.add(path, str(error))
        return None
    broken = list(faults(data, "tables"))
    broken = broken or list(_unsound(data))
    log.add(path, broken)
    if broken:
        return None
    try:
        tables = from_json(data)
    except ArithmeticError:
        log.add(path, "a number in it has too many digits")
        return None
    log.add(path, _differences(tables, entry, text))
    return tables


def _differences(tables: Tables, entry: Mapping[str, Any], text: str) -> Iterator[str]:
    plain = to_json(tables)
    digest = hashlib.sha256(json.dumps(plain, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    said = {
        "name": tables.domain,
        "version": tables.version,
        "truths": len(tables.truths),
        "actions": len(tables.actions),
        "tables_sha256": digest,
    }
    for name, value in said.items():
        if entry[name] != value:
            yield f"its {name} is {value}, and the manifest says {entry[name]}"
    if text != json.dumps(plain, ensure_ascii=False, indent=1) + "\n":
        yield "its JSON is not written as kumoc writes it"


def _unsound(data: Mapping[str, Any]) -> Iterator[str]:
    """What the compiler would have refused, in tables of the right form."""
    truths = [truth["name"] for truth in data["truths"]]
    known = set(truths)
    yield from (f"the truth {name!r} is there twice" for name in _repeated(truths))
    yield from (f"the action {name!r} is there twice" for name in _repeated([a["name"] for a in data["actions"]]))
    for action in data["actions"]:
        yield from (f"action {action['name']!r}: {fault}" for fault in _unsound_action(action, known))


def _unsound_action(action: Mapping[str, Any], known: set[str]) -> Iterator[str]:
    outcomes = action["outcomes"]
    for outcome in outcomes:
        yield from (f"it rules out {name!r}, which is no truth" for name in outcome["rules_out"] if name not in known)
    for name in sorted(known.intersection(*(outcome["rules_out"] for outcome in outcomes))):
        yield f"every outcome rules out {name!r}"
    measured = ["low" in outcome for outcome in outcomes]
    if measured != [action["scale"] is not None] * len(outcomes):
        yield "it has labels and a scale, or ranges and none"
    elif action["scale"] is None:
        yield from (f"the outcome {label!r} is there twice" for label in _repeated([o["label"] for o in outcomes]))
    else:
        yield from _unsound_ranges(outcomes, action["scale"])


def _unsound_ranges(outcomes: Sequence[Mapping[str, Any]], scale: Mapping[str, Any]) -> Iterator[str]:
    edges = [scale["low"], *(edge for outcome in outcomes for edge in (outcome["low"], outcome["high"])), scale["high"]]
    joined = all(one == other for one, other in zip(edges[::2], edges[1::2], strict=True))
    rising = all(outcome["low"] < outcome["high"] for outcome in outcomes)
    if not joined or not rising:
        yield "its ranges do not follow each other from one end of the scale to the other"
    if [outcome["closed"] for outcome in outcomes] != [False] * (len(outcomes) - 1) + [True]:
        yield "the last of its ranges is closed, and no other"


def _repeated(names: Sequence[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]
