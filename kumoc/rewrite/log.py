"""What came of each row, one line of JSON each: written as rows are done, and read when a run is taken up again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kumoc.release import BuildError
from kumoc.rewrite.settings import Settings
from kumoc.rewrite.writer import Outcome


class Log:
    """The log in a file; ``books`` has, by the key of a row, the book that passed, or None where the guide is kept.

    A row on which a model gave no answer is not in ``books``.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        """Read what is there. Raises BuildError for a file that is no such log, and OSError."""
        self.path = path
        self._settings = settings
        self.books: dict[str, str | None] = {}
        whole = 0
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else []:
            if not line.endswith(b"\n"):
                break  # the run was cut short while it was written
            whole += len(line)
            try:
                entry = json.loads(line)
                key, book, unanswered = entry["key"], entry["book"], entry["unanswered"]
                if not (isinstance(key, str) and isinstance(book, str | None) and isinstance(unanswered, bool)):
                    raise TypeError("a field of another type")
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise BuildError(f"{path} is no log of rewritten books", "move it away") from error
            if not unanswered:
                self.books[key] = book
        if path.exists():
            with path.open("rb+") as file:
                file.truncate(whole)

    def key(self, row: Mapping[str, Any]) -> str:
        """What tells a row, and how it was to be rewritten, from others."""
        settings = self._settings
        told = [row["instance_id"], row["knowledge_book"], settings.writer, settings.judge, settings.tries]
        return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()

    def add(self, row: Mapping[str, Any], edition: str, split: str, outcome: Outcome) -> None:
        """Write what came of a row; it is in the file when this returns."""
        key = self.key(row)
        entry = {
            "key": key,
            "instance_id": row["instance_id"],
            "size": row["size"],
            "edition": edition,
            "split": split,
            "model": self._settings.writer,
            "judge": self._settings.judge,
            "outcome": "rewritten" if outcome.book is not None else "unanswered" if outcome.silence else "kept",
            "unanswered": bool(outcome.silence),
            "tries": [asdict(each) for each in outcome.tries],
            "tokens": {"read": outcome.tokens[0], "written": outcome.tokens[1]},
            "book": outcome.book,
        }
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(entry) + "\n")
        if not outcome.silence:
            self.books[key] = outcome.book
