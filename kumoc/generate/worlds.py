"""The SAT question behind a fair choice: are there actions for which every world is possible?

A *world* is a set of truths that could be the valid ones. It is possible if the actions have outcomes, one of each,
that exclude none of it and every other listed truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

from kumoc.benchmark import Size
from kumoc.generate.rivals import cliques, inseparable
from kumoc.generate.sat import Question
from kumoc.tables import Tables, members

WORLDS = 2_000
"""The most worlds that a question about a whole domain is put together for."""


def ask(tables: Tables, truths: int, size: Size) -> tuple[Question, Mapping[int, int], range]:
    """Whether ``size.truths`` of ``truths`` and ``size.actions`` actions exist for which every world is possible.

    With the question come, by truth, the variables that say which truths are listed, and the variables that say
    which actions are taken, in the order of the tables.
    """
    question, listed, taken = _start(tables, truths, size)
    _demand_worlds(question, tables, size.valid, listed, taken)
    return question, listed, taken


def ask_all(tables: Tables, size: Size) -> tuple[Question, Mapping[int, int], range]:
    """:func:`ask` over all truths of ``tables``; with over :data:`WORLDS` worlds, yes means no more than maybe."""
    question, listed, taken = _start(tables, (1 << len(tables.truths)) - 1, size)
    rivals = inseparable(tables)
    for truth, mask in enumerate(rivals):
        for rival in members(mask):
            question.add((-listed[truth], -listed[rival]))
    # Implied by the clauses above, but beyond what the solver finds out by itself: of a clique, one truth is listed.
    groups = cliques(rivals)
    met = question.variables(len(groups))
    for variable, clique in zip(met, groups, strict=True):
        question.add([-variable, *(listed[truth] for truth in members(clique))])
    question.at_least(met, size.truths)
    if comb(len(listed), size.valid) <= WORLDS:
        _demand_worlds(question, tables, size.valid, listed, taken)
    return question, listed, taken


def _start(tables: Tables, truths: int, size: Size) -> tuple[Question, Mapping[int, int], range]:
    question = Question()
    listed = dict(zip(members(truths), question.variables(truths.bit_count()), strict=True))
    taken = question.variables(len(tables.actions))
    question.exactly(tuple(listed.values()), size.truths)
    question.exactly(taken, size.actions)
    return question, listed, taken


def _demand_worlds(question: Question, tables: Tables, valid: int, listed: Mapping[int, int], taken: range) -> None:
    """Demand that every set of ``valid`` listed truths is possible."""
    truths = sum(1 << truth for truth in listed)
    # outcomes that exclude the same truths serve alike
    kinds = [tuple({outcome.excludes & truths: None for outcome in action.outcomes}) for action in tables.actions]
    for world in combinations(listed, valid):
        _demand_world(question, world, listed, list(zip(taken, kinds, strict=True)))


def _demand_world(
    question: Question, world: Sequence[int], listed: Mapping[int, int], kinds: Sequence[tuple[int, Sequence[int]]]
) -> None:
    """Demand that ``world``, if all of it is listed, is possible: its taken actions can exclude the others listed."""
    valid = sum(1 << truth for truth in world)
    unless = [-listed[truth] for truth in world]
    covers: dict[int, list[int]] = {truth: [] for truth in listed if not valid >> truth & 1}
    for taken, kind in kinds:
        kept = [mask for mask in kind if not mask & valid]
        if not kept:
            question.add([-taken, *unless])
        # an outcome that excludes less than another is never needed
        useful = [mask for mask in kept if mask and not any(mask & more == mask != more for more in kept)]
        for literal, mask in zip(_shown(question, taken, len(useful)), useful, strict=True):
            for truth in members(mask):
                covers[truth].append(literal)
    for truth, cover in covers.items():
        question.add([*unless, -listed[truth], *cover])


def _shown(question: Question, taken: int, count: int) -> Sequence[int]:
    """Literals that say which one of the ``count`` useful outcomes a taken action shows in one world."""
    if count < 2:
        return [taken] * count  # it may as well show its only useful outcome
    shown = question.variables(count)
    question.at_most_one(shown)
    for literal in shown:
        question.add((-literal, taken))
    return shown
