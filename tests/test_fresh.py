"""Fresh releases: of another month, of nothing that was published, of a seed that nobody knows."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumoc.generate import derive
from kumoc.release import BuildError
from kumoc.release.canary import canary
from kumoc.release.fresh import commitment, fresh_seed, key_digest
from kumoc.release.manifest import MANIFEST_NAME
from kumoc.release.parquet import read
from kumoc.release.published import identities, published
from tests.command import DOMAINS, kumoc

MINERALS = DOMAINS / "minerals.kumo"
TEA = DOMAINS / "tea.kumo"
KEY = bytes(range(200, 232))
SMALL = ("--size", "small=3,4", "--count", "5")

seeds = st.integers(0, 2**63 - 1)
labels = st.from_regex(r"\A[0-9A-Za-z]([0-9A-Za-z.-]{0,10}[0-9A-Za-z])?\Z")


def build(place: Path, *arguments: object, domain: Path = TEA) -> Path:
    """The release that ``kumoc build`` makes in ``place``."""
    result = kumoc("build", domain, *arguments, "--out", place, cwd=place.parent)
    assert result.returncode == 0, result.stderr
    (release,) = (place / domain.stem).iterdir()
    return release


def manifest(release: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((release / MANIFEST_NAME).read_text(encoding="utf-8"))
    return data


def rows(release: Path) -> list[dict[str, Any]]:
    return [row for file in manifest(release)["files"] for row in read(release / file["path"])]


# ---- seeds


@given(seeds, labels, st.binary(min_size=16, max_size=80))
def test_seeds_are_deterministic_and_differ(seed: int, label: str, key: bytes) -> None:
    assert fresh_seed(seed) == seed
    found = {seed}
    for other in (seed, (seed + 1) % 2**63):
        for with_label in (None, label, f"{label}x"):
            for with_key in (None, key, key + b"\1"):
                if with_label or with_key:
                    again = [fresh_seed(other, with_label, with_key) for _ in range(2)]
                    assert again[0] == again[1] >= 0
                    assert (again[0] < 2**63) == (with_key is None)
                    found.add(again[0])
    assert len(found) == 1 + 2 * 8


@pytest.mark.parametrize("label", ["", " ", "a b", "../up", "-a", "a-", ".", "ü", "a/b", "a\n", "x" * 41])
def test_a_label_that_could_not_name_a_folder_is_refused(label: str) -> None:
    with pytest.raises(BuildError, match="can't label"):
        fresh_seed(1, label)


@pytest.mark.parametrize("key", [b"", b"secret", bytes(15), bytes(1_000_001)])
def test_a_key_that_could_be_guessed_or_is_none_is_refused(key: bytes) -> None:
    with pytest.raises(BuildError, match="key"):
        fresh_seed(1, None, key)


def test_a_commitment_is_what_the_documentation_says() -> None:
    rows_sha256 = hashlib.sha256(b"rows").hexdigest()
    of_key = hashlib.sha256(b"kumoc private split, key, 1\n" + KEY).hexdigest()
    text = f"kumoc private split, commitment, 1\n{of_key}\n{rows_sha256}\n"
    assert key_digest(KEY) == of_key
    assert commitment(of_key, rows_sha256) == hashlib.sha256(text.encode()).hexdigest()


# ---- labels


def test_a_label_gives_another_release_beside_the_first_one(tmp_path: Path) -> None:
    for label in ([], ["--fresh", "2026-11"], ["--fresh", "2026-12"], ["--fresh", "2026-11"]):
        result = kumoc("build", TEA, *SMALL, *label, "--seed", "7", cwd=tmp_path)
        assert result.returncode == 0, result.stderr
    assert "already built" in result.stdout
    names = ("1.0.0", "1.0.0-2026-11", "1.0.0-2026-12")
    folder = tmp_path / "dist" / "tea"
    assert sorted(path.name for path in folder.iterdir()) == list(names)
    plain, november, december = (manifest(folder / name) for name in names)
    assert plain["inputs"]["seed"] == 7 and plain["inputs"]["fresh"] is None
    assert november["inputs"]["seed"] == derive("fresh", 7, "2026-11")
    assert november["inputs"]["fresh"] == {
        "declared_seed": 7,
        "label": "2026-11",
        "key_sha256": None,
        "disjoint_from": [],
    }
    assert len({each["rows_sha256"] for each in (plain, november, december)}) == 3
    assert {each["commitment"] for each in (plain, november, december)} == {None}
    card = (folder / names[1] / "README.md").read_text(encoding="utf-8")
    assert "those of `2026-11`" in card and 'tea/1.0.0-2026-11"' in card
    # what a manifest says is enough to build the same rows again
    again = build(tmp_path / "again", *SMALL, "--seed", november["inputs"]["seed"])
    without = [{**row, "canary": ""} for row in rows(again)]
    assert without == [{**row, "canary": ""} for row in rows(folder / names[1])]


# ---- canaries


def test_every_row_the_card_and_the_manifest_have_the_canary_of_the_release(tmp_path: Path) -> None:
    release = build(tmp_path / "a", *SMALL, "--fresh", "x")
    text = canary("tea", "1.0.0-x")
    assert text.startswith("kumoc canary ") and canary("tea", "1.0.0") != text != canary("te", "a 1.0.0-x")
    assert {row["canary"] for row in rows(release)} == {text}
    assert manifest(release)["canary"] == text
    assert text in (release / "README.md").read_text(encoding="utf-8")
    assert canary("tea", "1.0.0") == "kumoc canary f41829d0-1cac-59d5-a5ca-52fc655696b5"  # for ever


# ---- disjoint releases


def test_no_instance_of_a_named_release_is_built_again(tmp_path: Path) -> None:
    sizes = ("--size", "fair=4,5", "--count", "20")
    first = build(tmp_path / "a", *sizes, domain=MINERALS)
    other = build(tmp_path / "b", *sizes, "--mode", "paper", domain=MINERALS)
    same = build(tmp_path / "c", *sizes, "--disjoint-from", other, domain=MINERALS)
    anew = build(
        tmp_path / "d", *sizes, "--disjoint-from", other, "--disjoint-from", first, "--disjoint-from", first,
        domain=MINERALS,
    )  # fmt: skip

    def ids(release: Path) -> set[str]:
        return {row["instance_id"] for row in rows(release)}

    def lists(release: Path) -> set[tuple[frozenset[str], frozenset[str]]]:
        return {(frozenset(row["truths"]), frozenset(row["actions"])) for row in rows(release)}

    assert ids(same) == ids(first) and manifest(same)["rows_sha256"] == manifest(first)["rows_sha256"]
    assert len(lists(anew)) == 20
    assert not lists(anew) & lists(first) and not lists(anew) & lists(other)
    digests = sorted(manifest(release)["rows_sha256"] for release in (first, other))
    assert manifest(anew)["inputs"]["fresh"]["disjoint_from"] == digests
    card = (anew / "README.md").read_text(encoding="utf-8")
    assert all(digest in card for digest in digests)


def test_a_domain_that_has_no_more_instances_is_told(tmp_path: Path) -> None:
    (tmp_path / "two.kumo").write_text(
        'domain two "Two" { truths "one" "ones" { A, B } actions "look" "looks" {\n'
        '"Look" { "red" rules out A\n "blue" rules out B } } }'
    )
    size = ("--size", "all=2,1", "--count", "1")
    taken = build(tmp_path / "a", *size, domain=tmp_path / "two.kumo")
    result = kumoc("build", tmp_path / "two.kumo", *size, "--disjoint-from", taken, "--out", tmp_path / "b")
    assert result.returncode == 1 and "too few instances" in result.stderr and "Traceback" not in result.stderr


def test_identities_are_those_that_the_build_goes_by(tmp_path: Path) -> None:
    """A release of labels and ranges, read back, is taken whole: each of its instances is found again."""
    release = build(tmp_path / "a", "--size", "s=4,6", "--count", "12", domain=MINERALS)
    found = list(identities(published(release)))
    assert len({identity.content for _, _, identity in found}) == 12
    assert {(domain, mode.value) for domain, mode, _ in found} == {("minerals", "fair")}
    assert any(seen["value"] is not None for row in rows(release) for seen in row["observations"])
    assert any(seen["label"] is not None for row in rows(release) for seen in row["observations"])


@pytest.mark.parametrize("damage", ["no release", "no rows", "other rows", "no manifest"])
def test_a_release_that_cannot_be_read_is_told(tmp_path: Path, damage: str) -> None:
    release = build(tmp_path / "a", *SMALL)
    (path,) = release.rglob("*.parquet")
    match damage:
        case "no release":
            release = tmp_path
        case "no rows":
            path.unlink()
        case "other rows":
            path.write_bytes(path.read_bytes()[:-9])
        case "no manifest":
            (release / MANIFEST_NAME).write_text("{")
    with pytest.raises(BuildError):
        published(release)
    result = kumoc("build", TEA, *SMALL, "--disjoint-from", release, "--out", tmp_path / "b")
    assert result.returncode == 1 and "Traceback" not in result.stderr and not (tmp_path / "b").exists()
    assert "release" in result.stderr or "damaged" in result.stderr


# ---- private splits


def test_a_private_split_is_built_from_its_key_and_tells_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "other").write_bytes(KEY[::-1])
    first = build(tmp_path / "a", *SMALL, "--secret", tmp_path / "key")
    again = build(tmp_path / "b", *SMALL, "--secret", tmp_path / "key")
    other = build(tmp_path / "c", *SMALL, "--secret", tmp_path / "other")
    assert manifest(first) == manifest(again) and rows(first) == rows(again)
    assert manifest(first)["rows_sha256"] != manifest(other)["rows_sha256"]
    written = manifest(first)
    assert written["inputs"]["seed"] is None
    assert written["commitment"] == commitment(key_digest(KEY), written["rows_sha256"])
    told = "".join(path.read_bytes().decode("latin-1") for path in first.rglob("*") if path.is_file())
    seed = fresh_seed(0, None, KEY)
    for secret in (KEY.decode("latin-1"), KEY.hex(), str(seed), f"{seed:x}"):
        assert secret not in told
    assert written["commitment"] in (first / "README.md").read_text(encoding="utf-8")


def test_another_key_is_another_release(tmp_path: Path) -> None:
    for name, key in (("key", KEY), ("other", KEY[::-1])):
        (tmp_path / name).write_bytes(key)
    first = kumoc("build", TEA, *SMALL, "--secret", "key", cwd=tmp_path)
    (release,) = (tmp_path / "dist" / "tea").iterdir()
    assert first.returncode == 0 and manifest(release)["commitment"] in first.stdout
    again = kumoc("build", TEA, *SMALL, "--secret", "key", cwd=tmp_path)
    assert "already built" in again.stdout and manifest(release)["commitment"] in again.stdout
    other = kumoc("build", TEA, *SMALL, "--secret", "other", cwd=tmp_path)
    assert other.returncode == 1 and "differs" in other.stderr and "fresh" in other.stderr
    (tmp_path / "short").write_bytes(b"hunter2\n")
    short = kumoc("build", TEA, *SMALL, "--secret", "short", cwd=tmp_path)
    assert short.returncode == 1 and "can be guessed" in short.stderr and "hunter2" not in short.stderr
    missing = kumoc("build", TEA, *SMALL, "--secret", "nowhere", cwd=tmp_path)
    assert missing.returncode == 1 and "nowhere" in missing.stderr and "Traceback" not in missing.stderr
