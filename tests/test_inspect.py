"""The tasks for Inspect, run by its own command with players as models: its logs tell, for it exits with 0 anyway."""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from math import isnan, nan
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from click.testing import CliRunner

from kumoc import __version__
from kumoc.cli import cli
from kumoc.evaluate.plays import read_plays
from kumoc.harness.onestep import question
from kumoc.interop import read_log
from kumoc.play import Release, Simulator, opening, play, record, to_json
from kumoc.release import load
from kumoc.release.schemas import validator
from kumoc.views.read import bare_game
from tests.command import ROOT
from tests.provider import Provider
from tests.serving import serving
from tests.talkers import NAMES, PLAYERS, TOKENS

POCKET = ROOT / "dist" / "pocket" / "1.0.0"
ROWS = list(load(POCKET, "easy", split="test"))
MANIFEST = json.loads((POCKET / "manifest.json").read_text(encoding="utf-8"))


def inspect(tmp_path: Path, *arguments: object, **environment: str) -> str:
    """``inspect ARGUMENTS``, which finds the scripted players as it finds other packages; what it prints."""
    about = tmp_path / "scripted_players-1.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: scripted-players\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[inspect_ai]\nscripted = tests.scripted\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("INSPECT_", "XDG_"))}
    path = os.pathsep.join((str(ROOT), str(tmp_path), os.environ.get("PYTHONPATH", "")))
    result = subprocess.run(
        [sys.executable, "-m", "inspect_ai", *map(str, arguments), "--display", "plain"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=kept | {"PYTHONPATH": path, "HOME": str(tmp_path), "COLUMNS": "200"} | environment,
        check=False,
        timeout=120,
    )
    return result.stdout + result.stderr


def logs(folder: Path) -> Iterator[tuple[Path, Any]]:
    from inspect_ai.log import read_eval_log  # noqa: PLC0415 - takes seconds

    for path in sorted(folder.glob("*.eval")):
        yield path, read_eval_log(path)


def test_players_are_scored_as_they_play(tmp_path: Path) -> None:
    models = ",".join(f"scripted/{name}" for name in NAMES)
    printed = inspect(
        tmp_path, "eval", "kumoc/game", "kumoc/onestep", "-T", f"release={POCKET}", "-T", "size=easy",
        "-M", f"release={POCKET}", "--model", models, "--limit", 4, "--epochs", 1, "--log-dir", "logs",
    )  # fmt: skip
    seen = Counter[str]()
    for path, log in logs(tmp_path / "logs"):
        assert log.status == "success", log.error
        assert log.eval.task_version == 1
        assert log.eval.metadata == {
            "release": {"name": "pocket", "version": "1.0.0", "rows_sha256": MANIFEST["rows_sha256"]},
            "kumoc": __version__,
        }
        assert {sample.id for sample in log.samples} == {row["instance_id"] for row in ROWS[:4]}
        check = check_game if log.eval.task == "kumoc/game" else check_onestep
        check(path, log, log.eval.model.removeprefix("scripted/"))
        seen[log.eval.task] += 1
    assert seen == {"kumoc/game": len(NAMES), "kumoc/onestep": len(NAMES)}, printed


def check_game(path: Path, log: Any, player: str) -> None:
    figures = {name: found.value for name, found in log.results.scores[1].metrics.items()}
    played = list(read_log(path))
    for trajectory in played:
        validator("trajectory").validate(trajectory)
    if player == "malformed":
        assert {trajectory["end"] for trajectory in played} == {"refused"}
        assert (figures["success"], figures["parse_errors"], figures["strict_parse_errors"]) == (0, 1, 2)
        return
    if player == "second":
        success = mean(row["truths"][1] in row["valid_truths"] for row in ROWS[:4])
        assert figures["success"] == figures["strict_success"] == success and figures["tokens"] == TOKENS
        return
    for sample in log.samples:  # a log can be scored again from itself alone
        before, again = sample.scores["game_scores"], scored(sample, sample.messages)
        assert again.metadata["trajectory"]["events"] == before.metadata["trajectory"]["events"]
    release = Release("pocket", "1.0.0", MANIFEST["rows_sha256"])
    own, paper, games = [], [], []
    for row in ROWS[:4]:
        simulator = Simulator.of(row)
        state = play(simulator, PLAYERS[player])
        own.append(state.actions / row["exact_expected_actions"] - 1)
        paper.append((state.actions + 2) / (row["paper_trajectory_length"] + 2) - 1)
        tokens = (state.actions + 1) * TOKENS
        games.append(to_json(record(simulator, state, f"scripted/{player}", release=release, tokens=tokens)))
    assert sorted([trajectory | {"origin": {}} for trajectory in played], key=by_id) == sorted(games, key=by_id)
    assert log.results.scores[0].metrics["success"].value == figures["success"] == figures["success (size easy)"] == 1
    assert figures["relative_actions"] == pytest.approx(mean(own))
    assert figures["relative_actions_paper"] == pytest.approx(mean(paper))
    assert figures["relative_actions (mean of domains)"] == figures["relative_actions (domain minerals)"]
    hard = [relative for relative, row in zip(own, ROWS, strict=False) if 1.5 <= row["exact_expected_actions"] < 2]
    assert figures["relative_actions (difficulty 1.5 to 2)"] == pytest.approx(mean(hard))
    assert figures["exact_player"] == mean(row["exact_expected_actions"] for row in ROWS[:4])
    assert figures["wasted"] == mean(game["wasted"] for game in games)


def scored(sample: Any, messages: list[Any]) -> Any:
    """The score of a sample's third game, if it went like this."""
    from inspect_ai.model import ModelName  # noqa: PLC0415
    from inspect_ai.scorer import Target  # noqa: PLC0415
    from inspect_ai.solver import TaskState  # noqa: PLC0415

    from kumoc.harness.inspect_scores import game_scores  # noqa: PLC0415

    state = TaskState(ModelName("a/b"), sample.id, 3, sample.input, messages, metadata=sample.metadata)
    return asyncio.run(game_scores()(state, Target("")))


def by_id(trajectory: dict[str, Any]) -> str:
    return str(trajectory["instance_id"])


def check_onestep(_path: Path, log: Any, player: str) -> None:
    figures = {name: found.value for name, found in log.results.scores[1].metrics.items()}
    second = mean(row["truths"][1] in row["valid_truths"] for row in ROWS[:4])
    assert figures["success"] == (second if player == "second" else 1)
    assert figures["strict_success"] == (0 if player == "malformed" else figures["success"])
    assert figures["parse_errors"] == 0


def test_a_busy_provider_is_waited_for_and_a_run_that_failed_is_taken_up_again(tmp_path: Path) -> None:
    provider = Provider(ROWS, busy=2, refuses=ROWS[1]["instance_id"])
    with serving(provider.answer) as url:
        environment = {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": f"{url}/v1"}
        inspect(
            tmp_path, "eval", "kumoc/game", "-T", f"release={POCKET}", "-T", "size=easy", "-T", "domain=minerals",
            "--model", "openai-api/local/exact", "--limit", 2, "--max-samples", 1, "--log-dir", "first", **environment,
        )  # fmt: skip
        [(path, failed)] = logs(tmp_path / "first")
        assert (failed.status, failed.eval.config.epochs) == ("error", 5)
        events = [event for sample in failed.samples for event in sample.events if event.event == "model"]
        assert sum(event.retries or 0 for event in events) == 2 and provider.busy == 0
        done = {(sample.id, sample.epoch): sample.uuid for sample in failed.samples if not sample.error}
        assert 0 < len(done) < 10
        provider.refuses = ""
        inspect(tmp_path, "eval-retry", path, "--log-dir", "first", **environment)
    (_, (path, log)) = sorted(logs(tmp_path / "first"), key=lambda found: found[1].eval.created)
    assert log.status == "success", log.error
    played = {(sample.id, sample.epoch): sample.uuid for sample in log.samples}
    assert played.keys() == {(row["instance_id"], epoch) for row in ROWS[:2] for epoch in range(1, 6)}
    assert played.items() >= done.items()
    imported = CliRunner().invoke(
        cli, ["import-trajectories", str(tmp_path / "first"), "-o", str(tmp_path / "mine.jsonl")]
    )
    assert (
        imported.exit_code == 0
        and not imported.stderr
        and "2 files" in imported.output
        and "10 trajectories" in imported.output
    )
    plays = read_plays([tmp_path / "mine.jsonl"])
    assert plays.numbers["success"].all() and (plays.numbers["tokens"] > 0).all()


# ---- in this process


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"release": "nowhere"}, "nowhere is no release"),
        ({"size": "huge"}, "has no size 'huge'\nits sizes: easy, pairs, paper"),
        ({"system": "books"}, "there is no system 'books'\nit is one of book, table"),
        ({"step_limit": 0}, "a game of 0 turns"),
    ],
)
def test_a_task_that_cannot_be_says_why(wrong: dict[str, Any], message: str) -> None:
    from inspect_ai._util.error import PrerequisiteError  # noqa: PLC0415

    from kumoc.harness.inspect_tasks import game  # noqa: PLC0415

    with pytest.raises(PrerequisiteError) as raised:
        game(**{"release": str(POCKET)} | wrong)
    assert message in str(raised.value.message)


