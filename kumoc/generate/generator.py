"""Generate one instance: a pure function of the tables, the size and the seed."""

from __future__ import annotations

from decimal import Decimal
from math import ceil, floor

from kumoc.benchmark import Mode, Size
from kumoc.generate import fair, paper
from kumoc.generate.draw import Draws
from kumoc.generate.feasibility import Infeasible, feasible, shortage
from kumoc.generate.instance import Instance, Observation
from kumoc.generate.outcomes import STATES, TooManyStatesError
from kumoc.tables import Action, Tables, members


class CannotGenerateError(Exception):
    """No instance of the size was found; ``reason`` explains it. Another seed is no remedy."""

    def __init__(self, reason: Infeasible) -> None:
        """Explain by ``reason``."""
        super().__init__(reason.sentence)
        self.reason = reason


def generate(tables: Tables, size: Size, seed: int) -> Instance:
    """The instance of ``size`` that ``seed`` stands for, chosen in the way ``size.mode`` says.

    ``size.splits`` and ``size.difficulty`` are the caller's to heed. Raises :class:`CannotGenerateError`, and
    :class:`ValueError` if a drawn outcome is a range so narrow that no value can be read inside it.
    """
    reason = shortage(tables, size)
    if reason is not None:
        raise CannotGenerateError(reason)
    draws = Draws(seed)
    try:
        choice = (fair if size.mode is Mode.FAIR else paper).choose(tables, size, draws)
    except TooManyStatesError:
        sentence = f"The outcomes cannot be counted: that takes more than {STATES} sets of truths at a time."
        raise CannotGenerateError(Infeasible(sentence)) from None
    if choice is None:
        sought = "instance" if size.mode is Mode.FAIR or size.giveaways else "instance that is no giveaway"
        unknown = Infeasible(f"Many tries found no {sought}, though nothing shows that there is none.")
        raise CannotGenerateError(feasible(tables, size) or unknown)
    listed = tuple(members(choice.truths))
    truths = tuple(listed[i] for i in draws.permutation(size.truths))
    order = draws.permutation(size.actions)
    actions = tuple(choice.actions[i] for i in order)
    outcomes = tuple(choice.outcomes[i] for i in order)
    return Instance(
        tables=tables,
        truths=truths,
        actions=actions,
        valid=tuple(i for i, truth in enumerate(truths) if choice.valid >> truth & 1),
        observations=tuple(
            Observation(outcome, _reading(tables.actions[action], outcome, draws))
            for action, outcome in zip(actions, outcomes, strict=True)
        ),
        seed=seed,
    )


def _reading(action: Action, outcome: int, draws: Draws) -> Decimal | None:
    """A value strictly inside the range of ``outcome``, uniform over the scale's decimals; None if it is a label."""
    span = action.outcomes[outcome].key
    if action.scale is None or isinstance(span, str):
        return None
    decimals = action.scale.decimals
    first = floor(span.low.scaleb(decimals)) + 1
    count = ceil(span.high.scaleb(decimals)) - first
    if count < 1:
        raise ValueError(f"{action.name}: no value of {decimals} decimals lies strictly inside {span.low}..{span.high}")
    return Decimal(first + draws.below(count)).scaleb(-decimals)
