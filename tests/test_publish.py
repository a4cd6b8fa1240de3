"""What is published: a release as it was built, under a tag that stays."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kumoc.release import BuildError
from kumoc.release.publish import pack
from tests.command import DOMAINS, kumoc
from tests.hub import TOKEN, Hub, Repository, running_hub


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("publish")
    (place / "key").write_bytes(bytes(range(32)))
    size = ("--size", "small=3,4", "--count", "3")
    assert kumoc("build", DOMAINS / "tea.kumo", *size, cwd=place).returncode == 0
    made = kumoc("build", DOMAINS / "tea.kumo", *size, "--fresh", "next", cwd=place)
    assert made.returncode == 0, made.stderr
    made = kumoc("build", DOMAINS / "tea.kumo", *size, "--fresh", "hidden", "--secret", "key", cwd=place)
    assert made.returncode == 0, made.stderr
    return place / "dist" / "tea"


@pytest.fixture
def release(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built / "1.0.0", tmp_path / "1.0.0"))


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        yield hub


def publish(hub: Hub, *arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as home:
        result = kumoc(
            "publish",
            *arguments,
            cwd=cwd,
            HF_ENDPOINT=hub.url,
            HF_TOKEN=TOKEN,
            HF_HUB_DISABLE_TELEMETRY="1",
            HF_HUB_OFFLINE="0",
            HF_HOME=home,  # nothing that is stored on this machine has a part in this
        )
    assert TOKEN not in result.stdout + result.stderr
    assert "Traceback" not in result.stderr and "bug" not in result.stderr
    return result


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_sent_unless_asked(hub: Hub, release: Path) -> None:
    result = publish(hub, release, "me/tea")
    assert result.returncode == 0
    assert "nothing was sent" in result.stdout and "--execute" in result.stdout
    assert "v1.0.0" in result.stdout and "dataset me/tea" in result.stdout
    for path, content in files(release).items():
        assert f"{len(content):,}  {path}\n" in result.stdout
    assert hub.requests == []


def test_a_release_arrives_byte_for_byte_under_its_tag(hub: Hub, release: Path) -> None:
    (release / "notes.txt").write_text("no part of it")
    result = publish(hub, release, "me/tea", "--execute")
    assert result.returncode == 0, result.stderr
    assert f"{hub.url}/datasets/me/tea/tree/v1.0.0" in result.stdout
    (release / "notes.txt").unlink()
    repository = hub.repositories["me/tea"]
    assert repository.files == files(release)
    assert {"README.md", "manifest.json", "difficulty.svg", "tables/tea.json"} < set(repository.files)
    assert repository.tags == {"v1.0.0": repository.head} and not repository.private
    assert hub.tokens == {f"Bearer {TOKEN}"}


def test_a_version_is_published_once(hub: Hub, release: Path) -> None:
    hub.repositories["me/tea"] = Repository(tags={"v1.0.0": "0" * 40})
    result = publish(hub, release, "me/tea", "--execute")
    assert result.returncode == 1
    assert "has the tag v1.0.0 already" in result.stderr and "raise the benchmark's version" in result.stderr
    assert hub.repositories["me/tea"].files == {}


def test_the_next_release_takes_the_place_of_the_one_before(hub: Hub, built: Path) -> None:
    other = {"notes.md": b"ours", ".gitattributes": b""}
    hub.repositories["me/tea"] = Repository(files=dict(other))
    for name in ("1.0.0", "1.0.0-next"):
        assert publish(hub, built / name, "me/tea", "--execute").returncode == 0
        assert hub.repositories["me/tea"].files == files(built / name) | other
    assert list(hub.repositories["me/tea"].tags) == ["v1.0.0", "v1.0.0-next"]


def test_a_private_split_stays_private_unless_it_is_said_otherwise(hub: Hub, built: Path) -> None:
    secret = built / "1.0.0-hidden"
    refused = publish(hub, secret, "me/hidden", "--execute")
    assert refused.returncode == 1 and "private split" in refused.stderr and hub.requests == []
    hub.repositories["me/open"] = Repository()
    refused = publish(hub, secret, "me/open", "--private", "--execute")
    assert refused.returncode == 1 and "public" in refused.stderr
    assert hub.repositories["me/open"].commits == 0
    assert publish(hub, secret, "me/hidden", "--private", "--execute").returncode == 0
    assert hub.repositories["me/hidden"].private
    assert publish(hub, secret, "me/open", "--public", "--execute").returncode == 0
    assert hub.repositories["me/open"].files == files(secret)


# ---- what is refused


@pytest.mark.parametrize("name", ["README.md", "difficulty.svg", "tables/tea.json", "game-small/tea/*.parquet"])
@pytest.mark.parametrize("how", ["changed", "missing", "linked"])
def test_a_damaged_release_is_not_sent(release: Path, name: str, how: str) -> None:
    assert pack(release, "me/tea").files
    (path,) = release.glob(name)
    content = path.read_bytes()
    path.unlink()
    if how == "changed":
        path.write_bytes(content[:-1] + b"x")
    elif how == "linked":
        (release.parent / "elsewhere").write_bytes(content)
        path.symlink_to(release.parent / "elsewhere")
    with pytest.raises(BuildError, match=f"damaged: .*{path.name}"):
        pack(release, "me/tea")


def test_damage_is_told(hub: Hub, release: Path) -> None:
    (release / "README.md").write_text("more")
    result = publish(hub, release, "me/tea", "--execute")
    assert result.returncode == 1 and hub.requests == []
    assert "README.md is not what the manifest says" in result.stderr and "kumoc build --overwrite" in result.stderr


def test_nothing_outside_of_the_release_is_sent(release: Path) -> None:
    manifest = json.loads((release / "manifest.json").read_text())
    (release.parent / "diary").write_bytes((release / "README.md").read_bytes())
    for file in manifest["other_files"]:
        file["path"] = "../diary" if file["path"] == "README.md" else file["path"]
    (release / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BuildError, match="diary"):
        pack(release, "me/tea")


@pytest.mark.parametrize("content", ["", "{}", "[]", "nonsense", '{"files": 3}', "[" * 100_000])
def test_a_manifest_that_is_none_is_refused(release: Path, content: str) -> None:
    (release / "manifest.json").write_text(content)
    with pytest.raises(BuildError, match="manifest"):
        pack(release, "me/tea")


def test_a_folder_that_is_no_release_is_refused(hub: Hub, tmp_path: Path) -> None:
    result = publish(hub, tmp_path, "me/tea")
    assert result.returncode == 1 and "no release" in result.stderr
    assert publish(hub, tmp_path / "nowhere", "me/tea").returncode == 1


@pytest.mark.parametrize("name", ["tea", "me/tea/cup", "me/", "https://elsewhere/tea", "../tea", "--x/y", "me/tea\n"])
def test_a_name_that_can_name_no_repository_is_refused(release: Path, name: str) -> None:
    with pytest.raises(BuildError, match="can't name a repository"):
        pack(release, name)


# ---- what the hub and the network say


@pytest.mark.parametrize("request_", ["POST .*create", "POST .*preupload.*", "POST .*commit.*", "POST .*tag.*"])
def test_what_the_hub_refuses_is_said(hub: Hub, release: Path, request_: str) -> None:
    hub.refuses = request_
    result = publish(hub, release, "me/tea", "--execute")
    assert result.returncode == 1
    assert "the Hub refused" in result.stderr and "hf auth login" in result.stderr
    if "create" not in request_:
        assert hub.repositories["me/tea"].tags == {}
        hub.refuses = "-"
        assert publish(hub, release, "me/tea", "--execute").returncode == 0  # it goes on from where it was
        assert hub.repositories["me/tea"].files == files(release)


def test_a_network_that_is_down_is_said(release: Path) -> None:
    with running_hub() as gone:
        pass
    result = publish(gone, release, "me/tea", "--execute")
    assert result.returncode == 1 and "the Hub can't be reached" in result.stderr
