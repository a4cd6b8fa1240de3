"""Stand-ins for the SAT solver that answer alike but find other models."""

import random
from collections.abc import Callable, Sequence

from pysat.card import CardEnc
from pysat.solvers import Minicard, Solver


class Encoded:
    """A solver of PySAT by name, with counts spelled out in clauses."""

    def __init__(self, name: str) -> None:
        self.solver = Solver(name=name)
        self.counts: list[tuple[Sequence[int], int]] = []
        self.top = 0

    def add_clause(self, clause: Sequence[int]) -> None:
        self.top = max(self.top, *map(abs, clause), 0) if clause else self.top
        self.solver.add_clause(list(clause))

    def add_atmost(self, literals: Sequence[int], count: int) -> None:
        self.top = max(self.top, *map(abs, literals))
        self.counts.append((literals, count))

    def conf_budget(self, budget: int) -> None:
        pass

    def solve_limited(self, assumptions: Sequence[int], expect_interrupt: bool) -> bool:
        self.top = max(self.top, *map(abs, assumptions), 0) if assumptions else self.top
        while self.counts:
            literals, count = self.counts.pop()
            encoded = CardEnc.atmost(list(literals), count, top_id=self.top)
            self.top = max(self.top, encoded.nv)
            self.solver.append_formula(encoded.clauses)
        assert expect_interrupt
        return self.solver.solve(assumptions=list(assumptions))

    def get_model(self) -> list[int]:
        return self.solver.get_model()


class Whimsical(Minicard):
    """The usual solver, made to prefer values at random."""

    def __init__(self) -> None:
        super().__init__()
        self.whims = random.Random(5)

    def solve_limited(self, assumptions: Sequence[int], expect_interrupt: bool) -> bool | None:
        self.set_phases([variable * self.whims.choice((1, -1)) for variable in range(1, self.nof_vars() + 1)])
        return super().solve_limited(assumptions, expect_interrupt)


SOLVERS: dict[str, Callable[[], object]] = {
    "glucose4": lambda: Encoded("glucose4"),
    "cadical153": lambda: Encoded("cadical153"),
    "whimsical": Whimsical,
}
