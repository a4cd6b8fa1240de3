"""Rows of consecutive places of one job, each proved before it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from jinja2 import TemplateError

from kumoc import book
from kumoc.benchmark import Size
from kumoc.edition import Shown, show
from kumoc.generate import CannotGenerateError, Identity, Instance, check_instance, derive, generate, identity
from kumoc.release.errors import BuildError
from kumoc.release.plan import Job
from kumoc.release.schemas import validator
from kumoc.solve import TIE, Bounds
from kumoc.tables import Tables, to_json
from kumoc.templating import Texts
from kumoc.views import VIEW_SCHEMAS, game_row, view_rows
from kumoc.views.game import Row
from kumoc.views.play import Play, exact_play, paper_play

MAX_ATTEMPTS = 1_000
"""Draws for one row before its job is given up: all were duplicates or outside the band of difficulty."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The places ``start`` to ``stop - 1`` of ``job``: what one worker builds at a time, the ``number``-th of a build.

    ``seed`` is the benchmark's, ``views`` are those to make of each instance in each edition, ``canary`` is that of the
    release, and ``templates`` take the place of the project's own.
    """

    number: int
    job: Job
    seed: int
    views: tuple[str, ...]
    start: int
    stop: int
    canary: str
    templates: Texts = ()

    @property
    def place(self) -> str:
        """In words."""
        job = self.job
        rows = f"row {self.stop}" if self.stop == self.start + 1 else f"rows {self.start + 1} to {self.stop}"
        return f"{rows} of {job.count} of '{job.tables.domain}', size '{job.size.name}', split '{job.split}'"


@dataclass(frozen=True, slots=True)
class Built:
    """The rows of an instance, by the label of an edition and by view, which draw for its place it is, and what tells
    it from other instances.
    """

    attempt: int
    identity: Identity
    rows: dict[str, dict[str, list[Row]]]


def build_chunk(chunk: Chunk) -> list[Built]:
    """The rows of ``chunk``, in order, as if no other instance were taken. Raises BuildError where there are too few.

    A row depends on (benchmark seed, domain, size, split, index, attempt) and on nothing else: not on who builds it,
    nor when. The first one is also held to the published schema; they are all written with its types.
    """
    tables_json = to_json(chunk.job.tables)
    built = [build_row(chunk, index, 0, lambda _: False, tables_json) for index in range(chunk.start, chunk.stop)]
    for view, rows in chain.from_iterable(edition.items() for edition in built[0].rows.values()):
        for row in rows:
            for error in validator(VIEW_SCHEMAS[view]).iter_errors(row):
                raise AssertionError(f"{chunk.place}, {view}: {error.message}")
    return built


def build_row(
    chunk: Chunk, index: int, attempt: int, taken: Callable[[Identity], bool], tables_json: Mapping[str, Any]
) -> Built:
    """The row of the first draw for a place, ``attempt`` or later, that is not ``taken`` and in the band of difficulty.

    Raises BuildError if there is none among the first :data:`MAX_ATTEMPTS`.
    """
    job = chunk.job
    outside: list[Bounds] = []
    while attempt < MAX_ATTEMPTS:
        seed = derive(chunk.seed, job.tables.domain, job.size.name, job.split, index, attempt)
        instance = _generate(job.drawn_from, job.size, seed)
        found = identity(instance)
        if not taken(found):
            exact = exact_play(instance, job.size.work)
            if _in_band(exact.bounds, job.size):
                paper = paper_play(instance, job.size.work)
                return Built(attempt, found, dict(_editions(chunk, instance, (exact, paper), tables_json)))
            outside.append(exact.bounds)
        attempt += 1
    raise _given_up(chunk, index, outside)


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


def _given_up(chunk: Chunk, index: int, outside: list[Bounds]) -> BuildError:
    job = chunk.job
    place = replace(chunk, start=index, stop=index + 1).place
    if not outside:
        message = f"after {MAX_ATTEMPTS} draws {place} is still a duplicate: the domain has too few instances"
        return BuildError(message, f"ask for {index} at most, or for another size")
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


def _editions(
    chunk: Chunk, instance: Instance, plays: tuple[Play, Play], tables_json: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, list[Row]]]]:
    """The rows of an instance by view, for each edition."""
    for edition in chunk.job.editions:
        row = _proved_row(chunk, show(instance, edition), plays, tables_json)
        yield edition.label, {view: view_rows(view, row) for view in chunk.views}


def _proved_row(chunk: Chunk, shown: Shown, plays: tuple[Play, Play], tables_json: Mapping[str, Any]) -> Row:
    """The row of an instance, with all that is promised proved of it as it is shown.

    A proof that fails is a bug of ours, not of the input: AssertionError. Raises BuildError where templates that the
    benchmark brought make another book than the tables ask for.
    """
    size, instance, book_of = chunk.job.size, shown.instance, shown.edition.book
    where = f"instance with seed {instance.seed} of '{instance.tables.domain}', size '{size.name}'"
    text = _book(chunk, shown, where)
    row = game_row(shown, size.name, size.mode, text, *plays, chunk.canary)
    if instance is not shown.original:
        tables_json = to_json(instance.tables)
    broken = book.check(instance, text, book_of.style, instance.tables.language)
    if broken and chunk.templates:
        raise _unfit(shown, where, f"make a book that is not what it must be: {broken[0]}")
    if instance.game != shown.original.game:
        broken.append("Another name goes with other rules.")
    broken += check_instance(row, tables_json, giveaways=size.giveaways)
    if broken:
        raise AssertionError(f"{where} is not what it must be: {'; '.join(broken)}")
    return row


def _book(chunk: Chunk, shown: Shown, where: str) -> str:
    edition, language = shown.edition, shown.instance.tables.language
    try:
        return book.render(
            shown.instance, edition.book.style, language=language, words=edition.book.words, instead=chunk.templates
        )
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        if not chunk.templates:
            raise
        raise _unfit(shown, where, f"can't be used: {error}") from error


def _unfit(shown: Shown, where: str, what: str) -> BuildError:
    template = f"{shown.instance.tables.language}/{shown.edition.book.style}.md.j2"
    return BuildError(
        f"{where}: the benchmark's templates for {template} {what}",
        "keep to the sentences that the project's own template has: a book must be read back to be proved",
    )
