"""The fewest actions to leave out so that the truths fall into two halves.

A cut found by growing a half truth by truth is bettered by SAT until SAT proves that there is no better one, or a
question takes it too long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kumoc.generate.sat import OpenQuestionError, Question
from kumoc.split.graph import Least
from kumoc.tables import members

STARTS = 64
"""The most truths that a half is grown from."""
CALLS = 40
"""How many times the solver may give up before a question stays open; each time it goes on from what it has learnt."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Positions of the actions to leave out, ascending; ``smallest`` if no fewer will do, which is proved."""

    actions: tuple[int, ...]
    smallest: bool


class _PatientQuestion(Question):
    """A question that is put again when the solver gives up, :data:`CALLS` times in all."""

    def __init__(self) -> None:
        super().__init__()
        self._calls = CALLS

    def satisfiable(self, assumed: Sequence[int] = ()) -> bool:
        while True:
            try:
                return super().satisfiable(assumed)
            except OpenQuestionError:
                self._calls -= 1
                if self._calls < 1:
                    raise


def least_cut(count: int, reached: Sequence[int], least: Least) -> Cut | None:
    """Actions without which ``count`` truths fall into two halves that hold what they must.

    ``reached`` is the mask of truths of each action, none of them empty. None if it is proved that there is no cut.
    Raises :class:`~kumoc.generate.sat.OpenQuestionError` if none was found and SAT can't tell.
    """
    best = _grown_cut(count, reached, least)
    while True:
        most = len(reached) - 2 * least.actions if best is None else len(best) - 1
        try:
            better = _cut_by_sat(count, reached, least, most)
        except OpenQuestionError:
            if best is None:
                raise
            return Cut(best, smallest=False)
        if better is None:
            return None if best is None else Cut(best, smallest=True)
        best = better


def _cut_by_sat(count: int, reached: Sequence[int], least: Least, most: int) -> tuple[int, ...] | None:
    """A cut of at most ``most`` actions, the same for any sound solver; None if there is none."""
    question = _PatientQuestion()
    first_half = question.variables(count)
    in_first, in_second, kept = (question.variables(len(reached)) for _ in range(3))
    for action, mask in enumerate(reached):
        question.add((-kept[action], in_first[action], in_second[action]))
        for truth in members(mask):
            question.add((-in_first[action], first_half[truth]))
            question.add((-in_second[action], -first_half[truth]))
    question.at_least(in_first, least.actions)
    question.at_least(in_second, least.actions)
    question.add((first_half[0],))  # halves may change places
    question.at_least(first_half, least.truths)
    question.at_most(first_half, count - least.truths)
    question.at_least(kept, len(reached) - most)
    if most < 0 or not question.satisfiable():
        return None
    settled = set(question.settle(kept))
    return tuple(action for action, variable in enumerate(kept) if variable not in settled)


def _grown_cut(count: int, reached: Sequence[int], least: Least) -> tuple[int, ...] | None:
    """The best cut that growing a half from each of some truths comes upon."""
    best = None
    for start in range(0, count, -(-count // STARTS)):
        for half in _grown(count, reached, start):
            if least.truths <= half.bit_count() <= count - least.truths:
                cut = tuple(action for action, mask in enumerate(reached) if mask & half and mask & ~half)
                if (best is None or len(cut) < len(best)) and _has_actions(reached, half, least.actions):
                    best = cut
    return best


def _has_actions(reached: Sequence[int], half: int, least: int) -> bool:
    """Whether both ``half`` and the other one have ``least`` actions of their own."""
    return min(sum(not mask & ~half for mask in reached), sum(not mask & half for mask in reached)) >= least


def _grown(count: int, reached: Sequence[int], start: int) -> Iterator[int]:
    """Halves that grow from ``start``, each time by the truth that makes the number of actions cut the least."""
    touching = [sum(1 << action for action, mask in enumerate(reached) if mask >> truth & 1) for truth in range(count)]
    outside = [mask.bit_count() for mask in reached]
    begun = 0
    nearly = sum(1 << action for action, left in enumerate(outside) if left == 1)
    others = dict.fromkeys(range(count))
    truth, half = start, 0
    while True:
        del others[truth]
        half |= 1 << truth
        begun |= touching[truth]
        for action in members(touching[truth]):
            outside[action] -= 1
            nearly ^= (outside[action] < 2) << action  # in with one truth left outside, out with none
        yield half
        if not others:
            return
        truth = min(
            others, key=lambda each: (touching[each] & ~begun).bit_count() - (touching[each] & nearly).bit_count()
        )
