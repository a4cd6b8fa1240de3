"""Rows of one job, each proved before it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kumoc import book
from kumoc.benchmark import Size
from kumoc.generate import CannotGenerateError, Instance, Taken, check_instance, derive, generate
from kumoc.release.errors import BuildError
from kumoc.release.plan import Job
from kumoc.release.schemas import validator
from kumoc.solve import TIE, Bounds
from kumoc.tables import Tables, to_json
from kumoc.views import game_row
from kumoc.views.play import Play, exact_play, paper_play

MAX_ATTEMPTS = 1_000
"""Draws for one row before its job is given up: all were duplicates or outside the band of difficulty."""


@dataclass(slots=True)
class RowBuilder:
    """Builds the rows of a benchmark, no two of them the same instance.

    A row depends on (benchmark seed, domain, size, split, index) and on how often that place had to be drawn again,
    never on who builds it or when.
    """

    seed: int
    taken: dict[str, Taken] = field(default_factory=dict)

    def rows(self, job: Job, on_row: Callable[[], None]) -> Iterator[dict[str, Any]]:
        """The rows of ``job`` in order; ``on_row`` is called after each. Raises BuildError where there are too few."""
        tables_json = to_json(job.tables)
        for index in range(job.count):
            instance, exact = self._instance(job, index)
            yield _proved_row(instance, job.size, exact, tables_json)
            on_row()

    def _instance(self, job: Job, index: int) -> tuple[Instance, Play]:
        """The first draw for this place that is no duplicate and lies in the size's band of difficulty."""
        taken = self.taken.setdefault(job.tables.domain, Taken())
        outside: list[Bounds] = []
        for attempt in range(MAX_ATTEMPTS):
            seed = derive(self.seed, job.tables.domain, job.size.name, job.split, index, attempt)
            instance = _generate(job.tables, job.size, seed)
            if taken.has(instance, job.size.mode):
                continue
            exact = exact_play(instance, job.size.work)
            if _in_band(exact.bounds, job.size):
                taken.add(instance, job.size.mode)
                return instance, exact
            outside.append(exact.bounds)
        raise _given_up(job, index, outside)


def _generate(tables: Tables, size: Size, seed: int) -> Instance:
    try:
        return generate(tables, size, seed)
    except CannotGenerateError as error:
        reason = str(error).rstrip(".")
        raise BuildError(f"'{tables.domain}' has no instance of size '{size.name}': {reason}") from error


def _in_band(bounds: Bounds, size: Size) -> bool:
    """Whether the expectation is sure to lie in the size's band: all of its bracket does."""
    if size.difficulty is None:
        return True
    low, high = map(float, size.difficulty)
    # the band is of decimals and values are sums of fractions: a value on its edge is inside
    return low - TIE <= bounds.lower and bounds.upper <= high + TIE


def _given_up(job: Job, index: int, outside: list[Bounds]) -> BuildError:
    place = f"row {index + 1} of {job.count} of '{job.tables.domain}', size '{job.size.name}', split '{job.split}'"
    if not outside:
        message = f"after {MAX_ATTEMPTS} draws {place} is still a duplicate: the domain has too few instances"
        return BuildError(message, f"ask for fewer than {index + 1} or for another size")
    assert job.size.difficulty is not None
    low, high = job.size.difficulty
    least, most = sorted(bounds.lower for bounds in outside), sorted(bounds.upper for bounds in outside)
    message = (
        f"in {MAX_ATTEMPTS} draws for {place} none had {low:f} to {high:f} expected actions: they had {least[0]:.2f} "
        f"to {most[-1]:.2f}, half of them between {least[len(least) // 4]:.2f} and {most[3 * len(most) // 4]:.2f}"
    )
    unsure = sum(not bounds.exact for bounds in outside)
    if unsure:
        message += f"; of {unsure} only brackets are known, since {job.size.work} states of work did not suffice"
        return BuildError(message, "raise `work`, or choose a band that holds whole brackets")
    return BuildError(message, "choose a band where instances are, or another number of truths and actions")


def _proved_row(instance: Instance, size: Size, exact: Play, tables_json: Mapping[str, Any]) -> dict[str, Any]:
    """The row of an instance. A proof that fails is a bug of ours, not of the input: AssertionError."""
    text = book.render(instance)
    row = game_row(instance, size.name, size.mode, text, exact, paper_play(instance, size.work))
    broken = [*book.check(instance, text), *check_instance(row, tables_json, giveaways=size.giveaways)]
    broken += [error.message for error in validator("instance").iter_errors(row)]
    if broken:
        where = f"instance with seed {instance.seed} of '{instance.tables.domain}', size '{size.name}'"
        raise AssertionError(f"{where} is not what it must be: {'; '.join(broken)}")
    return row
