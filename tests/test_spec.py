"""The documents in ``tests/spec``: under each block of ``.kumo`` stands what the compiler says about it.

``pytest tests/test_spec.py --rewrite-spec`` writes what it says now; read the difference before you commit it.
A block marked ``kumo crlf`` is compiled with CRLF line ends.
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
    source: str
    expected: str
    where: slice
    """Where in the document the expectation stands, with its fence."""


def cases(path: Path) -> list[Case]:
    document = path.read_text(encoding="utf-8")
    found = blocks(document)
    listed = []
    for block, following in zip(found, [*found[1:], None], strict=True):
        if block.info.startswith("kumo"):
            source = block.text.replace("\n", "\r\n") if block.info == "kumo crlf" else block.text
            after = block.end + len("```\n")
            if (
                following
                and following.info == "text"
                and not document[after : following.start - len("```text\n")].strip()
            ):
                listed.append(
                    Case(path, block.line, source, following.text, slice(after, following.end + len("```\n")))
                )
            else:
                listed.append(Case(path, block.line, source, "", slice(after, after)))
    return listed


ALL = [case for path in sorted(SPEC.glob("*.md")) for case in cases(path)]


def said(source: str, folder: Path) -> str:
    file = folder / "example.kumo"
    file.write_bytes(source.encode())
    diagnostics = compile_paths([file]).diagnostics
    text = click.unstyle(render_text(diagnostics)).replace(str(file), file.name)
    return f"{text.rstrip()}\n" if diagnostics else CLEAN


def rewrite(path: Path, folder: Path) -> None:
    document = path.read_text(encoding="utf-8")
    for case in reversed(cases(path)):
        document = (
            f"{document[: case.where.start]}\n```text\n{said(case.source, folder)}```\n{document[case.where.stop :]}"
        )
    path.write_text(document, encoding="utf-8")


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.path.stem}:{case.line}")
def test_the_compiler_says_what_the_document_says(case: Case, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    actual = said(case.source, tmp_path)
    if actual != case.expected and pytestconfig.getoption("--rewrite-spec"):
        rewrite(case.path, tmp_path)
        return
    assert actual == case.expected


def test_there_are_many_cases_and_every_rule_occurs() -> None:
    assert len(ALL) >= 60
    occurring = set(re.findall(r"\[(K\d{3}) ", "".join(case.expected for case in ALL)))
    of_files_and_limits = {"K001", "K002", "K003", "K004", "K408"}
    assert occurring | of_files_and_limits == set(RULES)
