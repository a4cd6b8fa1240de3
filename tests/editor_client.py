"""A small editor: it runs the language server in a process of its own and speaks JSON-RPC with it."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, Self

from tests.command import KUMOC, ROOT

SECONDS = 60
"""The longest that anything is waited for."""

Message = dict[str, Any]


class ServerError(Exception):
    """The server answered with an error."""


class Editor:
    """A client that has a folder open, if any. Columns are UTF-16 units unless ``capabilities`` offer others."""

    def __init__(self, folder: Path | None, **capabilities: Any) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([*KUMOC, "lsp"], stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT)
        self._incoming: Queue[Message] = Queue()
        self._ids = itertools.count(1)
        self.heard: list[Message] = []  # everything that was not an answer, in order
        Thread(target=self._read, daemon=True).start()
        folders = [{"uri": folder.as_uri(), "name": folder.name}] if folder else None
        root = folder.as_uri() if folder else None
        self.server = self.ask(
            "initialize", processId=None, rootUri=root, workspaceFolders=folders, capabilities=capabilities
        )
        self.tell("initialized")

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.stop()

    def stop(self) -> tuple[int, str]:
        """Say good-bye; the exit code, and what the server wrote on its standard error."""
        self.ask("shutdown")
        self.tell("exit")
        _, errors = self._process.communicate(timeout=SECONDS)
        return self._process.returncode, errors.decode()

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request. Raises ServerError."""
        number = next(self._ids)
        self._send({"id": number, "method": method, "params": params})
        answer = self._next(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise ServerError(answer["error"]["message"])
        return answer["result"]

    def tell(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def open(self, path: Path, text: str | None = None) -> None:
        """Open a file, with its text on disk unless another one is given."""
        shown = path.read_text(encoding="utf-8") if text is None else text
        document = {"uri": path.as_uri(), "languageId": "kumo", "version": 0, "text": shown}
        self.tell("textDocument/didOpen", textDocument=document)

    def change(self, path: Path, text: str) -> None:
        """Let an open file have this text."""
        document = {"uri": path.as_uri(), "version": next(self._ids)}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def close(self, path: Path) -> None:
        """Close a file."""
        self.tell("textDocument/didClose", textDocument={"uri": path.as_uri()})

    def about(self, method: str, path: Path, **params: Any) -> Any:
        """The result of a request about a file; a ``position`` may be given as a pair."""
        if isinstance(position := params.get("position"), tuple):
            params["position"] = dict(zip(("line", "character"), position, strict=True))
        return self.ask(f"textDocument/{method}", textDocument={"uri": path.as_uri()}, **params)

    def diagnostics(self, path: Path) -> list[Message]:
        """The next diagnostics that are sent for a file."""
        message = self._next(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == path.as_uri()
            )
        )
        found: list[Message] = message["params"]["diagnostics"]
        return found

    def _next(self, wanted: Callable[[Message], bool]) -> Message:
        while True:
            message = self._incoming.get(timeout=SECONDS)
            if "method" in message:
                self.heard.append(message)
                if "id" in message:
                    self._send({"id": message["id"], "result": None})
            if wanted(message):
                return message

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.removeprefix(b"Content-Length: "))
            while stream.readline().strip():
                pass
            self._incoming.put(json.loads(stream.read(length)))


def place(text: str, offset: int) -> tuple[int, int]:
    """The line and the UTF-16 column of a character."""
    line = text[:offset].rpartition("\n")[2]
    return text.count("\n", 0, offset), len(line.encode("utf-16-le")) // 2


def position(text: str, marked: str, number: int = 0) -> tuple[int, int]:
    """The place of the ``number``-th ``marked`` in ``text``, or of the ``|`` in it."""
    start = -1
    for _ in range(number + 1):
        start = text.index(marked.replace("|", "", 1), start + 1)
    return place(text, start + max(marked.find("|"), 0))
