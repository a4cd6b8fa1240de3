"""Releases that were built before, and the instances that they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from kumoc.benchmark import GAME, Mode
from kumoc.generate import Identity
from kumoc.release.errors import BuildError
from kumoc.release.folder import Folder, UnreadableError
from kumoc.release.fresh import Published
from kumoc.release.intact import read_intact
from kumoc.views.restore import renamed_back

_COLUMNS = ["domain", "mode", "truths", "actions", "valid_truths", "observations", "rules", "renamed"]


def published(release: Path) -> Published:
    """The release in a folder. Raises BuildError if it is none, or damaged."""
    return Published(release, read_intact(release)["rows_sha256"])


def identities(release: Published) -> Iterator[tuple[str, Mode, Identity]]:
    """Of each instance of a release its domain, how it was chosen, and what tells it from others.

    Rows are read group by group. Raises BuildError for a file that can't be read.
    """
    for file in read_intact(release.path)["files"]:
        if file["view"] == GAME and not file["edition"]:
            yield from _identities_in(Folder(release.path), file["path"])


def _identities_in(folder: Folder, path: str) -> Iterator[tuple[str, Mode, Identity]]:
    try:
        with folder.open(path) as file, pq.ParquetFile(file) as parquet:
            for batch in parquet.iter_batches(batch_size=1_000, columns=_COLUMNS):
                for row in map(renamed_back, batch.to_pylist()):
                    yield row["domain"], Mode(row["mode"]), _identity(row)
    except (UnreadableError, pa.ArrowException, KeyError, ValueError) as error:
        raise BuildError(f"the rows of {folder.root / path} can't be read", "build that release again") from error


def _identity(row: Mapping[str, Any]) -> Identity:
    outcomes = [(seen["action"], _outcome(seen, row["rules"])) for seen in row["observations"]]
    return Identity.of(row["truths"], row["actions"], row["valid_truths"], outcomes)


def _outcome(seen: Mapping[str, Any], rules: list[dict[str, Any]]) -> str:
    """The observed outcome in the words of :func:`kumoc.generate.duplicates.words`."""
    if seen["label"] is not None:
        return str(seen["label"])
    lows = [float(rule["low"]) for rule in rules if rule["action"] == seen["action"] and rule["low"] < seen["value"]]
    return repr(max(lows))  # a value lies strictly inside its range
