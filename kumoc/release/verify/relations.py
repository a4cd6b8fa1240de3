"""How rows stand to each other: no two are the same instance, and disjoint splits share no truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kumoc.benchmark import Mode
from kumoc.generate import Instance, identity
from kumoc.release.plan import Job


@dataclass(slots=True)
class Relations:
    """The rows seen so far, as digests and numbers: some 300 bytes for each."""

    _lists: dict[tuple[str, bytes], tuple[int, bool]] = field(default_factory=dict)
    _contents: dict[tuple[str, bytes], int] = field(default_factory=dict)
    _splits: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _starts: list[tuple[int, str]] = field(default_factory=list)
    _seen: int = 0

    def begin(self, path: str) -> None:
        """The rows that follow are those of the file at ``path``."""
        self._starts.append((self._seen, path))

    def add(self, job: Job, instance: Instance | None) -> Iterator[str]:
        """Remember the next row, and say how it clashes with one before; None stands for a row without instance."""
        number = self._seen
        self._seen += 1
        if instance is None:
            return
        digests = identity(instance)
        fair = job.size.mode is Mode.FAIR
        lists, content = (job.tables.domain, digests.lists), (job.tables.domain, digests.content)
        first, any_fair = self._lists.get(lists, (number, fair))
        if content in self._contents:
            yield f"it is the same instance as {self._place(self._contents[content])}"
        elif first != number and (fair or any_fair):
            yield f"it lists what {self._place(first)} lists, and a fair instance shares its lists with none"
        self._lists[lists] = first, fair or any_fair
        self._contents.setdefault(content, number)
        if job.size.disjoint:
            yield from self._shared(job, instance)

    def _shared(self, job: Job, instance: Instance) -> Iterator[str]:
        for truth in instance.truths:
            name = instance.tables.truths[truth].name
            split = self._splits.setdefault((job.size.name, job.tables.domain, name), job.split)
            if split != job.split:
                yield f"it lists {name!r}, as the split '{split}' does, and splits of this size share no truth"

    def _place(self, number: int) -> str:
        start, path = next(each for each in reversed(self._starts) if each[0] <= number)
        return f"row {number - start} of {path}"
