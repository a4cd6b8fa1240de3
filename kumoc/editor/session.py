"""A workspace that a client has open: its files, when they are checked, and what the client was told about them."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from kumoc import __version__
from kumoc.compiler import impossible_sizes, why_impossible
from kumoc.diagnostics import Diagnostic, in_order
from kumoc.editor.project import Project, ProjectFile, kumo_files
from kumoc.editor.protocol import Wire

DELAY = 0.2
"""Seconds without a change after which files are checked."""


def name_of(uri: str) -> str:
    """The name of a file: its path, or its URI where it has none."""
    return to_fs_path(uri) or uri


class Session(LanguageServer):
    """The state of the server between two messages."""

    def __init__(self) -> None:
        """Nothing is open."""
        super().__init__("kumoc", __version__, types.TextDocumentSyncKind.Full)
        self.project = Project()
        self._open: dict[str, str] = {}  # the URIs of the files that are open in the editor, by name
        self._told: dict[str, list[types.Diagnostic]] = {}  # the diagnostics that the client has, by URI
        self._impossible: tuple[Diagnostic, ...] = ()
        self._why_impossible = lru_cache(maxsize=256)(why_impossible)
        self._checking: asyncio.Task[None] | None = None

    @property
    def wire(self) -> Wire:
        """The form of things for this client."""
        return Wire(types.PositionEncodingKind(self.workspace.position_encoding).value, self._uri)

    def file(self, document: types.TextDocumentIdentifier) -> ProjectFile | None:
        """A file that the client speaks of; None where it can't be read, or is not one of the workspace."""
        return self.project.files.get(name_of(document.uri))

    def write(self, uri: str, text: str) -> None:
        """Let an open file have this text."""
        name = name_of(uri)
        self._open[name] = uri
        self.project.write(name, text)
        self._check_soon()

    def close(self, uri: str) -> None:
        """Let the file have the text that it has on disk; it is forgotten if no folder of the workspace holds it."""
        self._open.pop(name_of(uri), None)
        self.read_folders()

    def read_folders(self) -> None:
        """Take what the folders of the workspace hold now; files that are open stay as they are."""
        folders = [to_fs_path(uri) for uri in self.workspace.folders] or [self.workspace.root_path]
        found = {name for folder in folders if folder for name in kumo_files(folder)}
        for name in {*found, *self.project.files, *self.project.unreadable} - self._open.keys():
            if name in found:
                self.project.read(name)
            else:
                self.project.forget(name)
        self._check_soon()

    def found(self, file: ProjectFile) -> tuple[Diagnostic, ...]:
        """What is wrong with a file as it is now."""
        known = (*self.project.compile().diagnostics, *self._impossible)
        return tuple(each for each in known if each.place.source is file.source)

    def _uri(self, name: str) -> str:
        return self._open.get(name) or from_fs_path(name) or name

    def _check_soon(self) -> None:
        """Check the workspace when nothing has changed for a moment."""
        if self._checking:
            self._checking.cancel()
        self._checking = asyncio.get_running_loop().create_task(self._check())

    async def _check(self) -> None:
        await asyncio.sleep(DELAY)
        for _, file in sorted(self.project.files.items(), key=lambda item: item[0] not in self._open):
            file.compile()
            await asyncio.sleep(0)  # a request may be waiting
        compilation = self.project.compile()
        found = (*self.project.unreadable.values(), *compilation.diagnostics)
        sources = [file.source for file in self.project.files.values()]
        self._tell((*found, *(each for each in self._impossible if each.place.source in sources)))
        # whether a size can be met is a question for a solver, which takes its time
        self._impossible = await asyncio.to_thread(lambda: (*impossible_sizes(compilation, self._why_impossible),))
        self._tell((*found, *self._impossible))

    def _tell(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Send what is new in these diagnostics of all files."""
        wire = self.wire
        now: dict[str, list[types.Diagnostic]] = {}
        for each in in_order(diagnostics):
            now.setdefault(self._uri(each.place.source.name), []).append(wire.diagnostic(each))
        for uri in sorted({*self._told, *now}):
            if now.get(uri) != self._told.get(uri):
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, now.get(uri, [])))
        self._told = now
