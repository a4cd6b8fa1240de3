"""Builds by many workers: the same rows whoever builds them and whatever dies on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from kumoc.benchmark import Size
from kumoc.compiler import compile_paths
from kumoc.release import BuildError, Engine, Plan, Wish, build, cluster, plan_benchmarks, processes
from kumoc.release.workers import Runner
from tests.command import KUMOC

DOMAINS = Path(__file__).parents[1] / "domains"
SIZES = (Size("easy", 4, 6, splits=(("train", 30), ("test", 60))), Size("mid", 6, 8, splits=(("test", 30),)))


@pytest.fixture(scope="module")
def plan() -> Plan:
    (plan,) = plan_benchmarks(compile_paths([DOMAINS / "minerals.kumo"]), Wish(sizes=SIZES, seed=3))
    return plan


@pytest.fixture(scope="module")
def alone(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an undisturbed build by this process."""
    return _contents(build(plan, tmp_path_factory.mktemp("alone")).path)


def _contents(release: Path) -> dict[str, bytes]:
    return {
        path.relative_to(release).as_posix(): path.read_bytes() for path in sorted(release.rglob("*")) if path.is_file()
    }


def test_any_number_of_processes_builds_the_same_bytes(plan: Plan, alone: dict[str, bytes], tmp_path: Path) -> None:
    assert _contents(build(plan, tmp_path, engine=processes(2)).path) == alone


def test_dask_builds_the_same_bytes_even_when_a_worker_dies(
    plan: Plan, alone: dict[str, bytes], tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        victims = [worker.pid for worker in local.workers.values()][:1]
        told = []

        def on_rows(rows: int) -> None:
            told.append(rows)
            if sum(told) >= 20 and victims:
                os.kill(victims.pop(), signal.SIGKILL)

        assert _contents(build(plan, tmp_path, engine=cluster(local.scheduler_address), on_rows=on_rows).path) == alone
    assert sum(told) == 120 and not victims


def test_a_scheduler_that_does_not_answer_is_said(plan: Plan, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(BuildError, match="no Dask scheduler"):
        build(plan, tmp_path, engine=cluster("tcp://127.0.0.1:1"))
    assert not list(tmp_path.iterdir())


# ---- workers that die; the functions are at the top level, for they are sent to other processes


def _die_once(task: tuple[int, str]) -> int:
    number, folder = task
    mark = Path(folder, f"{number}")
    if number % 7 == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def _die_at_five(number: int) -> int:
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_nothing_is_lost_or_repeated_when_workers_die(tmp_path: Path) -> None:
    tasks = [(number, str(tmp_path)) for number in range(20)]
    results = list(Runner(processes(2), _die_once, str).results(tasks))
    assert sorted(results) == [(task, task[0] ** 2) for task in tasks]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_task_that_kills_every_worker_is_named() -> None:
    seen = []
    with pytest.raises(BuildError, match="task 5: the worker that builds this died 3 times"):
        for task, _ in Runner(processes(2), _die_at_five, "task {}".format).results(range(8)):
            seen.append(task)
    assert 5 not in seen


def test_a_task_that_dask_gives_up_is_named() -> None:
    class KilledError(Exception):
        pass

    class Deadly(Executor):
        def submit(self, _function, /, *_args, **_kwargs):
            future: Future[int] = Future()
            future.set_exception(KilledError())
            return future

    @contextmanager
    def opened():  # type: ignore[no-untyped-def]
        yield Deadly(), 2

    with pytest.raises(BuildError, match=r"task [01]: the worker"):
        list(Runner(Engine(opened, (KilledError,)), _die_at_five, "task {}".format).results(range(2)))


# ---- builds that are cut short


def _command(out: Path, *more: str) -> list[str]:
    sizes = [f"--size={name}=4,6" for name in ("one", "two", "three")]
    return [*KUMOC, "build", str(DOMAINS / "minerals.kumo"), *sizes, "--count", "50", "--out", str(out), *more]


def _finished_chunks(out: Path) -> int:
    return len(list(out.glob("minerals/.*.building/parts/*.json.gz")))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_build_that_was_killed_goes_on_where_it_was(tmp_path: Path, how: signal.Signals, workers: str) -> None:
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    with subprocess.Popen(
        _command(cut, "--workers", workers), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as run:
        while _finished_chunks(cut) < 3 and run.poll() is None:
            time.sleep(0.02)
        run.send_signal(how)
        run.wait()
        assert run.stderr is not None
        assert b"Traceback" not in run.stderr.read()
    assert run.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL)
    assert not list(cut.glob("minerals/[0-9]*"))
    kept = {path: path.stat().st_mtime_ns for path in cut.glob("minerals/.*.building/parts/*.json.gz")}
    assert len(kept) >= 3
    plan = subprocess.run(_command(cut, "--workers", "2"), capture_output=True, text=True, check=False)
    assert plan.returncode == 0, plan.stderr
    subprocess.run(_command(whole, "--workers", "1"), stdout=subprocess.DEVNULL, check=True)
    (resumed,), (undisturbed,) = cut.glob("minerals/*"), whole.glob("minerals/*")
    assert _contents(resumed) == _contents(undisturbed)


def test_two_builds_in_one_place_do_not_meet(tmp_path: Path) -> None:
    with subprocess.Popen(
        _command(tmp_path, "--workers", "1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as first:
        while not _finished_chunks(tmp_path) and first.poll() is None:
            time.sleep(0.02)
        second = subprocess.run(_command(tmp_path), capture_output=True, text=True, check=False)
        assert second.returncode == 1
        assert "another build is writing" in second.stderr and str(first.pid) in second.stderr
        first.communicate()
    assert first.returncode == 0
    assert [path.name for path in (tmp_path / "minerals").iterdir()] == ["1.0.0"]


def test_a_full_disk_is_said_and_the_build_goes_on_later(
    plan: Plan, alone: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kumoc.release import workshop  # noqa: PLC0415

    replace, full = Path.replace, []

    def on_a_full_disk(path: Path, target: Path) -> Path:
        if target.name == "0000002.json.gz" and not full:
            full.append(True)
            raise OSError(28, "No space left on device", str(target))
        return replace(path, target)

    monkeypatch.setattr(workshop.Path, "replace", on_a_full_disk)
    with pytest.raises(OSError, match="No space left"):
        build(plan, tmp_path)
    assert not list(tmp_path.rglob("*.unfinished"))
    assert _contents(build(plan, tmp_path).path) == alone


def test_parts_of_another_build_are_not_taken(plan: Plan, alone: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "minerals" / f".{plan.benchmark.version}.building"
    (folder / "parts").mkdir(parents=True)
    (folder / "inputs.json").write_text(json.dumps({"seed": 4}))
    (folder / "parts" / "0000000.json.gz").write_bytes(b"other rows")
    assert _contents(build(plan, tmp_path).path) == alone
    assert not folder.exists()


SCRIPT = """
from pathlib import Path
from kumoc.release import processes, Wish, build, plan_benchmarks
from kumoc.compiler import compile_paths
import sys
if __name__ == "__main__":
    (plan,) = plan_benchmarks(compile_paths([Path(sys.argv[1])]), Wish(count=30, seed=3))
    print(build(plan, Path(sys.argv[2]), engine=processes(2)).rows_sha256)
"""


def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    said = {
        subprocess.run(
            [sys.executable, str(script), str(DOMAINS / "tea.kumo").replace("tea", "minerals"), str(tmp_path / seed)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "12345")
    }
    assert len(said) == 1
