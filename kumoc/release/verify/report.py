"""What a verification found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

MAX_FINDINGS = 1_000
"""Findings that are kept; the others are counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it must be: in which file, in which of its rows (from 0) and of which identity."""

    file: str
    what: str
    row: int | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class FileReport:
    """A file, how many rows of it were read (None: it holds none) and how many findings there are about it."""

    path: str
    rows: int | None
    findings: int


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a verification.

    ``recomputed`` of the ``instances``, the rows of the game view that were read, were also rebuilt and played by both
    players. ``more`` findings there are beside those in ``findings``. ``notes`` say what could not be tried.
    """

    benchmark: str
    version: str
    kumoc: str
    instances: int
    recomputed: int
    files: tuple[FileReport, ...]
    findings: tuple[Finding, ...]
    more: int
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "ok": self.ok,
            "benchmark": self.benchmark,
            "version": self.version,
            "kumoc": self.kumoc,
            "instances": self.instances,
            "recomputed": self.recomputed,
            "files": [
                {"path": file.path, "ok": not file.findings, "rows": file.rows, "findings": file.findings}
                for file in self.files
            ],
            "findings": [
                {"file": finding.file, "row": finding.row, "id": finding.id, "what": finding.what}
                for finding in self.findings
            ],
            "more": self.more,
            "notes": list(self.notes),
        }


class Log:
    """Collects findings, and the files that were looked at in their order."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.findings: list[Finding] = []
        self.notes: list[str] = []
        self.instances = 0
        self.recomputed = 0
        self._rows: dict[str, int | None] = {}
        self._counts: Counter[str] = Counter()

    def look_at(self, file: str, rows: int | None = None) -> None:
        """A file is looked at, and ``rows`` of it were read."""
        self._rows[file] = rows

    def add(self, file: str, what: str | Iterable[str], row: int | None = None, id_: str | None = None) -> None:
        """One finding or several about a file that is looked at from now on, if it was not before."""
        self._rows.setdefault(file, None)
        for sentence in [what] if isinstance(what, str) else what:
            self._counts[file] += 1
            if len(self.findings) < MAX_FINDINGS:
                self.findings.append(Finding(file, sentence, row, id_))

    def is_clean(self, file: str) -> bool:
        """Whether nothing was found about ``file``."""
        return not self._counts[file]

    def report(self, benchmark: str, version: str, kumoc: str) -> Report:
        """The report on all that was collected."""
        return Report(
            benchmark=benchmark,
            version=version,
            kumoc=kumoc,
            instances=self.instances,
            recomputed=self.recomputed,
            files=tuple(FileReport(path, rows, self._counts[path]) for path, rows in self._rows.items()),
            findings=tuple(self.findings),
            more=self._counts.total() - len(self.findings),
            notes=tuple(self.notes),
        )
