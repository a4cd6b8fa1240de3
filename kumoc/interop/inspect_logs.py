"""Logs of Inspect AI, read for the trajectories that the project's task left in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kumoc.release.schemas import sentences, validator

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

TRAJECTORY = "trajectory"
"""Where a score's metadata has the trajectory of its sample, in the form of ``schemas/trajectory.schema.json``."""

_SETTINGS = ("edition", "system", "step_limit")
"""Arguments of the task that make another game of the same rows."""

_NOT_NEEDED = {"attachments", "events", "messages", "output", "store"}
"""Fields of a sample, the largest ones, that are not read."""


class LogError(ValueError):
    """The log at ``path`` holds no trajectories; the text says why."""

    def __init__(self, path: Path, why: str) -> None:
        """``why`` is for people."""
        super().__init__(why)
        self.path = path


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a task by its logs, each with what it says of all samples: one, or, if it was taken up again, more.

    The newest log comes first.
    """

    logs: tuple[tuple[Path, EvalLog], ...]

    @property
    def path(self) -> Path:
        """The newest log."""
        return self.logs[0][0]

    @property
    def one_step(self) -> bool:
        """Whether it was the game in one step, which leaves no trajectories."""
        return self.logs[0][1].eval.task.rpartition("/")[2] == "onestep"

    @property
    def status(self) -> str:
        """How the run ended, in Inspect's word: ``success``, ``error``, ``cancelled``, or ``started``."""
        return self.logs[0][1].status

    @property
    def samples(self) -> int:
        """How many samples the run was to have."""
        said = self.logs[0][1].eval
        ids = said.dataset.sample_ids
        return (said.dataset.samples or 0 if ids is None else len(ids)) * (said.config.epochs or 1)

    def trajectories(self, model: str | None = None) -> Iterator[dict[str, Any]]:
        """Those of all logs, as :func:`read_log` gives them.

        A run that is taken up again copies the games that are over: of each, by instance and trial, the newest log
        decides.
        """
        seen = set()
        for path, log in self.logs:
            for trajectory in _trajectories(path, log, model):
                game = trajectory["instance_id"], trajectory["trial"]
                if game not in seen:
                    seen.add(game)
                    yield trajectory


def read_runs(paths: Iterable[Path]) -> tuple[Run, ...]:
    """The runs whose logs these are, in the order in which they are met. Raises as :func:`read_log` does."""
    runs: dict[str, list[tuple[Path, EvalLog]]] = {}
    for path in paths:
        log = _header(path)
        runs.setdefault(log.eval.task_id or log.eval.eval_id, []).append((path, log))
    return tuple(Run(tuple(sorted(logs, key=_created, reverse=True))) for logs in runs.values())


def read_log(path: Path, model: str | None = None) -> Iterator[dict[str, Any]]:
    """The trajectories in a log (``.eval`` or ``.json``), in the form of their schema, sample by sample.

    The log decides on what it knows best: model, unless another name is given for it, trial (its epoch, from 0), tokens
    and, in the origin, the settings of the task. Samples that were not scored are passed over, as are those of a run
    that failed on the way. Raises LogError, and ImportError without ``inspect_ai``.
    """
    return _trajectories(path, _header(path), model)


def _created(log: tuple[Path, EvalLog]) -> str:
    return log[1].eval.created


def _trajectories(path: Path, log: EvalLog, model: str | None) -> Iterator[dict[str, Any]]:
    for sample in _samples(path):
        trajectory = _trajectory(sample, path)
        if trajectory is not None:
            yield _completed(trajectory, log, sample, path, model or log.eval.model)


def _header(path: Path) -> EvalLog:
    """What a log says of all its samples."""
    from inspect_ai.log import read_eval_log  # noqa: PLC0415 - takes seconds

    with _reading(path):
        return read_eval_log(path, header_only=True)


def _samples(path: Path) -> Iterator[EvalSample]:
    """The samples of a log, one at a time if its form allows that."""
    from inspect_ai.log import read_eval_log, read_eval_log_samples  # noqa: PLC0415

    with _reading(path):
        if path.suffix == ".json":
            yield from read_eval_log(path).samples or ()
        else:
            yield from read_eval_log_samples(path, all_samples_required=False, exclude_fields=_NOT_NEEDED)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """What is said of a file that is no log."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, RuntimeError, OSError) as error:
        raise LogError(path, f"it can't be read as a log of Inspect: {type(error).__name__}: {error}") from error


def _trajectory(sample: EvalSample, path: Path) -> dict[str, Any] | None:
    for score in (sample.scores or {}).values():
        if score.metadata and TRAJECTORY in score.metadata:
            found: dict[str, Any] = score.metadata[TRAJECTORY]
            return found
    if sample.scores:
        raise LogError(path, f"sample {sample.id!r} has no trajectory: only logs of kumoc's task have them")
    return None


def _completed(trajectory: dict[str, Any], log: EvalLog, sample: EvalSample, path: Path, model: str) -> dict[str, Any]:
    tokens = sum(usage.total_tokens for usage in sample.model_usage.values())
    settings = {name: str(log.eval.task_args[name]) for name in _SETTINGS if log.eval.task_args.get(name)}
    completed = {
        **trajectory,
        "model": model,
        "trial": sample.epoch - 1,
        "tokens": tokens if sample.model_usage else trajectory.get("tokens"),
        "origin": {**trajectory.get("origin", {}), **settings, "file": path.name, "run": log.eval.run_id},
    }
    for message in sentences(validator("trajectory"), completed):
        raise LogError(path, f"sample {sample.id!r}: {message}")
    return completed
