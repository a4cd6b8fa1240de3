"""What a domain declares, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from kumoc.language import syntax


class _Named(Protocol):
    @property
    def name(self) -> syntax.Word: ...


Node = TypeVar("Node", bound=_Named)


@dataclass(frozen=True, slots=True)
class Declared:
    """The declarations of one domain by their names, in order; of those that share a name, the first."""

    truths: Mapping[str, syntax.Truth]
    groups: Mapping[str, syntax.Group]
    properties: Mapping[str, syntax.Property]
    actions: Mapping[str, syntax.Action]


def declared(domain: syntax.Domain) -> Declared:
    """What ``domain`` declares."""
    members = domain.members
    return Declared(
        truths=_by_name(entry for block in members if isinstance(block, syntax.Truths) for entry in block.entries),
        groups=_by_name(member for member in members if isinstance(member, syntax.Group)),
        properties=_by_name(member for member in members if isinstance(member, syntax.Property)),
        actions=_by_name(entry for block in members if isinstance(block, syntax.Actions) for entry in block.entries),
    )


def choices(item: syntax.Property | None) -> tuple[syntax.Word, ...]:
    """The values of a property; none where it is a number or unknown."""
    return item.type.values if item and isinstance(item.type, syntax.ChoiceType) else ()


def _by_name(nodes: Iterable[Node]) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for node in nodes:
        found.setdefault(node.name.text, node)
    return found
