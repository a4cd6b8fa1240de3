"""What a domain can give, size by size, as tables for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from math import comb, inf

from kumoc.benchmark import Size
from kumoc.evaluate.tables import Cell, Column, Interval, Table
from kumoc.release.difficulty import BINS, Histogram
from kumoc.survey.counting import Census
from kumoc.survey.effort import Effort, Role
from kumoc.tables import Tables

STRONGEST = 6
"""Truths, and actions, that people are shown for a size."""

_LONG = 10**9


@dataclass(frozen=True, slots=True)
class Figures:
    """What is known of one size; ``reason`` says why it has no ``effort`` where no instance was found."""

    size: Size
    census: Census
    effort: Effort | None
    reason: str = ""


def _sampled(found: Sequence[Figures]) -> Iterator[tuple[str, Effort]]:
    """The names of the sizes of which there is a sample, and what is known of it."""
    return ((each.size.name, each.effort) for each in found if each.effort)


_SIZE = (
    Column("size", "size", "text"),
    Column("truths", "truths"),
    Column("actions", "actions"),
    Column("valid", "valid"),
    Column("known", "fair lists", "text"),
    Column("at_least", "at least"),
    Column("at_most", "at most"),
    Column("estimate", "about"),
)
_LISTS = "fair lists: truths and actions with which each set of truths that could be the valid ones is possible"


def counts_figures(found: Sequence[Figures]) -> Table:
    """How many fair lists there are, to the last digit; ``worlds`` counts what could be valid in each."""
    columns = (
        *_SIZE,
        Column("interval", "95% interval", "interval"),
        Column("pairs", "pairs of truths and actions"),
        Column("worlds", "worlds of each"),
        Column("examined", "sets of truths examined"),
        Column("sets", "sets of truths"),
        Column("reason", "why there is none", "text"),
    )
    rows = tuple(
        (
            *_counted(each, each.census.lists.lower, each.census.lists.upper),
            *_estimate(each.census),
            each.census.pairs,
            comb(each.size.truths, each.size.valid),
            each.census.examined,
            each.census.sets,
            each.reason or None,
        )
        for each in found
    )
    return Table("counts", "Fair lists", columns, rows, (_LISTS,))


def counts_table(found: Sequence[Figures]) -> Table:
    """The same for people: three digits of long numbers, of lower bounds rounded down and of upper ones up."""
    columns = (*_SIZE, Column("interval", "95% interval", "text"))
    notes = (
        _LISTS,
        "no release has two instances with the same lists: that many instances are there to be drawn",
        "at least, at most: proved; about: estimated from truths and actions drawn at random, within what is proved",
        *(f"{each.size.name}: {each.reason}" for each in found if each.reason),
    )
    return Table("counts", "Fair lists", columns, tuple(map(_for_people, found)), notes)


def _for_people(figures: Figures) -> tuple[Cell, ...]:
    lists = figures.census.lists
    if lists.exact:
        return (*_counted(figures, lists.lower, lists.upper), None, None)
    about, interval = _estimate(figures.census)
    assert interval is not None
    ends = f"{_short(interval.low, ROUND_FLOOR)} to {_short(interval.high, ROUND_CEILING)}"
    bounds = _short(lists.lower, ROUND_FLOOR), _short(lists.upper, ROUND_CEILING)
    return (*_counted(figures, *bounds), None if about is None else _short(about, ROUND_HALF_EVEN), ends)


def _counted(figures: Figures, lower: Cell, upper: Cell) -> tuple[Cell, ...]:
    size = figures.size
    known = "exactly" if figures.census.lists.exact else "within bounds"
    return (size.name, size.truths, size.actions, size.valid, known, lower, upper)


def _estimate(census: Census) -> tuple[float | None, Interval | None]:
    """What draws tell of the number of fair lists, within what is proved; no number where none drawn was fair."""
    share = census.share
    if share is None:
        return None, None
    low, high = (_proved(census, end) for end in share.interval)
    return _proved(census, share.mean) if share.fair else None, Interval(low, high)


def _proved(census: Census, share: float) -> float:
    """This share of all pairs, or the proved bound that it is beyond."""
    return min(max(share * census.pairs, census.lists.lower), census.lists.upper)


def _short(number: float, rounding: str) -> str:
    """Three digits of ``number`` and a power of ten, or all of a number that is not long."""
    whole = Decimal(number).to_integral_value(rounding)
    if whole < _LONG:
        return f"{whole:,}"
    return f"{whole.quantize(Decimal(1).scaleb(whole.adjusted() - 2), rounding):.2e}".replace("e+", "e")


def difficulty_figures(found: Sequence[Figures]) -> Table:
    """The exact player's expected numbers of actions."""
    columns = (
        Column("size", "size", "text"),
        Column("sampled", "sampled"),
        Column("exact", "known exactly"),
        Column("mean", "mean", decimals=3),
        Column("deviation", "standard deviation", decimals=3),
        Column("least", "least", decimals=3),
        Column("most", "most", decimals=3),
    )
    rows = tuple(
        (
            name,
            len(effort.sample),
            sum(sampled.bounds.exact for sampled in effort.sample),
            effort.mean,
            effort.spread,
            min(sampled.expected for sampled in effort.sample),
            max(sampled.expected for sampled in effort.sample),
        )
        for name, effort in _sampled(found)
    )
    notes = ("expected numbers of actions of the exact player; where only bounds are known, their middle",)
    return Table("difficulty", "Difficulty", columns, rows, notes)


