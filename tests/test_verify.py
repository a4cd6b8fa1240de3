"""`kumoc verify`: a good release passes, and whatever is done to one is found and named where it was done."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kumoc.generate import derive
from kumoc.release import Wish
from kumoc.release.parquet import arrow_schema, read
from kumoc.release.verify import Report, verify
from kumoc.views import GAME_COLUMNS
from tests.command import ROOT, kumoc
from tests.forgery import Forgery, Row, small_release

GOLDEN = ROOT / "dist" / "pocket" / "1.0.0"
TEST = "game-small/tea/test"
SPOILED = 1
"""The row that is spoiled, where one is."""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("original"))


@pytest.fixture
def release(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "release"))


@pytest.fixture
def forgery(release: Path) -> Forgery:
    return Forgery(release)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("narrow"), narrow=True)


@pytest.fixture
def quick(narrow: Path, tmp_path: Path) -> Forgery:
    """A forgery of a release of one size: five instances, soon verified."""
    return Forgery(Path(shutil.copytree(narrow, tmp_path / "narrow")))


def found(report: Report, file: str, what: str = "", row: int | None = None) -> bool:
    """Whether there is a finding about ``file``, and about this row of it, that says ``what``."""
    return any(
        finding.file.startswith(file) and what in finding.what and finding.row == row for finding in report.findings
    )


def places(report: Report) -> set[tuple[str, int | None]]:
    return {(finding.file.split("-")[0], finding.row) for finding in report.findings}


# ---- good ones


def test_what_was_built_is_verified(original: Path) -> None:
    report = verify(original)
    assert report.findings == ()
    assert report.ok and report.notes == ()
    assert (report.benchmark, report.version, report.instances, report.recomputed) == ("mini", "1.2.0", 13, 13)
    written = {path.relative_to(original).as_posix() for path in original.rglob("*") if path.is_file()}
    assert {file.path for file in report.files} == written
    tried = {entry["size"]: entry["tried"] for entry in Forgery(original).manifest["files"]}
    assert tried.pop("banded") > 2 and not any(tried.values())  # it walked, so that walks are verified too


def test_the_golden_release_is_verified() -> None:
    assert verify(GOLDEN).to_json()["findings"] == []


def test_views_are_verified_by_deriving_them_again(tmp_path: Path) -> None:
    release = small_release(tmp_path, views="chat, steps")
    assert verify(release).to_json()["findings"] == []


def test_what_sealing_alone_does_is_not_found(forgery: Forgery) -> None:
    """The forger's hand is good: what the tests below find is what they changed."""
    forgery.rows(TEST, lambda rows: rows)
    forgery.seal()
    assert verify(forgery.folder).to_json()["findings"] == []


def test_a_sample_is_chosen_by_its_seed(original: Path) -> None:
    calls: list[int] = []
    report = verify(original, sample=5, seed=2, on_row=calls.append)
    assert report.ok and (report.instances, report.recomputed) == (13, 5)
    assert calls == [13] * 13
    assert verify(original, sample=10**12).recomputed == 13
    assert verify(original, sample=0).recomputed == 0


def test_a_private_split_and_another_program_leave_notes(tmp_path: Path) -> None:
    private = small_release(tmp_path, wish=Wish(secret=b"0123456789abcdef"))
    report = verify(private)
    assert report.findings == () and any("private split" in note for note in report.notes)
    forgery = Forgery(Path(shutil.copytree(private, tmp_path / "copy")))
    forgery.manifest["inputs"]["kumoc"] = "99.0.0"
    forgery.save()
    report = verify(forgery.folder)
    assert report.findings == () and any("built by kumoc 99.0.0" in note for note in report.notes)


# ---- bytes and files


