"""The Parquet files of a release, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from kumoc.benchmark import REWRITTEN
from kumoc.play.baselines import SAMPLE, Baselines
from kumoc.release.difficulty import Histogram
from kumoc.release.folder import Folder, ParquetRows, UnreadableError
from kumoc.release.manifest import MANIFEST_NAME
from kumoc.release.parquet import arrow_schema, rows_digest
from kumoc.release.verify.relations import Relations
from kumoc.release.verify.report import Log
from kumoc.release.verify.rows import Checked, Prover, contrast
from kumoc.views import VIEW_COLUMNS, bracket_width, is_exact, view_rows

Entry = Mapping[str, Any]
Row = dict[str, Any]


@dataclass(slots=True)
class Verifier:
    """Verifies files one after the other.

    ``chosen`` tells, by its number among all rows of the game view, whether to recompute a row. ``on_row`` is called
    after each of these. ``unsound`` has, by path, the rows in which something was found, ``histograms``, by size, the
    difficulty of the others, and ``baselines`` how the project's players play those that the card has figures of.
    ``rewritten`` counts the rows whose books a model wrote.
    """

    folder: Folder
    log: Log
    chosen: Callable[[int], bool]
    on_row: Callable[[], None]
    relations: Relations = field(default_factory=Relations)
    unsound: dict[str, set[int]] = field(default_factory=dict)
    histograms: dict[str, Histogram] = field(default_factory=dict)
    _instances: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)
    baselines: Baselines = field(default_factory=Baselines)
    rewritten: int = 0

    def game(self, entry: Entry, start: int, prover: Prover | None) -> bool:
        """Verify a file of the game view, whose first row has the number ``start``.

        Without a ``prover``, which takes sound tables, only its form and its digests are verified. Returns whether its
        rows could be read and proved, all but those in which something was found.
        """
        path = entry["path"]
        self.relations.begin(path)
        self.unsound[path] = set()
        exact, widest = 0, 0.0
        tried: int | None = 0
        histogram = self.histograms.setdefault(entry["size"], Histogram())
        first = self._instances.setdefault((entry["size"], entry["domain"], entry["split"]), [])

        def proved(rows: Iterator[Row]) -> Iterator[Row]:
            nonlocal exact, widest, tried
            for index, row in enumerate(rows):
                if not entry["edition"]:
                    first.append(row["instance_id"])
                elif first[index : index + 1] != [row["instance_id"]]:
                    self.log.add(path, "it is another instance than the size's own edition has here", index)
                sound = prover and self._sound(path, index, start + index, row, prover)
                if sound:
                    tried = None if tried is None or sound.tried is None else tried + sound.tried
                    exact += is_exact(row)
                    widest = max(widest, bracket_width(row))
                    if not entry["edition"]:
                        histogram.add(row)
                        if index < SAMPLE:
                            self.baselines.add(row)
                self.rewritten += row["style"] == REWRITTEN
                yield row

        read = self._read(entry, proved)
        if not read or prover is None:
            return False
        if not self.unsound[path]:
            for name, value in (("exact_rows", exact), ("widest_bracket", widest), ("tried", tried)):
                if value is not None and entry[name] != value:
                    self.log.add(path, f"{name}: {value} by its rows, and the manifest says {entry[name]}")
        return True

    def derived(self, entry: Entry, start: int, game: Entry) -> None:
        """Verify a file of another view: that its rows come of those of the file ``game``, as far as these are sound.

        The same rows as of the game view are worked out again; of the others only their order, and the columns that
        both views have, are compared.
        """

        def proved(rows: Iterator[Row]) -> Iterator[Row]:
            try:
                with self.folder.parquet(game["path"]) as source:
                    yield from self._derive(entry, start, game["path"], rows, source)
            except UnreadableError as error:
                self.log.add(entry["path"], f"what its rows come of can't be read: {error}")

        if self._read(entry, proved):
            for name in ("exact_rows", "widest_bracket"):
                if entry[name]:
                    self.log.add(entry["path"], f"{name}: {entry[name]} in the manifest, and 0 in this view")

    def absent(self, view: str, start: int, game: Entry) -> None:
        """Verify that a view has no rows that come of those of the file ``game``, as far as these are sound."""
        unsound = self.unsound.get(game["path"], set())
        try:
            with self.folder.parquet(game["path"]) as source:
                for index, row in enumerate(source.rows()):
                    if index not in unsound and self.chosen(start + index) and view_rows(view, row):
                        what = f"files: there is none of the view '{view}' for row {index} of {game['path']}"
                        self.log.add(MANIFEST_NAME, what)
                        return
        except UnreadableError:
            return  # that was found when the file was verified itself

    def _sound(self, path: str, index: int, number: int, row: Row, prover: Prover) -> Checked | None:
        """What came of checking a row in which nothing is wrong; None where something is, which is logged."""
        recompute = self.chosen(number)
        self.log.instances += 1
        self.log.recomputed += recompute
        checked = prover.check(row, index, recompute=recompute)
        broken = checked.broken
        if not prover.edition.label:
            broken += self.relations.add(prover.job, checked.instance)
        self.log.add(path, broken, index, row["instance_id"])
        if broken:
            self.unsound[path].add(index)
        self.on_row()
        return None if broken else checked

    def _derive(self, entry: Entry, start: int, path: str, rows: Iterator[Row], source: ParquetRows) -> Iterator[Row]:
        """Pass ``rows`` on, holding them to what comes of those of ``source``, the file at ``path``."""
        unsound = self.unsound.get(path, set())
        at, row = 0, next(rows, None)
        for index, game in enumerate(source.rows()):
            own: list[Row] = []
            while row is not None and row["instance_id"] == game["instance_id"]:
                self.log.add(entry["path"], _shared(row, game), at + len(own), row["instance_id"])
                own.append(row)
                yield row
                row = next(rows, None)
            if index not in unsound and self.chosen(start + index):
                for offset, what in _faults(own, view_rows(entry["view"], game)):
                    self.log.add(entry["path"], what, at + offset, game["instance_id"])
            at += len(own)
        if row is not None:
            self.log.add(entry["path"], "it comes of no row of the game view in this place", at, row["instance_id"])
            yield row
        yield from rows

    def _read(self, entry: Entry, proved: Callable[[Iterator[Row]], Iterator[Row]]) -> bool:
        """Read a file to its end by way of ``proved``; whether it could be read. What is wrong with it is logged."""
        path, log = entry["path"], self.log
        try:
            with self.folder.parquet(path) as file:
                log.look_at(path, file.count)
                if file.count != entry["rows"]:
                    log.add(path, f"it has {file.count:,} rows, and the manifest says {entry['rows']:,}")
                faults = list(_columns(file, VIEW_COLUMNS[entry["view"]]))
                log.add(path, faults)
                if faults:
                    return False
                digest = rows_digest(proved(file.rows()))
        except UnreadableError as error:
            log.add(path, str(error))
            return False
        if digest != entry["rows_sha256"]:
            log.add(path, f"its rows have the digest {digest}, and the manifest says {entry['rows_sha256']}")
        return True


def _columns(file: ParquetRows, columns: Mapping[str, Any]) -> Iterator[str]:
    meant = arrow_schema(columns)
    yield from (f"there is no column '{name}'" for name in meant.names if name not in file.schema.names)
    yield from (f"the column '{name}' is none of this view" for name in file.schema.names if name not in meant.names)
    if sorted(file.schema.names) != sorted(meant.names):
        return
    for name in meant.names:
        said = file.schema.field(name).type
        if said != meant.field(name).type:
            yield f"the column '{name}' is of the type {said}, not {meant.field(name).type}"
    if file.schema.names != meant.names:
        yield "its columns are in another order"


def _shared(row: Entry, game: Entry) -> Iterator[str]:
    """How a derived row differs from the row it comes of in a column that both have."""
    return (what for column in row if column in game for what in contrast(column, row[column], game[column]))


def _faults(said: Sequence[Entry], meant: Sequence[Entry]) -> Iterator[tuple[int, str]]:
    """How rows differ from those they should be: the position of a row, and a sentence."""
    for i, (row, right) in enumerate(zip_longest(said, meant)):
        if row is None:
            yield i, "a row that comes of this instance is missing"
        elif right is None:
            yield i, "no such row comes of this instance"
        else:
            yield from ((i, what) for column in right for what in contrast(column, row[column], right[column]))
