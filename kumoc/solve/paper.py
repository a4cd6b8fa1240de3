"""The paper's player: survivors are taken to be equally likely after every outcome, whatever the guarantee says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from math import inf
from operator import and_, or_

from kumoc.generate.instance import Game
from kumoc.solve.floor import least_depth, outlook
from kumoc.solve.options import Leads, OptionTable
from kumoc.solve.player import Player
from kumoc.solve.reductions import Reductions
from kumoc.solve.relaxed import Relaxation
from kumoc.solve.scope import ActionClass, Scope, Scopes
from kumoc.solve.search import Move, Node, Rules
from kumoc.solve.work import Work
from kumoc.tables import members

_NONE: Iterator[Move] = iter(())


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
        self.others = _NONE
        self.visits = 1
        self.scope = scope
        self.remaining = remaining
        self.patience = patience


class _ClassMove(Move):
    __slots__ = ("leads",)

    def __init__(self, actions: int, bound: float, leads: Leads) -> None:
        self.actions = actions
        self.bound = bound
        self.children = None
        self.leads = leads


class _Waiting(Move):
    """To take nothing but ``actions``, which show nothing, until patience ends."""

    __slots__ = ()


class _PaperRules(Rules):
    def __init__(self, truths: int, game: Game, valid: int, reductions: Reductions, work: Work) -> None:
        self._truths = truths
        self._game = game
        self._valid = valid
        self._work = work
        self._reductions = reductions
        self._scopes = Scopes(truths, game, replace(reductions, parts=False), work)
        self._relaxation = Relaxation(truths, game, valid, work)
        self._options = OptionTable(valid, self._scopes, self._relaxation, reductions)

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
        bound = float(min(patience, 1))
        if patience > 1 and self._reductions.relaxation and not self.hasty:
            bound = self._relaxation.fill(scope.survivors, patience)[patience]
        return _State(scope, remaining, patience, bound)

    def moves(self, node: Node) -> Iterator[Move]:
        """The remaining classes that show something, with the bounds of the relaxed game, up to waiting."""
        assert isinstance(node, _State)
        remaining, patience = node.remaining, node.patience
        waits = self._options.at(node.scope).waits & remaining
        waiting = patience if waits.bit_count() >= patience else inf
        for bound, actions, leads in self._options.bounded(node.scope, remaining, patience):
            if bound >= waiting:
                break
            if actions & remaining:
                yield _ClassMove(actions, bound, leads)
        if waiting < inf:
            yield _Waiting(waits, waiting, None)

    def moves_at(self, survivors: int, remaining: int) -> list[Move]:
        """The remaining classes; those that show nothing where it can make no difference."""
        node = self.node(survivors, remaining)
        assert isinstance(node, _State)
        moves: list[Move] = [
            _ClassMove(actions, bound, leads)
            for bound, actions, leads in self._options.bounded(node.scope, node.remaining, node.patience)
            if actions & node.remaining
        ]
        if node.bound > node.patience - 0.5:
            waiting = self._options.at(node.scope).waiting
            moves += [self._move(node.scope, group) for group in waiting if group.actions & node.remaining]
        return moves

    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:
        """Outcomes are as likely as the number of survivors they leave."""
        assert isinstance(node, _State)
        rest = node.remaining ^ (1 << (node.remaining & move.actions).bit_length() - 1)
        if isinstance(move, _Waiting):
            return self._waited(self._state(node.scope, rest), move)
        assert isinstance(move, _ClassMove)
        children = []
        for chance, scope, _ in move.leads:
            child = scope.states.get(rest & scope.actions) or self._state(scope, rest)
            if child.bound:
                children.append((chance, child))
        return children

    def _waited(self, state: _State, move: _Waiting) -> Sequence[tuple[float, Node]]:
        """``state`` after a first action, where waiting was best before: then it still is."""
        if not state.patience:
            return ()
        if not state.solved:
            state.bound = float(state.patience)
            again = _Waiting(move.actions, state.bound, None)
            again.children = self.children(state, again)
            state.moves = [again]
            state.others = _NONE
            state.solved = True
        return ((1.0, state),)

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
        scope = node.scope
        groups = [group for group in scope.classes or () if group.actions & node.remaining]
        return [(outlook(scope.survivors, group.excluded), self._move(scope, group)) for group in groups]

    def _move(self, scope: Scope, group: ActionClass) -> Move:
        return _ClassMove(group.actions, 1.0, self._options.leads(scope, group))

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