def test_a_flipped_byte_is_found_in_every_file(original: Path, tmp_path: Path) -> None:
    flipped = 0
    for path in sorted(path for path in original.rglob("*") if path.is_file()):
        name = path.relative_to(original).as_posix()
        content = path.read_bytes()
        for at in (0, len(content) // 2, len(content) - 1):
            copy = Path(shutil.copytree(original, tmp_path / str(flipped)))
            (copy / name).write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
            report = verify(copy, sample=0)
            assert found(report, name), (name, at, report.findings)
            flipped += 1
    assert flipped >= 3 * 8


def test_swapped_files_are_both_found(release: Path) -> None:
    one, other = sorted(release.glob("game-small/tea/*.parquet"))
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    report = verify(release)
    for path in (one, other):
        assert found(report, path.relative_to(release).as_posix(), "its rows have the digest")
        assert found(report, path.relative_to(release).as_posix(), "seed", 0)


@pytest.mark.parametrize("name", ["manifest.json", "README.md", "tables/tea.json", TEST])
def test_a_missing_file_is_found(release: Path, name: str) -> None:
    next(release.glob(f"{name}*")).unlink()
    report = verify(release)
    assert found(report, name, "missing")


@pytest.mark.parametrize("name", ["game-small/tea/extra.parquet", "tables/other.json", "load.py", ".hidden/rows.csv"])
def test_a_stray_file_is_named(release: Path, name: str) -> None:
    (release / name).parent.mkdir(exist_ok=True)
    (release / name).write_bytes(next(release.glob("game-small/tea/*.parquet")).read_bytes())
    report = verify(release)
    assert [(finding.file, finding.what) for finding in report.findings] == [(name, "the manifest does not name it")]


def test_what_the_hub_leaves_beside_a_release_is_passed_over(release: Path) -> None:
    (release / ".cache" / "huggingface").mkdir(parents=True)
    (release / ".cache" / "huggingface" / "x.lock").write_text("")
    (release / ".gitattributes").write_text("*.parquet filter=lfs")
    assert verify(release).ok


def test_a_renamed_file_is_missing_and_stray(release: Path) -> None:
    path = next(release.glob(f"{TEST}*"))
    path.rename(path.with_name("test-0123456789ab.parquet"))
    report = verify(release)
    assert found(report, path.relative_to(release).as_posix(), "missing")
    assert found(report, "game-small/tea/test-0123456789ab.parquet", "does not name it")


@pytest.mark.parametrize("name", [TEST, "README.md", "tables/tea.json", "manifest.json"])
def test_links_are_not_followed(release: Path, tmp_path: Path, name: str) -> None:
    path = next(release.glob(f"{name}*"))
    shutil.move(path, tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    assert found(verify(release), name, "it is a link")


def test_linked_folders_pipes_and_folders_are_no_files(release: Path, tmp_path: Path) -> None:
    shutil.move(release / "tables", tmp_path / "outside")
    (release / "tables").symlink_to(tmp_path / "outside")
    (release / "README.md").unlink()
    os.mkfifo(release / "README.md")
    path = next(release.glob(f"{TEST}*"))
    path.unlink()
    path.mkdir()
    report = verify(release)
    assert found(report, "tables/tea.json", "linked folder")
    assert found(report, "tables", "does not name it")
    assert found(report, "README.md", "no regular file") and found(report, TEST, "no regular file")


@pytest.mark.parametrize("path", ["../outside.parquet", "/etc/passwd", "game-small/../../x", "a\\b", "C:x", "", "a\0b"])
def test_nothing_outside_is_read(forgery: Forgery, path: str, tmp_path: Path) -> None:
    shutil.copy(next(forgery.folder.glob(f"{TEST}*")), tmp_path / "outside.parquet")
    forgery.entry(TEST)["path"] = path
    forgery.manifest["other_files"][0]["path"] = path
    forgery.save()
    report = verify(forgery.folder)
    assert any(finding.file == path and "none of a file" in finding.what for finding in report.findings)
    assert found(report, "manifest.json", "the path")


def test_a_truncated_file_is_found(release: Path) -> None:
    path = next(release.glob(f"{TEST}*"))
    path.write_bytes(path.read_bytes()[:-100])
    report = verify(release)
    assert found(report, TEST, "as Parquet") and found(report, TEST, "bytes")


# ---- the manifest


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"rows": NaN}',
        '{"a": 1, "a": 1}',
        '{"rows": 1e999}',
        '{"rows": 1' + "0" * 5000 + "}",
        "[" * 100_000,
        '{"a": "\\ud800"}',
        "\ufeff{}",
    ],
)
def test_a_manifest_that_is_none_is_a_finding(quick: Forgery, text: str) -> None:
    release = quick.folder
    (release / "manifest.json").write_text(text, encoding="utf-8")
    report = verify(release)
    assert {finding.file for finding in report.findings} == {"manifest.json"}
    (release / "manifest.json").write_bytes(b"\xff\xfe{}")
    assert found(verify(release), "manifest.json", "not UTF-8")


