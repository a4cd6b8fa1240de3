"""Questions to the SAT solver, asked so that no answer depends on which model the solver finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from pysat.solvers import Minicard

CONFLICTS = 50_000
"""How many conflicts the solver may meet in one call before the question is left open."""


class OpenQuestionError(Exception):
    """The solver met :data:`CONFLICTS` conflicts before it knew."""


class Question:
    """A formula over numbered variables; a literal is a variable or, for its negation, minus the variable.

    The solver is MiniCard, which counts literals natively; any sound solver gives the same answers.
    """

    def __init__(self) -> None:
        """Start with no variable and no clause."""
        self._solver = Minicard()
        self._variables = 0
        self._model: frozenset[int] = frozenset()

    def variables(self, count: int) -> range:
        """``count`` new variables."""
        start = self._variables + 1
        self._variables += count
        return range(start, start + count)

    def add(self, clause: Sequence[int]) -> None:
        """Demand that one of the literals of ``clause`` holds."""
        self._solver.add_clause(clause)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Demand that no two of ``literals`` hold."""
        for one, other in combinations(literals, 2):
            self._solver.add_clause((-one, -other))

    def at_most(self, literals: Sequence[int], count: int) -> None:
        """Demand that at most ``count`` of ``literals`` hold; less than none is more than can be met."""
        if count < 0:
            self._solver.add_clause(())
        elif count < len(literals):
            self._solver.add_atmost(literals, count)

    def at_least(self, literals: Sequence[int], count: int) -> None:
        """Demand that at least ``count`` of ``literals`` hold."""
        self.at_most([-literal for literal in literals], len(literals) - count)

    def exactly(self, literals: Sequence[int], count: int) -> None:
        """Demand that just ``count`` of ``literals`` hold."""
        self.at_most(literals, count)
        self.at_least(literals, count)

    def satisfiable(self, assumed: Sequence[int] = ()) -> bool:
        """Whether everything demanded can hold together with the literals ``assumed``.

        Raises :class:`OpenQuestionError` when the solver gives up.
        """
        self._solver.conf_budget(CONFLICTS)
        # otherwise PySAT takes Ctrl-C for itself and raises an error of its own
        answer = self._solver.solve_limited(assumptions=assumed, expect_interrupt=True)
        if answer is None:
            raise OpenQuestionError
        if answer:
            self._model = frozenset(self._solver.get_model())
        return bool(answer)

    def settle(self, literals: Iterable[int], count: int | None = None, given: Sequence[int] = ()) -> list[int]:
        """Go through ``literals`` and keep each that can hold together with ``given`` and all kept before it.

        The question must be satisfiable, with ``given``, and just have been found so. Stops after ``count`` kept
        literals. A literal of the current model can be kept unasked, since the answer would be yes: so the result
        depends on what is satisfiable, never on the models.
        """
        kept: list[int] = []
        for literal in literals:
            if len(kept) == count:
                break
            if literal in self._model or self.satisfiable([*given, *kept, literal]):
                kept.append(literal)
        return kept
