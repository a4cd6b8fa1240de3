"""The paper's player: survivors are taken to be equally likely after every outcome, whatever the guarantee says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kumoc.generate.instance import Game
from kumoc.solve.player import Player
from kumoc.solve.reductions import ALL, Reductions
from kumoc.solve.relaxed import Relaxation
from kumoc.solve.scope import ActionClass, Scope
from kumoc.solve.search import Move, Node


class _State(Node):
    """``patience``: the least number of remaining actions that can exclude some one survivor."""

    __slots__ = ("patience", "remaining", "scope")

    def __init__(self, scope: Scope, remaining: int, patience: int, bound: float) -> None:
        self.bound = bound
        self.solved = not patience
        self.moves = None
        self.visits = 1
        self.scope = scope
        self.remaining = remaining
        self.patience = patience


_OVER = Node(0.0, solved=True)


class PaperPlayer(Player):
    """Optimal for Algorithm 3 of the paper (without the 1e-9 in its denominator)."""

    def __init__(
        self,
        n_truths: int,
        outcomes: Game,
        valid: int = 1,
        *,
        work: int | None = None,
        reductions: Reductions = ALL,
    ) -> None:
        """See :class:`kumoc.solve.player.Player`."""
        super().__init__(n_truths, outcomes, valid, work=work, reductions=replace(reductions, parts=False))
        self._relaxation = Relaxation(self._scopes, valid)

    def known(self, survivors: int, remaining: int) -> int:
        """All survivors if no more than the valid ones are left, else those that no remaining action can exclude."""
        if survivors.bit_count() <= self.valid:
            return survivors
        scope = self._scopes.at(survivors)
        self._scopes.build(scope)
        for group in scope.classes or ():
            if group.actions & remaining:
                survivors &= ~group.excludable
        return survivors

    def chances(self, survivors: int, remaining: int, action: int) -> tuple[float, ...]:  # noqa: ARG002
        """Proportional to the number of survivors that each outcome leaves."""
        left = [(survivors & ~mask).bit_count() for mask in self.outcomes[action]]
        total = sum(left) or 1
        return tuple(size / total for size in left)

    def _node(self, survivors: int, remaining: int) -> Node:
        if survivors.bit_count() <= self.valid:
            return _OVER
        return self._state(self._scopes.at(survivors), remaining)

    def _moves_here(self, survivors: int, remaining: int, node: Node) -> list[Move]:  # noqa: ARG002
        return self.moves(node)

    def _state(self, scope: Scope, remaining: int) -> Node:
        if scope.classes is None:
            self._scopes.build(scope)
        remaining &= scope.actions
        known: Node | None = scope.states.get(remaining)
        if known is None:
            representative = scope.representative(remaining)
            known = scope.states.get(representative)
            if known is None:
                known = scope.states[representative] = self._new_state(scope, representative)
            scope.states[remaining] = known
        return known

    def _new_state(self, scope: Scope, remaining: int) -> Node:
        self._work.spend()
        patience = min([(remaining & cover).bit_count() for cover, _ in scope.covers])
        bound = 0.0
        if patience:
            bound = self._relaxation.value(scope, patience) if self._reductions.relaxation else 1.0
        return _State(scope, remaining, patience, bound)

    def moves(self, node: Node) -> list[Move]:
        """The remaining classes of actions, with the bounds of the relaxed game."""
        assert isinstance(node, _State)
        assert node.scope.classes is not None
        classes = node.scope.classes
        if self._reductions.relaxation:
            bounds: Sequence[float] = self._relaxation.bounds(node.scope, node.patience)
        else:
            bounds = [1.0] * len(classes)
        return [
            Move(bound, group.actions, None, group)
            for bound, group in zip(bounds, classes, strict=True)
            if group.actions & node.remaining
        ]

    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:
        """Outcomes are as likely as the number of survivors they leave."""
        assert isinstance(node, _State) and isinstance(move.rule, ActionClass)
        of_class = node.remaining & move.actions
        rest = node.remaining ^ (1 << of_class.bit_length() - 1)
        return [(p, self._state(scope, rest)) for p, scope in self._relaxation.chances(move.rule)]
