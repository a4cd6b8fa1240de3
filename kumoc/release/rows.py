"""Rows of consecutive places of one job, each proved before it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from jinja2 import TemplateError

from kumoc import book
from kumoc.benchmark import Mode
from kumoc.edition import Shown, show
from kumoc.generate import CannotGenerateError, Identity, Instance, check_instance, identity
from kumoc.release.band import Draw, band_in_words, draw
from kumoc.release.difficulty import Histogram, difficulty_table
from kumoc.release.errors import BuildError
from kumoc.release.plan import Job
from kumoc.release.schemas import validator
from kumoc.tables import to_json
from kumoc.templating import Texts
from kumoc.views import VIEW_SCHEMAS, game_row, view_rows
from kumoc.views.game import Row
from kumoc.views.play import Play, exact_play, paper_play

MAX_ATTEMPTS = 1_000
"""Draws for one row before its job is given up: all were duplicates or outside the band of difficulty."""

MAX_TRIED = {Mode.FAIR: 300, Mode.PAPER: MAX_ATTEMPTS}
"""Candidates tried for one row before its band is given up: a walk needs few, a blind search many."""


_FAULTS = (
    *(TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
    *(MemoryError, RecursionError),
)
"""What a template may raise that people wrote."""


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

    ``tried`` counts the candidates that all draws for the place, up to this one, have tried for a band of difficulty.
    """

    attempt: int
    identity: Identity
    rows: dict[str, dict[str, list[Row]]]
    tried: int


def build_chunk(chunk: Chunk) -> list[Built]:
    """The rows of ``chunk``, in order, as if no other instance were taken. Raises BuildError where there are too few.

    A row depends on (benchmark seed, domain, size, split, index, attempt) and on nothing else: not on who builds it,
    nor when. The first one of a job is also held to the published schema; they are all written with its types.
    """
    tables_json = to_json(chunk.job.tables)
    built = [build_row(chunk, index, lambda _: False, tables_json) for index in range(chunk.start, chunk.stop)]
    if chunk.start == 0:
        _check_form(chunk, built[0])
    return built


def _check_form(chunk: Chunk, built: Built) -> None:
    for view, rows in chain.from_iterable(edition.items() for edition in built.rows.values()):
        for row in rows:
            for error in validator(VIEW_SCHEMAS[view]).iter_errors(row):
                raise AssertionError(f"{chunk.place}, {view}: {error.message}")


def build_row(
    chunk: Chunk,
    index: int,
    taken: Callable[[Identity], bool],
    tables_json: Mapping[str, Any],
    refused: Built | None = None,
) -> Built:
    """The row of the first draw for a place that is in the band of difficulty and not ``taken``.

    ``refused``: the one for the same place that turned out to be taken, if there was one; draws go on after it. Raises
    BuildError if there is none among the first :data:`MAX_ATTEMPTS`, or those that :data:`MAX_TRIED` allows.
    """
    job = chunk.job
    attempt, tried = (refused.attempt + 1, refused.tried) if refused else (0, 0)
    duplicate = refused is not None
    missed: list[Draw] = []
    while attempt < MAX_ATTEMPTS and tried < MAX_TRIED[job.size.mode]:
        drawn = _draw(job, job.row_seed(chunk.seed, index, attempt))
        tried += len(drawn.tried)
        if drawn.instance is None:
            missed.append(drawn)
        elif taken(found := identity(drawn.instance)):
            duplicate = True
        else:
            exact = drawn.exact or exact_play(drawn.instance, job.size.work)
            plays = exact, paper_play(drawn.instance, job.size.work)
            return Built(attempt, found, dict(_editions(chunk, drawn.instance, plays, tables_json)), tried)
        attempt += 1
    raise _too_few(chunk, index, attempt) if duplicate else _none_in_band(chunk, index, missed)


def _draw(job: Job, seed: int) -> Draw:
    try:
        return draw(job.drawn_from, job.size, seed)
    except CannotGenerateError as error:
        reason = str(error).rstrip(".")
        raise BuildError(f"'{job.tables.domain}' has no instance of size '{job.size.name}': {reason}") from error


def _too_few(chunk: Chunk, index: int, draws: int) -> BuildError:
    size = chunk.job.size
    missed, kind = (
        (" or outside the band", f" of {band_in_words(size)} expected actions") if size.difficulty else ("", "")
    )
    message = f"after {draws} draws {_row(chunk, index)} is still a duplicate{missed}: the domain has too few instances"
    return BuildError(f"{message}{kind}", f"ask for {index} at most, or for another size")


def _none_in_band(chunk: Chunk, index: int, missed: Sequence[Draw]) -> BuildError:
    """The error of an empty band, with the distribution of what was met instead."""
    drawn, walked = Histogram(), Histogram()
    for each in missed:
        drawn.count(each.tried[0])
        for bounds in each.tried[1:]:
            walked.count(bounds)
    size = chunk.job.size
    on_walks = f", {len(walked)} of them on walks towards it" if len(walked) else ""
    message = (
        f"{_row(chunk, index)}: none of {len(drawn) + len(walked)} choices of truths and actions{on_walks}, has "
        f"{band_in_words(size)} expected actions"
    )
    help_ = "choose a band where instances are, or another number of truths and actions"
    unsure = drawn.brackets.total() + walked.brackets.total()
    if unsure:
        message += f"; of {unsure} only brackets are known, since {size.work} states of work did not suffice"
        help_ = "raise `work`, or choose a band that holds whole brackets"
    return BuildError(message, help_, difficulty_table({"drawn": drawn, "walked": walked}))


def _row(chunk: Chunk, index: int) -> str:
    return replace(chunk, start=index, stop=index + 1).place


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
    except _FAULTS as error:
        if not chunk.templates:
            raise
        raise _unfit(shown, where, f"can't be used: {str(error) or type(error).__name__}") from error


def _unfit(shown: Shown, where: str, what: str) -> BuildError:
    template = f"{shown.instance.tables.language}/{shown.edition.book.style}.md.j2"
    return BuildError(
        f"{where}: the benchmark's templates for {template} {what}",
        "keep to the sentences that the project's own template has: a book must be read back to be proved",
    )
