"""Finished chunks to the files of a release, in order, holding no more than one row group of each file."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from kumoc.benchmark import GAME
from kumoc.generate import Taken
from kumoc.play.baselines import SAMPLE, Baselines
from kumoc.release import parquet
from kumoc.release.difficulty import Histogram
from kumoc.release.manifest import DataFile, config_name
from kumoc.release.rows import Built, Chunk, build_row
from kumoc.release.workshop import Workshop
from kumoc.tables import to_json
from kumoc.views import VIEW_COLUMNS, Row, bracket_width, is_exact


@dataclass(slots=True)
class Assembly:
    """Takes chunks as far as they are there.

    ``taken`` are, by domain, the instances that may not come again. ``files`` are those that are complete,
    ``histograms`` show how hard the instances of each size are, and ``baselines`` how the project's players play the
    first ones of each file.
    """

    shop: Workshop
    chunks: Sequence[Chunk]
    taken: dict[str, Taken] = field(default_factory=dict)
    files: list[DataFile] = field(default_factory=list)
    histograms: dict[str, Histogram] = field(default_factory=dict)
    baselines: Baselines = field(default_factory=Baselines)

    def steps(self) -> Generator[None]:
        """Yields whenever the next chunk is not there yet; ends when all files are complete.

        A row that turns out to be a duplicate of one before it is built anew, from the draws that follow: the same
        rows as one worker would give that builds one after the other. Raises BuildError where there are too few.
        """
        for _, chunks in groupby(self.chunks, key=lambda chunk: id(chunk.job)):
            ordered = list(chunks)
            job = ordered[0].job
            with ExitStack() as stack:
                place = (job.size.name, job.tables.domain, job.split)
                writers = {
                    (edition.label, view): stack.enter_context(
                        FileWriter(self.shop.release, view, edition.label, *place)
                    )
                    for edition in job.editions
                    for view in ordered[0].views
                }
                for chunk in ordered:
                    while not self.shop.has(chunk.number):
                        yield
                    for index, built in enumerate(self.shop.load(chunk.number), start=chunk.start):
                        self._write(writers, index, self._new(chunk, index, built))
                self.files += [file for writer in writers.values() if (file := writer.finished())]

    def _write(self, writers: Mapping[tuple[str, str], FileWriter], index: int, built: Built) -> None:
        for label, views in built.rows.items():
            for view, rows in views.items():
                writers[label, view].write(rows)
            writers[label, GAME].tried += built.tried
        for row in built.rows[""][GAME]:
            self.count(row, index)

    def count(self, row: Row, index: int) -> None:
        """Take a row of a size's own edition, the one at ``index`` of its file, into plot and figures."""
        self.histograms.setdefault(row["size"], Histogram()).add(row)
        if index < SAMPLE:
            self.baselines.add(row)

    def _new(self, chunk: Chunk, index: int, built: Built) -> Built:
        """``built``, or what takes its place if it is a duplicate."""
        job = chunk.job
        taken = self.taken.setdefault(job.tables.domain, Taken())
        if taken.has(built.identity, job.size.mode):
            refused = lambda identity: taken.has(identity, job.size.mode)  # noqa: E731
            built = build_row(chunk, index, refused, to_json(job.tables), built)
        taken.add(built.identity, job.size.mode)
        return built


class FileWriter:
    """One file of a release, written row group by row group and named after the digest of its rows.

    ``tried`` is to be the number of candidates that its rows took.
    """

    def __init__(self, place: Path, view: str, edition: str, size: str, domain: str, split: str) -> None:
        """A file in the release at ``place``, for rows of that ``view``, ``edition``, ``size`` and so on."""
        self._place = place
        self._view = view
        self._edition = edition
        self._size = size
        self._domain = domain
        self._split = split
        self._folder = f"{view}-{config_name(size, edition)}/{domain}"
        self._unnamed = place / self._folder / f"{split}.unnamed"
        self._unnamed.parent.mkdir(parents=True, exist_ok=True)
        self._writer = parquet.Writer(self._unnamed, VIEW_COLUMNS[view])
        self._rows = self._exact = self.tried = 0
        self._widest = 0.0

    def __enter__(self) -> FileWriter:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file if it is not finished."""
        self._writer.abandon()

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        for row in rows:
            self._writer.write(row)
            self._rows += 1
            if self._view == GAME:
                self._exact += is_exact(row)
                self._widest = max(self._widest, bracket_width(row))

    def finished(self) -> DataFile | None:
        """The file, named; none is left where an instance gives no row in this view."""
        self._writer.close()
        if not self._rows:
            self._unnamed.unlink()
            return None
        digest = self._writer.rows_sha256
        relative = f"{self._folder}/{self._split}-{digest[:12]}.parquet"
        path = self._unnamed.rename(self._place / relative)
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return DataFile(
            path=relative,
            view=self._view,
            size=self._size,
            edition=self._edition,
            domain=self._domain,
            split=self._split,
            rows=self._rows,
            exact_rows=self._exact,
            widest_bracket=self._widest,
            tried=self.tried,
            rows_sha256=digest,
            bytes=path.stat().st_size,
            sha256=sha256,
        )
