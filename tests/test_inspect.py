"""The tasks for Inspect, run by its own command with players as models; it exits with 0 on failure, so logs are read."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from kumoc import __version__
from kumoc.interop import read_log
from kumoc.play import Release, Simulator, play, record, to_json
from kumoc.release import load
from kumoc.release.schemas import validator
from tests.command import ROOT
from tests.serving import Answer, Request, serving

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
    from inspect_ai.log import read_eval_log

    for path in sorted(folder.glob("*.eval")):
        yield path, read_eval_log(path)


def test_players_are_scored_as_they_play(tmp_path: Path) -> None:
    from tests.scripted import NAMES

    models = ",".join(f"scripted/{name}" for name in NAMES)
    printed = inspect(
        tmp_path, "eval", "kumoc/game", "kumoc/onestep", "-T", f"release={POCKET}", "-T", "size=easy",
        "-M", f"release={POCKET}", "--model", models, "--limit", 4, "--epochs", 2, "--log-dir", "logs",
    )  # fmt: skip
    seen = Counter[str]()
    for path, log in logs(tmp_path / "logs"):
        assert log.status == "success", log.error
        assert log.eval.task_version == 1
        assert log.eval.metadata == {
            "release": {"name": "pocket", "version": "1.0.0", "rows_sha256": MANIFEST["rows_sha256"]},
            "kumoc": __version__,
        }
        assert {(sample.id, sample.epoch) for sample in log.samples} == {
            (row["instance_id"], epoch) for epoch in (1, 2) for row in ROWS[:4]
        }
        check = check_game if log.eval.task == "kumoc/game" else check_onestep
        check(path, log, log.eval.model.removeprefix("scripted/"))
        seen[log.eval.task] += 1
    assert seen == {"kumoc/game": len(NAMES), "kumoc/onestep": len(NAMES)}, printed


def check_game(path: Path, log: Any, player: str) -> None:
    from tests.scripted import PLAYERS, TOKENS

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
    release = Release("pocket", "1.0.0", MANIFEST["rows_sha256"])
    own, paper, games = [], [], []
    for row in ROWS[:4]:
        simulator = Simulator.of(row)
        state = play(simulator, PLAYERS[player])
        own.append(state.actions / row["exact_expected_actions"] - 1)
        paper.append((state.actions + 2) / (row["paper_trajectory_length"] + 2) - 1)
        tokens = (state.actions + 1) * TOKENS
        games.append(to_json(record(simulator, state, f"scripted/{player}", release=release, tokens=tokens)))
    for trial in (0, 1):
        of_trial = [trajectory | {"origin": {}, "trial": 0} for trajectory in played if trajectory["trial"] == trial]
        assert sorted(of_trial, key=by_id) == sorted(games, key=by_id)
    assert log.results.scores[0].metrics["success"].value == figures["success"] == figures["success (size easy)"] == 1
    assert figures["relative_actions"] == pytest.approx(mean(own))
    assert figures["relative_actions_paper"] == pytest.approx(mean(paper))
    assert figures["relative_actions (mean of domains)"] == figures["relative_actions (domain minerals)"]
    hard = [relative for relative, row in zip(own, ROWS, strict=False) if 1.5 <= row["exact_expected_actions"] < 2]
    assert figures["relative_actions (difficulty 1.5 to 2)"] == pytest.approx(mean(hard))
    assert figures["exact_player"] == mean(row["exact_expected_actions"] for row in ROWS[:4])
    assert figures["wasted"] == mean(game["wasted"] for game in games)


def by_id(trajectory: dict[str, Any]) -> str:
    return str(trajectory["instance_id"])


def check_onestep(_path: Path, log: Any, player: str) -> None:
    figures = {name: found.value for name, found in log.results.scores[1].metrics.items()}
    second = mean(row["truths"][1] in row["valid_truths"] for row in ROWS[:4])
    assert figures["success"] == (second if player == "second" else 1)
    assert figures["strict_success"] == (0 if player == "malformed" else figures["success"])
    assert figures["parse_errors"] == 0


@dataclass
class Provider:
    """An OpenAI-compatible server: the exact player, with troubles."""

    busy: int
    refuses: str = ""

    def answer(self, request: Request) -> Answer:
        from tests.scripted import reply, row_of

        said = [(message["role"], message["content"]) for message in json.loads(request.body)["messages"]]
        row = row_of(ROWS, said)
        if self.busy:
            self.busy -= 1
            return Answer(429, {"error": {"message": "slow down", "code": "rate_limit"}}, {"Retry-After": "0"})
        if row["instance_id"] == self.refuses:
            return Answer(404, {"error": {"message": "no such model", "code": "gone"}})
        message = {"role": "assistant", "content": reply("exact", row, said)}
        usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        envelope = {"id": "1", "object": "chat.completion", "created": 0, "model": "exact"}
        return Answer(200, envelope | {"choices": [choice], "usage": usage})


def test_a_busy_provider_is_waited_for_and_a_run_that_failed_is_taken_up_again(tmp_path: Path) -> None:
    provider = Provider(busy=2, refuses=ROWS[1]["instance_id"])
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
        inspect(tmp_path, "eval-retry", path, "--log-dir", "second", **environment)
    [(path, log)] = logs(tmp_path / "second")
    assert log.status == "success", log.error
    played = {(sample.id, sample.epoch): sample.uuid for sample in log.samples}
    assert played.keys() == {(row["instance_id"], epoch) for row in ROWS[:2] for epoch in range(1, 6)}
    assert played.items() >= done.items()
    assert all(each["success"] and each["tokens"] for each in read_log(path))
