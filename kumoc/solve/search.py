"""Best-first search of a game against chance, in threshold form (AO*): it keeps a lower bound for every state met.

A state's bound is that of its best-looking move; a move's is 1 plus the mean bound of what it leads to. The search
follows the best-looking move of each state until all that this move leads to is solved: then the bound is the value.
Nothing is undone when another move begins to look better, for a state is entered with a limit (the bound of the
second-best alternative on the way to it) and left as soon as its bound exceeds it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from operator import attrgetter

SLACK = 0.02
"""How far beyond its limit a state is explored, so that near-equal moves do not take turns; it affects time alone."""

_INFINITE = float("inf")

_BOUND = attrgetter("bound")


class Node:
    """A state: ``bound`` is a lower bound of its value, and the value itself once ``solved``.

    ``moves`` is None until the state is expanded; then it holds the moves that have been looked into and the best of
    the others, by bound, and ``others`` the rest. ``visits`` counts how often the search went through it, plus 1.
    """

    __slots__ = ("bound", "moves", "others", "solved", "visits")

    def __init__(self, bound: float, solved: bool) -> None:
        """See the class."""
        self.bound = bound
        self.solved = solved
        self.moves: list[Move] | None = None
        self.others: Iterator[Move] = iter(())
        self.visits = 1


class Move:
    """A class of interchangeable ``actions`` (mask): a lower bound of its cost, and where it leads with what chances.

    ``children`` leaves out states of value 0, and is None until it is needed.
    """

    __slots__ = ("actions", "bound", "children")

    def __init__(self, actions: int, bound: float, children: Sequence[tuple[float, Node]] | None) -> None:
        """See the class."""
        self.actions = actions
        self.bound = bound
        self.children = children


class Rules(ABC):
    """The game as one player sees it: its states, their moves, and where these lead.

    While ``hasty``, bounds of new states that would take work of their own are left at 1.
    """

    hasty = False

    @abstractmethod
    def node(self, survivors: int, remaining: int) -> Node:
        """The state; one node may stand for several states that are known to have the same value."""

    @abstractmethod
    def moves(self, node: Node) -> Iterator[Move]:
        """The moves of a state whose value is not 0; those without children by bound, after the others."""

    @abstractmethod
    def moves_at(self, survivors: int, remaining: int) -> list[Move]:
        """The same for this very state, when its node stands for several."""

    @abstractmethod
    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:
        """Where ``move`` leads, for moves that came without children."""

    @abstractmethod
    def known(self, survivors: int, remaining: int) -> int:
        """The truths (mask) that the player can be sure of."""

    @abstractmethod
    def chances(self, survivors: int, remaining: int, action: int) -> tuple[float, ...]:
        """The probability of each outcome of ``action``."""

    @abstractmethod
    def size(self, node: Node) -> int:
        """The number of survivors among which the valid truths can be."""

    @abstractmethod
    def prospects(self, node: Node) -> list[tuple[float, Move]]:
        """All moves of a state without children, each after its mean log2 of the number of survivors left.

        The first is the one that chances are averaged over, where the player does so.
        """

    @abstractmethod
    def actions_like(self, survivors: int, remaining: int, move: Move) -> int:
        """The remaining actions (mask) that are in this state what ``move`` is for its node."""

    @abstractmethod
    def floor(self) -> float:
        """A lower bound of the value at the start that takes no work."""

    @abstractmethod
    def rest(self, node: Node) -> int:
        """The number of remaining actions that matter: no play needs more."""

    @abstractmethod
    def rest_at(self, survivors: int, remaining: int) -> int:
        """The remaining actions (mask) that matter."""


class Search:
    """The search of one game."""

    def __init__(self, rules: Rules) -> None:
        """What is found out is kept in the nodes."""
        self._rules = rules

    def solve(self, node: Node) -> float:
        """The value of ``node``."""
        while not node.solved:
            self._improve(node, _INFINITE)
        return node.bound

    def within(self, limit: float, node: Node, moves: list[Move]) -> list[Move]:
        """Those of ``moves``, moves of ``node``, that cost no more than ``limit``."""
        return [move for move in moves if self._costs_at_most(limit, node, move)]

    def _improve(self, node: Node, limit: float) -> None:
        """Solve ``node``, or raise its bound above ``limit``."""
        moves = _expand(node, self._rules.moves(node)) if node.moves is None else node.moves
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
                best.children = self._rules.children(node, best)
                _take(moves, node.others)
                continue
            bound = _cost(children)
            if bound > least:
                best.bound = bound
                if bound > second:
                    continue
            node.bound = max(node.bound, bound)
            weight, unsolved = _next(children)
            if unsolved is None:
                node.solved = True
                return
            if bound > limit:
                return
            target = limit if limit < second else second
            self._improve(unsolved, unsolved.bound + (target - bound) / weight + SLACK)

    def _costs_at_most(self, limit: float, node: Node, move: Move) -> bool:
        if move.children is None:
            move.children = self._rules.children(node, move)
        while True:
            bound = move.bound = _cost(move.children)
            if bound > limit:
                return False
            weight, unsolved = _next(move.children)
            if unsolved is None:
                return True
            self._improve(unsolved, unsolved.bound + (limit - bound) / weight + SLACK)


def _expand(node: Node, others: Iterator[Move]) -> list[Move]:
    moves: list[Move] = []
    _take(moves, others)  # may run out of work: then nothing has happened
    node.moves, node.others = moves, others
    return moves


def _take(moves: list[Move], others: Iterator[Move]) -> None:
    """Add the next of ``others`` to ``moves``, up to one that has not been looked into."""
    for move in others:
        moves.append(move)
        if move.children is None:
            break


def _cost(children: Sequence[tuple[float, Node]]) -> float:
    """The bound that ``children`` give their move."""
    bound = 1.0
    for chance, child in children:
        bound += chance * child.bound
    return bound


def _next(children: Sequence[tuple[float, Node]]) -> tuple[float, Node | None]:
    """The unsolved child to look at next, after its chance."""
    promise = weight = 0.0
    unsolved = None
    for chance, child in children:
        if not child.solved and chance > promise * child.visits:
            promise = chance / child.visits
            weight, unsolved = chance, child
    return weight, unsolved