def _file(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest["files"][0].update({name: value})


def _inputs(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest["inputs"].update({name: value})


def _tried(size: str, more: int) -> Callable[[dict[str, Any]], None]:
    def change(manifest: dict[str, Any]) -> None:
        (entry, *_) = (file for file in manifest["files"] if file["size"] == size)
        entry["tried"] = max(1, entry["tried"] + more)

    return change


DIGEST = "0" * 64
FORGED: dict[str, tuple[Callable[[dict[str, Any]], object], str, str]] = {
    "rows": (lambda m: m.update(rows=14), "manifest.json", "rows: it says 14"),
    "rows of a file": (_file("rows", 5), "game-small/tea/validation", "it has 2 rows"),
    "rows that are no integer": (_file("rows", 2.0), "manifest.json", "files.0.rows"),
    "rows below zero": (_file("rows", -1), "manifest.json", "files.0.rows"),
    "exact rows": (_file("exact_rows", 1), "game-small/tea/validation", "exact_rows: 2 by its rows"),
    "widest bracket": (_file("widest_bracket", 0.5), "game-small/tea/validation", "widest_bracket: 0.0 by its rows"),
    "candidates tried": (_tried("banded", 1), "game-banded/tea/test", "tried: "),
    "too few candidates": (_tried("banded", -99), "manifest.json", "more rows than the 1 candidates"),
    "candidates for no band": (_tried("small", 1), "manifest.json", "no band of difficulty"),
    "digest of rows": (_file("rows_sha256", DIGEST), "game-small/tea/validation", "its rows have the digest"),
    "digest of all rows": (lambda m: m.update(rows_sha256=DIGEST), "manifest.json", "rows_sha256"),
    "digest of bytes": (_file("sha256", DIGEST), "game-small/tea/validation", "its bytes have the digest"),
    "bytes": (_file("bytes", 7), "game-small/tea/validation", "the manifest says 7"),
    "digest of the card": (lambda m: m["other_files"][0].update(sha256=DIGEST), "README.md", "its bytes"),
    "split": (_file("split", "train"), "manifest.json", "there is none for view 'game', size 'small'"),
    "size": (_file("size", "large"), "manifest.json", "ask for none for view 'game', size 'large'"),
    "no such view": (_file("view", "dance"), "manifest.json", "'dance'"),
    "a file left out": (lambda m: m["files"].pop(0), "game-small/tea/validation", "does not name it"),
    "a file twice": (lambda m: m["files"].append(m["files"][0]), "manifest.json", "is there 2 times"),
    "order of files": (lambda m: m["files"].reverse(), "manifest.json", "not in the order"),
    "the card left out": (lambda m: m["other_files"].pop(0), "manifest.json", "there is no 'README.md'"),
    "canary": (
        lambda m: m.update(canary="kumoc canary " + DIGEST[:8] + "-0000" * 3 + "-" + DIGEST[:12]),
        "manifest.json",
        "canary",
    ),
    "commitment": (lambda m: m.update(commitment=DIGEST), "manifest.json", "commitment"),
    "seed": (_inputs("seed", 4), TEST, "none that the benchmark's seed gives"),
    "seed of many bits": (_inputs("seed", 2**300), "manifest.json", "bits"),
    "no seed": (_inputs("seed", None), "manifest.json", "inputs.seed"),
    "title": (lambda m: m["benchmark"].update(title="Maxi"), "README.md", "is not what kumoc writes"),
    "version": (lambda m: m["benchmark"].update(version="1.3.0"), "manifest.json", "canary"),
    "rows asked for": (lambda m: m["inputs"]["sizes"][0]["splits"][0].update(rows=9), "manifest.json", "ask for 9"),
    "truths of a size": (lambda m: m["inputs"]["sizes"][0].update(truths=4), TEST, "there are 3, and the size has 4"),
    "valid truths": (lambda m: m["inputs"]["sizes"][0].update(valid=3), "manifest.json", "not all truths"),
    "mode": (lambda m: m["inputs"]["sizes"][0].update(mode="paper"), TEST, "mode: it is"),
    "work": (lambda m: m["inputs"]["sizes"][0].update(work=1), TEST, "exact_"),
    "band": (lambda m: m["inputs"]["sizes"][1].update(difficulty=[0.5, 0.6]), "game-banded/tea/test", "difficulty"),
    "tables": (lambda m: m["inputs"]["domains"][0].update(tables_sha256=DIGEST), "tables/tea.json", "tables_sha256"),
    "domain": (lambda m: m["inputs"]["domains"][0].update(name="coffee"), "manifest.json", "there is none for"),
    "unknown input": (_inputs("mood", "good"), "manifest.json", "mood"),
}


@pytest.mark.parametrize("change", FORGED)
def test_a_manifest_that_is_not_true_is_found(forgery: Forgery, change: str) -> None:
    spoil, file, what = FORGED[change]
    spoil(forgery.manifest)
    forgery.save()
    report = verify(forgery.folder, sample=None if change in {"work", "candidates tried"} else 0)
    assert any(finding.file.startswith(file) and what in finding.what for finding in report.findings), report.findings


def test_a_manifest_written_otherwise_is_found(release: Path) -> None:
    path = release / "manifest.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"rows": ', '"rows":  ', 1), encoding="utf-8")
    report = verify(release)
    assert [finding.what for finding in report.findings] == ["its JSON is not written as kumoc writes it"]


def test_a_plot_of_other_rows_is_found(forgery: Forgery) -> None:
    path = forgery.folder / "difficulty.svg"
    path.write_text(path.read_text(encoding="utf-8").replace("2 instances", "3 instances"), encoding="utf-8")
    forgery.measure(next(entry for entry in forgery.manifest["other_files"] if entry["path"] == path.name))
    forgery.save()
    report = verify(forgery.folder)
    assert [finding.file for finding in report.findings] == ["difficulty.svg"]


# ---- the card and the tables


def _first_path(text: str) -> str:
    start = text.index("    - game-")
    return text[:start] + text[text.index("\n", start) + 1 :]


CARDS: dict[str, tuple[Callable[[str], str], str]] = {
    "prose": (lambda text: text.replace("Reasoning games", "Boring games"), "is not what kumoc writes"),
    "how a player does": (
        lambda text: re.sub(r"(\| random \| \d+ \|) 1.00", r"\1 0.99", text),
        "is not what kumoc writes: '| `small` | random",
    ),
    "a path left out": (_first_path, "data_files are not the files"),
    "a path elsewhere": (lambda text: text.replace("- game-small", "- ../game-small", 1), "data_files"),
    "a wildcard": (lambda text: text.replace("- game-small/tea/test", "- '**' #", 1), "data_files"),
    "a stale digest": (lambda text: text.replace("description: sha256:", "description: sha256:0", 1), "description"),
    "a stale version": (lambda text: text.replace("version: 1.2.0", "version: 1.1.0", 1), "version"),
    "no such configuration": (lambda text: text.replace("config_name: small", "config_name: tiny"), "nothing to be in"),
    "counts": (lambda text: text.replace("num_examples: 3", "num_examples: 4"), "dataset_info"),
    "no prose": (lambda text: text[: text.rindex("\n---\n") + 5], "does not mention the canary"),
    "no YAML": (lambda text: text.removeprefix("---\n"), "no YAML"),
    "bad YAML": (lambda text: text.replace("pretty_name: ", "pretty_name: ["), "YAML can't be read"),
    "a list": (lambda text: "---\n- 1\n" + text[text.index("\n---\n") + 1 :], "no mapping"),
    "aliases": (lambda text: text.replace("pretty_name: Mini", "a: &a [1, 1]\nb: [*a, *a]"), "aliases"),
    "code": (lambda text: text.replace("pretty_name: Mini", "a: !!python/object/apply:os.getcwd []"), "can't be read"),
    "odd types": (lambda text: text.replace("data_files:", "data_files: 7\n  x:", 1), "data_files"),
}


@pytest.mark.parametrize("change", CARDS)
def test_an_edited_card_is_found(quick: Forgery, change: str) -> None:
    spoil, what = CARDS[change]
    path = quick.folder / "README.md"
    text = path.read_text(encoding="utf-8")
    assert spoil(text) != text
    path.write_text(spoil(text), encoding="utf-8")
    quick.measure(next(entry for entry in quick.manifest["other_files"] if entry["path"] == "README.md"))
    quick.save()
    report = verify(quick.folder, sample=0)
    assert {finding.file for finding in report.findings} == {"README.md"}
    assert found(report, "README.md", what), report.findings


TABLES: dict[str, tuple[Callable[[dict[str, Any]], object], str, str]] = {
    "a rule left out": (lambda t: t["actions"][0]["outcomes"][0]["rules_out"].pop(0), "game-", ""),
    "another description": (lambda t: t["truths"][0].update(description="Other."), "game-", "knowledge_book"),
    "an action left out": (lambda t: t["actions"].pop(), "game-", ""),
    "a truth twice": (lambda t: t["truths"].append({**t["truths"][0], "description": ""}), "tables/", "twice"),
    "an unknown truth": (lambda t: t["actions"][0]["outcomes"][0]["rules_out"].append("Coal"), "tables/", "no truth"),
    "a label twice": (
        lambda t: next(a for a in t["actions"] if a["scale"] is None)["outcomes"].append(
            {**next(a for a in t["actions"] if a["scale"] is None)["outcomes"][0], "rules_out": []}
        ),
        "tables/",
        "twice",
    ),
    "a scale for labels": (
        lambda t: next(a for a in t["actions"] if a["scale"] is None).update(
            scale={"low": 0.0, "high": 1.0, "decimals": 0, "unit": ""}
        ),
        "tables/",
        "labels and a scale",
    ),
    "a gap": (
        lambda t: next(a for a in t["actions"] if a["scale"])["outcomes"][0].update(high=0.25),
        "tables/",
        "do not follow",
    ),
    "a wide number": (
        lambda t: next(a for a in t["actions"] if a["scale"])["scale"].update(high=1e300),
        "tables/",
        "",
    ),
    "no decimals": (lambda t: t["actions"][0].update(outcomes=[]), "tables/", ""),
}


@pytest.mark.parametrize("change", TABLES)
def test_other_tables_are_found(quick: Forgery, change: str) -> None:
    spoil, file, what = TABLES[change]
    try:
        quick.tables(spoil)
        quick.seal()
    except (ArithmeticError, KeyError):
        quick.save()  # the builder itself would refuse such tables
    report = verify(quick.folder, sample=0)
    assert any(finding.file.startswith(file) and what in finding.what for finding in report.findings), report.findings


# ---- rows, with every digest forged


def _other(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case None:
            return ["Leaf"]
        case str():
            return value + "x"
        case bool():
            return not value
        case int() | float():
            return value + 1
        case [str(), str(), *_]:
            return value[::-1]
        case [dict() as first, *rest]:
            return [first | {"action": "Other"}, *rest]
        case []:  # only the names that stand for others are none
            return [{"kind": "truth", "action": "", "shown": "Leaf", "name": "Leaf"}]
    return [*value, "Other"]


@pytest.mark.parametrize("column", GAME_COLUMNS)
def test_an_edited_cell_of_any_column_is_found(quick: Forgery, column: str) -> None:
    quick.rows(TEST, lambda rows: rows[SPOILED].update({column: _other(rows[SPOILED][column])}))
    quick.seal()
    for sample in (None, 0):
        report = verify(quick.folder, sample=sample)
        assert {(finding.file, finding.row) for finding in report.findings} == {(quick.entry(TEST)["path"], SPOILED)}
        assert all(finding.id is not None for finding in report.findings)


NULLABLE = {name for name in GAME_COLUMNS if name.startswith(("exact", "paper")) and "bound" not in name}


@pytest.mark.parametrize("column", GAME_COLUMNS)
def test_a_null_in_any_column_is_found(quick: Forgery, column: str) -> None:
    quick.rows(TEST, lambda rows: rows[SPOILED].update({column: None}))
    quick.seal()
    report = verify(quick.folder)
    assert found(report, TEST, column, SPOILED)
    assert places(report) <= {("game", SPOILED)} | ({("game", None)} if column in NULLABLE else set())


def _nested(column: str, name: str, value: Any) -> Callable[[list[Row]], object]:
    return lambda rows: rows[SPOILED][column][0].update({name: value})


def _spoil(**columns: Any) -> Callable[[list[Row]], object]:
    return lambda rows: rows[SPOILED].update(columns)


def _without_a_rule(rows: list[Row]) -> None:
    book = rows[SPOILED]["knowledge_book"].splitlines(keepends=True)
    book.remove(next(line for line in book if line.startswith("- If the outcome")))
    rows[SPOILED]["knowledge_book"] = "".join(book)


def _cheaper(rows: list[Row]) -> None:
    row = rows[SPOILED]
    for column in ("expected_actions", "lower_bound", "upper_bound"):
        row[f"exact_{column}"] -= 0.25


def _other_first_action(rows: list[Row]) -> None:
    row = rows[SPOILED]
    row["paper_optimal_actions"] = [name for name in row["actions"] if name not in row["paper_optimal_actions"]][:1]


def _longer(rows: list[Row]) -> None:
    row = rows[SPOILED]
    row["exact_trajectory"] = row["actions"]
    row["exact_trajectory_length"] = len(row["actions"])


ROWS: dict[str, tuple[Callable[[list[Row]], object], str]] = {
    "a book without a rule": (_without_a_rule, "knowledge_book: For"),
    "a book with a line more": (lambda rows: rows[1].update(knowledge_book=rows[1]["knowledge_book"] + "\n"), "line"),
    "another book": (lambda rows: rows[1].update(knowledge_book=rows[0]["knowledge_book"]), "knowledge_book"),
    "a rule that is null": (lambda rows: rows[1]["rules"].__setitem__(0, None), "rules.0"),
    "a null in a rule": (_nested("rules", "rules_out", [None]), "rules.0"),
    "a rule of both kinds": (_nested("rules", "low", 1.0), "rules.0"),
    "a rule of another unit": (_nested("rules", "unit", "mg"), "rules: item 0"),
    "a rule that says less": (_nested("rules", "rules_out", []), ""),
    "no rules": (_spoil(rules=[]), "fits 0 of its outcomes"),
    "no observations": (_spoil(observations=[]), "observations"),
    "a value that is no number": (_nested("observations", "value", float("nan")), "observations.0"),
    "an infinite bound": (_spoil(exact_upper_bound=float("inf")), "exact_upper_bound"),
    "a huge bound": (_spoil(exact_upper_bound=1e300, exact_lower_bound=1e300), "exact_upper_bound"),
    "a bound below zero": (_spoil(exact_lower_bound=-1.0), "exact_lower_bound"),
    "minus zero": (lambda rows: rows[1]["rules"][0].update(low=None, label="-"), "rules"),
    "bounds that cross": (
        lambda rows: rows[1].update(exact_lower_bound=rows[1]["exact_upper_bound"] + 1),
        "exact_lower_bound",
    ),
    "a better value": (_cheaper, "exact_expected_actions"),
    "another first action": (_other_first_action, "paper_optimal_actions"),
    "a longer trajectory": (_longer, "exact_trajectory"),
    "an action twice": (lambda rows: rows[1]["exact_trajectory"].append(rows[1]["exact_trajectory"][0]), "exact_traj"),
    "an unknown action": (_spoil(exact_optimal_actions=["Boil"]), "exact_optimal_actions"),
    "a seed of another place": (lambda rows: rows[1].update(seed=derive(3, "tea", "small", "test", 0, 0)), "seed"),
    "a seed below zero": (_spoil(seed=-1), "seed"),
    "all truths valid": (lambda rows: rows[1].update(valid_truths=rows[1]["truths"]), "valid"),
    "a row of another file": (lambda rows: rows.__setitem__(1, rows[1] | {"size": "apart"}), "size: it is"),
}


@pytest.mark.parametrize("change", ROWS)
def test_a_forged_row_is_found(quick: Forgery, change: str) -> None:
    spoil, what = ROWS[change]
    quick.rows(TEST, spoil)
    quick.seal()
    report = verify(quick.folder)
    assert found(report, TEST, what, SPOILED), report.findings
    assert {finding.row for finding in report.findings} == {SPOILED}


def test_a_sample_plays_only_what_it_holds(forgery: Forgery) -> None:
    """A forged value that agrees with itself takes the player to be found."""
    forgery.rows(TEST, _cheaper)
    forgery.seal()
    assert [verify(forgery.folder, sample=size).ok for size in (0, 13)] == [True, False]
    verdicts = {verify(forgery.folder, sample=6, seed=seed).ok for seed in range(8)}
    assert verdicts == {True, False}


def test_dropped_repeated_and_reordered_rows_are_found(original: Path, tmp_path: Path) -> None:
    changes: dict[str, tuple[Callable[[list[Row]], object], str, int | None]] = {
        "dropped": (lambda rows: rows.pop(0), "seed", 0),
        "repeated": (lambda rows: [rows[0], rows[0], rows[2]], "the same instance as row 0 of game-small/tea/test", 1),
        "reordered": (lambda rows: rows.reverse(), "seed", 0),
        "from another split": (
            lambda rows: [*rows[:2], read(next(original.glob("game-small/tea/validation*")))[0]],
            "the same instance as row 0 of game-small/tea/validation",
            2,
        ),
        "other order of truths": (
            lambda rows: [*rows[:2], rows[0] | {"truths": rows[0]["truths"][::-1]}],
            "the same instance as row 0",
            2,
        ),
    }
    for name, (change, what, row) in changes.items():
        forgery = Forgery(Path(shutil.copytree(original, tmp_path / name)))
        forgery.rows(TEST, change)
        forgery.seal()
        report = verify(forgery.folder)
        assert found(report, TEST, what, row), (name, report.findings)
    forgery = Forgery(tmp_path / "dropped")
    assert found(verify(forgery.folder), "manifest.json", "ask for 3")


def test_fair_instances_that_share_their_lists_are_found(original: Path, tmp_path: Path) -> None:
    """The same truths and actions with another outcome seen, if there is one, are not the same instance."""
    forgery = Forgery(Path(shutil.copytree(original, tmp_path / "copy")))
    tried = 0

    def change(rows: list[Row]) -> list[Row]:
        nonlocal tried
        row = rows[0]
        for i, seen in enumerate(row["observations"]):
            for rule in row["rules"]:
                if rule["action"] == seen["action"] and rule["label"] not in (None, seen["label"]):
                    other = seen | {"label": rule["label"], "text": rule["label"]}
                    spoiled = row | {"observations": [*row["observations"][:i], other, *row["observations"][i + 1 :]]}
                    tried += 1
                    return [row, spoiled, rows[2]]
        return rows

    forgery.rows(TEST, change)
    forgery.seal()
    report = verify(forgery.folder)
    assert tried and not report.ok


def test_a_truth_that_two_disjoint_splits_list_is_found(forgery: Forgery) -> None:
    rows = read(forgery.folder / forgery.entry("game-apart/tea/validation")["path"])
    forgery.rows("game-apart/tea/test", lambda others: [others[0], rows[0]])
    forgery.seal()
    report = verify(forgery.folder)
    assert found(report, "game-apart/tea/test", "splits of this size share no truth", 1)


@pytest.mark.parametrize("change", ["type", "missing", "more", "order"])
def test_other_columns_are_found(quick: Forgery, change: str) -> None:
    entry = quick.entry(TEST)
    path = quick.folder / entry["path"]
    table = pq.read_table(path)
    if change == "type":
        table = table.set_column(table.schema.names.index("seed"), "seed", table["seed"].cast(pa.uint64()))
        assert table.schema.names == list(GAME_COLUMNS)
    elif change == "missing":
        table = table.drop_columns(["rules"])
    elif change == "more":
        table = table.append_column("answer", table["ground_truth"])
    else:
        table = table.select(list(GAME_COLUMNS)[::-1])
    pq.write_table(table, path)
    quick.measure(entry)
    quick.seal()
    assert found(verify(quick.folder, sample=0), TEST, "column")


def test_a_file_that_swells_is_not_read(forgery: Forgery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumoc.release.folder.MAX_VALUES", 10)
    assert found(verify(forgery.folder), TEST, "more than 10 values")


def test_rows_of_no_text_are_a_finding(forgery: Forgery) -> None:
    entry = forgery.entry(TEST)
    path = forgery.folder / entry["path"]
    table = pq.read_table(path, schema=arrow_schema(GAME_COLUMNS))
    broken = pa.array([b"\xff\xfe"] * len(table), pa.binary()).view(pa.string())
    pq.write_table(table.set_column(0, "knowledge_book", broken), path)
    forgery.measure(entry)
    forgery.seal()
    assert found(verify(forgery.folder), TEST, "can't be read")


# ---- other views


def test_forged_rows_of_other_views_are_found(tmp_path: Path) -> None:
    original = small_release(tmp_path, views="chat, steps")
    chat, steps = "chat-small/tea/test", "steps-small/tea/test"
    changes: dict[str, tuple[str, Callable[[list[Row]], object], str, int]] = {
        "message": (chat, lambda rows: rows[1]["messages"][0].update(content="Hello."), "messages", 1),
        "size": (chat, lambda rows: rows[1].update(size="apart"), "size", 1),
        "dropped": (chat, lambda rows: rows.pop(1), "missing", 1),
        "strange": (chat, lambda rows: rows[2].update(instance_id="tea-0"), "comes of no row", 2),
        "step": (steps, lambda rows: rows[0].update(expected_actions=7.0), "expected_actions", 0),
        "last step": (steps, lambda rows: rows.pop(), "missing", -1),
        "step twice": (steps, lambda rows: rows.append(rows[-1]), "no such row", -1),
    }
    for name, (file, change, what, row) in changes.items():
        forgery = Forgery(Path(shutil.copytree(original, tmp_path / name)))
        count = len(read(forgery.folder / forgery.entry(file)["path"]))
        forgery.rows(file, change)
        forgery.seal()
        report = verify(forgery.folder)
        at = row if row >= 0 else count - (what == "missing")
        assert found(report, file, what, at), (name, report.findings)


def test_a_view_that_is_left_out_is_found(tmp_path: Path) -> None:
    forgery = Forgery(small_release(tmp_path, views="chat, steps"))
    entry = forgery.entry("chat-small/tea/test")
    forgery.manifest["files"].remove(entry)
    (forgery.folder / entry["path"]).unlink()
    forgery.seal()
    report = verify(forgery.folder)
    assert [finding.file for finding in report.findings] == ["manifest.json"]
    assert found(report, "manifest.json", "none of the view 'chat' for row 0")


def test_what_cannot_be_proved_is_not_derived_from(tmp_path: Path) -> None:
    original = small_release(tmp_path, views="chat, steps")
    forgery = Forgery(Path(shutil.copytree(original, tmp_path / "columns")))
    entry = forgery.entry(TEST)
    pq.write_table(pq.read_table(forgery.folder / entry["path"]).drop_columns(["instance_id"]), tmp_path / "table")
    shutil.move(tmp_path / "table", forgery.folder / entry["path"])
    forgery.measure(entry)
    forgery.save()
    assert found(verify(forgery.folder), TEST, "no column 'instance_id'")
    (original / "tables" / "tea.json").write_text("{}")
    forgery = Forgery(original)
    forgery.rows(TEST, lambda rows: [row | {"truths": None, "exact_trajectory": ["x"]} for row in rows])
    forgery.save()
    assert not verify(original).ok


# ---- the command


def test_the_command_says_what_is_wrong_where(forgery: Forgery) -> None:
    good = kumoc("verify", forgery.folder)
    assert good.returncode == 0 and good.stderr == ""
    assert "game-small/tea/test" in good.stdout and "13 rows proved, each of them recomputed" in good.stdout
    forgery.rows(TEST, _spoil(ground_truth="\x1b[31mtea"))
    forgery.seal()
    bad = kumoc("verify", forgery.folder, "--sample", 3, "--seed", 1)
    assert bad.returncode == 1 and bad.stderr == ""
    (row,) = (line for line in bad.stdout.splitlines() if ", row 1 (tea-" in line)
    assert forgery.entry(TEST)["path"] in row and "ground_truth" in row
    assert "FAILED  (1 finding)" in bad.stdout and "\x1b" not in bad.stdout
    machine = kumoc("verify", forgery.folder, "--json")
    data = json.loads(machine.stdout)
    assert machine.returncode == 1 and not data["ok"]
    assert [(finding["file"], finding["row"]) for finding in data["findings"]] == [(forgery.entry(TEST)["path"], 1)]


def test_the_command_shows_some_dozens_of_findings(forgery: Forgery) -> None:
    for number in range(60):
        (forgery.folder / f"stray{number}").write_text("")
    result = kumoc("verify", forgery.folder, "--sample", 0)
    assert result.returncode == 1
    assert "and 20 more" in result.stdout and result.stdout.rstrip().endswith("60 findings")


def test_the_command_needs_a_folder(tmp_path: Path) -> None:
    for place in (tmp_path / "nothing", Path(__file__)):
        assert kumoc("verify", place).returncode == 1
    result = kumoc("verify", tmp_path)
    assert result.returncode == 1 and "manifest.json: it is missing" in result.stdout