def test_a_sample_has_all_that_its_game_needs() -> None:
    from kumoc.harness.inspect_tasks import game, onestep  # noqa: PLC0415

    [book, table] = [game(str(POCKET), "pairs", ["minerals"], system=system) for system in ("book", "table")]
    assert (book.epochs, book.version) == (5, 1)
    rows = list(load(POCKET, "pairs", split="test"))
    for row, sample, other in zip(rows, book.dataset, table.dataset, strict=True):
        assert (sample.id, sample.target, sample.metadata["row"]) == (row["instance_id"], row["valid_truths"], row)
        assert [message.text for message in sample.input] == [
            message["content"] for message in opening(Simulator.of(row).puzzle)
        ]
        rules = next(line for line in other.input[0].text.splitlines() if line.startswith("{"))
        assert json.loads(rules)["truths"] == row["truths"]
    [asked] = onestep(str(POCKET), "pairs").dataset[0].input
    assert (asked.role, asked.text) == ("user", question(rows[0], bare_game(rows[0])))


def test_a_game_that_was_cut_off_ends_as_at_the_limit() -> None:
    from inspect_ai.model import ChatMessageAssistant  # noqa: PLC0415

    from kumoc.harness.inspect_tasks import game  # noqa: PLC0415

    sample = game(str(POCKET), "easy").dataset[0]
    taken = ChatMessageAssistant(content=f"<ANSWER> {ROWS[0]['actions'][0]} </ANSWER>")
    score = scored(sample, [*sample.input, taken])
    trajectory = score.metadata["trajectory"]
    validator("trajectory").validate(trajectory)
    assert (trajectory["end"], trajectory["actions_taken"], trajectory["success"]) == ("limit", 1, False)
    assert (trajectory["model"], trajectory["trial"], trajectory["tokens"]) == ("a/b", 2, None)
    assert isnan(score.value["tokens"]) and isnan(score.value["relative_actions"]) and score.value["success"] == 0


def test_figures_of_groups_are_means_over_games_and_those_of_domains_over_domains() -> None:
    from inspect_ai.scorer import SampleScore, Score  # noqa: PLC0415

    from kumoc.harness.inspect_scores import games, groups, instances  # noqa: PLC0415

    played = (("tea", 1, 0.5), ("tea", 0, nan), ("tea", 0, nan), ("tea", 0, nan), ("music", 1, 1.5), ("music", 1, 0.5))
    scores = [
        SampleScore(
            score=Score(value={"success": success, "relative_actions": relative}),
            sample_metadata={"domain": domain, "size": "easy", "difficulty": "unknown"},
        )
        for domain, success, relative in played
    ]
    assert games()(scores) == {"success": 0.5, "relative_actions": pytest.approx(2.5 / 3)}
    found = groups()(scores)
    assert (found["success (domain tea)"], found["success (mean of domains)"]) == (0.25, 0.625)
    assert found["relative_actions (mean of domains)"] == 0.75
    assert found["success (size easy)"] == found["success (difficulty unknown)"] == 0.5
    assert instances()(scores) == {"success": 0.5, "success_stderr": pytest.approx(0.3**0.5 / 6**0.5)}
    assert [measure()([]) for measure in (games, groups)] == [{}, {}]
