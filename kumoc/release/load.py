"""Read the rows of a release, without ``datasets`` and its cache."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kumoc.play import Release
from kumoc.release.fresh import release_name
from kumoc.release.manifest import MANIFEST_NAME
from kumoc.release.parquet import read


def identify(release: str | os.PathLike[str]) -> Release:
    """What a trajectory says of the release in a folder. Raises OSError where the folder holds no release."""
    manifest = _manifest(Path(release))
    benchmark, fresh = manifest["benchmark"], manifest["inputs"]["fresh"]
    version = release_name(benchmark["version"], fresh["label"] if fresh else None)
    return Release(benchmark["name"], version, manifest["rows_sha256"])


def load(
    release: str | os.PathLike[str],
    size: str | None = None,
    *,
    domain: str | None = None,
    split: str | None = None,
    view: str = "game",
    edition: str = "",
) -> Iterator[dict[str, Any]]:
    """The rows of a release folder, in its own order; each argument that is given keeps only what matches it.

    ``edition`` is the label of one, such as ``table`` or ``long4000-zh``; without it the rows are in each size's own.

    Raises OSError where the folder holds no release.
    """
    folder = Path(release)
    manifest = _manifest(folder)
    wanted = {"size": size, "domain": domain, "split": split, "view": view, "edition": edition}
    for file in manifest["files"]:
        if all(value is None or file[key] == value for key, value in wanted.items()):
            yield from read(folder / file["path"])


def _manifest(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))
    return manifest
