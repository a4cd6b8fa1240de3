"""Rows to Parquet files and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP = 1_000


def arrow_schema(columns: Mapping[str, Any]) -> pa.Schema:
    """The Arrow schema of columns written as in :data:`kumoc.views.GAME_COLUMNS`."""
    return pa.schema([(name, _arrow_type(type_)) for name, type_ in columns.items()])


def _arrow_type(type_: Any) -> pa.DataType:
    if isinstance(type_, list):
        return pa.list_(_arrow_type(type_[0]))
    if isinstance(type_, Mapping):
        return pa.struct([(name, _arrow_type(field)) for name, field in type_.items()])
    return pa.type_for_alias(type_)


class Writer:
    """Writes rows to a new file, zstd-compressed, in groups of a thousand, and digests them on the way."""

    def __init__(self, path: Path, columns: Mapping[str, Any]) -> None:
        """``columns`` as in :data:`kumoc.views.GAME_COLUMNS`."""
        self._schema = arrow_schema(columns)
        self._file = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._group: list[Mapping[str, Any]] = []
        self._digest = hashlib.sha256()

    @property
    def rows_sha256(self) -> str:
        """The digest of the rows so far: see :func:`rows_digest`."""
        return self._digest.hexdigest()

    def write(self, row: Mapping[str, Any]) -> None:
        """Add one row."""
        self._digest.update(_canonical(row))
        self._group.append(row)
        if len(self._group) == ROW_GROUP:
            self._flush()

    def abandon(self) -> None:
        """Let go of a file that won't be finished; nothing happens after :meth:`close`."""
        self._group = []
        with suppress(OSError, pa.ArrowException):
            self._file.close()

    def close(self) -> None:
        """Write what is left; nothing happens the second time."""
        if self._file.is_open:
            try:
                self._flush()
            finally:
                self._file.close()

    def _flush(self) -> None:
        if self._group:
            self._file.write_table(pa.Table.from_pylist(self._group, schema=self._schema))
            self._group = []


def write(path: Path, rows: Iterable[Mapping[str, Any]], columns: Mapping[str, Any]) -> None:
    """Write all ``rows`` to a new file."""
    writer = Writer(path, columns)
    for row in rows:
        writer.write(row)
    writer.close()


def read(path: Path) -> list[dict[str, Any]]:
    """All rows of a file."""
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def rows_digest(rows: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 of the rows in a canonical form: one line of JSON each, keys in order, without spaces.

    Unlike the bytes of a Parquet file it is the same under any version of any library.
    """
    digest = hashlib.sha256()
    for row in rows:
        digest.update(_canonical(row))
    return digest.hexdigest()


def _canonical(row: Mapping[str, Any]) -> bytes:
    return (json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n").encode()
