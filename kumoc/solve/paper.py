"""The paper's player: survivors are taken to be equally likely after every outcome, whatever the guarantee says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from math import inf
from operator import and_, itemgetter, or_

from kumoc.generate.instance import Game
from kumoc.solve.floor import least_depth, outlook
from kumoc.solve.player import Player
from kumoc.solve.reductions import Reductions
from kumoc.solve.relaxed import Relaxation
from kumoc.solve.scope import ActionClass, Scope, Scopes
from kumoc.solve.search import Move, Node, Rules
from kumoc.solve.work import Work
from kumoc.tables import members


_Leads = list[tuple[float, Scope, list[float]]]
_Bounds = list[tuple[float, int, _Leads]]
_FIRST = itemgetter(0)
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


class _Options:
    """What the classes of a scope do: those of ``waiting`` show nothing; with each of the others comes where it leads.

    ``bounds`` has for each patience and set of critical survivors met so far, as :meth:`_PaperRules._bounds` says, the
    bounds of the others.
    """

    __slots__ = ("bounds", "others", "waiting", "waits")

    def __init__(self, waiting: list[ActionClass], others: list[tuple[ActionClass, _Leads]]) -> None:
        self.waiting = waiting
        self.waits = sum([group.actions for group in waiting])
        self.others = others
        self.bounds: dict[tuple[int, int], _Bounds] = {}


class _ClassMove(Move):
    __slots__ = ("leads",)

    def __init__(self, actions: int, bound: float, leads: _Leads) -> None:
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
        """The remaining classes that show something, with the bounds of the relaxed game, and waiting."""
        assert isinstance(node, _State)
        return self._moves(node, self._bounds_at(node))

    def _moves(self, node: _State, bounds: _Bounds) -> Iterator[Move]:
        """What costs no less than waiting need not be looked into."""
        remaining = node.remaining
        waits = self._options(node.scope).waits & remaining
        waiting = node.patience if waits.bit_count() >= node.patience else inf
        for bound, actions, leads in bounds:
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
            _ClassMove(actions, bound, leads) for bound, actions, leads in self._bounds_at(node) if actions & remaining
        ]
        if node.bound > node.patience - 0.5:
            for group in self._options(node.scope).waiting:
                if group.actions & node.remaining:
                    moves.append(_ClassMove(group.actions, 1.0, self._leads(node.scope, group)))
        return moves

    def _bounds_at(self, node: _State) -> _Bounds:
        scope, remaining, patience = node.scope, node.remaining, node.patience
        critical = 0
        for cover, truths in scope.covers:
            if (remaining & cover).bit_count() == patience:
                critical |= truths
        return self._options(scope).bounds.get((patience, critical)) or self._bounds(scope, patience, critical)

    def _bounds(self, scope: Scope, patience: int, critical: int) -> _Bounds:
        """Per class that shows something, its cost if what follows costs as in the relaxed game, ascending.

        An action takes one from the patience only where a survivor stays that it could exclude and few others can,
        one of ``critical``.
        """
        options = self._options(scope)
        bounds = []
        for group, leads in options.others:
            bound = 1.0
            if self._reductions.relaxation:
                lost = group.excludable & critical
                for chance, after, values in leads:
                    k = patience - 1 if lost & after.survivors else patience
                    if k >= len(values):
                        self._relaxation.fill(after.survivors, k)
                    bound += chance * values[k]
            bounds.append((bound, group.actions, leads))
        bounds.sort(key=_FIRST)
        options.bounds[patience, critical] = bounds
        return bounds

    def _options(self, scope: Scope) -> _Options:
        options: _Options | None = scope.options
        if options is None:
            waiting = []
            others = []
            for group in scope.classes or ():
                if self._reductions.waiting and {*group.excluded} == {0, scope.survivors}:
                    waiting.append(group)
                else:
                    others.append((group, self._leads(scope, group)))
            options = scope.options = _Options(waiting, others)
        return options

    def _leads(self, scope: Scope, group: ActionClass) -> _Leads:
        """What ``group`` leads to, with chances proportional to the numbers left; without what ends the game.

        The third is what the relaxed game costs, by the number of actions.
        """
        sizes: list[int] = []
        left: list[int] = []
        total = 0
        last = -1
        for mask in group.excluded:
            kept = scope.survivors ^ mask
            size = kept.bit_count()
            total += size
            if kept == last:
                sizes[-1] += size
            elif size > self._valid:
                sizes.append(size)
                left.append(kept)
                if self._reductions.outcomes:
                    last = kept
        return [
            (size / total, self._scopes.at(kept, scope), self._relaxation.values(kept))
            for size, kept in zip(sizes, left, strict=True)
        ]

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
        return [
            (outlook(scope.survivors, group.excluded), _ClassMove(group.actions, 1.0, self._leads(scope, group)))
            for group in scope.classes or ()
            if group.actions & node.remaining
        ]

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
