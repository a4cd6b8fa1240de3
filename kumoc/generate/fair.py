"""The fair way to choose an instance: what the player is shown says nothing about which truths are valid.

The actions are chosen so that every world (every set of truths that could be the valid ones) is possible. Only then
one world is drawn, uniformly, and then the outcomes, uniformly among all assignments that leave just this world.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

from kumoc.benchmark import Size
from kumoc.generate.choice import Choice, masks
from kumoc.generate.draw import Draws
from kumoc.generate.lists import Lists
from kumoc.generate.outcomes import sample
from kumoc.generate.rivals import inseparable
from kumoc.generate.sat import OpenQuestionError
from kumoc.generate.worlds import ask, ask_all
from kumoc.tables import Tables, members

DRAWS = 20_000
"""How many sets of truths are drawn before some are looked for by SAT."""

REFUSALS = 200
"""How many drawn sets may be refused by SAT before some are looked for by SAT."""

SEARCHES = 5
"""How many times SAT then looks for a set."""


def choose(tables: Tables, size: Size, draws: Draws) -> Choice | None:
    """A fair choice of ``size``; None where none was found, be it that none exists or that the tries ran out.

    The set of truths is uniform among those that have a fair choice. Where draw after draw is refused it is looked
    for by SAT instead, and then some sets are likelier than others. Everything else is fair in either case. Raises
    :class:`~kumoc.generate.outcomes.TooManyStatesError`.
    """
    for truths in _truths_to_try(tables, size, draws):
        actions = _settle_actions(tables, truths, size, draws)
        if actions is not None:
            return complete(tables, truths, actions, size, draws)
    return None


def complete(tables: Tables, truths: int, actions: tuple[int, ...], size: Size, draws: Draws) -> Choice:
    """Draw a world over ``truths`` and the outcomes of ``actions``, with which every world must be possible.

    Raises :class:`~kumoc.generate.outcomes.TooManyStatesError`.
    """
    listed = tuple(members(truths))
    valid = sum(1 << listed[i] for i in draws.choose(size.truths, size.valid))
    outcomes = sample(masks(tables, actions), valid, truths & ~valid, draws)
    return Choice(truths, valid, actions, outcomes)


def is_fair(tables: Tables, lists: Lists, size: Size) -> bool:
    """Whether every world over the listed truths is possible with the listed actions; an open question is a no."""
    listed = replace(tables, actions=tuple(tables.actions[action] for action in members(lists.actions)))
    question, _, _ = ask(listed, lists.truths, size)
    try:
        return question.satisfiable()
    except OpenQuestionError:
        return False


def _settle_actions(tables: Tables, truths: int, size: Size, draws: Draws) -> tuple[int, ...] | None:
    """Actions that make every world of ``truths`` possible, settled in a random order; None if SAT refuses.

    An open question counts as a refusal.
    """
    question, _, taken = ask(tables, truths, size)
    try:
        if not question.satisfiable():
            return None
        kept = question.settle((taken[action] for action in draws.order(len(taken))), size.actions)
    except OpenQuestionError:
        return None
    return tuple(variable - taken[0] for variable in kept)


def _truths_to_try(tables: Tables, size: Size, draws: Draws) -> Iterator[int]:
    """Sets of truths: uniform ones while that is promising, then some looked for by SAT."""
    yield from islice(uniform_truths(tables, size, draws), REFUSALS)
    yield from _searched_truths(tables, size, draws)


def uniform_truths(tables: Tables, size: Size, draws: Draws) -> Iterator[int]:
    """Uniform sets of truths, out of :data:`DRAWS` drawn ones those that SAT would not refuse at first sight."""
    rivals = inseparable(tables)
    excluded = tuple({outcome.excludes: None for action in tables.actions for outcome in action.outcomes})
    for _ in range(DRAWS):
        truths = _draw_separable(rivals, size.truths, draws)
        if truths is not None and (size.valid == 1 or _all_excludable(excluded, truths, size.valid)):
            yield truths


def _draw_separable(rivals: Sequence[int], count: int, draws: Draws) -> int | None:
    """``count`` truths drawn one by one; None as soon as one is a rival of one before it."""
    truths = barred = 0
    for truth in islice(draws.order(len(rivals)), count):
        if barred >> truth & 1:
            return None
        truths |= 1 << truth
        barred |= rivals[truth]
    return truths


def _all_excludable(excluded: Sequence[int], truths: int, valid: int) -> bool:
    """Whether in each world over ``truths`` every other truth is excluded by some outcome that keeps the world.

    With one valid truth this says that no two of ``truths`` are rivals.
    """
    for world in combinations(members(truths), valid):
        kept = sum(1 << truth for truth in world)
        left = truths & ~kept
        for mask in excluded:
            if not mask & kept:
                left &= ~mask
        if left:
            return False
    return True


def _searched_truths(tables: Tables, size: Size, draws: Draws) -> Iterator[int]:
    """Sets of truths that have a fair choice, settled in random orders; none if there is none or it stays open."""
    question, listed, _ = ask_all(tables, size)
    for _ in range(SEARCHES):
        try:
            if not question.satisfiable():
                return
            kept = set(question.settle((listed[truth] for truth in draws.order(len(listed))), size.truths))
        except OpenQuestionError:
            continue
        yield sum(1 << truth for truth, variable in listed.items() if variable in kept)
