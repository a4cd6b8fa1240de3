"""The edge to the file system: finding and reading sources."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kumoc.diagnostics import Diagnostic, Place, Rule, Source
from kumoc.diagnostics.rules import FILE_TOO_LARGE, NOT_UTF_8, NOTHING_TO_COMPILE, UNREADABLE_FILE

MAX_BYTES = 1_000_000
"""A domain is a page; a file of more than a megabyte is a mistake or an attack."""


def read_sources(paths: Iterable[str | os.PathLike[str]]) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """The sources at these paths, a folder standing for all ``.kumo`` files below it, and why others can't be read.

    A file that is named twice, also by way of its folder, is read once.
    """
    sources: list[Source] = []
    problems: list[Diagnostic] = []
    seen: set[str] = set()
    for path in (Path(path) for path in paths):
        found = sorted(file for file in path.rglob("*.kumo") if not file.is_fifo()) if path.is_dir() else [path]
        if not found:
            problems.append(_problem(NOTHING_TO_COMPILE, path, "no .kumo file is in this folder"))
        for file in found:
            identity = os.path.realpath(file)  # unlike Path.resolve it bears a link to itself
            if identity not in seen:
                seen.add(identity)
                result = read_source(file)
                (sources if isinstance(result, Source) else problems).append(result)  # type: ignore[arg-type]
    return tuple(sources), tuple(problems)


def read_source(path: Path) -> Source | Diagnostic:
    """The source at ``path``, or what keeps it from being read."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return _problem(UNREADABLE_FILE, path, f"can't read this file: {error.strerror or error}")
    return decoded(path, data)


def decoded(path: str | Path, data: bytes) -> Source | Diagnostic:
    """The source at ``path`` that holds ``data``, or what keeps it from being read."""
    if len(data) > MAX_BYTES:
        message = f"this file has more than {MAX_BYTES:,} bytes"
        return _problem(FILE_TOO_LARGE, path, message, "put each domain into a file of its own")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"line {line} is not UTF-8 (byte {error.start + 1} is 0x{data[error.start]:02x})"
        return _problem(NOT_UTF_8, path, message, "save the file with the encoding UTF-8")
    return Source(str(path), text)


def write_text(path: Path, text: str | Iterable[str]) -> None:
    """Write a file whole or not at all, in a folder that is made if need be; one that exists keeps its permissions.

    A text may come in parts; whatever is raised while they are made leaves nothing either. Raises OSError.
    """
    with _whole(path) as place, place.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines([text] if isinstance(text, str) else text)


def write_bytes(path: Path, data: bytes) -> None:
    """:func:`write_text` for what is no text."""
    with _whole(path) as place:
        place.write_bytes(data)


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Where to write what becomes ``path`` in the end, if nothing is raised; errors of that place name ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}-"
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix)
        os.close(handle)
        place = Path(name)
        try:
            yield place
            place.chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644)
            place.replace(path)
        except BaseException:
            place.unlink(missing_ok=True)
            raise
    except OSError as error:
        if Path(str(error.filename)).name.startswith(prefix):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _problem(rule: Rule, path: str | Path, message: str, help_: str = "") -> Diagnostic:
    return Diagnostic(rule, message, Place(Source(str(path), "")), help_)
