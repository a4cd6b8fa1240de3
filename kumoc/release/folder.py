"""Read a release that somebody else wrote: whatever is in its folder, nothing outside it is read or executed."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

MAX_TEXT = 32 * 2**20
"""Bytes of a JSON file or a card; those of a large benchmark have a tenth of it."""

MAX_VALUES = 50_000_000
"""Values that a column may have in one group of rows: Parquet can pack any number of them into a few bytes."""

BATCH = 100
"""Rows that are in memory at a time."""

PASSED_OVER = frozenset({".git", ".gitattributes", ".cache"})
"""What the Hub and its tools leave beside a release that they store or download."""


class UnreadableError(Exception):
    """A file that can't be read as what it should be; the message says why."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder and the files below it, named by relative paths with slashes."""

    root: Path

    def files(self) -> Iterator[str]:
        """Everything below the folder that is no folder itself, links included, in order. Raises UnreadableError."""
        waiting = [""]
        while waiting:
            below = waiting.pop()
            try:
                entries = sorted(os.scandir(self.root / below), key=lambda entry: entry.name)
            except OSError as error:
                raise UnreadableError(f"'{below or self.root}' can't be listed: {error.strerror or error}") from error
            for entry in entries:
                path = f"{below}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    waiting += [] if path in PASSED_OVER else [f"{path}/"]
                elif path not in PASSED_OVER:
                    yield path

    def open(self, path: str) -> BufferedReader:
        """The file at ``path``. Raises UnreadableError unless it is a regular file reached without links."""
        parts = path.split("/")
        if not all(parts) or "\\" in path or "\0" in path or ":" in path or not {".", ".."}.isdisjoint(parts):
            raise UnreadableError("its path is none of a file in a release")
        place = self.root
        try:
            for part in parts:
                place /= part
                mode = place.lstat().st_mode
                if stat.S_ISLNK(mode):
                    raise UnreadableError("it is a link, or in a linked folder: a release holds its files themselves")
            if not stat.S_ISREG(mode):
                raise UnreadableError("it is no regular file")
            return place.open("rb")
        except FileNotFoundError:
            raise UnreadableError("it is missing") from None
        except OSError as error:
            raise UnreadableError(f"it can't be read: {error.strerror or error}") from error

    def sha256(self, path: str) -> tuple[str, int]:
        """The digest of a file and its number of bytes. Raises UnreadableError."""
        with self.open(path) as file:
            try:
                return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
            except OSError as error:
                raise UnreadableError(f"it can't be read: {error.strerror or error}") from error

    def text(self, path: str) -> str:
        """A file in UTF-8, its line breaks as they are. Raises UnreadableError."""
        with self.open(path) as file:
            try:
                data = file.read(MAX_TEXT + 1)
            except OSError as error:
                raise UnreadableError(f"it can't be read: {error.strerror or error}") from error
        if len(data) > MAX_TEXT:
            raise UnreadableError(f"it has more than {MAX_TEXT:,} bytes")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise UnreadableError(f"it is not UTF-8 (byte {error.start + 1})") from error

    def parquet(self, path: str) -> ParquetRows:
        """The rows of a Parquet file, to be closed when done with. Raises UnreadableError."""
        return ParquetRows(self.open(path))


def parse_json(text: str) -> Any:
    """The value that ``text`` holds; names given twice, numbers beyond 64 bits and half characters are refused.

    Raises UnreadableError.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_int=_int64)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"it is not JSON that can be read: {first_line(error)}") from error
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is given twice in one object")
    return found


def _int64(text: str) -> int:
    if len(text) > 20 or not -(2**63) <= int(text) < 2**63:
        raise ValueError("a number takes more than 64 bits")
    return int(text)


class ParquetRows:
    """A Parquet file that is read a few rows at a time; a context manager."""

    def __init__(self, file: BufferedReader) -> None:
        """Read what the file says of itself. Raises UnreadableError, and then closes ``file``."""
        self._file = file
        try:
            self._parquet = pq.ParquetFile(file)
            self.schema: pa.Schema = self._parquet.schema_arrow
        except _ERRORS as error:
            file.close()
            raise UnreadableError(f"it can't be read as Parquet: {first_line(error)}") from error
        self.count: int = self._parquet.metadata.num_rows

    def __enter__(self) -> ParquetRows:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._parquet.close()
        self._file.close()

    def rows(self) -> Iterator[dict[str, Any]]:
        """All rows in their order. Raises UnreadableError, be it after many rows."""
        try:
            self._refuse_bombs()
            for batch in self._parquet.iter_batches(BATCH):
                yield from batch.to_pylist()
        except _ERRORS as error:
            raise UnreadableError(f"its rows can't be read: {first_line(error)}") from error

    def _refuse_bombs(self) -> None:
        metadata = self._parquet.metadata
        for group in range(metadata.num_row_groups):
            columns = metadata.row_group(group)
            if any(columns.column(i).num_values > MAX_VALUES for i in range(columns.num_columns)):
                raise ValueError(f"a column has more than {MAX_VALUES:,} values in one group of rows")


_ERRORS = (pa.ArrowException, OSError, ValueError, TypeError, LookupError, ArithmeticError, MemoryError)


def first_line(error: BaseException) -> str:
    """What an error says, or its name, in one line."""
    return next(iter(str(error).splitlines()), type(error).__name__)
