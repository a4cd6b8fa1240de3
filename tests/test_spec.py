"""The documents in ``tests/spec``: under each block of ``.kumo`` stands what the compiler says about it.

``pytest tests/test_spec.py --rewrite-spec`` writes what it says now; read the difference before you commit it.
A block may be marked with how its file is made: ``kumo crlf`` with CRLF line ends, ``kumo latin-1`` in that encoding,
``kumo times 9`` with each line that holds ``{n}`` written that often, with numbers, and ``kumo missing`` not at all.
"""

import re
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from kumoc.compiler import compile_paths
from kumoc.diagnostics import RULES
from kumoc.diagnostics.text import render_text
from tests.kumo_blocks import blocks

SPEC = Path(__file__).parent / "spec"
CLEAN = "nothing to report\n"


class Case(NamedTuple):
    """One block of source and what a document says that the compiler says of it."""

    path: Path
    line: int
    made: str
    source: str
    expected: str
    where: slice
    """Where in the document the expectation stands, with its fence."""


def cases(path: Path) -> list[Case]:
    document = path.read_text(encoding="utf-8")
    found = blocks(document)
    listed = []
    for block, following in zip(found, [*found[1:], None], strict=True):
        language, _, made = block.info.partition(" ")
        if language != "kumo":
            continue
        after = block.end + len("```\n")
        expected, where = "", slice(after, after)
        if following and following.info == "text":
            between = document[after : following.start - len("```text\n")]
            if not between.strip():
                expected, where = following.text, slice(after, following.end + len("```\n"))
        listed.append(Case(path, block.line, made, block.text, expected, where))
    return listed


ALL = [case for path in sorted(SPEC.glob("*.md")) for case in cases(path)]


def write(case: Case, file: Path) -> None:
    """The file that a case is about."""
    match case.made.split():
        case ["missing"]:
            file.unlink(missing_ok=True)
        case ["latin-1"]:
            file.write_bytes(case.source.encode("latin-1"))
        case ["crlf"]:
            file.write_bytes(case.source.replace("\n", "\r\n").encode())
        case ["times", count]:
            lines = case.source.splitlines(keepends=True)
            times = [range(1, int(count) + 1) if "{n}" in line else (0,) for line in lines]
            numbered = zip(lines, times, strict=True)
            file.write_text("".join(line.replace("{n}", str(n)) for line, numbers in numbered for n in numbers))
        case []:
            file.write_bytes(case.source.encode())
        case _:
            raise ValueError(case.made)


def said(case: Case, folder: Path) -> str:
    file = folder / "example.kumo"
    write(case, file)
    diagnostics = compile_paths([file]).diagnostics
    text = click.unstyle(render_text(diagnostics)).replace(str(file), file.name)
    return f"{text.rstrip()}\n" if diagnostics else CLEAN


def rewrite(path: Path, folder: Path) -> None:
    document = path.read_text(encoding="utf-8")
    for case in reversed(cases(path)):
        expectation = f"\n```text\n{said(case, folder)}```\n"
        document = document[: case.where.start] + expectation + document[case.where.stop :]
    path.write_text(document, encoding="utf-8")


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.path.stem}:{case.line}")
def test_the_compiler_says_what_the_document_says(case: Case, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    actual = said(case, tmp_path)
    if actual != case.expected and pytestconfig.getoption("--rewrite-spec"):
        rewrite(case.path, tmp_path)
        return
    assert actual == case.expected


def test_there_are_many_cases_and_every_rule_occurs() -> None:
    assert len(ALL) >= 60
    assert set(re.findall(r"\[(K\d{3}) ", "".join(case.expected for case in ALL))) == set(RULES)
