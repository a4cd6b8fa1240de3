"""Build a release in a temporary place and move it in whole."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kumoc.release import parquet
from kumoc.release.card import card
from kumoc.release.errors import BuildError
from kumoc.release.manifest import MANIFEST_NAME, DataFile, changed_inputs, manifest
from kumoc.release.plan import Job, Plan
from kumoc.release.rows import RowBuilder
from kumoc.release.schemas import validator
from kumoc.tables import to_json
from kumoc.views import GAME_COLUMNS, bracket_width, is_exact


@dataclass(frozen=True, slots=True)
class Built:
    """A release on disk; ``fresh`` unless it stood there already, built from the same inputs.

    ``exact_rows`` and ``widest_bracket`` are as those of :class:`DataFile`, over all files.
    """

    plan: Plan
    path: Path
    rows: int
    exact_rows: int
    widest_bracket: float
    rows_sha256: str
    fresh: bool


def build(plan: Plan, out: Path, *, overwrite: bool = False, on_row: Callable[[], None] = lambda: None) -> Built:
    """Build the release ``out/<benchmark>/<version>``, or nothing at all; ``on_row`` is called after each row.

    A release that stands there already is kept if it was built from the same inputs; otherwise BuildError is
    raised, unless ``overwrite``. Also raises OSError where the place can't be written.
    """
    release = out / plan.benchmark.name / plan.benchmark.version
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
    with _moved_in_whole(release) as place:
        written = _write(plan, place, on_row)
    return _built(plan, release, written, fresh=True)


def _built(plan: Plan, release: Path, written: Mapping[str, Any], *, fresh: bool) -> Built:
    """What the manifest ``written`` says of a release."""
    files = written["files"]
    return Built(
        plan=plan,
        path=release,
        rows=written["rows"],
        exact_rows=sum(file["exact_rows"] for file in files),
        widest_bracket=max((file["widest_bracket"] for file in files), default=0.0),
        rows_sha256=written["rows_sha256"],
        fresh=fresh,
    )


def _write(plan: Plan, place: Path, on_row: Callable[[], None]) -> dict[str, Any]:
    builder = RowBuilder(plan.benchmark.seed)
    files = tuple(_write_job(job, place, builder, on_row) for job in plan.jobs())
    (place / "tables").mkdir()
    for tables in plan.tables:
        _write_json(place / "tables" / f"{tables.domain}.json", to_json(tables), "tables")
    (place / "README.md").write_text(card(plan, files), encoding="utf-8")
    written = manifest(plan, files)
    _write_json(place / MANIFEST_NAME, written, "manifest")
    return written


def _write_job(job: Job, place: Path, builder: RowBuilder, on_row: Callable[[], None]) -> DataFile:
    rows = list(builder.rows(job, on_row))
    digest = parquet.rows_digest(rows)
    relative = f"game-{job.size.name}/{job.tables.domain}/{job.split}-{digest[:12]}.parquet"
    path = place / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write(path, rows, GAME_COLUMNS)
    content = path.read_bytes()
    return DataFile(
        path=relative,
        view="game",
        size=job.size.name,
        domain=job.tables.domain,
        split=job.split,
        rows=len(rows),
        exact_rows=sum(map(is_exact, rows)),
        widest_bracket=max(map(bracket_width, rows)),
        rows_sha256=digest,
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )


def _write_json(path: Path, data: dict[str, Any], schema: str) -> None:
    validator(schema).validate(data)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@contextmanager
def _moved_in_whole(target: Path) -> Iterator[Path]:
    """A temporary folder beside ``target`` that takes its place at the end, or leaves no trace."""
    made = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        place.chmod(0o755)
        yield place
        _replace(target, place)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        for folder in made:
            _remove_if_empty(folder)
        raise


def _replace(target: Path, place: Path) -> None:
    if not target.exists():
        place.rename(target)
        return
    aside = place.with_name(f"{place.name}-replaced")
    target.rename(aside)
    try:
        place.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
