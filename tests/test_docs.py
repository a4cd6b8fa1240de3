"""The language reference says what the compiler does."""

import re
from pathlib import Path

import pytest

from kumoc.compiler import compile_paths
from kumoc.tables import Outcome, Range, Tables, members
from tests.command import ROOT
from tests.kumo_blocks import Block, blocks, kumo_blocks

REFERENCE = ROOT / "docs" / "language.md"
HEADING = "| action | outcome | rules out |\n|---|---|---|\n"


def shown(key: str | Range) -> str:
    return key if isinstance(key, str) else f"{key.low} <= x {'<=' if key.closed else '<'} {key.high}"


def row(tables: Tables, action: str, outcome: Outcome) -> str:
    names = ", ".join(tables.truths[i].name for i in members(outcome.excludes)) or "nothing"
    return f"| {action} | {shown(outcome.key)} | {names} |\n"


@pytest.mark.parametrize("block", kumo_blocks(REFERENCE), ids=lambda block: f"line {block.line}")
def test_every_example_compiles_cleanly_to_the_table_under_it(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "example.kumo"
    file.write_text(block.text, encoding="utf-8")
    compilation = compile_paths([file])
    assert compilation.diagnostics == ()
    document = REFERENCE.read_text(encoding="utf-8")
    after = document[block.end :].removeprefix("```\n\n")
    if after.startswith(HEADING):
        stated = after.removeprefix(HEADING).split("\n\n")[0].rstrip("\n") + "\n"
        (tables,) = compilation.tables
        assert stated == "".join(
            row(tables, action.name, each) for action in tables.actions for each in action.outcomes
        )


def test_every_table_stands_under_an_example() -> None:
    document = REFERENCE.read_text(encoding="utf-8")
    assert document.count(HEADING) == document.count(f"```\n\n{HEADING}") >= 4
    assert len(kumo_blocks(REFERENCE)) >= 7
    assert {block.info for block in blocks(document)} == {"kumo", "text"}


def test_links_lead_somewhere() -> None:
    pages = (ROOT / "README.md", *ROOT.glob("docs/**/*.md"))
    assert len(pages) > 40
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
