"""Build a release in a workshop beside its place, by any number of workers, and move it in whole."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from kumoc.benchmark import GAME
from kumoc.generate import Taken
from kumoc.release.assembly import Assembly
from kumoc.release.canary import canary
from kumoc.release.card import card
from kumoc.release.difficulty import DIFFICULTY_NAME, difficulty_svg
from kumoc.release.errors import BuildError
from kumoc.release.manifest import MANIFEST_NAME, changed_inputs, inputs, manifest, other_files
from kumoc.release.plan import Plan
from kumoc.release.published import identities
from kumoc.release.rows import Chunk, build_chunk
from kumoc.release.schemas import validator
from kumoc.release.workers import Engine, Runner, processes
from kumoc.release.workshop import Workshop, workshop
from kumoc.tables import to_json

CHUNK = 10
"""Instances that a worker builds at a time: few, so that hard ones do not keep one worker busy at the end."""


@dataclass(frozen=True, slots=True)
class Built:
    """A release on disk; ``fresh`` unless it stood there already, built from the same inputs.

    ``rows`` are instances, in whatever editions they are shown; ``exact_rows`` and ``widest_bracket`` are as those of
    :class:`DataFile`, over all of them. ``tried`` has, by the name of each size with a band of difficulty, how many
    sets of truths and actions were tried and how many instances that gave.
    """

    plan: Plan
    path: Path
    rows: int
    exact_rows: int
    widest_bracket: float
    tried: dict[str, tuple[int, int]]
    rows_sha256: str
    commitment: str | None
    fresh: bool


def build(
    plan: Plan,
    out: Path,
    *,
    overwrite: bool = False,
    engine: Engine | None = None,
    on_rows: Callable[[int], None] = lambda _: None,
) -> Built:
    """Build the release ``out/<benchmark>/<release>``; ``on_rows`` is told how many instances were added.

    ``engine`` runs the work, by default in this process; the rows are the same in any. A build that was cut short
    goes on from where it was. A release that stands there already is kept if it was built from the same inputs;
    otherwise BuildError is raised, unless ``overwrite``. Also raises OSError where the place can't be written; then
    what was built is kept for the next try.
    """
    release = out / plan.benchmark.name / plan.release
    if release.exists() and not (release / MANIFEST_NAME).is_file():
        raise BuildError(f"{release} exists and is no release", "move it away, or build elsewhere with --out")
    if release.exists() and not overwrite:
        changed = changed_inputs(release, plan)
        if changed:
            raise BuildError(
                f"{release} exists and differs from what would be built ({', '.join(changed)})",
                "raise the benchmark's version, build elsewhere with --out, or replace it with --overwrite",
            )
        written = json.loads((release / MANIFEST_NAME).read_text(encoding="utf-8"))
        return _built(plan, release, written, fresh=False)
    with workshop(release, inputs(plan)) as shop:
        assembly = _assembled(plan, shop, engine or processes(1), on_rows)
        written = describe(plan, shop.release, assembly)
        move_in(release, shop.release)
    return _built(plan, release, written, fresh=True)


def _assembled(plan: Plan, shop: Workshop, engine: Engine, on_rows: Callable[[int], None]) -> Assembly:
    chunks = tuple(_chunks(plan))
    missing = [chunk for chunk in chunks if not shop.has(chunk.number)]
    on_rows(sum(chunk.stop - chunk.start for chunk in chunks) - sum(chunk.stop - chunk.start for chunk in missing))
    assembly = Assembly(shop, chunks, _taken(plan))
    with closing(assembly.steps()) as steps:
        next(steps, None)
        for chunk, rows in Runner(engine, build_chunk, lambda chunk: chunk.place).results(missing):
            shop.save(chunk.number, rows)
            on_rows(len(rows))
            next(steps, None)
    return assembly


def _taken(plan: Plan) -> dict[str, Taken]:
    """By domain, the instances that other releases have and this one must not."""
    taken: dict[str, Taken] = {}
    for release in plan.fresh.disjoint_from if plan.fresh else ():
        for domain, mode, identity in identities(release):
            taken.setdefault(domain, Taken()).add(identity, mode)
    return taken


def _chunks(plan: Plan) -> Iterator[Chunk]:
    numbers = count()
    mark = canary(plan.benchmark.name, plan.release)
    for job in plan.jobs():
        for start in range(0, job.count, CHUNK):
            stop = min(start + CHUNK, job.count)
            yield Chunk(
                next(numbers), job, plan.benchmark.seed, plan.benchmark.views, start, stop, mark, plan.templates
            )


def _built(plan: Plan, release: Path, written: Mapping[str, Any], *, fresh: bool) -> Built:
    """What the manifest ``written`` says of a release; a row is an instance, whatever views and editions make of it."""
    files = [file for file in written["files"] if file["view"] == GAME and not file["edition"]]
    return Built(
        plan=plan,
        path=release,
        rows=sum(file["rows"] for file in files),
        exact_rows=sum(file["exact_rows"] for file in files),
        widest_bracket=max((file["widest_bracket"] for file in files), default=0.0),
        tried={size.name: _tried(files, size.name) for size in plan.benchmark.sizes if size.difficulty},
        rows_sha256=written["rows_sha256"],
        commitment=written["commitment"],
        fresh=fresh,
    )


def _tried(files: Sequence[Mapping[str, Any]], size: str) -> tuple[int, int]:
    of_size = [file for file in files if file["size"] == size]
    return sum(file["tried"] for file in of_size), sum(file["rows"] for file in of_size)


def describe(plan: Plan, place: Path, assembly: Assembly) -> dict[str, Any]:
    """Write all but the rows; the manifest."""
    (place / "tables").mkdir()
    for tables in plan.tables:
        _write_json(place / "tables" / f"{tables.domain}.json", to_json(tables), "tables")
    (place / DIFFICULTY_NAME).write_text(difficulty_svg(assembly.histograms), encoding="utf-8")
    (place / "README.md").write_text(card(plan, assembly.files, assembly.baselines), encoding="utf-8")
    written = manifest(plan, assembly.files, other_files(place, assembly.files))
    _write_json(place / MANIFEST_NAME, written, "manifest")
    return written


def _write_json(path: Path, data: dict[str, Any], schema: str) -> None:
    validator(schema).validate(data)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def move_in(target: Path, place: Path) -> None:
    """Move a finished release from ``place`` to ``target``, in place of what stands there."""
    if not target.exists():
        place.rename(target)
        return
    aside = place.with_name("replaced")
    target.rename(aside)
    try:
        place.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)
