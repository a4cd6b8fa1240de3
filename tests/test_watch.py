"""``kumoc watch``, as a process that is started, watched and ended: whatever happens to files, it goes on."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kumoc.cli import cli
from kumoc.cli.rows import InputError
from kumoc.release.verify import verify
from tests.command import DOMAINS, KUMOC, ROOT

TEA = (DOMAINS / "tea.kumo").read_text(encoding="utf-8")
BENCHMARK = 'benchmark pot version "1.0.0" {\n  domains tea\n  size few { truths 3  actions 4  test 50 }\n}\n'
SOUND = "1 sound domain, 0 benchmarks: 0 errors, 0 warnings"


class Watch:
    """A running ``kumoc watch`` in a folder; what it says is read as it comes."""

    def __init__(self, place: Path, *arguments: str, program: tuple[str, ...] = tuple(KUMOC)) -> None:
        (place / "tmp").mkdir()
        self.log = place / "tmp" / "said"
        self.read = 0
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*program, "watch", *arguments],
                cwd=place,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"TMPDIR": str(place / "tmp"), "PYTHONPATH": str(ROOT)},
            )

    def says(self, *expected: str, after: Callable[[], object] = lambda: None) -> str:
        """What it says further, up to the last of what is ``expected``, ``after`` this is done."""
        after()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            said = self.log.read_text(encoding="utf-8")[self.read :]
            if all(each in said for each in expected):
                self.read += len(said)
                return said
            assert self.process.poll() is None, said
            time.sleep(0.05)
        raise AssertionError(f"{expected} in {said}")

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextmanager
def watching(place: Path, *arguments: str, **others: tuple[str, ...]) -> Iterator[Watch]:
    watch = Watch(place, *arguments, **others)
    try:
        yield watch
    finally:
        watch.process.kill()
        watch.process.wait()


def saved_by_rename(path: Path, text: str) -> None:
    other = path.with_name("4913~")
    other.write_text(text, encoding="utf-8")
    other.replace(path)


def test_each_save_is_checked_whatever_happens_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "tea.kumo"
    file.write_text(TEA, encoding="utf-8")
    with watching(tmp_path, "tea.kumo") as watch:
        assert "preview" not in watch.says("end with Ctrl-C", SOUND)
        broken = watch.says(
            "1 error, ", after=lambda: file.write_text(TEA.replace("Pu-erh, Rooibos ", "Pu-erh, Roibos "))
        )
        assert "unknown-name" in broken and "tea.kumo:" in broken
        watch.says("error", "0 sound domains", after=lambda: file.write_bytes(TEA.encode()[:900] + b"\xff"))
        watch.says(SOUND, after=lambda: saved_by_rename(file, TEA))
        assert "can't read this file" in watch.says("1 error, ", after=file.unlink)
        watch.says(SOUND, after=lambda: file.write_text(TEA + "# back\n", encoding="utf-8"))
        watch.says(SOUND, after=lambda: saved_by_rename(file, TEA))
        file.touch()
        (tmp_path / "other.kumo").write_text("nobody named this file")
        said = watch.says(SOUND, after=lambda: saved_by_rename(file, f"# last\n{TEA}"))
        assert said.count("sound domain") == 1, "what has not changed is not checked again"
        assert watch.end() == 130
        assert watch.says("nothing was left half-written") and "Traceback" not in watch.log.read_text()


def test_a_folder_is_watched_with_all_below_it_and_found_again_when_it_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "domains"
    folder.mkdir()
    (folder / "tea.kumo").write_text(TEA, encoding="utf-8")
    with watching(tmp_path) as watch:
        watch.says(SOUND)

        def several() -> None:
            (folder / "deep" / "er").mkdir(parents=True)
            for name in ("cup", "can", "jug"):
                (folder / "deep" / "er" / f"{name}.kumo").write_text(TEA.replace("domain tea", f"domain {name}"))

        assert "cup.kumo" in watch.says("4 sound domains", after=several)
        watch.says("1 error, ", after=lambda: shutil.rmtree(folder))
        folder.mkdir()
        watch.says("tea.kumo", SOUND, after=lambda: (folder / "tea.kumo").write_text(TEA, encoding="utf-8"))
        watch.says("tea.kumo", SOUND, after=lambda: saved_by_rename(folder / "tea.kumo", f"# again\n{TEA}"))
        assert watch.end(signal.SIGTERM) == 130


def test_a_declared_benchmark_is_built_in_small_again_only_where_it_changed(tmp_path: Path) -> None:
    (tmp_path / "tea.kumo").write_text(TEA, encoding="utf-8")
    (tmp_path / "pot.kumo").write_text(BENCHMARK, encoding="utf-8")
    with watching(tmp_path, "tea.kumo", "pot.kumo", "--count", "2") as watch:
        said = watch.says("preview of pot 1.0.0: 2 instances", "kumoc play ")
        (release,) = (tmp_path / "tmp").glob("kumoc-watch-*/pot/1.0.0")
        assert f"kumoc play {release}" in said
        first = (release / "manifest.json").read_bytes()
        broken = watch.says("1 error, ", after=lambda: (tmp_path / "tea.kumo").write_text(TEA[:-2]))
        assert "preview" not in broken
        as_it_was = "the preview of pot 1.0.0 is as it was", f"kumoc play {release}"
        mended = watch.says(*as_it_was, after=lambda: (tmp_path / "tea.kumo").write_text(f"\n{TEA}"))
        assert "each one proved" not in mended and (release / "manifest.json").read_bytes() == first
        changed = TEA.replace("brisk and malty", "malty")
        watch.says("kumoc play ", after=lambda: (tmp_path / "tea.kumo").write_text(changed))
        assert (release / "manifest.json").read_bytes() != first
        assert verify(release).findings == ()
        wide = BENCHMARK.replace("truths 3", "truths 6").replace("actions 4", "actions 2")
        watch.says("impossible-size", after=lambda: (tmp_path / "pot.kumo").write_text(wide))
        assert watch.end() == 130
    assert not release.exists() and sorted(path.name for path in tmp_path.iterdir()) == ["pot.kumo", "tea.kumo", "tmp"]


def test_a_save_ends_the_preview_of_what_was_there_before(tmp_path: Path) -> None:
    (tmp_path / "tea.kumo").write_text(TEA, encoding="utf-8")
    (tmp_path / "pot.kumo").write_text(BENCHMARK.replace("truths 3", "truths 4"), encoding="utf-8")
    with watching(tmp_path, "tea.kumo", "pot.kumo", "--count", "100000") as watch:
        watch.says("0 warnings")
        broken = watch.says("1 error, ", after=lambda: (tmp_path / "pot.kumo").write_text(BENCHMARK[:-2]))
        assert "preview" not in broken
        sound = watch.says("0 warnings", after=lambda: (tmp_path / "pot.kumo").write_text(BENCHMARK))
        assert "preview" not in sound and watch.end() == 130


def test_a_preview_of_a_domain_alone_is_built_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "tea.kumo").write_text(TEA, encoding="utf-8")
    with watching(tmp_path, "tea.kumo", "--build", "--count", "1") as watch:
        watch.says("preview of tea 1.0.0: 1 instance, each one proved")
        small = TEA.split("    # Written out")[0] + "  }\n}\n"
        small = "\n".join(line for line in small.splitlines() if "group" not in line)
        told = watch.says("too few for the default sizes", after=lambda: (tmp_path / "tea.kumo").write_text(small))
        assert "--size" in told


def test_a_bug_of_ours_does_not_end_the_watch(tmp_path: Path) -> None:
    (tmp_path / "tea.kumo").write_text(TEA, encoding="utf-8")
    code = (
        "import kumoc.compiler\n"
        "real = kumoc.compiler.compile_read\n"
        "def broken(sources, unreadable):\n"
        "    if 'bug' in sources[0].text: raise RuntimeError('out of tea')\n"
        "    return real(sources, unreadable)\n"
        "kumoc.compiler.compile_read = broken\n"
        "from kumoc.__main__ import main\n"
        "main()\n"
    )
    with watching(tmp_path, "tea.kumo", program=(sys.executable, "-c", code)) as watch:
        watch.says(SOUND)
        watch.says("bug in kumoc", "out of tea", after=lambda: (tmp_path / "tea.kumo").write_text(f"# bug\n{TEA}"))
        watch.says(SOUND, after=lambda: (tmp_path / "tea.kumo").write_text(TEA))


@pytest.mark.parametrize("missing", ["nowhere/tea.kumo", "nowhere/domains/"])
def test_what_is_nowhere_cannot_be_watched(missing: str) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        cli(["watch", missing], standalone_mode=False)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(InputError) as refused:
        cli(["watch", str(tmp_path)], standalone_mode=False)
    assert refused.value.help == "pip install 'kumoc[watch]'"
