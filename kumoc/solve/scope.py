"""What a set of survivors makes of the actions: which of them matter, which are alike, and what they leave."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from kumoc.generate.instance import Game
from kumoc.solve.reductions import Reductions
from kumoc.solve.work import Work
from kumoc.tables import members


class ActionClass:
    """Actions that are interchangeable on a set of survivors.

    ``actions`` is their mask; ``excluded`` holds, per outcome and in ascending order, the survivors it excludes, and
    ``excludable`` their union. ``after`` is what :meth:`Scopes.after` says of them; None until it is asked for.
    """

    __slots__ = ("actions", "after", "excludable", "excluded")

    def __init__(self, actions: int, excluded: tuple[int, ...], excludable: int) -> None:
        """See the class."""
        self.actions = actions
        self.excluded = excluded
        self.excludable = excludable
        self.after: tuple[tuple[int, Scope], ...] | None = None


class Scope:
    """One set of survivors, and the classes of all the game's actions on it.

    ``covers`` holds the sets of actions that can exclude some survivor or none, each with the survivors it is all for.
    ``single`` and ``groups`` hold the classes of one member and of more, the latter with the masks of their first
    ``k`` members; ``parts`` are the scopes of the survivors that hang together by an action. The players keep what they
    learn about states in ``states``, by remaining actions, and about the classes in ``options``.
    """

    __slots__ = (
        "actions",
        "classes",
        "covers",
        "groups",
        "options",
        "parent",
        "parts",
        "single",
        "states",
        "survivors",
    )

    def __init__(self, survivors: int, parent: Scope | None) -> None:
        """Knows nothing but its survivors until :meth:`Scopes.build` is called."""
        self.survivors = survivors
        self.classes: tuple[ActionClass, ...] | None = None
        self.actions = -1
        self.covers: list[tuple[int, int]] = []
        self.parts: tuple[Scope, ...] = ()
        self.states: dict[int, Any] = {}
        self.options: Any = None
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

    def __init__(self, truths: int, game: Game, reductions: Reductions, work: Work) -> None:
        """``truths``: the mask of all; ``game``: per action, the mask of truths each outcome excludes."""
        self.reductions = reductions
        self._work = work
        self.known: dict[int, Scope] = {}
        self._whole = _whole(game)
        self._covers = _covers(truths, self._whole)

    def __del__(self) -> None:
        """Take the tables apart: they refer to each other, and would else wait for the cyclic collector."""
        for scope in self.known.values():
            scope.classes = None
            scope.parts = ()
            for node in scope.states.values():
                node.moves = None
            scope.states.clear()
            scope.options = None

    def at(self, survivors: int, parent: Scope | None = None) -> Scope:
        """The scope of ``survivors``; ``parent`` may be any built scope of a larger set."""
        known = self.known.get(survivors)
        if known is None:
            known = self.known[survivors] = Scope(survivors, parent)
        return known

    def build(self, scope: Scope) -> None:
        """Work out the classes of ``scope``, unless that is done."""
        if scope.classes is not None:
            return
        self._work.spend()
        classes = self._classes(scope)
        survivors = scope.survivors
        scope.covers = [(cover, truths & survivors) for cover, truths in self._covers if truths & survivors]
        scope.actions = 0
        for group in classes:
            scope.actions |= group.actions
            if group.actions & (group.actions - 1):
                scope.groups.append((group.actions, _prefixes(group.actions)))
            else:
                scope.single |= group.actions
        scope.parts = self._parts(scope, classes)
        scope.classes = classes
        scope.parent = None

    def _classes(self, scope: Scope) -> tuple[ActionClass, ...]:
        survivors, parent = scope.survivors, scope.parent
        source = self._whole if parent is None or parent.classes is None else parent.classes
        groups: dict[Any, ActionClass] = {}
        for group in source:
            excludable = group.excludable & survivors
            if not excludable and self.reductions.relevance:
                continue
            excluded = group.excluded
            if excludable != group.excludable:
                excluded = tuple(sorted([mask & survivors for mask in excluded]))
            key = excluded if self.reductions.classes else group.actions
            same = groups.get(key)
            if same is None:
                groups[key] = ActionClass(group.actions, excluded, excludable)
            else:
                same.actions |= group.actions
        return tuple(groups.values())

    def after(self, scope: Scope, group: ActionClass) -> tuple[tuple[int, Scope], ...]:
        """The scopes that the outcomes of ``group``, a class of ``scope``, leave; each with its number of outcomes."""
        if group.after is None:
            survivors = scope.survivors
            if self.reductions.outcomes:
                counts: dict[int, int] = {}
                for mask in group.excluded:
                    counts[mask] = counts.get(mask, 0) + 1
                group.after = tuple([(count, self.at(survivors & ~mask, scope)) for mask, count in counts.items()])
            else:
                group.after = tuple([(1, self.at(survivors & ~mask, scope)) for mask in group.excluded])
        return group.after

    def _parts(self, scope: Scope, classes: tuple[ActionClass, ...]) -> tuple[Scope, ...]:
        if not self.reductions.parts:
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


def _whole(game: Game) -> list[ActionClass]:
    """Each action by itself, the most excluding first.

    The order decides which action chances are averaged over, so which further states are met: early shrinking of the
    survivors keeps them few.
    """
    order = sorted(enumerate(game), key=lambda entry: -sum(map(int.bit_count, entry[1])) / len(entry[1]))
    return [ActionClass(1 << action, tuple(sorted(masks)), reduce(or_, masks)) for action, masks in order]


def _covers(survivors: int, whole: list[ActionClass]) -> list[tuple[int, int]]:
    covers = dict.fromkeys(members(survivors), 0)
    for group in whole:
        for truth in members(group.excludable):
            covers[truth] |= group.actions
    truths: dict[int, int] = {}
    for truth, cover in covers.items():
        truths[cover] = truths.get(cover, 0) | 1 << truth
    return list(truths.items())


def _prefixes(actions: int) -> tuple[int, ...]:
    """For each ``k``, the mask of the first ``k`` of ``actions``."""
    prefixes = [0]
    for action in members(actions):
        prefixes.append(prefixes[-1] | 1 << action)
    return tuple(prefixes)
