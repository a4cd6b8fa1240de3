"""Actions that look alike: within a set of survivors, an action is no more than the truths its outcomes exclude there.

Two actions whose outcomes exclude the same truths of ``S`` (the same ones equally often) do so within every subset of
``S`` too. A value therefore depends only on how many actions of each class remain, and one that excludes nothing of
``S`` plays no part in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from kumoc.generate.instance import Game


@dataclass(frozen=True, slots=True)
class ActionClass:
    """Actions that are interchangeable on a set of survivors.

    ``outcomes`` are pairs of the truths excluded there and the number of outcomes that exclude just those;
    ``first[k]`` is the mask of the first ``k`` members.
    """

    mask: int
    outcomes: tuple[tuple[int, int], ...]
    first: tuple[int, ...]


class Classes:
    """The classes of a game's actions on each set of survivors, worked out when first asked for."""

    def __init__(self, game: Game) -> None:
        """``game``: per action, the mask of truths each outcome excludes."""
        self._game = game
        self._known: dict[int, tuple[ActionClass, ...]] = {}

    def on(self, survivors: int) -> tuple[ActionClass, ...]:
        """The classes of the actions that exclude something of ``survivors``, by first member."""
        known = self._known.get(survivors)
        if known is None:
            known = self._known[survivors] = tuple(_classes(self._game, survivors))
        return known

    def representatives(self, survivors: int, remaining: int) -> int:
        """``remaining`` with the members of each class moved to its first ones, and irrelevant actions dropped."""
        mask = 0
        for group in self.on(survivors):
            mask |= group.first[(remaining & group.mask).bit_count()]
        return mask


def _classes(game: Game, survivors: int) -> list[ActionClass]:
    groups: dict[tuple[int, ...], list[int]] = {}
    for action, outcomes in enumerate(game):
        excluded = tuple(sorted(mask & survivors for mask in outcomes))
        if excluded[-1]:
            groups.setdefault(excluded, []).append(action)
    classes = []
    for excluded, actions in groups.items():
        first = [0]
        for action in actions:
            first.append(first[-1] | 1 << action)
        merged = tuple((mask, excluded.count(mask)) for mask in dict.fromkeys(excluded))
        classes.append(ActionClass(first[-1], merged, tuple(first)))
    return classes
