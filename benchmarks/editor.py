"""How long the language server takes to answer about a file of 600 lines.

Each question is put right after a key: the file has just changed, so the answer holds what the server makes of the
new text. Beside it stands the same question put again, when nothing has changed. All are milliseconds: the median of
the time from before the change is sent until the answer is read, the slowest, and the mean of what the server's
process used of a processor, which says more on a busy machine (Linux only).

    python benchmarks/editor.py [times]
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.editor_client import Editor, place

ROOT = Path(__file__).parent.parent
LINES = 600


def file_of(lines: int) -> str:
    """A domain of about that many lines: the medical one, with no more of its actions than fit."""
    text = (ROOT / "domains" / "medical.kumo").read_text(encoding="utf-8")
    kept = text.splitlines(keepends=True)[: lines - 2]
    while kept[-1].rstrip() != "    }":
        kept.pop()
    return "".join([*kept, "  }\n", "}\n"])


def main(times: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "medical.kumo").resolve()
        text = file_of(LINES)
        path.write_text(text, encoding="utf-8")
        with Editor(path.parent) as editor:
            editor.open(path)
            measure(editor, path, text, times)


def measure(editor: Editor, path: Path, text: str, times: int) -> None:
    used = re.search(r"rules out (?=[A-Z])", text)
    assert used is not None
    name, end = place(text, used.end()), place(text, text.rindex("rules out ") + len("rules out "))
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": LINES, "character": 0}}
    questions: dict[str, Callable[[], Any]] = {
        "hover": lambda: editor.about("hover", path, position=name),
        "definition": lambda: editor.about("definition", path, position=name),
        "references": lambda: editor.about("references", path, position=name, context={"includeDeclaration": True}),
        "completion, at the end": lambda: editor.about("completion", path, position=end),
        "document symbols": lambda: editor.about("documentSymbol", path),
        "folding": lambda: editor.about("foldingRange", path),
        "inlay hints, whole file": lambda: editor.about("inlayHint", path, range=whole),
        "code actions": lambda: editor.about("codeAction", path, range=whole, context={"diagnostics": []}),
        "rename": lambda: editor.about("rename", path, position=name, newName="Grippe"),
        "formatting": lambda: editor.about("formatting", path, options={"tabSize": 2, "insertSpaces": True}),
    }
    print(f"{text.count(chr(10))} lines, {len(text):,} characters; {times} times each")
    print("| question | right after a key | slowest | processor | asked again | processor |\n|---|---|---|---|---|---|")
    for number, (question, ask) in enumerate(questions.items()):
        after, again = Watch(editor), Watch(editor)
        for key in range(times):
            with after:
                editor.change(path, text.replace("# ", f"# {number}.{key} ", 1))
                ask()
            with again:
                ask()
        print(
            f"| {question} | {after.median:.0f} | {after.slowest:.0f} | {after.processor:.0f} "
            f"| {again.median:.0f} | {again.processor:.0f} |"
        )


class Watch:
    """Milliseconds that went by, and those of the processor that the server used."""

    def __init__(self, editor: Editor) -> None:
        self._stat = Path(f"/proc/{editor.pid}/stat")
        self._passed: list[float] = []
        self._used = 0.0

    def __enter__(self) -> None:
        self._begun = time.perf_counter(), self._ticks()

    def __exit__(self, *_: object) -> None:
        self._passed.append(1000 * (time.perf_counter() - self._begun[0]))
        self._used += self._ticks() - self._begun[1]

    def _ticks(self) -> float:
        fields = self._stat.read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def median(self) -> float:
        return statistics.median(self._passed)

    @property
    def slowest(self) -> float:
        return max(self._passed)

    @property
    def processor(self) -> float:
        return self._used / len(self._passed)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
