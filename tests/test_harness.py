"""The game in one step, and tasks for lm-evaluation-harness."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kumoc.harness import HarnessTask, harness_tasks, select
from kumoc.harness.lm_eval import LAST_ANSWER, NO_ANSWER
from kumoc.harness.onestep import answer, question
from kumoc.play import Fault, Name, Unread
from kumoc.release import BuildError, load
from kumoc.views.read import bare_game
from tests.command import ROOT, kumoc
from tests.provider import Provider
from tests.serving import serving

POCKET = ROOT / "dist" / "pocket" / "1.0.0"
ROWS = list(load(POCKET, split="test"))
PIECES = ("<ANSWER>", "</ANSWER>", "Amber", "Onyx", " ", "\n", "so", "<", ">")


def tasks(out: Path, **choice: Any) -> dict[str, HarnessTask]:
    return {task.name: task for task in harness_tasks(select(POCKET, **choice), out)}


def test_a_selection_has_the_rows_that_are_wanted() -> None:
    assert list(select(POCKET).rows) == ROWS
    assert list(select(POCKET, "easy", ["minerals"], "validation").rows) == list(
        load(POCKET, "easy", split="validation")
    )
    manifest = json.loads((POCKET / "manifest.json").read_text(encoding="utf-8"))
    release = select(POCKET, "pairs").release
    assert (release.name, release.version, release.rows_sha256) == ("pocket", "1.0.0", manifest["rows_sha256"])


@pytest.mark.parametrize(
    ("choice", "message", "help_"),
    [
        ({"size": "huge"}, "no size 'huge'", "its sizes: easy, pairs, paper"),
        ({"domains": ["minerals", "tea"]}, "no domain 'tea'", "its domains: minerals"),
        ({"split": "train"}, "no split 'train'", "its splits: validation, test"),
        ({"size": "pairs", "split": "validation"}, "split 'validation' and size 'pairs'", "splits of 'pairs': test"),
    ],
)
def test_what_a_release_has_not_is_said(choice: dict[str, Any], message: str, help_: str) -> None:
    with pytest.raises(BuildError, match=message) as raised:
        select(POCKET, **choice)
    assert help_ in raised.value.help


@pytest.mark.parametrize("system", ["book", "table"])
def test_a_question_shows_every_outcome_and_says_nothing_else_of_what_is_valid(system: Any) -> None:
    for row in ROWS:
        bare = bare_game(row)
        asked = question(row, bare, system)
        known, seen = asked.split("Every action has been taken.")
        assert (row["knowledge_book"].strip() == known.strip()) == (system == "book")
        for one in row["observations"]:
            assert f'The outcome of "{one["action"]}" is "{one["text"]}".' in seen
        assert not any(truth in seen for truth in row["truths"])


def test_an_answer_is_a_truth_and_no_action() -> None:
    row = ROWS[0]
    bare = bare_game(row)
    assert answer(f"<ANSWER> {row['truths'][2]} </ANSWER>", bare) == Name(2)
    assert answer(f"<ANSWER> {row['actions'][0]} </ANSWER>", bare) == Unread(Fault.UNKNOWN, row["actions"][0])


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_harness_finds_the_answer_that_a_strict_reading_finds(text: str) -> None:
    class Bare:
        truths = ("Amber", "Onyx")

    found = re.findall(LAST_ANSWER, text)
    said = found[-1].strip() if found else NO_ANSWER
    move = answer(text, Bare)  # type: ignore[arg-type]
    strict = Bare.truths[move.truth] if isinstance(move, Name) and move.fault is None else None
    assert (said if said in Bare.truths else None) == strict


@pytest.mark.parametrize("tail", ["", "<ANSWER>" * 20_000, "</ANSWER>" * 20_000, "<ANSWER> x " * 20_000, "." * 200_000])
def test_the_harness_finds_an_answer_in_a_long_text(tail: str) -> None:
    """A search of every start for every end would take hours here."""
    assert re.findall(LAST_ANSWER, tail) == []
    assert re.findall(LAST_ANSWER, f"{tail}<ANSWER> Amber </ANSWER>{tail}")[-1].strip() == "Amber"


def test_each_size_is_a_task_whose_rows_are_its_questions(tmp_path: Path) -> None:
    result = kumoc("export-harness", POCKET, "-o", tmp_path / "tasks")
    assert result.returncode == 0, result.stderr
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == [
        "kumoc_pocket_easy", "kumoc_pocket_pairs", "kumoc_pocket_paper",
    ]  # fmt: skip
    for size in ("easy", "pairs", "paper"):
        config = yaml.safe_load((tmp_path / "tasks" / f"kumoc_pocket_{size}.yaml").read_text(encoding="utf-8"))
        data = Path(config["dataset_kwargs"]["data_files"][config["test_split"]])
        lines = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
        rows = [row for row in ROWS if row["size"] == size]
        assert [line[config["doc_to_text"]] for line in lines] == [question(row, bare_game(row)) for row in rows]
        assert [line[config["doc_to_target"]] for line in lines] == [row["valid_truths"] for row in rows]
        assert {line["canary"] for line in lines} == {rows[0]["canary"]}
    again = kumoc("export-harness", POCKET, "-o", tmp_path / "tasks")
    assert again.returncode == 1 and "exists already" in again.stderr
    assert kumoc("export-harness", POCKET, "-o", tmp_path / "tasks", "--overwrite").returncode == 0
    wrong = kumoc("export-harness", POCKET, "-o", tmp_path / "none", "--size", "huge")
    assert wrong.returncode == 1 and "its sizes" in wrong.stderr and not (tmp_path / "none").exists()


def test_other_rows_have_another_file(tmp_path: Path) -> None:
    chosen = [{}, {"split": "validation"}, {"domains": ["minerals"]}, {"domains": ["minerals"], "split": "validation"}]
    found = [task for choice in chosen for task in tasks(tmp_path, size="easy", **choice).values()]
    found += harness_tasks(select(POCKET, "easy"), tmp_path, "table")
    assert [task.name for task in found] == [
        f"kumoc_pocket_easy{more}" for more in ("", "_validation", "_minerals", "_validation_minerals", "_table")
    ]
    assert len({task.config for task in found}) == len({task.data for task in found}) == 5
    metadata = yaml.safe_load(found[3].config_text)["metadata"]
    assert (metadata["split"], metadata["domains"]) == ("validation", ["minerals"])
    assert found[0].data == tasks(tmp_path)["kumoc_pocket_easy"].data


@pytest.mark.lm_eval
@pytest.mark.parametrize(("player", "right"), [("exact", 4), ("second", 2), ("malformed", 0)])
def test_the_harness_runs_a_task(tmp_path: Path, player: str, right: int) -> None:
    kumoc("export-harness", POCKET, "-o", tmp_path, "--size", "pairs")
    with serving(Provider(ROWS, player).answer) as url:
        subprocess.run(
            [
                sys.executable, "-m", "lm_eval", "run", "--tasks", str(tmp_path / "kumoc_pocket_pairs.yaml"),
                "--model", "local-chat-completions", "--apply_chat_template", "--output_path", str(tmp_path / "out"),
                "--model_args", f"model=any,base_url={url}/v1/chat/completions,tokenizer_backend=None",
            ],
            check=True, cwd=tmp_path, capture_output=True,
        )  # fmt: skip
    [results] = (tmp_path / "out").glob("**/results_*.json")
    found = json.loads(results.read_text(encoding="utf-8"))["results"]["kumoc_pocket_pairs"]
    assert found["exact_match,last-answer"] == right / 4
    assert sum(row["truths"][1] in row["valid_truths"] for row in ROWS if row["size"] == "pairs") == 2
