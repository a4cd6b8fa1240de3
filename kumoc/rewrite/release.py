"""A new version of a release, in which guides are rewritten."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kumoc import __version__
from kumoc.benchmark import GAME, GUIDE, REWRITTEN
from kumoc.models.talk import Talker
from kumoc.release import BuildError
from kumoc.release.assembly import Assembly, FileWriter
from kumoc.release.build import describe, move_in
from kumoc.release.canary import canary
from kumoc.release.intact import read_intact
from kumoc.release.manifest import inputs
from kumoc.release.parquet import read
from kumoc.release.plan import Plan, Rewriting
from kumoc.release.verify.sources import plan_of
from kumoc.release.workshop import Workshop, workshop
from kumoc.rewrite.log import Log
from kumoc.rewrite.settings import Settings
from kumoc.rewrite.writer import rewrite
from kumoc.tables import from_json
from kumoc.views import Row, view_rows

MOST_SILENT = 5
"""Rows in a row on which a model gives no answer, after which it is asked no more."""

File = Mapping[str, Any]
"""What a manifest says of a file of the game view."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A release on disk, how many of its ``books`` were rewritten and guides ``kept``, and the log of it all."""

    path: Path
    books: int
    kept: int
    log: Path


def rewrite_release(
    source: Path,
    talkers: tuple[Talker, Talker],
    settings: Settings,
    *,
    version: str | None = None,
    out: Path | None = None,
    keep_unanswered: bool = False,
    on_row: Callable[[int], None] = lambda _: None,
) -> Rewritten:
    """Write the release at ``source`` anew, with guides that a model rewrites.

    It gets that ``version``, by default the next minor one, in the folder ``out``, by default that of ``source``. Its
    log is beside it: rows that are in it are not asked for again, and each row is in it as soon as it is done.
    ``talkers`` are writer and judge. Rows on which one of them gave no answer stop the release from being written, or
    else, with ``keep_unanswered``, keep their guides. ``on_row`` is called with the number of rows, after each.

    Raises BuildError where such rows stop it, with what is done in the log; for what is no release, is
    damaged, has no guides, was built by another version of kumoc or rewritten before, and if there is something at its
    place; and OSError where that can't be written.
    """
    manifest = read_intact(source)
    plan = _plan(source, manifest, version)
    target = (out or source.resolve().parent) / plan.release
    _check(source, target, manifest)
    target.parent.mkdir(parents=True, exist_ok=True)
    log = Log(target.with_name(f"{target.name}.rewrite.jsonl"), settings)
    games = [file for file in manifest["files"] if file["view"] == GAME]
    todo = [(file, row) for file in games for row in read(source / file["path"]) if row["style"] == GUIDE]
    silence = asyncio.run(_rewrite_all(todo, talkers, settings, log, lambda: on_row(len(todo))))
    left = sum(log.key(row) not in log.books for _, row in todo)
    if left and not keep_unanswered:
        raise BuildError(
            f"a model gave no answer, and {left} of {len(todo)} rows are not done: no release is written",
            "give the same command again when the model answers, and what is done is not asked for again; or let these "
            "rows keep their guides, with --keep-unanswered",
            [f"the last fault: {silence}", f"the log: {log.path}"],
        )
    books = sum(log.books.get(log.key(row)) is not None for _, row in todo)
    kept = len(todo) - books
    rewriting = Rewriting(manifest["rows_sha256"], settings.writer, settings.judge, settings.tries, books, kept)
    plan = replace(plan, rewriting=rewriting)
    with workshop(target, inputs(plan)) as shop:
        describe(plan, shop.release, _assembled(plan, source, games, shop, log))
        move_in(target, shop.release)
    return Rewritten(target, books, kept, log.path)


def _next_version(version: str) -> str:
    major, minor, *_ = version.split(".")
    return f"{major}.{int(minor) + 1}.0"


def _check(source: Path, target: Path, manifest: Mapping[str, Any]) -> None:
    built_by = manifest["inputs"]["kumoc"]
    if target.exists():
        raise BuildError(f"{target} exists", "choose another version with --version, or another place with --out")
    if built_by != __version__:
        raise BuildError(f"{source} was built by kumoc {built_by}, and this is {__version__}", "build it again")
    if "rewritten" in manifest["inputs"]:
        raise BuildError(f"the books of {source} are rewritten already", "take the release that it was made from")
    if not any(book["style"] == GUIDE for size in manifest["inputs"]["sizes"] for book in size["books"]):
        raise BuildError(f"{source} has no guides", "build it with --book guide")


async def _rewrite_all(
    todo: Sequence[tuple[File, Row]],
    talkers: tuple[Talker, Talker],
    settings: Settings,
    log: Log,
    on_row: Callable[[], None],
) -> str:
    """Have all rows in the log that are not there yet; why the last of those that are still not there is not.

    It is over once a model has given no answer on :data:`MOST_SILENT` rows in a row.
    """
    free = asyncio.Semaphore(settings.connections)
    silences: list[str] = []  # of each row that was asked for, empty if it is done

    async def one(file: File, row: Row) -> None:
        if log.key(row) not in log.books:
            async with free:
                if len(silences) >= MOST_SILENT and all(silences[-MOST_SILENT:]):
                    return
                outcome = await rewrite(row, *talkers, settings)
            log.add(row, file["edition"], file["split"], outcome)
            silences.append(outcome.silence)
        on_row()

    await asyncio.gather(*(one(file, row) for file, row in todo))
    return next(filter(None, reversed(silences)), "")


def _plan(source: Path, manifest: Mapping[str, Any], version: str | None) -> Plan:
    """The plan behind ``source``, for a release of that ``version``."""
    paths = [source / "tables" / f"{domain['name']}.json" for domain in manifest["inputs"]["domains"]]
    tables = [from_json(json.loads(path.read_text(encoding="utf-8"))) for path in paths]
    plan = plan_of(manifest, {each.domain: each for each in tables})
    old = plan.benchmark.version
    changes = f"Guides of version {old} are rewritten by a language model."
    return replace(plan, benchmark=replace(plan.benchmark, version=version or _next_version(old), changes=changes))


def _assembled(plan: Plan, source: Path, games: Sequence[File], shop: Workshop, log: Log) -> Assembly:
    """The files of the new release; what is derived from a row is derived again, of its new book."""
    assembly = Assembly(shop, ())
    mark = canary(plan.benchmark.name, plan.release)
    for file in games:
        with ExitStack() as stack:
            place = (file["edition"], file["size"], file["domain"], file["split"])
            writers = {
                view: stack.enter_context(FileWriter(shop.release, view, *place)) for view in plan.benchmark.views
            }
            writers[GAME].tried = file["tried"]
            for index, row in enumerate(_rows(source / file["path"], log, mark)):
                for view, writer in writers.items():
                    writer.write(view_rows(view, row))
                if not file["edition"]:
                    assembly.count(row, index)
            assembly.files += [found for writer in writers.values() if (found := writer.finished())]
    return assembly


def _rows(path: Path, log: Log, mark: str) -> Iterator[Row]:
    for row in read(path):
        book = log.books.get(log.key(row)) if row["style"] == GUIDE else None
        yield row | ({} if book is None else {"knowledge_book": book, "style": REWRITTEN}) | {"canary": mark}