def histograms(found: Sequence[Figures]) -> dict[str, Histogram]:
    """The sampled instances of each size by difficulty."""
    made = {}
    for name, effort in _sampled(found):
        made[name] = Histogram()
        for sampled in effort.sample:
            made[name].count(sampled.bounds)
    return made


def histogram_figures(found: Sequence[Figures]) -> Table:
    """The histograms as figures."""
    columns = (
        Column("size", "size", "text"),
        Column("low", "from"),
        Column("high", "below"),
        Column("instances", "instances"),
    )
    rows = tuple(
        (name, at / BINS, (at + 1) / BINS, count)
        for name, histogram in histograms(found).items()
        for at, count in sorted((histogram.known + histogram.brackets).items())
    )
    return Table("histogram", "Instances by difficulty", columns, rows)


def actions_table(tables: Tables, found: Sequence[Figures], most: int | None = None) -> Table:
    """What actions do in the samples: all of them or, of each size, the ``most`` that do most."""
    names = [action.name for action in tables.actions]
    rows = tuple(
        (size, *_effect(names[i], role), role.first)
        for size, effort in _sampled(found)
        for i, role in _strongest(effort.actions, most)
    )
    columns = (*_columns("action", tables.action_noun.one), Column("first", "a best first action", decimals=2))
    notes = (
        *_NOTES,
        "a best first action: of the sampled instances that list it, the share in which no other is better",
    )
    return Table("actions", f"What {tables.action_noun.many} do", columns, rows, notes)


def truths_table(tables: Tables, found: Sequence[Figures], most: int | None = None) -> Table:
    """What truths do in the samples, as in :func:`actions_table`."""
    names = [truth.name for truth in tables.truths]
    rows = tuple(
        (size, *_effect(names[i], role))
        for size, effort in _sampled(found)
        for i, role in _strongest(effort.truths, most)
    )
    columns = _columns("truth", tables.truth_noun.one)
    return Table("truths", f"What {tables.truth_noun.many} do", columns, rows, _NOTES)


_NOTES = ("more actions: mean of the sampled instances that list it, less that of those that do not",)


def _columns(key: str, heading: str) -> tuple[Column, ...]:
    return (
        Column("size", "size", "text"),
        Column(key, heading, "text"),
        Column("listed", "listed"),
        Column("effect", "more actions", decimals=3),
        Column("effect_error", "standard error", decimals=3),
    )


def _effect(name: str, role: Role) -> tuple[Cell, ...]:
    effect = role.effect
    return (name, role.listed, *((None, None) if effect is None else (effect.difference, effect.error)))


def _strongest(roles: Sequence[Role], most: int | None) -> list[tuple[int, Role]]:
    """All ``roles``; or those whose effects are largest for their errors, in the order of effects, highest first."""
    every = list(enumerate(roles))
    if most is None:
        return every
    chosen = sorted(every, key=lambda each: (-_certainty(each[1]), each[0]))[:most]
    return sorted(chosen, key=lambda each: (-each[1].effect.difference if each[1].effect else 0.0, each[0]))


def _certainty(role: Role) -> float:
    """An effect in standard errors; nothing is certain of a role without effect."""
    if role.effect is None or not role.effect.difference:
        return 0.0
    return abs(role.effect.difference) / role.effect.error if role.effect.error else inf
