"""Where a release is built, beside its final place: locked while a build is at work, kept when it is cut short.

A build that was killed, interrupted or ran out of disk goes on from the chunks that it had finished.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from kumoc.generate import Identity
from kumoc.release.errors import BuildError
from kumoc.release.rows import Built


@dataclass(frozen=True, slots=True)
class Workshop:
    """A folder that holds finished chunks in ``parts`` and the release as far as it goes in ``release``."""

    folder: Path

    @property
    def release(self) -> Path:
        """What will be moved to the final place."""
        return self.folder / "release"

    def has(self, chunk: int) -> bool:
        """Whether this chunk is finished."""
        return self._part(chunk).is_file()

    def save(self, chunk: int, rows: Sequence[Built]) -> None:
        """Keep a finished chunk; a part is there as a whole or not at all."""
        part = self._part(chunk)
        unfinished = part.with_suffix(".unfinished")
        try:
            with gzip.open(unfinished, "wt", encoding="utf-8", compresslevel=1) as file:
                for built in rows:
                    digests = built.identity.lists.hex(), built.identity.content.hex()
                    entry = [built.attempt, *digests, built.rows, built.tried]
                    file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            unfinished.replace(part)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise

    def load(self, chunk: int) -> list[Built]:
        """A finished chunk."""
        with gzip.open(self._part(chunk), "rt", encoding="utf-8") as file:
            entries = [json.loads(line) for line in file]
        return [
            Built(attempt, Identity(bytes.fromhex(lists), bytes.fromhex(content)), rows, tried)
            for attempt, lists, content, rows, tried in entries
        ]

    def _part(self, chunk: int) -> Path:
        return self.folder / "parts" / f"{chunk:07d}.json.gz"


@contextmanager
def workshop(release: Path, inputs: Mapping[str, Any]) -> Iterator[Workshop]:
    """The workshop for ``release``, for one build at a time; what another build from other ``inputs`` left is removed.

    It is gone after a build that succeeded, and after a BuildError, which no second try would mend. Raises BuildError
    if another build is at work there; the lock of a process that has died holds nobody up.
    """
    made = [folder for folder in (release.parent, *release.parent.parents) if not folder.exists()]
    folder = release.with_name(f".{release.name}.building")
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        who = _text(folder / "process") or "unknown"
        raise BuildError(
            f"another build is writing {release} (process {who})", "wait for it, or build elsewhere with --out"
        ) from error
    try:
        (folder / "process").write_text(str(os.getpid()), encoding="utf-8")
        yield _prepared(folder, json.dumps(inputs, ensure_ascii=False, sort_keys=True))
    except BuildError:
        _remove(folder, made)
        raise
    else:
        _remove(folder, [])
    finally:
        lock.release()


def _prepared(folder: Path, inputs: str) -> Workshop:
    if _text(folder / "inputs.json") != inputs:
        shutil.rmtree(folder / "parts", ignore_errors=True)
        (folder / "inputs.json").write_text(inputs, encoding="utf-8")
    shutil.rmtree(folder / "release", ignore_errors=True)
    (folder / "parts").mkdir(exist_ok=True)
    (folder / "release").mkdir()
    return Workshop(folder)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _remove(folder: Path, made: Sequence[Path]) -> None:
    """Remove the workshop, and those of the folders above it that were ``made`` for it and are empty."""
    shutil.rmtree(folder, ignore_errors=True)
    for parent in made:
        if parent.is_dir() and not any(parent.iterdir()):
            parent.rmdir()
