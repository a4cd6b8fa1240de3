"""A benchmark as declared: which domains, which sizes, how many instances, from which seed."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

SPLITS = ("train", "validation", "test")
"""The splits a size may have, in the order they are built and listed in."""


GAME = "game"
"""The view that every release has: the others are made from its rows."""


VIEWS = (GAME, "chat", "steps")
"""Names of dataset views, in the order they are listed in; no size may have one of them, or configurations would be
ambiguous."""


DEFAULT_WORK = 2_000_000
"""States that a player may work out for one question about an instance, where a size does not say."""


class Mode(StrEnum):
    """How instances are chosen: see :mod:`kumoc.generate`."""

    FAIR = "fair"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class Size:
    """One size of instance: ``truths`` listed truths of which ``valid`` hold, and ``actions`` listed actions.

    ``splits`` pairs each split's name with its number of instances for each domain, in the order of
    :data:`SPLITS`. ``difficulty`` keeps instances whose exact expected number of actions is sure to lie in that
    closed band. ``giveaways`` lets instances through whose answer follows from the book alone (paper mode only; a fair
    instance never is one). ``work`` is the most states that each player may work out for any one question about an
    instance; where that does not suffice, bounds take the place of the answer. ``disjoint``: no truth that one split
    lists is listed by another.
    """

    name: str
    truths: int
    actions: int
    valid: int = 1
    splits: tuple[tuple[str, int], ...] = (("test", 50),)
    mode: Mode = Mode.FAIR
    difficulty: tuple[Decimal, Decimal] | None = None
    giveaways: bool = False
    work: int = DEFAULT_WORK
    disjoint: bool = False


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A declared benchmark; ``domains`` are identifiers of compiled domains, in declared order.

    ``views`` are those of :data:`VIEWS` that a release holds, in that order, the game view always among them.
    ``changes`` says in words what sets this version apart from the one before.
    """

    name: str
    version: str
    title: str
    license: str
    domains: tuple[str, ...]
    seed: int
    sizes: tuple[Size, ...]
    views: tuple[str, ...] = (GAME,)
    changes: str = ""


DEFAULT_SIZES = (Size("easy", truths=4, actions=6), Size("hard", truths=12, actions=16))
"""The paper's two sizes, used where no benchmark is declared."""
