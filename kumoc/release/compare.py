"""Compare two releases: which rows differ, and which of the things they were built from."""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kumoc.release.errors import BuildError
from kumoc.release.folder import Folder, UnreadableError, parse_json
from kumoc.release.manifest import MANIFEST_NAME, config_name, parts
from kumoc.release.verify.form import faults

KINDS = ("same", "changed", "moved", "added", "removed")
"""What becomes of a row: see :class:`Change`; ``same`` are only counted."""

MAX_CHANGES = 1_000
"""Changes of rows that are kept; the others are only counted."""

_DIGEST_BYTES = 8

Place = tuple[str, str, str, str]
"""A view, a size, with the label of its edition if it is not the size's own, a domain and a split, by name."""

_Key = tuple[str, str, int]
"""A row by its view and edition, its instance and how many rows of that instance stand before it in its file."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one row; rows are counted from 0.

    ``changed``: the same instance has other content, in ``columns``, or, if the identities ``id`` and ``new_id``
    differ, another instance has its place. ``moved``: it was in row ``before`` of ``was`` and is now in row ``after``
    of ``place``, in another file or elsewhere among those that stayed. ``added``, ``removed``: one release has it.
    """

    kind: str
    place: Place
    id: str
    before: int | None = None
    after: int | None = None
    was: Place | None = None
    new_id: str | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """Something the two releases were built from that differs; None where a release has nothing of the kind."""

    name: str
    before: Any
    after: Any


@dataclass(slots=True)
class Comparison:
    """How two releases differ: numbers of rows by place and kind, ``changes`` of rows, and ``reasons``."""

    reasons: tuple[Reason, ...]
    counts: dict[Place, Counter[str]] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        """Whether rows, and what they were built from, are the same."""
        return not self.reasons and all(set(+counts) <= {"same"} for counts in self.counts.values())

    def count(self, place: Place, kind: str, number: int = 1) -> None:
        """Count rows of a kind."""
        self.counts.setdefault(place, Counter())[kind] += number

    def add(self, change: Change) -> None:
        """Count a change and, unless there are too many, keep it."""
        self.count(change.place, change.kind)
        if len(self.changes) < MAX_CHANGES:
            self.changes.append(change)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a row is, and a digest of each column."""

    place: Place
    row: int
    digests: bytes


def compare(before: str | os.PathLike[str], after: str | os.PathLike[str]) -> Comparison:
    """How the release ``after`` differs from ``before``. Raises BuildError where one of them can't be read."""
    old, new = _Release(Path(before)), _Release(Path(after))
    comparison = Comparison(tuple(_reasons(old.manifest, new.manifest)))
    differing: list[Place] = []
    for place in {**old.files, **new.files}:
        if place in old.files and place in new.files and old.bytes_digest(place) == new.bytes_digest(place):
            comparison.count(place, "same", old.files[place]["rows"])
        else:
            comparison.count(place, "same", 0)
            differing.append(place)
    _compare_rows(old, new, differing, comparison)
    return comparison


class _Release:
    """One of the releases."""

    def __init__(self, root: Path) -> None:
        """Read the manifest."""
        self._root = root
        self._folder = Folder(root)
        try:
            self.manifest: dict[str, Any] = parse_json(self._folder.text(MANIFEST_NAME))
        except UnreadableError as error:
            raise BuildError(f"{root} can't be compared: {MANIFEST_NAME}: {error}", "give release folders") from error
        for fault in faults(self.manifest, "manifest"):
            raise BuildError(f"{root} can't be compared: {MANIFEST_NAME}: {fault}", "build it with this version")
        self.files: dict[Place, Mapping[str, Any]] = {
            (entry["view"], config_name(entry["size"], entry["edition"]), entry["domain"], entry["split"]): entry
            for entry in self.manifest["files"]
        }
        self.columns: dict[Place, list[str]] = {}

    def bytes_digest(self, place: Place) -> str:
        """The digest of the file of a place."""
        path = self.files[place]["path"]
        try:
            return self._folder.sha256(path)[0]
        except UnreadableError as error:
            raise self._damaged(path, error) from error

    def spots(self, places: list[Place]) -> dict[_Key, _Spot]:
        """The rows of some places."""
        found: dict[_Key, _Spot] = {}
        for place in places:
            if place in self.files:
                path = self.files[place]["path"]
                try:
                    found |= self._spots(place, path)
                except UnreadableError as error:
                    raise self._damaged(path, error) from error
        return found

    def _spots(self, place: Place, path: str) -> Iterator[tuple[_Key, _Spot]]:
        seen: Counter[str] = Counter()
        with self._folder.parquet(path) as file:
            columns = sorted(file.schema.names)
            self.columns[place] = columns
            for number, row in enumerate(file.rows()):
                id_ = str(row.get("instance_id"))
                digests = b"".join(_digest(row[column]) for column in columns)
                yield (f"{place[0]} {self.files[place]['edition']}", id_, seen[id_]), _Spot(place, number, digests)
                seen[id_] += 1

    def _damaged(self, path: str, error: UnreadableError) -> BuildError:
        return BuildError(f"{self._root} can't be compared: {path}: {error}", "see what `kumoc verify` says of it")


