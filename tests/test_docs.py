"""The language reference says what the compiler does."""

import re
from pathlib import Path

import pytest

from docs.figures.__main__ import FIGURES
from kumoc.compiler import compile_paths
from kumoc.tables import Outcome, Range, Tables, members
from tests.command import ROOT
from tests.documented import commands, complaint
from tests.kumo_blocks import Block, blocks, kumo_blocks

PAGES = (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")))
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
    assert len(PAGES) > 40
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_command_that_is_shown_is_one_that_kumoc_takes() -> None:
    found = [(page, call) for page in PAGES for call in commands(page.read_text(encoding="utf-8"))]
    assert len(found) > 100
    for page, call in found:
        assert not complaint(call), f"{page.name}: {call}"


@pytest.mark.parametrize(
    "call",
    ["frob", "book frob", "build --frob", "check --format frob", "build --count frob", "split a frob", "solve a --row"],
)
def test_a_command_that_kumoc_does_not_take_is_found(call: str) -> None:
    (shown,) = commands(f"```console\n$ cd here && kumoc {call} | less\n```\n")
    assert shown == f"kumoc {call}" and complaint(shown)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_what_its_script_draws(name: str) -> None:
    drawn = FIGURES[name]()
    assert (ROOT / "docs" / "figures" / f"{name}.svg").read_text(encoding="utf-8") == drawn
