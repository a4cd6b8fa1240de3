"""``kumoc lsp``."""

from __future__ import annotations

import signal

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.show import show_error


@click.command("lsp")
def command() -> int:
    """Serve an editor: the language server of .kumo files.

    It speaks the Language Server Protocol over its standard input and output, so it is editors that run it.

    \b
    Example:
      kumoc lsp
    """
    try:
        from kumoc.editor.server import start  # noqa: PLC0415 - an extra, and slow to load
    except ModuleNotFoundError as error:
        if error.name not in ("lsprotocol", "pygls"):
            raise
        show_error("the language server needs pygls", "pip install 'kumoc[editor]'")
        return EXIT_BAD_INPUT
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # nothing is ever half-written, and a thread that reads can't be woken
    start()
    return 0
