"""Names that people type."""

from __future__ import annotations

from collections.abc import Sequence

from kumoc.cli.rows import InputError
from kumoc.cli.show import near
from kumoc.folding import folded


def position(name: str, names: Sequence[str], kind: str, place: str) -> int:
    """The position of the one of ``names`` that is meant, whatever its case and spacing.

    Raises InputError, which calls them by ``kind``, at ``place``.
    """
    if name in names:
        return names.index(name)
    meant = [i for i, known in enumerate(names) if folded(known) == folded(name)]
    if len(meant) == 1:
        return meant[0]
    wrong = f"{len(meant)} {kind}s could be '{name}'" if meant else f"there is no {kind} '{name}'"
    raise InputError(place, wrong, near(name, names) or f"its {kind}s: {', '.join(names)}")
