"""No two instances of a benchmark are the same, and no fair one shares its lists with any other."""

from __future__ import annotations

from collections.abc import Hashable

from kumoc.benchmark import Mode
from kumoc.generate.instance import Instance


class Taken:
    """The instances of one domain that a benchmark has, and whether another would be a duplicate of one.

    Two instances with equal truths, actions, valid truths and outcomes are the same, whatever their order. A fair
    instance shares not even its listed truths and actions with another one: were a second instance let through
    just when it differs in what is valid, the first would tell something about the second.
    """

    def __init__(self) -> None:
        """None yet."""
        self._fair: set[Hashable] = set()
        self._contents: dict[Hashable, set[Hashable]] = {}

    def has(self, instance: Instance, mode: Mode) -> bool:
        """Whether ``instance``, chosen in ``mode``, is a duplicate."""
        lists = _lists(instance)
        if mode is Mode.FAIR:
            return lists in self._contents
        return lists in self._fair or _content(instance) in self._contents.get(lists, ())

    def add(self, instance: Instance, mode: Mode) -> None:
        """Remember ``instance``."""
        lists = _lists(instance)
        self._contents.setdefault(lists, set()).add(_content(instance))
        if mode is Mode.FAIR:
            self._fair.add(lists)


def _lists(instance: Instance) -> Hashable:
    return frozenset(instance.truths), frozenset(instance.actions)


def _content(instance: Instance) -> Hashable:
    valid = frozenset(instance.truths[i] for i in instance.valid)
    shown = frozenset(
        (action, observation.outcome)
        for action, observation in zip(instance.actions, instance.observations, strict=True)
    )
    return valid, shown
