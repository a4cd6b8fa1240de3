"""Fenced blocks of a Markdown document."""

import re
from pathlib import Path
from typing import NamedTuple

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)


class Block(NamedTuple):
    """A fenced block: what stands behind its fence, its text, and where the text begins and ends."""

    info: str
    text: str
    start: int
    end: int
    line: int


def blocks(document: str) -> list[Block]:
    """All fenced blocks of a document, in order."""
    return [
        Block(
            match["info"], match["text"], match.start("text"), match.end("text"), document.count("\n", 0, match.start())
        )
        for match in _FENCE.finditer(document)
    ]


def kumo_blocks(path: Path) -> list[Block]:
    """The blocks of a file that hold `.kumo` text."""
    return [block for block in blocks(path.read_text(encoding="utf-8")) if block.info == "kumo"]
