"""The language server: what it listens to, and who answers."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kumoc.editor import answers
from kumoc.editor.session import Session
from kumoc.language.lex import grammar

_ANSWERS: dict[str, Callable[..., Any]] = {
    types.TEXT_DOCUMENT_DEFINITION: answers.definition,
    types.TEXT_DOCUMENT_REFERENCES: answers.references,
    types.TEXT_DOCUMENT_HOVER: answers.hover,
    types.TEXT_DOCUMENT_PREPARE_RENAME: answers.prepare_rename,
    types.TEXT_DOCUMENT_RENAME: answers.renaming,
    types.TEXT_DOCUMENT_COMPLETION: answers.completion,
    types.TEXT_DOCUMENT_CODE_ACTION: answers.code_actions,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: answers.symbols,
    types.TEXT_DOCUMENT_FOLDING_RANGE: answers.folding_ranges,
    types.TEXT_DOCUMENT_INLAY_HINT: answers.inlay_hints,
    types.TEXT_DOCUMENT_FORMATTING: answers.formatting,
}
_OPTIONS = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=['"', ",", " "]),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions([types.CodeActionKind.QuickFix]),
}


def start() -> None:
    """Serve one client over the standard input and output until it says good-bye or goes away."""
    session = Session()
    for method, listener in _LISTENERS.items():
        session.feature(method)(listener)
    for method, answer in _ANSWERS.items():
        session.feature(method, _OPTIONS.get(method))(answer)
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    grammar()  # so that the first file does not wait for it
    gc.freeze()  # what is loaded by now stays: the collector need not walk through it while somebody types
    # the standard output is closed when the client has said good-bye, and Python still wants to flush its own
    session.start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a record is worth being shown: a wish that can't be met is no fault of the server."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, JsonRpcException) and error.code == types.LSPErrorCodes.RequestFailed)


def _initialized(ls: Session, _: types.InitializedParams) -> None:
    ls.read_folders()
    workspace = ls.client_capabilities.workspace
    if workspace and workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration:
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*.kumo")])
        watch = types.Registration("kumoc", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        ls.client_register_capability(types.RegistrationParams([watch]))


def _opened(ls: Session, params: types.DidOpenTextDocumentParams) -> None:
    ls.write(params.text_document.uri, params.text_document.text)


def _changed(ls: Session, params: types.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    ls.write(uri, ls.workspace.get_text_document(uri).source)


def _closed(ls: Session, params: types.DidCloseTextDocumentParams) -> None:
    ls.close(params.text_document.uri)


def _files_changed(ls: Session, _: object) -> None:
    ls.read_folders()


_LISTENERS: dict[str, Callable[..., Any]] = {
    types.INITIALIZED: _initialized,
    types.TEXT_DOCUMENT_DID_OPEN: _opened,
    types.TEXT_DOCUMENT_DID_CHANGE: _changed,
    types.TEXT_DOCUMENT_DID_CLOSE: _closed,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: _files_changed,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _files_changed,
}
