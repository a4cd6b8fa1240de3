"""The paper's player: survivors are taken to be equally likely after every outcome, whatever the guarantee says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import and_, or_

from kumoc.generate.instance import Game
from kumoc.solve.floor import least_depth, outlook
from kumoc.solve.player import Player
from kumoc.solve.reductions import Reductions
from kumoc.solve.relaxed import Relaxation
from kumoc.solve.scope import ActionClass, Scope, Scopes
from kumoc.solve.search import Move, Node, Rules
from kumoc.solve.work import Work
from kumoc.tables import members


class PaperPlayer(Player):
    """Optimal for Algorithm 3 of the paper (without the 1e-9 in its denominator)."""

    def _make_rules(self, reductions: Reductions) -> Rules:
        return _PaperRules(self.truths, self.outcomes, self.valid, reductions, self._work)


class _State(Node):
    """``patience``: the least number of remaining actions that can exclude some one survivor; 0 ends the game."""

    __slots__ = ("patience", "remaining", "scope")

    def __init__(self, scope: Scope, remaining: int, patience: int, bound: float) -> None:
        self.bound = bound
        self.solved = not patience
        self.moves = None
        self.visits = 1
        self.scope = scope
        self.remaining = remaining
        self.patience = patience


class _ClassMove(Move):
    __slots__ = ("group",)

    def __init__(self, group: ActionClass, bound: float) -> None:
        self.actions = group.actions
        self.bound = bound
        self.children = None
        self.group = group


class _PaperRules(Rules):
    def __init__(self, truths: int, game: Game, valid: int, reductions: Reductions, work: Work) -> None:
        self._truths = truths
        self._game = game
        self._valid = valid
        self._work = work
        self._relaxes = reductions.relaxation
        self._scopes = Scopes(game, replace(reductions, parts=False), work)
        self._relaxation = Relaxation(self._scopes, valid)

    def node(self, survivors: int, remaining: int) -> Node:
        """One node for all states with equally many members left of each class."""
        if survivors.bit_count() <= self._valid:
            return Node(0.0, solved=True)
        return self._state(self._scopes.at(survivors), remaining)

    def _state(self, scope: Scope, remaining: int) -> _State:
        if scope.classes is None:
            self._scopes.build(scope)
        remaining &= scope.actions
        known: _State | None = scope.states.get(remaining)
        if known is None:
            representative = scope.representative(remaining)
            known = scope.states.get(representative)
            if known is None:
                known = scope.states[representative] = self._new_state(scope, representative)
            scope.states[remaining] = known
        return known

    def _new_state(self, scope: Scope, remaining: int) -> _State:
        self._work.spend()
        patience = min([(remaining & cover).bit_count() for cover, _ in scope.covers])
        bound = 0.0
        if patience:
            bound = self._relaxation.value(scope, patience) if self._relaxes and not self.hasty else 1.0
        return _State(scope, remaining, patience, bound)

    def moves(self, node: Node) -> list[Move]:
        """The remaining classes, with the bounds of the relaxed game."""
        assert isinstance(node, _State)
        groups = [group for group in node.scope.classes or () if group.actions & node.remaining]
        if not self._relaxes:
            return [_ClassMove(group, 1.0) for group in groups]
        return [_ClassMove(group, bound) for group, bound in zip(groups, self._bounds(node), strict=True)]

    def _bounds(self, node: _State) -> list[float]:
        """Per remaining class: its cost if what it leads to costs no more than in the relaxed game.

        An action takes one from the patience only where a survivor stays that it could exclude and few others can.
        """
        scope, remaining, patience = node.scope, node.remaining, node.patience
        critical = [(cover, truths) for cover, truths in scope.covers if (remaining & cover).bit_count() == patience]
        bounds = []
        for group, bound in zip(scope.classes or (), self._relaxation.bounds(scope, patience + 1), strict=True):
            if group.actions & remaining:
                lost = 0
                for cover, truths in critical:
                    if cover & group.actions:
                        lost |= truths
                bounds.append(self._bound(scope, group, patience, lost) if lost else bound)
        return bounds

    def _bound(self, scope: Scope, group: ActionClass, patience: int, lost: int) -> float:
        value = self._relaxation.value
        bound = 1.0
        for chance, after in self._relaxation.chances(scope, group):
            bound += chance * value(after, patience - 1 if after.survivors & lost else patience)
        return bound

    def moves_at(self, survivors: int, remaining: int) -> list[Move]:
        """Those of the node: it has the same survivors."""
        return self.moves(self.node(survivors, remaining))

    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:
        """Outcomes are as likely as the number of survivors they leave."""
        assert isinstance(node, _State)
        assert isinstance(move, _ClassMove)
        rest = node.remaining ^ (1 << (node.remaining & move.actions).bit_length() - 1)
        return [
            (chance, self._state(scope, rest)) for chance, scope in self._relaxation.chances(node.scope, move.group)
        ]

    def known(self, survivors: int, remaining: int) -> int:
        """All survivors if no more than the valid ones are left, else those that no remaining action can exclude."""
        if survivors.bit_count() > self._valid:
            for action, masks in enumerate(self._game):
                if remaining >> action & 1:
                    for mask in masks:
                        survivors &= ~mask
        return survivors

    def chances(self, survivors: int, remaining: int, action: int) -> tuple[float, ...]:  # noqa: ARG002
        """In proportion to the number of survivors that each outcome leaves."""
        left = [(survivors & ~mask).bit_count() for mask in self._game[action]]
        total = sum(left) or 1
        return tuple(size / total for size in left)

    def size(self, node: Node) -> int:
        """All survivors."""
        return node.scope.survivors.bit_count() if isinstance(node, _State) else 0

    def prospects(self, node: Node) -> list[tuple[float, Move]]:
        """The remaining classes."""
        assert isinstance(node, _State)
        groups = [group for group in node.scope.classes or () if group.actions & node.remaining]
        return [(outlook(node.scope.survivors, group.excluded), _ClassMove(group, 1.0)) for group in groups]

    def actions_like(self, survivors: int, remaining: int, move: Move) -> int:  # noqa: ARG002
        """The members of the class."""
        return move.actions & remaining

    def floor(self) -> float:
        """What the number of outcomes allows, in a game that lasts as long as every survivor can be excluded."""
        excludable = [self._truths & _union(masks) for masks in self._game]
        patience = min([sum([mask >> t & 1 for mask in excludable]) for t in members(self._truths)])
        if not patience or self._truths.bit_count() <= self._valid:
            return 0.0
        if any(_intersection(masks) for masks in self._game):
            return 1.0  # a truth that no outcome keeps makes others likelier than the bound allows for
        return least_depth(self._valid / self._truths.bit_count(), self._game, patience)

    def rest(self, node: Node) -> int:
        """All relevant actions."""
        return node.remaining.bit_count() if isinstance(node, _State) else 0

    def rest_at(self, survivors: int, remaining: int) -> int:
        """All relevant actions."""
        scope = self._scopes.at(survivors)
        self._scopes.build(scope)
        return remaining & scope.actions


def _union(masks: Sequence[int]) -> int:
    return reduce(or_, masks)


def _intersection(masks: Sequence[int]) -> int:
    return reduce(and_, masks)
