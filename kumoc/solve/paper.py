"""The paper's player: survivors are taken to be equally likely after every outcome, whatever the guarantee says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kumoc.generate.instance import Game
from kumoc.solve.player import Player
from kumoc.solve.reductions import Reductions
from kumoc.solve.relaxed import Relaxation
from kumoc.solve.scope import ActionClass, Scope, Scopes
from kumoc.solve.search import Move, Node, Rules
from kumoc.solve.work import Work


class PaperPlayer(Player):
    """Optimal for Algorithm 3 of the paper (without the 1e-9 in its denominator)."""

    def _make_rules(self, reductions: Reductions) -> Rules:
        return _PaperRules(self.outcomes, self.valid, reductions, self._work)


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
    def __init__(self, game: Game, valid: int, reductions: Reductions, work: Work) -> None:
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
            bound = self._relaxation.value(scope, patience) if self._relaxes else 1.0
        return _State(scope, remaining, patience, bound)

    def moves(self, node: Node) -> list[Move]:
        """The remaining classes, with the bounds of the relaxed game."""
        assert isinstance(node, _State)
        classes = node.scope.classes or ()
        bounds: Sequence[float] = [1.0] * len(classes)
        if self._relaxes:
            bounds = self._relaxation.bounds(node.scope, node.patience)
        return [
            _ClassMove(group, bound)
            for bound, group in zip(bounds, classes, strict=True)
            if group.actions & node.remaining
        ]

    def moves_at(self, survivors: int, remaining: int) -> list[Move]:
        """Those of the node: it has the same survivors."""
        return self.moves(self.node(survivors, remaining))

    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:
        """Outcomes are as likely as the number of survivors they leave."""
        assert isinstance(node, _State)
        assert isinstance(move, _ClassMove)
        rest = node.remaining ^ (1 << (node.remaining & move.actions).bit_length() - 1)
        return [(chance, self._state(scope, rest)) for chance, scope in self._relaxation.chances(move.group)]

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

    def rest(self, node: Node) -> int:
        """All relevant actions."""
        return node.remaining.bit_count() if isinstance(node, _State) else 0

    def rest_at(self, survivors: int, remaining: int) -> int:
        """All relevant actions."""
        scope = self._scopes.at(survivors)
        self._scopes.build(scope)
        return remaining & scope.actions
