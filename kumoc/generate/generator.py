"""Generate one instance: a pure function of the tables, the size and the seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from math import ceil, floor

from kumoc.benchmark import Mode, Size
from kumoc.generate import fair, paper
from kumoc.generate.choice import Choice
from kumoc.generate.draw import Draws, derive
from kumoc.generate.feasibility import Infeasible, feasible, shortage
from kumoc.generate.instance import Instance, Observation
from kumoc.generate.lists import Lists
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
    with _explained():
        choice = (fair if size.mode is Mode.FAIR else paper).choose(tables, size, draws)
    if choice is None:
        sought = "instance" if size.mode is Mode.FAIR or size.giveaways else "instance that is no giveaway"
        sentence = f"Many tries found no {sought}, though nothing shows that there is none."
        raise CannotGenerateError(feasible(tables, size) or Infeasible(sentence, proved=False))
    return _instance(tables, choice, draws, seed)


def generate_with(tables: Tables, size: Size, lists: Lists, seed: int) -> Instance:
    """The fair instance of ``size`` with ``lists``, which must be fair, that ``seed`` stands for.

    All else is drawn as in :func:`generate`, but from another stream than that of an instance of this seed, so that
    ``lists`` may depend on the latter. Raises what that raises.
    """
    draws = Draws(derive(seed, "all but lists"))
    with _explained():
        choice = fair.complete(tables, lists.truths, tuple(members(lists.actions)), size, draws)
    return _instance(tables, choice, draws, seed)


@contextmanager
def _explained() -> Iterator[None]:
    """Say of outcomes that cannot be counted why there is no instance."""
    try:
        yield
    except TooManyStatesError:
        sentence = f"The outcomes cannot be counted: that takes more than {STATES} sets of truths at a time."
        raise CannotGenerateError(Infeasible(sentence, proved=False)) from None


def _instance(tables: Tables, choice: Choice, draws: Draws, seed: int) -> Instance:
    """``choice`` in a random order, with values read."""
    listed = tuple(members(choice.truths))
    truths = tuple(listed[i] for i in draws.permutation(len(listed)))
    order = draws.permutation(len(choice.actions))
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
