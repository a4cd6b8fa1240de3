"""How books are rewritten."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Which models write and judge, by Inspect's names, and how often a book is written at most (``tries``).

    ``connections`` rows are at work at a time.
    """

    writer: str
    judge: str
    tries: int = 3
    connections: int = 4