def _digest(value: object) -> bytes:
    return hashlib.blake2b(json.dumps(value, default=str).encode(), digest_size=_DIGEST_BYTES).digest()


def _reasons(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Reason]:
    """What differs between the inputs, sizes one by one."""
    before, after = (_parts(manifest) for manifest in (old, new))
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield Reason(name, before.get(name), after.get(name))


def _parts(manifest: Mapping[str, Any]) -> dict[str, Any]:
    named = parts(manifest["benchmark"], manifest["inputs"])
    sizes = {f"size {size['name']}": size for size in named.pop("sizes")}
    return {**named, **sizes, "order of sizes": list(sizes)}


def _compare_rows(old: _Release, new: _Release, places: list[Place], comparison: Comparison) -> None:
    before, after = old.spots(places), new.spots(places)
    arrived = {(spot.place, spot.row): key for key, spot in after.items() if key not in before}
    stayed = _stayed(before, after)
    for key, spot in before.items():
        id_ = key[1]
        now = after.get(key)
        replaced_by = arrived.pop((spot.place, spot.row), None) if now is None else None
        if now is None and replaced_by is None:
            comparison.add(Change("removed", spot.place, id_, spot.row))
        elif now is None:
            comparison.add(
                Change("changed", spot.place, id_, spot.row, spot.row, new_id=replaced_by and replaced_by[1])
            )
        elif key not in stayed:
            comparison.add(Change("moved", now.place, id_, spot.row, now.row, was=spot.place, new_id=id_))
        elif columns := _changed(old.columns[spot.place], spot.digests, new.columns[now.place], now.digests):
            comparison.add(Change("changed", spot.place, id_, spot.row, now.row, new_id=id_, columns=columns))
        else:
            comparison.count(spot.place, "same")
    for (place, row), key in arrived.items():
        comparison.add(Change("added", place, key[1], after=row))


def _stayed(before: Mapping[_Key, _Spot], after: Mapping[_Key, _Spot]) -> set[_Key]:
    """Rows in the same file in both, as many as there are in the same order: a row that is gone moves no other."""
    common: dict[Place, list[_Key]] = {}
    for key, spot in before.items():
        if key in after and after[key].place == spot.place:
            common.setdefault(spot.place, []).append(key)
    stayed: set[_Key] = set()
    for keys in common.values():
        stayed.update(keys[i] for i in longest_rise([after[key].row for key in keys]))
    return stayed


def longest_rise(numbers: Sequence[int]) -> Iterator[int]:
    """The positions of a longest rising part of ``numbers``, which are all different, last first (patience sorting)."""
    ends: list[int] = []
    positions: list[int] = []
    previous: list[int | None] = []
    for position, number in enumerate(numbers):
        length = bisect_left(ends, number)
        previous.append(positions[length - 1] if length else None)
        ends[length : length + 1] = [number]
        positions[length : length + 1] = [position]
    at = positions[-1] if positions else None
    while at is not None:
        yield at
        at = previous[at]


def _changed(old: list[str], before: bytes, new: list[str], after: bytes) -> tuple[str, ...]:
    """The columns whose digests differ, or that are in one release only."""
    first, second = (
        {name: digests[i * _DIGEST_BYTES : (i + 1) * _DIGEST_BYTES] for i, name in enumerate(columns)}
        for columns, digests in ((old, before), (new, after))
    )
    return tuple(name for name in {**first, **second} if first.get(name) != second.get(name))
