"""Lines of ``.kumo`` text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

WIDTH = 110
"""Columns that a line fills at most, where it can be broken."""
LONGEST_ALIGNED = 50
"""Columns of an outcome's key that the others are aligned with."""


def broken(opening: str, parts: Sequence[str]) -> Iterator[str]:
    """``opening`` and the parts, in lines broken after a comma; further lines are indented below the first."""
    indent = " " * (len(opening) - len(opening.lstrip()) + 4)
    line = opening + parts[0]
    for part in parts[1:]:
        if len(line) + len(part) + len(", ,") > WIDTH:
            yield f"{line},"
            line = indent + part
        else:
            line += f", {part}"
    yield line


def aligned(keys: Iterable[str]) -> int:
    """The width to which the keys of an action's outcomes are filled."""
    return max((len(key) for key in keys if len(key) <= LONGEST_ALIGNED), default=0)
