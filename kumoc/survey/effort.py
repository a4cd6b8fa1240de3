"""How hard the fair instances of a domain are, by sampling, and which truths and actions make them so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev, variance

from kumoc.benchmark import Size
from kumoc.generate import derive, generate
from kumoc.solve import Bounds
from kumoc.tables import Tables
from kumoc.views.play import exact_play

LEAST = 5
"""Instances, with and without something, from which on they are compared."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What a drawn instance lists, by positions in the tables, and how the exact player fares.

    ``bounds`` hold its expected number of actions; ``first`` are the actions that it may as well take first, None if
    they took too much work to find.
    """

    truths: tuple[int, ...]
    actions: tuple[int, ...]
    bounds: Bounds
    first: tuple[int, ...] | None

    @property
    def expected(self) -> float:
        """The expected number of actions, or the middle of its bounds."""
        return (self.bounds.lower + self.bounds.upper) / 2


@dataclass(frozen=True, slots=True)
class Effect:
    """By how much more actions are expected with something listed than without, and the standard error of that."""

    difference: float
    error: float


@dataclass(frozen=True, slots=True)
class Role:
    """What a truth or an action does in a sample.

    ``listed`` counts the instances that list it. ``effect`` is None where fewer than :data:`LEAST` do, or do not. Of an
    action, ``first`` is the share of instances listing it in which it is as good a first action as any; None of a
    truth, and where that is never known.
    """

    listed: int
    effect: Effect | None
    first: float | None = None


@dataclass(frozen=True, slots=True)
class Effort:
    """Of a sample: its instances, and the roles of all truths and all actions of the tables."""

    sample: tuple[Sampled, ...]
    truths: tuple[Role, ...]
    actions: tuple[Role, ...]

    @property
    def mean(self) -> float:
        """The mean expected number of actions."""
        return fmean(each.expected for each in self.sample)

    @property
    def spread(self) -> float:
        """The standard deviation of expected numbers; 0 for a single instance."""
        return stdev(each.expected for each in self.sample) if len(self.sample) > 1 else 0.0


def effort(tables: Tables, size: Size, count: int, seed: int, on_done: Callable[[int], None]) -> Effort:
    """Of ``count`` instances, drawn as a build draws them. Raises what :func:`kumoc.generate.generate` raises."""
    sample = []
    for i in range(count):
        drawn = generate(tables, size, derive(seed, tables.domain, size.truths, size.actions, size.valid, i))
        played = exact_play(drawn, size.work)
        first = None if played.optimal is None else tuple(drawn.actions[action] for action in played.optimal)
        sample.append(Sampled(drawn.truths, drawn.actions, played.bounds, first))
        on_done(1)
    return Effort(
        tuple(sample),
        tuple(_role(sample, [truth in each.truths for each in sample]) for truth in range(len(tables.truths))),
        tuple(_action(sample, action) for action in range(len(tables.actions))),
    )


def _action(sample: Sequence[Sampled], action: int) -> Role:
    role = _role(sample, [action in each.actions for each in sample])
    firsts = [action in each.first for each in sample if each.first is not None and action in each.actions]
    return Role(role.listed, role.effect, fmean(firsts) if firsts else None)


def _role(sample: Iterable[Sampled], listed: Sequence[bool]) -> Role:
    pairs = list(zip(sample, listed, strict=True))
    inside, outside = ([each.expected for each, here in pairs if here is wanted] for wanted in (True, False))
    if min(len(inside), len(outside)) < LEAST:
        return Role(len(inside), None)
    error = sqrt(variance(inside) / len(inside) + variance(outside) / len(outside))
    return Role(len(inside), Effect(fmean(inside) - fmean(outside), error))
