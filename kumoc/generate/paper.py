"""The paper's way to choose an instance: Algorithms 1 and 2 of "Generative evaluation of complex reasoning in large
language models" (KUMO).

The valid truths are drawn first. SAT finds outcomes that exclude all others, then further actions fill up the list.
Unlike a fair choice, this one may tell something about the valid truths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from kumoc.benchmark import Size
from kumoc.generate.choice import Choice, masks
from kumoc.generate.draw import Draws
from kumoc.generate.outcomes import possible
from kumoc.generate.sat import OpenQuestionError, Question
from kumoc.tables import Tables, members

TRIES = 1_000
"""How many truths, valid truths and outcomes are tried before choosing is given up."""

REFUSALS = 200
"""How many of them SAT may refuse before it is made to look for truths and valid truths."""

Pair = tuple[int, int]
"""An action and one of its outcomes, by position."""


def choose(tables: Tables, size: Size, draws: Draws) -> Choice | None:
    """The paper's choice of ``size``; None where none was found, be it that none exists or that the tries ran out.

    The sets of truths and valid truths are uniform among those that have a choice, unless so few have one that they
    are looked for by SAT. Raises :class:`~kumoc.generate.outcomes.TooManyStatesError`.
    """
    refusals = 0
    for _ in range(TRIES):
        drawn = _draw_truths(tables, size, draws) if refusals < REFUSALS else _search_truths(tables, size, draws)
        if drawn is None:
            return None
        truths, valid = drawn
        pairs = _settle_pairs(tables, truths, valid, size, draws)
        if pairs is None:
            refusals += 1
            continue
        pairs += _fillers(tables, truths, valid, pairs, draws)
        actions, outcomes = zip(*pairs[: size.actions], strict=True)
        choice = Choice(truths, valid, actions, outcomes)
        if len(actions) == size.actions and (size.giveaways or not giveaway(tables, choice)):
            return choice
    return None


def ask(
    tables: Tables, truths: int, size: Size
) -> tuple[Question, Mapping[int, int], Mapping[int, int], Mapping[Pair, int]]:
    """Whether ``size.truths`` of ``truths`` exist, ``size.valid`` of them valid, such that outcomes of at most
    ``size.actions`` actions exclude the invalid ones and none of the valid.

    With the question come, by truth, the variables that say which truths are valid and which are invalid, and the
    variables that say which outcomes are shown.
    """
    question = Question()
    valid = dict(zip(members(truths), question.variables(truths.bit_count()), strict=True))
    invalid = dict(zip(members(truths), question.variables(truths.bit_count()), strict=True))
    question.exactly(tuple(valid.values()), size.valid)
    question.exactly(tuple(invalid.values()), size.truths - size.valid)
    shown: dict[Pair, int] = {}
    covers = {truth: [-variable] for truth, variable in invalid.items()}
    for position, action in enumerate(tables.actions):
        useful = {
            (position, i): mask for i, outcome in enumerate(action.outcomes) if (mask := outcome.excludes & truths)
        }
        variables = question.variables(len(useful))
        question.at_most_one(variables)
        shown |= zip(useful, variables, strict=True)
        for pair, mask in useful.items():
            for truth in members(mask):
                question.add((-shown[pair], -valid[truth]))
                covers[truth].append(shown[pair])
    for truth, cover in covers.items():
        question.add((-valid[truth], -invalid[truth]))
        question.add(cover)
    question.at_most(tuple(shown.values()), size.actions)
    return question, valid, invalid, shown


def giveaway(tables: Tables, choice: Choice) -> bool:
    """Whether the valid truths, or one of them, follow from the book of ``choice`` alone.

    A world is possible if outcomes of the actions exclude exactly the other truths. It is a giveaway if only one is
    possible, or if one truth belongs to every possible one.
    """
    game = masks(tables, choice.actions)
    common = choice.valid
    for world in combinations(members(choice.truths), choice.valid.bit_count()):
        valid = sum(1 << truth for truth in world)
        if common & ~valid and possible(game, valid, choice.truths & ~valid):
            common &= valid
    return common != 0


def _draw_truths(tables: Tables, size: Size, draws: Draws) -> tuple[int, int]:
    """Truths and, among them, valid truths, uniformly."""
    drawn = [1 << truth for truth in draws.choose(len(tables.truths), size.truths)]
    return sum(drawn), sum(drawn[: size.valid])


def _search_truths(tables: Tables, size: Size, draws: Draws) -> tuple[int, int] | None:
    """Truths and valid truths that have a choice, settled in a random order; None if none has, or it stays open."""
    question, valid, invalid, _ = ask(tables, (1 << len(tables.truths)) - 1, size)
    try:
        if not question.satisfiable():
            return None
        proper = question.settle((valid[truth] for truth in draws.order(len(valid))), size.valid)
        others = question.settle(
            (invalid[truth] for truth in draws.order(len(invalid))), size.truths - size.valid, given=proper
        )
    except OpenQuestionError:
        return None
    chosen = {*proper, *others}
    right = sum(1 << truth for truth, variable in valid.items() if variable in chosen)
    wrong = sum(1 << truth for truth, variable in invalid.items() if variable in chosen)
    return right | wrong, right


def _settle_pairs(tables: Tables, truths: int, valid: int, size: Size, draws: Draws) -> list[Pair] | None:
    """Outcomes that exclude just the invalid truths, none to spare, left when pairs are dropped in a random order.

    None if SAT refuses; an open question counts as a refusal.
    """
    question, proper, _, shown = ask(tables, truths, size)
    for truth in members(valid):
        question.add((proper[truth],))
    pairs = tuple(shown)
    try:
        if not question.satisfiable():
            return None
        dropped = set(question.settle(-shown[pairs[i]] for i in draws.order(len(pairs))))
    except OpenQuestionError:
        return None
    return [pair for pair in pairs if -shown[pair] not in dropped]


def _fillers(tables: Tables, truths: int, valid: int, pairs: Sequence[Pair], draws: Draws) -> list[Pair]:
    """All other actions in a random order, related ones first, each with a random outcome that keeps the valid truths.

    An action is related if some outcome of it excludes a listed truth.
    """
    taken = {action for action, _ in pairs}
    fillers = []
    for action in draws.order(len(tables.actions)):
        outcomes = tables.actions[action].outcomes
        kept = [i for i, outcome in enumerate(outcomes) if not outcome.excludes & valid]
        if action not in taken and kept:
            fillers.append((action, kept[draws.below(len(kept))]))
    return sorted(fillers, key=lambda pair: not any(o.excludes & truths for o in tables.actions[pair[0]].outcomes))
