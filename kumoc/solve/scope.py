"""What a set of survivors makes of the actions: which of them matter, which are alike, and what they leave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kumoc.generate.instance import Game
from kumoc.solve.reductions import Reductions
from kumoc.solve.work import Work
from kumoc.tables import members


class ActionClass:
    """Actions that are interchangeable on a set of survivors.

    ``actions`` is their mask; ``excluded`` holds, per outcome and in ascending order, the survivors it excludes, and
    ``excludable`` their union; ``after`` pairs the number of outcomes that leave the same survivors with the scope of
    those survivors.
    """

    __slots__ = ("actions", "after", "excludable", "excluded")

    def __init__(self, actions: int, excluded: tuple[int, ...], after: tuple[tuple[int, Scope], ...]) -> None:
        """See the class."""
        self.actions = actions
        self.excluded = excluded
        self.after = after
        self.excludable = 0
        for mask in excluded:
            self.excludable |= mask


class Scope:
    """One set of survivors, and the classes of all the game's actions on it.

    ``single`` and ``groups`` hold the classes of one member and of more, the latter with the masks of their first
    ``k`` members; ``covers`` counts, per set of actions, the survivors that just those actions can exclude; ``parts``
    are the scopes of the survivors that hang together by an action. The players keep what they learn about states in
    ``states``, by remaining actions, and the values of the relaxed game in ``relaxed``, by number of actions.
    """

    __slots__ = (
        "actions",
        "classes",
        "covers",
        "groups",
        "parent",
        "parts",
        "relaxed",
        "single",
        "states",
        "survivors",
    )

    def __init__(self, survivors: int, parent: Scope | None) -> None:
        """Knows nothing but its survivors until :meth:`Scopes.build` is called."""
        self.survivors = survivors
        self.classes: tuple[ActionClass, ...] | None = None
        self.actions = -1
        self.covers: tuple[tuple[int, int], ...] = ()
        self.parts: tuple[Scope, ...] = ()
        self.states: dict[int, Any] = {}
        self.relaxed: dict[int, tuple[float, list[float]]] = {}
        self.parent = parent
        self.single = 0
        self.groups: list[tuple[int, tuple[int, ...]]] = []

    def representative(self, remaining: int) -> int:
        """``remaining`` without irrelevant actions, the members of each class moved to its first ones."""
        mask = remaining & self.single
        for actions, first in self.groups:
            mask |= first[(remaining & actions).bit_count()]
        return mask


class Scopes:
    """The scopes of one game, by survivors."""

    def __init__(self, game: Game, reductions: Reductions, work: Work) -> None:
        """``game``: per action, the mask of truths each outcome excludes."""
        self._game = game
        self._reductions = reductions
        self._work = work
        self._known: dict[int, Scope] = {}

    def __del__(self) -> None:
        """Take the tables apart: they refer to each other, and would else wait for the cyclic collector."""
        for scope in self._known.values():
            scope.classes = None
            scope.parts = ()
            scope.states.clear()

    def at(self, survivors: int, parent: Scope | None = None) -> Scope:
        """The scope of ``survivors``; ``parent`` may be any built scope of a larger set."""
        known = self._known.get(survivors)
        if known is None:
            known = self._known[survivors] = Scope(survivors, parent)
        return known

    def build(self, scope: Scope) -> None:
        """Work out the classes of ``scope``, unless that is done."""
        if scope.classes is not None:
            return
        self._work.spend()
        classes = tuple(
            [ActionClass(actions, excluded, self._after(scope, excluded)) for actions, excluded in self._grouped(scope)]
        )
        scope.actions = 0
        for group in classes:
            scope.actions |= group.actions
            if group.actions & (group.actions - 1):
                scope.groups.append((group.actions, _prefixes(group.actions)))
            else:
                scope.single |= group.actions
        scope.covers = _covers(scope.survivors, classes)
        scope.parts = self._parts(scope, classes)
        scope.classes = classes
        scope.parent = None

    def _grouped(self, scope: Scope) -> Iterable[tuple[int, tuple[int, ...]]]:
        """Per class, its actions and what each outcome excludes."""
        survivors, parent = scope.survivors, scope.parent
        if parent is None or parent.classes is None:
            source = self._most_excluding_first()
        else:
            source = [(group.actions, group.excluded) for group in parent.classes]
        groups: dict[Any, tuple[int, tuple[int, ...]]] = {}
        for actions, outcomes in source:
            excluded = tuple(sorted([mask & survivors for mask in outcomes]))
            if excluded[-1] or not self._reductions.relevance:
                key = excluded if self._reductions.classes else actions
                groups[key] = (groups[key][0] | actions if key in groups else actions), excluded
        return groups.values()

    def _most_excluding_first(self) -> list[tuple[int, tuple[int, ...]]]:
        # the order decides which action chances are averaged over, so which further states are met: early shrinking
        # of the survivors keeps them few
        order = sorted(enumerate(self._game), key=lambda entry: -sum(map(int.bit_count, entry[1])) / len(entry[1]))
        return [(1 << action, masks) for action, masks in order]

    def _after(self, scope: Scope, excluded: tuple[int, ...]) -> tuple[tuple[int, Scope], ...]:
        if not self._reductions.outcomes:
            return tuple([(1, self.at(scope.survivors & ~mask, scope)) for mask in excluded])
        counts: dict[int, int] = {}
        for mask in excluded:
            counts[mask] = counts.get(mask, 0) + 1
        return tuple([(count, self.at(scope.survivors & ~mask, scope)) for mask, count in counts.items()])

    def _parts(self, scope: Scope, classes: tuple[ActionClass, ...]) -> tuple[Scope, ...]:
        if not self._reductions.parts:
            return (scope,)
        joined = [1 << truth for truth in members(scope.survivors)]
        for group in classes:
            together = 0
            apart = []
            for part in joined:
                if part & group.excludable:
                    together |= part
                else:
                    apart.append(part)
            joined = [*apart, together] if together else apart
        if len(joined) == 1:
            return (scope,)
        return tuple([self.at(part, scope) for part in sorted(joined)])


def _covers(survivors: int, classes: tuple[ActionClass, ...]) -> tuple[tuple[int, int], ...]:
    covers = dict.fromkeys(members(survivors), 0)
    for group in classes:
        for truth in members(group.excludable):
            covers[truth] |= group.actions
    counts: dict[int, int] = {}
    for cover in covers.values():
        counts[cover] = counts.get(cover, 0) + 1
    return tuple(counts.items())


def _prefixes(actions: int) -> tuple[int, ...]:
    """For each ``k``, the mask of the first ``k`` of ``actions``."""
    prefixes = [0]
    for action in members(actions):
        prefixes.append(prefixes[-1] | 1 << action)
    return tuple(prefixes)
