"""Releases: built by the real command, loaded by the real ``datasets``, whole or not there at all."""

import ast
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kumoc import solve
from kumoc.release.parquet import read, rows_digest
from kumoc.release.schemas import validator
from kumoc.views import GAME_COLUMNS
from tests.command import DOMAINS, ROOT, kumoc

TEA = DOMAINS / "tea.kumo"
BENCHMARK = """
benchmark tasting version "2.1.0" {
  title   "Tasting"
  license "cc-by-4.0"
  domains tea, minerals
  seed    7
  size small { truths 3  actions 4  train 6  validation 5  test 4 }
  size pairs { truths 3  actions 4  mode paper  test 3 }
}
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("release")
    (place / "tasting.kumo").write_text(BENCHMARK, encoding="utf-8")
    result = kumoc("build", "tasting.kumo", TEA, DOMAINS / "minerals.kumo", cwd=place)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "rows     36, all exact" in result.stdout
    assert 'datasets.load_dataset("dist/tasting/2.1.0", "small", split="test")' in result.stdout
    return place / "dist" / "tasting" / "2.1.0"


def load(directory: Path, config: str, split: str, cache: Path) -> list[dict[str, Any]]:
    """Rows as ``datasets`` gives them, in a process of its own."""
    code = (
        "import datasets, json, sys\n"
        "rows = datasets.load_dataset(sys.argv[1], sys.argv[2], split=sys.argv[3])\n"
        "print(json.dumps(rows.to_list()))\n"
    )
    environment = os.environ | {"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    result = subprocess.run(
        [sys.executable, "-c", code, str(directory), config, split],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    rows: list[dict[str, Any]] = json.loads(result.stdout)
    return rows


def manifest(directory: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    return data


def all_rows(directory: Path) -> Iterator[dict[str, Any]]:
    for file in manifest(directory)["files"]:
        yield from read(directory / file["path"])


# ---- what is in it


def test_datasets_loads_every_configuration_as_it_was_built(release: Path, tmp_path: Path) -> None:
    files = manifest(release)["files"]
    tea = [file for file in files if file["size"] == "small" and file["domain"] == "tea"]
    for split, count in (("train", 6), ("validation", 5), ("test", 4)):
        one = load(release, "small-tea", split, tmp_path)
        assert len(one) == count
        assert rows_digest(one) == next(file["rows_sha256"] for file in tea if file["split"] == split)
    both = load(release, "small", "test", tmp_path)
    assert [row["domain"] for row in both] == ["tea"] * 4 + ["minerals"] * 4
    assert {row["size"] for row in load(release, "pairs", "test", tmp_path)} == {"pairs"}


def test_the_published_columns_come_first_with_their_published_types(release: Path) -> None:
    published = {
        "knowledge_book": "string",
        "action_list": "list<element: string>",
        "truth_list": "list<element: string>",
        "optimal_action_cnt": "int64",
        "observation": "string",
        "ground_truth": "string",
    }
    for file in manifest(release)["files"]:
        schema = pq.read_schema(release / file["path"])
        assert {name: str(schema.field(name).type) for name in schema.names[:6]} == published
        assert schema.names == list(GAME_COLUMNS)


def test_rows_are_valid_and_consistent(release: Path) -> None:
    rows = list(all_rows(release))
    assert len(rows) == 2 * (6 + 5 + 4 + 3)
    assert len({row["instance_id"] for row in rows}) == len(rows)
    for row in rows:
        validator("instance").validate(row)
        assert None not in row.values()
        assert row["action_list"] == row["actions"] and row["truth_list"] == row["truths"]
        assert row["optimal_action_cnt"] == row["paper_trajectory_length"] + 2
        assert row["ground_truth"] in row["valid_truths"] and set(row["valid_truths"]) <= set(row["truths"])
        observed = {
            seen["action"]: seen["value"] if seen["label"] is None else seen["label"] for seen in row["observations"]
        }
        assert json.loads(row["observation"]) == observed


def test_a_row_is_played_and_checked_from_itself_alone(release: Path) -> None:
    for row in all_rows(release):
        survivors = set(row["truths"])
        for seen in row["observations"]:
            (rule,) = [rule for rule in row["rules"] if rule["action"] == seen["action"] and _matches(rule, seen)]
            survivors -= set(rule["rules_out"])
        assert survivors == set(row["valid_truths"])
        for player, cls in (("exact", solve.ExactPlayer), ("paper", solve.PaperPlayer)):
            again = cls(len(row["truths"]), _masks(row), len(row["valid_truths"]))
            assert again.value == pytest.approx(row[f"{player}_expected_actions"], abs=1e-9)
            assert len(row[f"{player}_trajectory"]) == row[f"{player}_trajectory_length"]


def _matches(rule: dict[str, Any], seen: dict[str, Any]) -> bool:
    if seen["label"] is not None:
        return bool(rule["label"] == seen["label"])
    return bool(rule["low"] < seen["value"] < rule["high"])


def _masks(row: dict[str, Any]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            sum(1 << row["truths"].index(name) for name in rule["rules_out"])
            for rule in row["rules"]
            if rule["action"] == action
        )
        for action in row["actions"]
    )


def test_the_manifest_is_true(release: Path) -> None:
    written = manifest(release)
    validator("manifest").validate(written)
    for file in written["files"]:
        content = (release / file["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        assert rows_digest(read(release / file["path"])) == file["rows_sha256"]
        assert file["exact_rows"] == file["rows"] and file["widest_bracket"] == 0
        assert file["rows_sha256"][:12] in file["path"]
    on_disk = {path.relative_to(release).as_posix() for path in release.rglob("*") if path.is_file()}
    named = {file["path"] for file in written["files"]}
    others = {"README.md", "difficulty.svg", "tables/tea.json", "tables/minerals.json"}
    assert {file["path"] for file in written["other_files"]} == others
    assert on_disk == named | others | {"manifest.json"}
    for path in (release / "tables").iterdir():
        validator("tables").validate(json.loads(path.read_text(encoding="utf-8")))


# ---- the loader's cache


def test_a_rebuilt_release_is_not_served_from_the_cache(tmp_path: Path) -> None:
    size = ("--size", "small=3,4", "--count", "4")
    for seed in (1, 2):
        assert kumoc("build", TEA, *size, "--seed", seed, "--overwrite", cwd=tmp_path).returncode == 0
        directory = tmp_path / "dist" / "tea" / "1.0.0"
        loaded = load(directory, "small", "test", tmp_path / "cache")
        assert loaded == list(all_rows(directory))


def test_two_releases_of_one_name_are_not_confused(tmp_path: Path) -> None:
    loaded = []
    for place, seed in (("a", 1), ("b", 2)):
        out = tmp_path / place
        assert kumoc("build", TEA, "--size", "small=3,4", "--count", "4", "--seed", seed, "--out", out).returncode == 0
        loaded.append(load(out / "tea" / "1.0.0", "small", "test", tmp_path / "cache"))
        assert loaded[-1] == list(all_rows(out / "tea" / "1.0.0"))
    assert loaded[0] != loaded[1]


# ---- the same again


def test_the_golden_build_is_reproduced_row_for_row(tmp_path: Path) -> None:
    golden = ROOT / "dist" / "pocket" / "1.0.0"
    (tmp_path / "domains").mkdir()
    shutil.copy(DOMAINS / "minerals.kumo", tmp_path / "domains")
    text = (DOMAINS / "benchmarks.kumo").read_text(encoding="utf-8")
    (tmp_path / "domains" / "pocket.kumo").write_text(
        text[text.index("benchmark pocket") : text.index("benchmark field_lab")], encoding="utf-8"
    )
    result = kumoc("build", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    again = tmp_path / "dist" / "pocket" / "1.0.0"
    assert list(all_rows(again)) == list(all_rows(golden))
    assert manifest(again)["inputs"] == manifest(golden)["inputs"]
    assert manifest(again)["rows_sha256"] == manifest(golden)["rows_sha256"]
    assert (again / "tables" / "minerals.json").read_bytes() == (golden / "tables" / "minerals.json").read_bytes()


def test_rows_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    digests = set()
    for hash_seed in ("0", "1", "4242"):
        out = tmp_path / hash_seed
        arguments = ("--size", "easy=4,6", "--size", "pairs=4,8,2", "--count", "4", "--out", out)
        assert kumoc("build", DOMAINS / "minerals.kumo", *arguments, PYTHONHASHSEED=hash_seed).returncode == 0
        digests.add(manifest(out / "minerals" / "1.0.0")["rows_sha256"])
    assert len(digests) == 1


def test_a_row_does_not_depend_on_how_many_others_there_are(tmp_path: Path) -> None:
    files = []
    for count in (3, 9):
        out = tmp_path / str(count)
        assert (
            kumoc("build", DOMAINS / "minerals.kumo", "--size", "easy=4,6", "--count", count, "--out", out).returncode
            == 0
        )
        files.append(list(all_rows(out / "minerals" / "1.0.0")))
    assert files[0] == files[1][:3]


# ---- what is there already


def test_an_existing_release_is_kept_unless_asked(tmp_path: Path) -> None:
    arguments = ("build", TEA, "--size", "small=3,4", "--count", "3")
    assert kumoc(*arguments, cwd=tmp_path).returncode == 0
    directory = tmp_path / "dist" / "tea" / "1.0.0"
    before = manifest(directory)
    again = kumoc(*arguments, cwd=tmp_path)
    assert again.returncode == 0 and "already built" in again.stdout
    refused = kumoc(*arguments, "--seed", "5", cwd=tmp_path)
    assert refused.returncode == 1 and "exists" in refused.stderr and "seed" in refused.stderr
    assert manifest(directory) == before
    assert kumoc(*arguments, "--seed", "5", "--overwrite", cwd=tmp_path).returncode == 0
    assert manifest(directory)["inputs"]["seed"] == 5
    assert [path.name for path in (tmp_path / "dist" / "tea").iterdir()] == ["1.0.0"]


# ---- whole or not at all


def _files_below(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def _releases(folder: Path) -> list[Path]:
    """What stands in ``dist``, without the hidden workshop of a build that can be taken up again."""
    return [path for path in folder.glob("dist/*/*") if not path.name.endswith(".building")]


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_an_interrupted_build_leaves_no_release(tmp_path: Path, sent: signal.Signals, code: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kumoc", "build", DOMAINS / "minerals.kumo", "--size", "easy=4,6", "--count", "100000"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "dist" / "minerals").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (tmp_path / "dist" / "minerals").exists()
    process.send_signal(sent)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == code
    assert "interrupted" in stderr and "Traceback" not in stderr
    assert _releases(tmp_path) == []


def test_a_full_disk_leaves_no_release(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "kumoc", "build", TEA, "--size", "small=3,4", "--count", "10"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000)),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 1
    assert "too large" in result.stderr and "Traceback" not in result.stderr
    assert "same command again" in result.stderr
    assert _releases(tmp_path) == []
    again = kumoc("build", TEA, "--size", "small=3,4", "--count", "10", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert [path.name for path in (tmp_path / "dist" / "tea").iterdir()] == ["1.0.0"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    result = kumoc("build", TEA, "--size", "small=3,4", "--count", "2", "--out", "taken/dist", cwd=tmp_path)
    assert result.returncode == 1
    assert "taken" in result.stderr and "Traceback" not in result.stderr
    assert [path.name for path in _files_below(tmp_path)] == ["taken"]


def test_errors_in_a_domain_stop_the_build(tmp_path: Path) -> None:
    (tmp_path / "bad.kumo").write_text(TEA.read_text(encoding="utf-8").replace("rules out patient", "rules out patent"))
    result = kumoc("build", "bad.kumo", cwd=tmp_path)
    assert result.returncode == 1
    assert "did you mean 'patient'?" in result.stderr and "nothing was built" in result.stderr
    assert [path.name for path in _files_below(tmp_path)] == ["bad.kumo"]


# ---- what can be asked for


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--size", "small=3,4", "--count", "100000"), "duplicate"),
        (
            (
                "--size",
                "huge=7,4",
            ),
            "truths",
        ),
        (
            (
                "--size",
                "huge=3,9",
            ),
            "actions",
        ),
        (
            (
                "--size",
                "tight=6,1",
            ),
            "tight",
        ),
        (
            (
                "--size",
                "nonsense",
            ),
            "NAME=TRUTHS,ACTIONS[,VALID]",
        ),
        (
            (
                "--size",
                "x=3,4,3",
            ),
            "valid",
        ),
        (
            (
                "--mode",
                "unfair",
            ),
            "unfair",
        ),
        (
            (
                "--count",
                "0",
            ),
            "0",
        ),
        (
            (
                "--seed",
                "-1",
            ),
            "-1",
        ),
    ],
)
def test_what_cannot_be_met_is_said(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    result = kumoc("build", TEA, *arguments, cwd=tmp_path)
    assert result.returncode == 1
    assert told in result.stderr and "Traceback" not in result.stderr and "bug" not in result.stderr
    assert _files_below(tmp_path) == []


def test_a_domain_without_a_benchmark_is_built_in_the_default_sizes_that_fit(tmp_path: Path) -> None:
    result = kumoc("build", TEA, "--count", "3", cwd=tmp_path)
    assert result.returncode == 0 and "'hard'" in result.stderr and "passed over" in result.stderr
    result = kumoc("build", DOMAINS / "minerals.kumo", "--count", "1", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    sizes = [size["name"] for size in manifest(tmp_path / "dist" / "minerals" / "1.0.0")["inputs"]["sizes"]]
    assert sizes == ["easy", "hard"]


def test_difficulty_keeps_to_its_band(tmp_path: Path) -> None:
    size = "size mid { truths 4  actions 6  test 8  difficulty 1.5..1.8 }"
    (tmp_path / "band.kumo").write_text(f'benchmark band version "1.0.0" {{ domains minerals  {size} }}')
    assert kumoc("build", "band.kumo", DOMAINS / "minerals.kumo", cwd=tmp_path).returncode == 0
    rows = list(all_rows(tmp_path / "dist" / "band" / "1.0.0"))
    assert len(rows) == 8 and all(1.5 - 1e-9 <= row["exact_expected_actions"] <= 1.8 + 1e-9 for row in rows)


def test_no_instance_stands_in_two_splits_or_sizes(release: Path) -> None:
    keys = [(row["domain"], frozenset(row["truths"]), frozenset(row["actions"])) for row in all_rows(release)]
    assert len(keys) == len(set(keys))


def test_paper_mode_is_built_and_named(tmp_path: Path) -> None:
    arguments = ("--size", "easy=4,6", "--count", "5", "--mode", "paper")
    assert kumoc("build", DOMAINS / "minerals.kumo", *arguments, cwd=tmp_path).returncode == 0
    rows = list(all_rows(tmp_path / "dist" / "minerals" / "1.0.0"))
    assert {row["mode"] for row in rows} == {"paper"}
    assert set(chain.from_iterable(row["valid_truths"] for row in rows))


def test_sizes_asked_for_obey_the_rules_of_declared_ones(tmp_path: Path) -> None:
    for sizes in (("_x=3,4",), ("game=3,4",), ("s=3,4", "S=4,4"), ("s=3,4", "s=3,3"), ("x" * 61 + "=3,4",)):
        arguments = [part for size in sizes for part in ("--size", size)]
        result = kumoc("build", TEA, *arguments, cwd=tmp_path)
        assert result.returncode == 1 and "size" in result.stderr
    assert _files_below(tmp_path) == []


def test_a_fair_and_a_paper_size_never_share_an_instance(tmp_path: Path) -> None:
    (tmp_path / "both.kumo").write_text(
        'benchmark both version "1.0.0" { domains tea\n'
        "  size fair  { truths 3  actions 4  test 30 }\n"
        "  size paper { truths 3  actions 4  test 30  mode paper }\n}\n"
    )
    result = kumoc("build", "both.kumo", TEA, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    rows = list(all_rows(tmp_path / "dist" / "both" / "1.0.0"))
    fair = {(frozenset(row["truths"]), frozenset(row["actions"])) for row in rows if row["mode"] == "fair"}
    paper = {(frozenset(row["truths"]), frozenset(row["actions"])) for row in rows if row["mode"] == "paper"}
    assert len(rows) == 60 and len(fair) == 30 and not fair & paper


def test_a_release_with_another_licence_or_a_missing_file_is_not_called_unchanged(tmp_path: Path) -> None:
    bench = (
        'benchmark b version "1.0.0" { title "T" license "mit" domains tea  size s { truths 3  actions 4  test 2 } }'
    )
    (tmp_path / "b.kumo").write_text(bench)
    assert kumoc("build", "b.kumo", TEA, cwd=tmp_path).returncode == 0
    (tmp_path / "b.kumo").write_text(bench.replace('"mit"', '"cc0-1.0"'))
    changed = kumoc("build", "b.kumo", TEA, cwd=tmp_path)
    assert changed.returncode == 1 and "license" in changed.stderr
    (tmp_path / "b.kumo").write_text(bench)
    next((tmp_path / "dist").rglob("*.parquet")).unlink()
    damaged = kumoc("build", "b.kumo", TEA, cwd=tmp_path)
    assert damaged.returncode == 1 and ".parquet" in damaged.stderr


def test_only_a_release_is_ever_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "dist" / "tea" / "1.0.0" / "mine.txt"
    precious.parent.mkdir(parents=True)
    precious.write_text("precious")
    result = kumoc("build", TEA, "--size", "s=3,4", "--count", "2", "--overwrite", cwd=tmp_path)
    assert result.returncode == 1 and "no release" in result.stderr
    assert precious.read_text() == "precious"


def test_the_line_that_loads_is_python_whatever_the_folder(tmp_path: Path) -> None:
    result = kumoc("build", TEA, "--size", "s=3,4", "--count", "2", "--out", 'q"uo te', cwd=tmp_path)
    line = result.stdout.splitlines()[-1].strip()
    folder = ast.literal_eval(line.split("(", 1)[1].split(', "s"')[0])
    assert (tmp_path / folder / "manifest.json").is_file()
