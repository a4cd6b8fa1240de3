"""The files of a workspace as they stand: in an editor where they are open in one, else on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from kumoc.diagnostics import Diagnostic, Source
from kumoc.editor.symbols import Occurrence, Symbol, occurrences
from kumoc.files import decoded, read_source
from kumoc.language.compile import Compilation, CompiledFile, compile_file, link

_PASSED_OVER = ("node_modules", "site-packages")


class ProjectFile:
    """A source with what it compiles to, worked out when it is first asked for."""

    def __init__(self, source: Source, before: CompiledFile | None = None) -> None:
        """Nothing is compiled yet; ``before`` is what an earlier text of the file compiled to."""
        self.source = source
        self._before = before
        self._compiled: CompiledFile | None = None

    def compile(self) -> CompiledFile:
        """What the source says by itself; worked out once."""
        if self._compiled is None:
            self._compiled = compile_file(self.source)
        return self._compiled

    def recent(self) -> CompiledFile:
        """What the source says, or what it said a few keys ago where that is known and this is not."""
        return self._compiled or self._before or self.compile()

    @property
    def domains(self) -> tuple[str, ...]:
        """The names of the domains that it declares."""
        return tuple(domain.node.name.text for domain in self.compile().domains)

    @cached_property
    def names(self) -> tuple[Occurrence, ...]:
        """All names in it that mean something, in order."""
        return occurrences(self.compile().file)


Files = Mapping[str, ProjectFile]
"""Files by their names."""


def places(files: Files, symbol: Symbol) -> dict[str, tuple[Occurrence, ...]]:
    """Where a symbol is named, by file; files that don't name it are left out."""
    found = {name: tuple(each for each in file.names if each.symbol == symbol) for name, file in files.items()}
    return {name: occurrences for name, occurrences in found.items() if occurrences}


def reach(files: Files, name: str, symbol: Symbol) -> Files:
    """The files that can name a symbol met in the file ``name``: all but others that declare its domain as well."""
    domain = symbol.within[0] if symbol.within else symbol.name
    rivals = {each for each, file in files.items() if domain in file.domains}
    return {each: file for each, file in files.items() if each == name or not {each, name} <= rivals}


class Project:
    """Files by their names, compiled together as ``kumoc check`` does with those of a folder.

    A file is compiled again only when its text has changed.
    """

    def __init__(self) -> None:
        """No files."""
        self.files: dict[str, ProjectFile] = {}
        self.unreadable: dict[str, Diagnostic] = {}

    def write(self, name: str, text: str) -> None:
        """Let the file have this text."""
        self._take(name, decoded(name, text.encode("utf-8", "surrogatepass")))

    def read(self, name: str) -> None:
        """Take the file as it is on disk; it is forgotten if it is not there."""
        if Path(name).is_file():
            self._take(name, read_source(Path(name)))
        else:
            self.forget(name)

    def forget(self, name: str) -> None:
        """Let there be no such file."""
        self.files.pop(name, None)
        self.unreadable.pop(name, None)

    def compile(self) -> Compilation:
        """All files together, in the order of their names."""
        return link([file.compile() for _, file in sorted(self.files.items())])

    def _take(self, name: str, found: Source | Diagnostic) -> None:
        before = self.files.get(name)
        if before and isinstance(found, Source) and before.source.text == found.text:
            return
        self.forget(name)
        if isinstance(found, Source):
            self.files[name] = ProjectFile(found, before.recent() if before else None)
        else:
            self.unreadable[name] = found


def kumo_files(folder: str) -> Iterator[str]:
    """The ``.kumo`` files below a folder, but for those in hidden folders and in installed packages."""
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _PASSED_OVER)
        yield from (str(Path(path, name)) for name in sorted(files) if name.endswith(".kumo"))
