"""Logs of Inspect AI, read for the trajectories that the project's task left in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kumoc.release.schemas import validator

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

TRAJECTORY = "trajectory"
"""Where a score's metadata has the trajectory of its sample, in the form of ``schemas/trajectory.schema.json``."""

_NOT_NEEDED = {"attachments", "events", "messages", "output", "store"}
"""Fields of a sample, the largest ones, that are not read."""


class LogError(ValueError):
    """A log that holds no trajectories; the text says why."""


def read_log(path: Path) -> Iterator[dict[str, Any]]:
    """The trajectories in a log (``.eval`` or ``.json``), in the form of their schema, sample by sample.

    The log decides on what it knows best: model, trial (its epoch, from 0) and tokens. Samples that were not scored are
    passed over, as are those of a run that failed on the way. Raises LogError, and ImportError without ``inspect_ai``.
    """
    for log, sample in _samples(path):
        trajectory = _trajectory(sample)
        if trajectory is not None:
            yield _completed(trajectory, log, sample, path)


def _samples(path: Path) -> Iterator[tuple[EvalLog, EvalSample]]:
    """The samples of a log, one at a time if its form allows that, each with what the log says of all."""
    from inspect_ai.log import read_eval_log, read_eval_log_samples  # noqa: PLC0415 - takes seconds

    try:
        if path.suffix == ".json":
            log = read_eval_log(path)
            samples: Iterable[EvalSample] = log.samples or ()
        else:
            log = read_eval_log(path, header_only=True)
            samples = read_eval_log_samples(path, all_samples_required=False, exclude_fields=_NOT_NEEDED)
        for sample in samples:
            yield log, sample
    except (ValueError, LookupError, TypeError, AttributeError, RuntimeError, OSError) as error:
        raise LogError(f"it can't be read as a log of Inspect: {type(error).__name__}: {error}") from error


def _trajectory(sample: EvalSample) -> dict[str, Any] | None:
    for score in (sample.scores or {}).values():
        if score.metadata and TRAJECTORY in score.metadata:
            found: dict[str, Any] = score.metadata[TRAJECTORY]
            return found
    if sample.scores:
        raise LogError(f"sample {sample.id!r} has no trajectory: only logs of kumoc's task have them")
    return None


def _completed(trajectory: dict[str, Any], log: EvalLog, sample: EvalSample, path: Path) -> dict[str, Any]:
    tokens = sum(usage.total_tokens for usage in sample.model_usage.values())
    completed = {
        **trajectory,
        "model": log.eval.model,
        "trial": sample.epoch - 1,
        "tokens": tokens if sample.model_usage else trajectory.get("tokens"),
        "origin": {**trajectory.get("origin", {}), "file": path.name, "run": log.eval.run_id},
    }
    for error in validator("trajectory").iter_errors(completed):
        where = ".".join(map(str, error.absolute_path)) or "the trajectory"
        raise LogError(f"sample {sample.id!r}: {where}: {error.message[:200]}")
    return completed
