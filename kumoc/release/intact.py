"""Whether a release is all there, byte for byte as it was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kumoc.release.errors import BuildError
from kumoc.release.folder import Folder, UnreadableError, parse_json
from kumoc.release.manifest import MANIFEST_NAME
from kumoc.release.schemas import validator


def read_intact(release: Path) -> dict[str, Any]:
    """The manifest of ``release``, each of whose files was found to be what the manifest says.

    Raises BuildError for a folder that is no release, and for one in which a file is missing or has changed.
    """
    folder = Folder(release)
    manifest = _read_manifest(folder)
    damaged = list(_damage(folder, manifest))
    if damaged:
        more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
        raise BuildError(f"{release} is damaged: {damaged[0]}{more}", "build it again with `kumoc build --overwrite`")
    return manifest


def listed_files(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a manifest says of every file beside it: Parquet files first, each with ``path``, ``bytes``, ``sha256``."""
    return [*manifest["files"], *manifest["other_files"]]


def _read_manifest(folder: Folder) -> dict[str, Any]:
    try:
        manifest = parse_json(folder.text(MANIFEST_NAME))
    except UnreadableError as error:
        message = f"{folder.root} is no release, or damaged: {MANIFEST_NAME}: {error}"
        raise BuildError(message, "give a folder that `kumoc build` made") from error
    wrong = next(validator("manifest").iter_errors(manifest), None)
    if wrong is not None:
        where = "/".join(map(str, wrong.absolute_path)) or "its top level"
        message = f"{folder.root / MANIFEST_NAME} has not the form of a manifest, at {where}"
        raise BuildError(message, "build the release again with this version of kumoc")
    checked: dict[str, Any] = manifest
    return checked


def _damage(folder: Folder, manifest: Mapping[str, Any]) -> Iterator[str]:
    for file in listed_files(manifest):
        try:
            digest, _ = folder.sha256(file["path"])
        except UnreadableError as error:
            yield f"{file['path']}: {error}"
        else:
            if digest != file["sha256"]:
                yield f"{file['path']} is not what the manifest says"
