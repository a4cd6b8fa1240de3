"""The language reference says what the compiler does."""

import json
import re
import shutil
from pathlib import Path

import pytest

from docs.figures.__main__ import FIGURES
from kumoc.compiler import compile_paths
from kumoc.tables import Outcome, Range, Tables, members
from tests.command import DOMAINS, ROOT, kumoc
from tests.documented import commands, complaint
from tests.kumo_blocks import Block, blocks, kumo_blocks
from tests.test_import_trajectories import DOMAIN, INSTANCE, WON

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


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "index.md"], ids=lambda page: page.name)
def test_the_domain_that_is_shown_first_compiles_cleanly(page: Path, tmp_path: Path) -> None:
    (block,) = kumo_blocks(page)
    file = tmp_path / "example.kumo"
    file.write_text(block.text, encoding="utf-8")
    assert compile_paths([file]).diagnostics == ()


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


def python_block(page: str) -> str:
    (block,) = [block for block in blocks((ROOT / "docs" / page).read_text(encoding="utf-8")) if block.info == "python"]
    return block.text


def test_the_example_of_the_api_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "domains").mkdir()
    shutil.copy(DOMAINS / "tea.kumo", tmp_path / "domains")
    monkeypatch.chdir(tmp_path)
    exec(compile(python_block("api/index.md"), "api/index.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_the_example_of_scoring_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = kumoc("bench-players", ROOT / "dist/pocket/1.0.0", "--size", "pairs", "-o", "players.jsonl", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    monkeypatch.chdir(tmp_path)
    exec(compile(python_block("api/evaluate.md"), "api/evaluate.md", "exec"), {})
    heading, *rows = capsys.readouterr().out.strip().splitlines()
    assert heading.startswith("domain,model,size,") and len(rows) == 5


def test_the_published_plays_are_gathered_as_the_importer_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script of the page on the paper, on files that lie and look as the published ones do."""
    size, optimum = "truth_num=4+action_num=6+valid_truth_num=1", 4
    instance = {key: INSTANCE[key] for key in ("truths", "actions", "observations", "seed", "valid_truth")}
    files = {
        "env/data/farm_data.py": "\n".join(f"{name.title()} = {value!r}" for name, value in DOMAIN.items()),
        f"env/FarmEnv/{size}.jsonl": json.dumps(instance),
        f"results/tiny/VanillaAgent/FarmEnv/{size}/eval_times=5.jsonl": json.dumps({"trajectories": [WON], "seed": 7}),
    }
    for name, text in files.items():
        file = tmp_path / "kumo" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    row = {"truth_list": INSTANCE["truths"], "action_list": INSTANCE["actions"], "optimal_action_cnt": optimum}
    published = {"pkuHaowei/kumo-easy": {"FarmEnv": [row]}, "pkuHaowei/kumo-hard": {}}
    monkeypatch.setattr("datasets.load_dataset", published.__getitem__)
    monkeypatch.chdir(tmp_path)
    exec(compile(python_block("paper.md"), "paper.md", "exec"), {})
    result = kumoc("import-trajectories", "plays/", "--instances", "instances/", "--domains", "domains/", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    (line,) = (tmp_path / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    trajectory = json.loads(line)
    assert (trajectory["model"], trajectory["domain"], trajectory["success"]) == ("tiny", "FarmEnv", True)
    assert trajectory["optimal_action_cnt"] == optimum and trajectory["signature"] is not None


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_what_its_script_draws(name: str) -> None:
    drawn = FIGURES[name]()
    file = ROOT / "docs" / "figures" / f"{name}.svg"
    assert file.read_text(encoding="utf-8") == drawn, "draw them anew: python -m docs.figures"
    said = [
        text for page in PAGES for text in re.findall(rf"!\[(.*?)\]\(figures/{name}\.svg\)", page.read_text("utf-8"))
    ]
    assert said
    for number in re.findall(r"\d+%|\d\.\d\d", " ".join(said)):
        assert number in drawn, f"{file.name} does not show {number}"
