"""When the exact value is out of reach: what the search has proved so far, and the cost of a policy one can play."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2

from kumoc.solve.search import Move, Node, Rules
from kumoc.solve.work import OutOfWorkError, Work

TIE = 1e-9
"""Actions whose values differ by no more than this are equally good."""


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

    The policy is found by passes over the states that it can lead to. The first follows the greedy move of each: the
    one that leaves the smallest mean logarithm of the number of survivors. If that takes more than the allowed work,
    states not reached yet follow the move that chances are averaged over, with as much work again, and beyond that
    all remaining actions that matter are taken. The second pass follows the move of most information: the same measure
    over the outcomes as they are likely to be seen. Each further pass tries twice as many moves of every state, in the
    order of the first measure, and the one that looks best to the search; work that runs out ends it. In the end every
    state takes the cheapest of the moves that have a cost.
    """

    def __init__(self, rules: Rules, work: Work) -> None:
        """The search has stopped, for want of work or because it is done."""
        self._rules = rules
        self._work = work
        self._lower: dict[Node, float] = {}
        self._ranked: dict[Node, list[Move]] = {}
        self._costs: dict[Node, float] = {}
        self._plan: dict[Node, tuple[Move, ...]] = {}
        self._visited: set[Node] = set()
        self._width = 1
        self._first = True
        self._averaged = self._informed = self._out = False

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

    def upper(self, root: Node) -> float:
        """What the policy costs from ``root`` on; finding it may take as much work as a question, twice if it must."""
        self._work.renew()
        self._visit(root)
        self._first = False
        if not self._averaged:
            self._informed = True
            self._improve(root)
            self._informed = False
            while not self._out and self._width < max([len(moves) for moves in self._ranked.values()], default=0):
                self._width *= 2
                self._improve(root)
        self._settle()
        self._keep(root)
        return self._known(root)

    def _improve(self, root: Node) -> None:
        self._visited.clear()
        self._visit(root)

    def choice(self, node: Node) -> tuple[Move, ...]:
        """The moves that the policy takes at ``node``, all equally good; none where it takes all that remain."""
        plan = self._plan.get(node)
        return self._best(node) if plan is None else plan

    def _visit(self, node: Node) -> float:
        """The least cost found so far, this pass included; infinite if none is."""
        if node.solved or node in self._visited:
            return self._known(node)
        self._visited.add(node)
        cost = self._known(node)
        if self._first:
            cost = float(self._rules.rest(node))
        try:
            for move in self._candidates(node):
                if move.children is None:
                    move.children = self._rules.children(node, move)
                cost = min(cost, 1.0 + sum([chance * self._visit(child) for chance, child in move.children]))
        except OutOfWorkError:
            if self._first and not self._averaged:
                self._averaged = True
                self._work.renew()
                self._visited.remove(node)
                return self._visit(node)
            self._out = True
        if cost < inf:
            self._costs[node] = cost
        return cost

    def _candidates(self, node: Node) -> list[Move]:
        ranked = self._ranked.get(node)
        if ranked is None:
            prospects = self._rules.prospects(node)
            ranked = self._ranked[node] = [move for _, move in sorted(prospects, key=lambda entry: entry[0])]
            if self._averaged:
                return [prospects[0][1]]
        if self._informed:
            return [min(ranked, key=lambda move: self._outlook(node, move))]
        if self._first or node.moves is None:
            return ranked[: self._width]
        return [*ranked[: self._width], min(node.moves, key=lambda move: move.bound)]

    def _outlook(self, node: Node, move: Move) -> float:
        """The mean log2 of the number of survivors that ``move`` leaves, those of a decided game counted as one."""
        if move.children is None:
            move.children = self._rules.children(node, move)
        return sum([chance * log2(self._rules.size(child)) for chance, child in move.children])

    def _settle(self) -> None:
        """Make each cost that of the best move whose children have costs; a move's children have fewer actions left."""
        for node in sorted(self._costs, key=self._rules.rest):
            cost = min([self._cost(move) for move in self._tried(node)], default=inf)
            self._costs[node] = min(cost, float(self._rules.rest(node)))

    def _keep(self, node: Node) -> None:
        """Edit the policy from ``node`` on, whatever further questions may find out."""
        if node not in self._plan and self._known(node):
            self._plan[node] = moves = self._best(node)
            for move in moves:
                for _, child in move.children or ():
                    self._keep(child)

    def _best(self, node: Node) -> tuple[Move, ...]:
        limit = self._known(node) + TIE
        return tuple([move for move in self._tried(node) if self._cost(move) <= limit])

    def _tried(self, node: Node) -> list[Move]:
        return [*self._ranked.get(node, ()), *(node.moves or ())]

    def _cost(self, move: Move) -> float:
        if move.children is None:
            return inf
        return 1.0 + sum([chance * self._known(child) for chance, child in move.children])

    def _known(self, node: Node) -> float:
        return node.bound if node.solved else self._costs.get(node, inf)
