"""Rows to Parquet files and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
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


def write(path: Path, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any]) -> None:
    """Write ``rows`` to a new file, zstd-compressed, in groups of a thousand."""
    schema = arrow_schema(columns)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, len(rows), ROW_GROUP):
            writer.write_table(pa.Table.from_pylist(rows[start : start + ROW_GROUP], schema=schema))


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
        digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())
        digest.update(b"\n")
    return digest.hexdigest()
