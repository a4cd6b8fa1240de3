"""`kumoc diff`: what became of each row, and which of the things that a release was built from differ."""

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumoc.release import BuildError, Wish
from kumoc.release.compare import Comparison, compare, longest_rise
from tests.command import kumoc
from tests.forgery import Forgery, Row, small_release

TEST = "game-small/tea/test"
PLACE = ("game", "small", "tea", "test")
OTHER = ("game", "small", "tea", "validation")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("original"), views="steps")


@pytest.fixture
def forgery(original: Path, tmp_path: Path) -> Forgery:
    return Forgery(Path(shutil.copytree(original, tmp_path / "release")))


def counts(comparison: Comparison) -> dict[tuple[str, ...], dict[str, int]]:
    """Of the places where something differs."""
    kept = {place: dict(+counts) for place, counts in comparison.counts.items()}
    return {place: found for place, found in kept.items() if set(found) - {"same"}}


def changed(original: Path, forgery: Forgery, change: Callable[[list[Row]], object]) -> Comparison:
    forgery.rows(TEST, change)
    forgery.seal()
    return compare(original, forgery.folder)


def test_a_release_equals_itself(original: Path, forgery: Forgery) -> None:
    forgery.rows(TEST, lambda rows: rows)
    forgery.seal()
    for other in (original, forgery.folder):
        comparison = compare(original, other)
        assert comparison.equal and comparison.changes == [] and comparison.reasons == ()
        assert comparison.counts[PLACE]["same"] == 3


def test_another_seed_changes_every_row(original: Path, tmp_path: Path) -> None:
    comparison = compare(original, small_release(tmp_path, views="steps", wish=Wish(seed=4)))
    assert [(reason.name, reason.before, reason.after) for reason in comparison.reasons] == [("seed", 3, 4)]
    assert counts(comparison)[PLACE] == {"changed": 3}
    assert all(change.id != change.new_id for change in comparison.changes if change.kind == "changed")


def test_changed_columns_are_named(original: Path, forgery: Forgery) -> None:
    def change(rows: list[Row]) -> None:
        rows[2].update(seed=5, paper_trajectory_length=9)

    comparison = changed(original, forgery, change)
    assert counts(comparison) == {PLACE: {"same": 2, "changed": 1}}
    (only,) = comparison.changes
    assert only.columns == ("paper_trajectory_length", "seed") and only.id == only.new_id
    assert (only.place, only.before, only.after) == (PLACE, 2, 2)
    assert comparison.reasons == () and not comparison.equal


def test_a_dropped_row_moves_no_other(original: Path, forgery: Forgery) -> None:
    comparison = changed(original, forgery, lambda rows: rows.pop(0))
    assert counts(comparison) == {PLACE: {"same": 2, "removed": 1}}
    assert [(change.kind, change.before, change.after) for change in comparison.changes] == [("removed", 0, None)]
    back = compare(forgery.folder, original)
    assert [(change.kind, change.before, change.after) for change in back.changes] == [("added", None, 0)]


def test_a_row_moves_within_a_file_and_to_another(original: Path, forgery: Forgery) -> None:
    taken: list[Row] = []
    forgery.rows(TEST, lambda rows: taken.append(rows.pop(0)))
    forgery.rows("game-small/tea/validation", lambda rows: [*rows[::-1], *taken])
    forgery.seal()
    comparison = compare(original, forgery.folder)
    assert counts(comparison) == {OTHER: {"same": 1, "moved": 2}}
    moves = {(change.was, change.before, change.place, change.after) for change in comparison.changes}
    assert (PLACE, 0, OTHER, 2) in moves and len(moves) == 2


def test_files_come_and_go(original: Path, tmp_path: Path) -> None:
    fewer = small_release(tmp_path)
    comparison = compare(original, fewer)
    assert [reason.name for reason in comparison.reasons] == ["views"]
    assert {place[0] for place in counts(comparison)} == {"steps"}
    assert all(set(found) == {"removed"} for found in counts(comparison).values())
    assert all(set(found) == {"added"} for found in counts(compare(fewer, original)).values())


def _inputs(manifest: dict[str, Any], kind: str) -> Any:
    return manifest["inputs"][kind][0]


REASONS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "program": (lambda m: m["inputs"].update(kumoc="99.0.0"), "kumoc"),
    "tables": (lambda m: _inputs(m, "domains").update(tables_sha256="0" * 64), "domain tea"),
    "title": (lambda m: m["benchmark"].update(title="Maxi"), "title"),
    "size": (lambda m: _inputs(m, "sizes").update(work=9), "size small"),
    "order": (lambda m: m["inputs"]["sizes"].reverse(), "order of sizes"),
    "freshness": (
        lambda m: m["inputs"].update(
            fresh={"declared_seed": 1, "label": "2026-11", "key_sha256": None, "disjoint_from": []}
        ),
        "fresh",
    ),
}


@pytest.mark.parametrize("name", REASONS)
def test_each_reason_is_named(original: Path, forgery: Forgery, name: str) -> None:
    change, reason = REASONS[name]
    change(forgery.manifest)
    forgery.save()
    comparison = compare(original, forgery.folder)
    assert [each.name for each in comparison.reasons] == [reason]
    assert not comparison.equal and counts(comparison) == {}


def test_what_is_no_release_is_an_error(original: Path, forgery: Forgery, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="missing"):
        compare(original, tmp_path)
    next(forgery.folder.glob(f"{TEST}*")).write_bytes(b"PAR1")
    with pytest.raises(BuildError, match="as Parquet"):
        compare(original, forgery.folder)
    forgery.entry(TEST)["path"] = "../x"
    forgery.save()
    with pytest.raises(BuildError, match="none of a file"):
        compare(original, forgery.folder)


@given(st.lists(st.integers(0, 30), unique=True, max_size=9))
def test_a_longest_rise_rises_and_none_is_longer(numbers: list[int]) -> None:
    rise = [numbers[i] for i in reversed(list(longest_rise(numbers)))]
    assert all(one < other for one, other in pairwise(rise))
    best = [1] * len(numbers)
    for i, number in enumerate(numbers):
        best[i] = 1 + max((best[j] for j in range(i) if numbers[j] < number), default=0)
    assert len(rise) == max(best, default=0)


def test_the_command(original: Path, forgery: Forgery, tmp_path: Path) -> None:
    equal = kumoc("diff", original, original)
    assert equal.returncode == 0 and "equal" in equal.stdout and equal.stderr == ""
    forgery.rows(TEST, lambda rows: rows[0].update(seed=5))
    forgery.manifest["inputs"]["seed"] = 12
    forgery.manifest["benchmark"]["title"] = "\x1b[31m"
    forgery.seal()
    differs = kumoc("diff", original, forgery.folder)
    assert differs.returncode == 1 and differs.stderr == "" and "\x1b" not in differs.stdout
    assert "has changed in seed" in differs.stdout and "  seed: 3 -> 12\n" in differs.stdout
    machine = kumoc("diff", original, forgery.folder, "--json")
    data = json.loads(machine.stdout)
    assert machine.returncode == 1 and not data["equal"]
    assert [change["columns"] for change in data["changes"]] == [["seed"]]
    assert {reason["name"] for reason in data["reasons"]} == {"seed", "title"}
    wrong = kumoc("diff", original, tmp_path)
    assert wrong.returncode == 1 and "error: " in wrong.stderr and "manifest.json" in wrong.stderr
