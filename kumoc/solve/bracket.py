"""When the exact value is out of reach: what the search has proved so far, and the cost of a policy one can play."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2

from kumoc.solve.search import Move, Node, Rules
from kumoc.solve.work import OutOfWorkError


@dataclass(frozen=True, slots=True)
class Bounds:
    """The expected number of actions lies in ``lower..upper``; ``upper`` is what a policy that can be played costs."""

    lower: float
    upper: float

    @property
    def exact(self) -> bool:
        """Whether the bounds are the value itself."""
        return self.lower == self.upper

    @property
    def gap(self) -> float:
        """``upper - lower``."""
        return self.upper - self.lower


class Bracket:
    """Bounds from an unfinished search.

    The policy: where the search was at work, the better of the move that looks best to it and the greedy one; where
    it was not, the greedy one; once the allowed work is spent, all actions that remain. The greedy move leaves the
    smallest mean logarithm of the number of survivors, those of a decided game counted as one.
    """

    def __init__(self, rules: Rules) -> None:
        """The search has stopped for want of work; finding the policy may use as much again."""
        self._rules = rules
        self._lower: dict[Node, float] = {}
        self._cost: dict[Node, float] = {}

    def lower(self, node: Node) -> float:
        """The best lower bound that follows from those of the states met."""
        if node.solved or node.moves is None:
            return node.bound
        known = self._lower.get(node)
        if known is None:
            least = min([self._lower_of(move) for move in node.moves])
            known = self._lower[node] = max(least, node.bound)
        return known

    def _lower_of(self, move: Move) -> float:
        if move.children is None:
            return move.bound
        return max(move.bound, 1.0 + sum([chance * self.lower(child) for chance, child in move.children]))

    def cost(self, node: Node) -> float:
        """What the policy costs from ``node`` on."""
        if node.solved:
            return node.bound
        known = self._cost.get(node)
        if known is None:
            known = self._cost[node] = self._cost_anew(node)
        return known

    def _cost_anew(self, node: Node) -> float:
        try:
            moves = self._rules.moves(node) if node.moves is None else node.moves
            for move in moves:
                if move.children is None:
                    move.children = self._rules.children(node, move)
        except OutOfWorkError:
            return float(self._rules.rest(node))
        candidates = [min(moves, key=self._outlook)]
        if node.moves is not None:
            candidates.append(min(moves, key=lambda move: move.bound))
        return min([1.0 + sum([p * self.cost(child) for p, child in move.children or ()]) for move in candidates])

    def _outlook(self, move: Move) -> float:
        return sum([chance * self._guess(child) for chance, child in move.children or ()])

    def _guess(self, node: Node) -> float:
        return node.bound if node.solved else max(node.bound, log2(self._rules.size(node)))

    def choice(self, moves: list[Move]) -> Move | None:
        """The cheapest of a state's ``moves`` by the policy's costs; None where it takes all that remains."""
        best = min(moves, key=self._known_cost)
        return None if self._known_cost(best) == inf else best

    def _known_cost(self, move: Move) -> float:
        if move.children is None:
            return inf
        cost = 1.0
        for chance, child in move.children:
            cost += chance * (child.bound if child.solved else self._cost.get(child, inf))
        return cost
