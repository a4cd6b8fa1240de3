"""Can a size be met at all? Where it is known that it cannot: why."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from kumoc.benchmark import Mode, Size
from kumoc.generate import fair, paper, worlds
from kumoc.generate.draw import Draws
from kumoc.generate.rivals import unexcludable
from kumoc.generate.sat import OpenQuestionError
from kumoc.tables import Tables, members


@dataclass(frozen=True, slots=True)
class Infeasible:
    """Why a size cannot be met.

    ``sentence`` says it in words. ``most_truths`` is the largest number of truths, and ``least_actions`` the least
    number of actions, that could be met with the rest as asked; None where it would not help or is not known.
    ``pairs`` names pairs of truths of which a fair instance lists at most one: were the first valid, the second
    could never be ruled out. ``proved`` is whether it is known that there is no instance, and not only that none was
    found.
    """

    sentence: str
    most_truths: int | None = None
    least_actions: int | None = None
    pairs: tuple[tuple[str, str], ...] = ()
    proved: bool = True


def feasible(tables: Tables, size: Size) -> Infeasible | None:
    """Why no instance of ``size`` exists; None if one does, or if telling takes the solver too long.

    Giveaways are not looked for: in paper mode there may be instances that are all giveaways.
    """
    short = shortage(tables, size)
    if short is not None:
        return short
    try:
        if _drawn(tables, size) or _exists(tables, size):
            return None
    except OpenQuestionError:
        return None
    counts = range(size.actions + 1, len(tables.actions) + 1)
    enough = _first(counts, lambda count: _exists(tables, replace(size, actions=count)))
    if enough is not None:
        sentence = f"{size.truths} truths need at least {enough} actions, not {size.actions}."
        return Infeasible(sentence, least_actions=enough)
    return _too_many_truths(tables, size)


def shortage(tables: Tables, size: Size) -> Infeasible | None:
    """What can be told by counting: why ``size`` asks for more than ``tables`` hold; None if it does not."""
    if size.valid < 1 or size.valid >= size.truths:
        return Infeasible(f"Of {size.truths} truths {size.valid} cannot be valid: at least one is, and one is not.")
    if size.truths > len(tables.truths):
        sentence = f"There are {len(tables.truths)} truths to choose from, not {size.truths}."
        return Infeasible(sentence, most_truths=len(tables.truths))
    if size.actions > len(tables.actions):
        return Infeasible(f"There are {len(tables.actions)} actions to choose from, not {size.actions}.")
    return None


def _too_many_truths(tables: Tables, size: Size) -> Infeasible:
    sentence = f"No {size.truths} truths can be listed together"
    sentence += f" if {size.valid} of them are valid" if size.valid > 1 else ""
    counts = range(size.valid + 1, size.truths + 1)
    failing = _first(counts, lambda count: not _exists(tables, replace(size, truths=count)))
    most = None if failing is None else failing - 1
    if most == size.valid:
        sentence += ", nor any fewer"
    elif most is not None:
        sentence += f": at most {most}"
    pairs = _pairs(tables) if size.mode is Mode.FAIR else ()
    if pairs:
        first, second = pairs[0]
        sentence += f". If {first} is valid, then nothing rules out {second}"
        sentence += f"; there are {len(pairs)} such pairs" if len(pairs) > 1 else ""
    return Infeasible(f"{sentence}.", most_truths=None if most == size.valid else most, pairs=pairs)


def _drawn(tables: Tables, size: Size) -> bool:
    """Whether a few draws come upon truths that have a fair choice, which is quicker than a question about all."""
    drawn = fair.uniform_truths(tables, size, Draws(0)) if size.mode is Mode.FAIR else ()
    return any(worlds.ask(tables, truths, size)[0].satisfiable() for truths in islice(drawn, 10))


def _exists(tables: Tables, size: Size) -> bool:
    """Whether a choice of ``size`` exists, as far as SAT is asked. Raises :class:`OpenQuestionError`."""
    if size.mode is Mode.FAIR:
        return worlds.ask_all(tables, size)[0].satisfiable()
    return paper.ask(tables, (1 << len(tables.truths)) - 1, size)[0].satisfiable()


def _first(counts: range, holds: Callable[[int], bool]) -> int | None:
    """The first of ``counts`` that ``holds``, as all after it do; None if none does or SAT cannot tell."""
    try:
        at = bisect_left(counts, True, key=holds)
    except OpenQuestionError:
        return None
    return counts[at] if at < len(counts) else None


def _pairs(tables: Tables) -> tuple[tuple[str, str], ...]:
    return tuple(
        (tables.truths[truth].name, tables.truths[other].name)
        for truth, mask in enumerate(unexcludable(tables))
        for other in members(mask)
    )
