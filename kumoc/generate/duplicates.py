"""No two instances of a benchmark are the same, and no fair one shares its lists with any other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from kumoc.benchmark import Mode
from kumoc.generate.instance import Instance
from kumoc.tables import Range

DIGEST_BYTES = 16
"""Enough for any two of 10^12 instances to differ, but for a chance of 10^-15."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Digests by which instances of one domain are told apart: ``lists`` of what is listed, ``content`` of everything.

    Two instances with equal truths, actions, valid truths and outcomes are the same, whatever their order.
    """

    lists: bytes
    content: bytes

    @classmethod
    def of(
        cls, truths: Iterable[str], actions: Iterable[str], valid: Iterable[str], outcomes: Iterable[tuple[str, str]]
    ) -> Identity:
        """From names; ``outcomes`` pairs each listed action with the outcome that was seen, in words."""
        lists = [sorted(truths), sorted(actions)]
        return cls(_digest(lists), _digest([*lists, sorted(valid), sorted(outcomes)]))


def identity(instance: Instance) -> Identity:
    """The identity of ``instance``."""
    tables = instance.tables
    truths = [tables.truths[i].name for i in instance.truths]
    actions = [tables.actions[i] for i in instance.actions]
    seen = [
        (action.name, words(action.outcomes[observation.outcome].key))
        for action, observation in zip(actions, instance.observations, strict=True)
    ]
    return Identity.of(truths, [action.name for action in actions], [truths[i] for i in instance.valid], seen)


def words(key: str | Range) -> str:
    """What names an outcome among those of its action: its label, or where its range begins."""
    return key if isinstance(key, str) else repr(float(key.low))


def _digest(content: object) -> bytes:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).digest()


class Taken:
    """The instances of one domain that a benchmark has, and whether another would be a duplicate of one.

    A fair instance shares not even its listed truths and actions with another one: were a second instance let through
    just when it differs in what is valid, the first would tell something about the second.
    """

    def __init__(self) -> None:
        """None yet."""
        self._lists: set[bytes] = set()
        self._fair: set[bytes] = set()
        self._contents: set[bytes] = set()

    def has(self, identity: Identity, mode: Mode) -> bool:
        """Whether an instance chosen in ``mode`` is a duplicate."""
        if mode is Mode.FAIR:
            return identity.lists in self._lists
        return identity.lists in self._fair or identity.content in self._contents

    def add(self, identity: Identity, mode: Mode) -> None:
        """Remember an instance."""
        self._lists.add(identity.lists)
        self._contents.add(identity.content)
        if mode is Mode.FAIR:
            self._fair.add(identity.lists)
