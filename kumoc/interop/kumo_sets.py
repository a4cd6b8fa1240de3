"""Sets of truths as a person writes them: by group, by name, or as all but a few."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from kumoc.language.names import skeleton
from kumoc.language.run import RESERVED
from kumoc.tables import members

MIN_MEMBERS = 3
"""Truths in a group."""
MAX_GROUPS = 40
"""Groups that are thought of, the largest first."""
MIN_USES = 3
"""Sets that a group stands in."""

_BARE = re.compile(r"[A-Z][A-Za-z0-9_]*(?:[-'][A-Za-z0-9_]+)*")
_WORD = re.compile(r"[A-Za-z]{3,}")


def written(name: str) -> str:
    """A name as it stands in a list; in quotes unless it is one capitalised word, which no keyword is."""
    return name if _BARE.fullmatch(name) else f'"{name}"'


@dataclass(frozen=True, slots=True)
class Group:
    """All the truths that share their first word, or their last; ``name`` is that word."""

    name: str
    mask: int


def in_order(groups: Iterable[Group]) -> list[Group]:
    """Groups by the position of their first truths."""
    return sorted(groups, key=lambda group: group.mask & -group.mask)


@dataclass(frozen=True, slots=True)
class SetWriter:
    """Writes masks of ``truths`` with the help of ``groups``, of which the first that fits is taken first."""

    truths: tuple[str, ...]
    groups: tuple[Group, ...] = ()

    def write(self, mask: int) -> list[str]:
        """The parts of the set expression for ``mask``, to be joined by commas."""
        groups, names = self._terms(mask)
        included = [*groups, *names]
        if 2 * mask.bit_count() <= len(self.truths):
            return included or ["nothing"]
        groups, names = self._terms(self._all & ~mask)
        excepted = [*groups, *names]
        if not excepted:
            return ["all"]
        excepted[0] = f"all but {excepted[0]}"
        return min(included, excepted, key=lambda parts: len(", ".join(parts)))

    def declarations(self) -> Iterator[str]:
        """The lines that declare the groups, and a blank one after them."""
        for group in in_order(self.groups):
            yield f"group {group.name} = {', '.join(written(self.truths[i]) for i in members(group.mask))}"
        if self.groups:
            yield ""

    @property
    def _all(self) -> int:
        return (1 << len(self.truths)) - 1

    def _terms(self, mask: int) -> tuple[list[str], list[str]]:
        found = []
        for group in self.groups:
            if group.mask & mask == group.mask:
                found.append(group)
                mask ^= group.mask
        names = [written(self.truths[position]) for position in members(mask)]
        return [group.name for group in in_order(found)], names


def find_groups(truths: Sequence[str], others: Sequence[str], masks: Sequence[int]) -> SetWriter:
    """A writer for ``masks`` whose groups each make several of them shorter; ``others`` are names that are taken."""
    taken = {skeleton(name) for name in (*truths, *others)}
    candidates = [group for group in _families(truths) if skeleton(group.name) not in taken]
    writer = SetWriter(tuple(truths), tuple(candidates))
    while True:
        uses = Counter(part.removeprefix("all but ") for mask in masks for part in writer.write(mask))
        useful = tuple(group for group in writer.groups if uses[group.name] >= MIN_USES)
        if useful == writer.groups:
            return writer
        writer = replace(writer, groups=useful)


def _families(truths: Sequence[str]) -> list[Group]:
    """Truths by the first and by the last of their words, the larger families first."""
    families: dict[str, int] = {}
    for place in (0, -1):
        found: dict[str, int] = {}
        for position, name in enumerate(truths):
            words = name.split()
            if len(words) > 1 and _WORD.fullmatch(words[place]):
                word = words[place].lower()
                found[word] = found.get(word, 0) | 1 << position
        families = found | families
    groups = [
        Group(word, mask)
        for word, mask in families.items()
        if MIN_MEMBERS <= mask.bit_count() < len(truths) and word.upper() not in RESERVED
    ]
    return sorted(groups, key=lambda group: (-group.mask.bit_count(), group.name))[:MAX_GROUPS]
