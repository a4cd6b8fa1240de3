"""Best-first search of a game against chance, in threshold form (AO*): it keeps a lower bound for every state met.

A state's bound is that of its best-looking action; an action's is 1 plus the mean bound of what it leads to. The
search follows the best-looking action of each state until all that this action leads to is solved: then the bound is
the value. Nothing is undone when another action begins to look better, for a state is entered with a limit (the bound
of the second-best alternative on the way to it) and left as soon as its bound exceeds it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from kumoc.solve.work import collector_paused

SLACK = 0.02
"""How far beyond its limit a state is explored, so that near-equal actions do not take turns; affects time alone."""

_INFINITE = float("inf")


class Node:
    """A state: ``bound`` is a lower bound of its value, and the value itself once ``solved``."""

    __slots__ = ("bound", "moves", "solved", "visits")

    def __init__(self, bound: float, solved: bool) -> None:
        """A state that is not expanded: ``moves`` is None."""
        self.bound = bound
        self.solved = solved
        self.moves: list[Move] | None = None
        self.visits = 1


class Move:
    """A class of actions in a state: a lower bound of what it costs, and the states it leads to with their chances.

    ``children`` leaves out states of value 0, and is None until it is needed; ``actions`` are those of the class.
    """

    __slots__ = ("actions", "bound", "children", "rule")

    def __init__(
        self, bound: float, actions: int, children: Sequence[tuple[float, Node]] | None, rule: object = None
    ) -> None:
        """``rule`` is whatever :meth:`Search.children` needs to make the children."""
        self.bound = bound
        self.actions = actions
        self.children = children
        self.rule = rule


class Search(ABC):
    """The search; a player says which moves there are, and where they lead."""

    @abstractmethod
    def moves(self, node: Node) -> list[Move]:
        """The moves of a state that is not over."""

    @abstractmethod
    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:
        """What ``move`` leads to, for moves that :meth:`moves` returned without children."""

    def solve(self, node: Node) -> float:
        """The value of ``node``."""
        with collector_paused():
            while not node.solved:
                self._improve(node, _INFINITE)
        return node.bound

    def best(self, node: Node, moves: list[Move], tie: float) -> list[Move]:
        """Those of ``moves``, the moves of ``node``, whose cost is within ``tie`` of the least."""
        limit = self.solve(node) + tie
        with collector_paused():
            return [move for move in moves if self._settle(node, move, limit)]

    def _improve(self, node: Node, limit: float) -> None:
        """Solve ``node``, or raise its bound above ``limit``."""
        if node.moves is None:
            node.moves = self.moves(node)
        moves = node.moves
        node.visits += 1
        while True:
            least = second = _INFINITE
            for move in moves:
                bound = move.bound
                if bound < second:
                    if bound < least:
                        second, least, best = least, bound, move
                    else:
                        second = bound
            children = best.children
            if children is None:
                children = best.children = self.children(node, best)
            bound, weight, unsolved = _refreshed(children)
            if bound > least:
                best.bound = bound
                if bound > second:
                    continue
            if bound > node.bound:  # noqa: PLR1730 - max() is slower here
                node.bound = bound
            if unsolved is None:
                node.bound = bound
                node.solved = True
                return
            if bound > limit:
                return
            target = limit if limit < second else second
            self._improve(unsolved, unsolved.bound + (target - bound) / weight + SLACK)

    def _settle(self, node: Node, move: Move, limit: float) -> bool:
        """Whether ``move`` costs no more than ``limit``."""
        if move.children is None:
            move.children = self.children(node, move)
        while True:
            bound, weight, unsolved = _refreshed(move.children)
            move.bound = bound
            if bound > limit:
                return False
            if unsolved is None:
                return True
            self._improve(unsolved, unsolved.bound + (limit - bound) / weight + SLACK)


def _refreshed(children: Sequence[tuple[float, Node]]) -> tuple[float, float, Node | None]:
    """The bound that ``children`` give their move, and the unsolved child to look at next with its chance."""
    bound = 1.0
    promise = weight = 0.0
    unsolved = None
    for chance, child in children:
        bound += chance * child.bound
        if not child.solved and chance > promise * child.visits:
            promise = chance / child.visits
            weight, unsolved = chance, child
    return bound, weight, unsolved
