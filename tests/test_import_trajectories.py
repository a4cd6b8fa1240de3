"""Plays that others recorded: KUMO's published files, and logs of Inspect."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kumoc.cli import cli
from kumoc.evaluate.plays import PlaysError
from kumoc.evaluate.plays import read_plays as read_columns
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.suite import TABLES
from kumoc.interop import LogError, SourceError, corpus, read_domain, read_instances, read_log, read_plays
from kumoc.play import Simulator, exact_player, play, record, to_json
from kumoc.play.metrics import Convention
from kumoc.release.schemas import validator
from tests.plays import pocket_rows

INSTANCE = {
    "truths": ["Cat", "Dog", "Hen"],
    "actions": ["Listen", "Count legs", "Weigh"],
    "observations": {"Listen": "purrs", "Count legs": 4, "Weigh": 4.5},
    "seed": 7,
    "valid_truth": "Cat",
    "expected_steps": 1.25,
    "published_optimal_action_count": 3,
    "expected_actions_exact": 1.5,
}
DOMAIN = {
    "truths": ["Cat", "Dog", "Hen", "Cow"],
    "actions": ["Listen", "Count legs", "Weigh"],
    "outcomes": {
        "Listen": {"type": "str", "states": {"purrs": ["Dog", "Hen"], "barks": ["Cat", "Hen"], "clucks": ["Cow"]}},
        "Count legs": {"type": "str", "states": {"2": ["Cat", "Dog"], "4": ["Hen"]}},
        "Weigh": {"type": "str", "states": {"a lot": ["Hen"], "little": ["Cow"]}},
    },
}


def took(*actions: str) -> list[dict[str, Any] | None]:
    observations = INSTANCE["observations"]
    assert isinstance(observations, dict)
    return [None, *({"action": action, "observation": observations[action]} for action in actions)]


def trajectory(*said: Any, seen: list[Any], successful: bool = False) -> dict[str, Any]:
    return {"actions": list(said), "observations": seen, "consumed_tokens": 90, "successful": successful}


WON = trajectory(
    "Weigh",
    "Listen",
    "Weigh",
    "Cat",
    {"predicted_truth": "Cat"},
    seen=took("Weigh", "Listen", "Weigh"),
    successful=True,
)
LOST = trajectory("Dog", {"predicted_truth": "Dog"}, seen=took())
MUMBLED = trajectory("Listen", None, seen=took("Listen"))
CUT = trajectory("Listen", "Weigh", seen=took("Listen"))
PLAYS = {"domain": "PetEnv", "seed": 7, "trajectories": [WON, LOST, MUMBLED, CUT]}


def lines(*values: Mapping[str, Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def imported(plays: Mapping[str, Any] = PLAYS, instance: Mapping[str, Any] = INSTANCE) -> list[dict[str, Any]]:
    instances = read_instances(lines(instance), "PetEnv.easy.jsonl")
    known = corpus(instances, [read_domain(json.dumps(DOMAIN), "PetEnv.json")])
    return [to_json(each) for each in read_plays(lines(plays), "gpt-4.1-mini.easy.jsonl", known)]


# ---- KUMO


def test_published_plays_become_trajectories() -> None:
    won, lost, mumbled, cut = found = imported()
    for each in found:
        validator("trajectory").validate(each)
        assert (each["model"], each["size"], each["domain"]) == ("gpt-4.1-mini", "easy", "PetEnv")
        assert (each["truths"], each["actions"], each["tokens"], each["wasted"]) == (3, 3, 90, None)
        assert each["optimal_action_cnt"] == 3 and each["paper_trajectory_length"] == 1
        assert each["exact_expected_actions"] == 1.5 and each["paper_expected_actions"] == 1.25
    assert [each["trial"] for each in found] == [0, 1, 2, 3] and len({each["instance_id"] for each in found}) == 1
    assert [each["end"] for each in found] == ["named", "named", "refused", "limit"]
    assert [each["success"] for each in found] == [True, False, False, False]
    assert [each["actions_taken"] for each in found] == [3, 0, 1, 2] and won["repeated"] == 1
    assert [event["seen"] for event in won["events"]] == ["4.5", "purrs", "4.5", None]
    assert lost["named"] == "Dog" and cut["events"][-1]["seen"] is None
    assert mumbled["parse_errors"] == [{"step": 1, "kind": "unrecorded", "forgiven": False}]


def test_signatures_come_from_the_domain() -> None:
    # of the three listed truths Hen is in all actions, Cat and Dog in two; Weigh can exclude Hen alone
    assert imported()[0]["signature"] == {"truths": [2, 2, 3], "actions": [1, 3, 3]}


def test_the_papers_convention_of_counting(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines(*imported()))
    table = TABLES["scores"](read_columns([path]), Settings(Convention.PAPER, resamples=10))
    figures = dict(zip([column.key for column in table.columns], table.rows[0], strict=True))
    # 3 actions and 2 more; then three failures that count as 3 listed actions and 1 more; over 3
    assert figures["relative"] == pytest.approx((5 + 4 + 4 + 4) / 3 / 4 - 1)
    own = TABLES["scores"](read_columns([path]), Settings(Convention.OWN, resamples=10))
    assert own.rows[0][list(figures).index("relative")] == pytest.approx(3 / 1.5 - 1)


@pytest.mark.parametrize(
    ("plays", "instance", "message"),
    [
        (PLAYS | {"seed": 8}, INSTANCE, "no instance of 'PetEnv', size 'easy', with the seed 8"),
        (PLAYS | {"seed": "7"}, INSTANCE, "seed"),
        (PLAYS, INSTANCE | {"valid_truth": "Dog"}, "trajectory 0: it says of its success"),
        (PLAYS, INSTANCE | {"actions": ["Weigh"]}, "trajectory 0: 'Listen' is no action"),
        (PLAYS, INSTANCE | {"truths": ["Hen"]}, "'Cat' is not the last that was said, or no truth"),
        (PLAYS | {"trajectories": [WON | {"observations": []}]}, INSTANCE, "no observation for action 1, 'Weigh'"),
        (PLAYS | {"trajectories": [{"actions": []}]}, INSTANCE, "required property"),
    ],
)
def test_plays_that_contradict_their_instance_are_refused(
    plays: dict[str, Any], instance: dict[str, Any], message: str
) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        imported(plays, instance)
    assert caught.value.line == 1


def test_files_of_another_form_are_refused() -> None:
    with pytest.raises(SourceError, match="not JSON"):
        read_instances("\n{", "PetEnv.easy.jsonl")
    with pytest.raises(SourceError, match="does not tell domain and size"):
        read_instances("", "PetEnv.jsonl")


# ---- Inspect


def log(path: Path, trajectories: list[dict[str, Any]], key: str = "trajectory", **about: Any) -> Path:
    """A log as Inspect writes it, of a task whose scorer keeps trajectories; ``about`` is more of what it says."""
    inspect = pytest.importorskip("inspect_ai.log")
    from inspect_ai.model import ModelOutput, ModelUsage  # noqa: PLC0415
    from inspect_ai.scorer import Score  # noqa: PLC0415

    samples = [
        inspect.EvalSample(
            id=each["instance_id"],
            epoch=epoch,
            input="Begin.",
            target=each["named"] or "",
            output=ModelOutput(),
            scores={"game": Score(value=1, metadata={key: each})},
            model_usage={"mockllm/model": ModelUsage(input_tokens=30, output_tokens=12, total_tokens=42)},
        )
        for epoch, each in enumerate(trajectories, start=1)
    ]
    samples.append(inspect.EvalSample(id="unscored", epoch=1, input="Begin.", target=""))
    said = {
        "created": "2026-11-01T00:00:00+00:00",
        "task": "kumoc/game",
        "dataset": inspect.EvalDataset(sample_ids=[sample.id for sample in samples]),
        "model": "mockllm/model",
        "config": inspect.EvalConfig(epochs=len(trajectories)),
    }
    spec = inspect.EvalSpec(**said | about)
    inspect.write_eval_log(inspect.EvalLog(eval=spec, samples=samples, status="error"), str(path))
    return path


def optimal() -> list[dict[str, Any]]:
    simulators = [Simulator.of(row) for row in pocket_rows()[:2]]
    return [to_json(record(each, play(each, exact_player()), "whoever")) for each in simulators]


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_logs_of_inspect_hold_trajectories(tmp_path: Path, suffix: str) -> None:
    found = list(read_log(log(tmp_path / f"log{suffix}", optimal())))
    assert [each["trial"] for each in found] == [0, 1]
    for each, wanted in zip(found, optimal(), strict=True):
        validator("trajectory").validate(each)
        assert (each["model"], each["tokens"], each["origin"]["file"]) == ("mockllm/model", 42, f"log{suffix}")
        same = {key: value for key, value in each.items() if key not in ("model", "tokens", "trial", "origin")}
        assert same == {key: wanted[key] for key in same}


def test_logs_without_trajectories_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no trajectory"):
        list(read_log(log(tmp_path / "other.eval", optimal(), key="transcript")))
    with pytest.raises(LogError, match="success: 'no'"):
        list(read_log(log(tmp_path / "broken.eval", [optimal()[0] | {"success": "no"}])))
    (tmp_path / "no.json").write_text("[]")
    with pytest.raises(LogError, match="can't be read as a log"):
        list(read_log(tmp_path / "no.json"))


# ---- the command


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["import-trajectories", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "instances/PetEnv.easy.jsonl": lines(INSTANCE),
        "domains/PetEnv.json": json.dumps(DOMAIN),
        "plays/gpt-4.1-mini.easy.jsonl": lines(PLAYS),
        "plays/other.easy.jsonl": lines(PLAYS),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_folders_are_imported_whole(folder: Path) -> None:
    log(folder / "plays" / "mine.eval", optimal())
    out = folder / "out.jsonl"
    options = ("--instances", folder / "instances", "--domains", folder / "domains", "-o", out)
    result = run(folder / "plays", *options)
    assert result.exit_code == 0 and "3 files" in result.output and "10 trajectories" in result.output
    plays = read_columns([out])
    assert plays.names["model"] == ("mockllm/model", "gpt-4.1-mini", "other")
    assert all(plays.signatures)
    again = run(folder / "plays", *options)
    assert again.exit_code == 1 and "exists already" in again.output
    one = run(folder / "plays" / "other.easy.jsonl", *options, "--model", "renamed", "--overwrite")
    assert one.exit_code == 0 and read_columns([out]).names["model"] == ("renamed",)


def test_games_that_several_logs_of_a_run_hold_count_once(tmp_path: Path) -> None:
    games, out = optimal(), tmp_path / "out.jsonl"
    broken, whole = games[:1], [game | {"wasted": 0} for game in games]
    log(tmp_path / "b.eval", [broken[0] | {"wasted": 9}], task_id="one", created="2026-11-01T00:00:00+00:00")
    log(tmp_path / "a.json", whole, task_id="one", created="2026-11-01T00:10:00+00:00")
    log(tmp_path / "c.eval", broken, task_id="other", model="mockllm/other")
    result = run(tmp_path / "b.eval", tmp_path, "-o", out)
    assert result.exit_code == 0 and "a.json: status error: 2 of 6 samples" in result.stderr
    assert "c.eval: status error: 1 of 2 samples" in result.stderr and "b.eval" not in result.stderr
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(each["model"], each["instance_id"], each["wasted"]) for each in found] == [
        *(("mockllm/model", game["instance_id"], 0) for game in games),
        ("mockllm/other", games[0]["instance_id"], games[0]["wasted"]),
    ]


def test_logs_of_the_game_in_one_step_are_passed_over(tmp_path: Path) -> None:
    log(tmp_path / "game.eval", optimal(), task_id="one")
    log(tmp_path / "other.eval", optimal(), key="none", task_id="other", task="kumoc/onestep")
    result = run(tmp_path, "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 0 and "2 trajectories" in result.output and "other.eval: passed over" in result.stderr
    alone = run(tmp_path / "other.eval", "-o", tmp_path / "never.jsonl")
    assert alone.exit_code == 1 and "no trajectories" in alone.stderr and not (tmp_path / "never.jsonl").exists()


def test_settings_of_a_model_are_told_apart(tmp_path: Path) -> None:
    book = {"release": "somewhere", "edition": "", "system": "book", "step_limit": None}
    log(tmp_path / "book.eval", optimal(), task_id="book", task_args=book)
    log(tmp_path / "table.eval", optimal(), task_id="table", task_args=book | {"system": "table", "step_limit": 9})
    assert run(tmp_path, "-o", tmp_path / "mixed.jsonl").exit_code == 0
    with pytest.raises(PlaysError, match="twice") as caught:
        read_columns([tmp_path / "mixed.jsonl"])
    assert "--model" in caught.value.help
    for name in ("book", "table"):
        options = ("--model", f"it, {name}", "-o", tmp_path / f"{name}.jsonl")
        assert run(tmp_path / f"{name}.eval", *options).exit_code == 0
    files = [tmp_path / "book.jsonl", tmp_path / "table.jsonl"]
    assert read_columns(files).names["model"] == ("it, book", "it, table")
    first, second = (json.loads(path.read_text(encoding="utf-8").splitlines()[0]) for path in files)
    assert first["origin"] == {"system": "book", "file": "book.eval", "run": ""}
    assert second["origin"] == {"system": "table", "step_limit": "9", "file": "table.eval", "run": ""}
    validator("trajectory").validate(second)


def test_nothing_is_half_written_and_places_are_named(folder: Path) -> None:
    plays, out = folder / "plays" / "other.easy.jsonl", folder / "out.jsonl"
    plays.write_text(lines(PLAYS, PLAYS | {"seed": 9}))
    result = run(plays, "--instances", folder / "instances", "-o", out)
    assert result.exit_code == 1 and "other.easy.jsonl:2: there is no instance" in result.output
    assert list(folder.glob("*out*")) == []
    missing = run(plays, "-o", out)
    assert missing.exit_code == 1 and "--instances" in missing.output
    (folder / "log.json").write_text("{}")
    assert "can't be read as a log" in run(folder / "log.json", "-o", out).output
    assert "does not end in" in run(folder / "plays" / "other.easy.jsonl", "--instances", __file__, "-o", out).output
