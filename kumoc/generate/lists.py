"""What an instance lists, apart from orders and from what is valid: all that its difficulty depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kumoc.generate.draw import Draws
from kumoc.generate.instance import Game, Instance, restrict
from kumoc.tables import Tables, members


@dataclass(frozen=True, slots=True)
class Lists:
    """The listed truths and the listed actions, as masks of positions in the tables."""

    truths: int
    actions: int

    @classmethod
    def of(cls, instance: Instance) -> Lists:
        """Those of ``instance``."""
        return cls(sum(1 << truth for truth in instance.truths), sum(1 << action for action in instance.actions))

    def game(self, tables: Tables) -> Game:
        """Their bare game, truths and actions in the order of ``tables``."""
        return restrict(tables, tuple(members(self.truths)), tuple(members(self.actions)))


def changed(tables: Tables, lists: Lists, draws: Draws) -> Lists:
    """``lists`` with one truth or one action, either as likely, replaced by one that is not listed.

    Which one, and by which, is uniform; nothing changes where all are listed. Whether the lists are fair is not asked.
    """
    if draws.below(2):
        return replace(lists, truths=_swapped(lists.truths, len(tables.truths), draws))
    return replace(lists, actions=_swapped(lists.actions, len(tables.actions), draws))


def _swapped(listed: int, count: int, draws: Draws) -> int:
    """``listed``, some of ``count``, with one replaced."""
    inside, outside = tuple(members(listed)), tuple(members(~listed & (1 << count) - 1))
    if not outside:
        return listed
    return listed ^ 1 << inside[draws.below(len(inside))] ^ 1 << outside[draws.below(len(outside))]
