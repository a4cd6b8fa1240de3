"""What Inspect's logs say of each game, and of all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import isnan, nan, sqrt
from statistics import fmean, stdev
from typing import Any

from inspect_ai.model import ChatMessageAssistant
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from kumoc.harness.onestep import answer
from kumoc.interop.inspect_logs import TRAJECTORY
from kumoc.play import End, Name, Release, Simulator, State, read_answer, record, to_json
from kumoc.play.metrics import own_relative, paper_relative
from kumoc.views.read import bare_game

GROUPED = ("success", "relative_actions", "relative_actions_paper", "parse_errors", "wasted", "tokens")
"""The figures that are given by domain, size and difficulty."""


@metric
def instances() -> Metric:
    """The share of instances that are solved, and its standard error; games of an instance are reduced to one."""

    def measure(scores: list[SampleScore]) -> Value:
        solved = _values(scores, "success")
        if not solved:
            return nan
        error = stdev(solved) / sqrt(len(solved)) if len(solved) > 1 else nan
        return {"success": fmean(solved), "success_stderr": error}

    return measure


@metric(scores="unreduced")
def games() -> Metric:
    """The mean of each figure over games; a game that has none is left out."""

    def measure(scores: list[SampleScore]) -> Value:
        return {figure: _mean(_values(scores, figure)) for figure in _figures_in(scores)}

    return measure


@metric(scores="unreduced")
def groups() -> Metric:
    """The same by domain, size and difficulty; and the mean of the means of domains, as in the paper."""

    def measure(scores: list[SampleScore]) -> Value:
        found = {}
        for figure in (figure for figure in _figures_in(scores) if figure in GROUPED):
            for key in ("domain", "size", "difficulty"):
                means = {name: _mean(_values(group, figure)) for name, group in _grouped(scores, key)}
                if key == "domain":
                    found[f"{figure} (mean of domains)"] = _mean(_numbers(means.values()))
                found |= {f"{figure} ({key} {name})": value for name, value in means.items()}
        return found

    return measure


_METRICS = [instances(), games(), groups()]


@scorer(metrics=_METRICS)
def game_scores(step_limit: int | None = None) -> Scorer:
    """Plays the messages of a log once more, and measures the game; its trajectory goes into the score's metadata.

    A game that one of Inspect's own limits cut off ends as at the limit of turns.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        simulator = Simulator.of(state.metadata["row"], limit=step_limit)
        play = _replayed(simulator, state)
        trajectory = to_json(
            record(
                simulator,
                play if play.end else replace(play, end=End.LIMIT),
                str(state.model),
                state.epoch - 1,
                release=Release(**state.metadata["release"]),
                tokens=state.token_usage or None,
            )
        )
        value = {name: nan if figure is None else figure for name, figure in _figures(trajectory).items()}
        return Score(value=value, answer=trajectory["named"], metadata={TRAJECTORY: trajectory})

    return score


@scorer(metrics=_METRICS)
def onestep_scores() -> Scorer:
    """Whether a valid truth was named at once."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        bare = bare_game(state.metadata["row"])
        move = answer(state.output.completion, bare)
        named = move.truth if isinstance(move, Name) else None
        success = named in bare.valid
        value = {
            "success": int(success),
            "strict_success": int(success and move.fault is None),
            "parse_errors": int(named is None),
            "strict_parse_errors": int(move.fault is not None),
            "tokens": state.token_usage or nan,
        }
        fault = None if move.fault is None else f"parse error: {move.fault}"
        return Score(value=value, answer=None if named is None else bare.truths[named], explanation=fault)

    return score


def _replayed(simulator: Simulator, state: TaskState) -> State:
    puzzle, play = simulator.puzzle, simulator.start()
    for message in state.messages:
        if isinstance(message, ChatMessageAssistant):
            play = simulator.step(play, read_answer(message.text, puzzle.actions, puzzle.truths))
    return play


def _figures(trajectory: Mapping[str, Any]) -> dict[str, float | None]:
    """The figures of a trajectory, in the form of its schema; None where it has none."""
    success, taken = trajectory["success"], trajectory["actions_taken"]
    expected, published = trajectory["exact_expected_actions"], trajectory["optimal_action_cnt"]
    errors = trajectory["parse_errors"]
    return {
        "success": int(success),
        "strict_success": int(trajectory["strict_success"]),
        "relative_actions": own_relative(taken, expected) if success and expected else None,
        "relative_actions_paper": published and paper_relative(success, taken, trajectory["actions"], published),
        "actions": taken if success else None,
        "exact_player": expected,
        "paper_player": trajectory["paper_trajectory_length"],
        "repeated": trajectory["repeated"],
        "wasted": trajectory["wasted"],
        "parse_errors": sum(not error["forgiven"] for error in errors),
        "strict_parse_errors": len(errors),
        "tokens": trajectory["tokens"],
    }


def _figures_in(scores: list[SampleScore]) -> list[str]:
    return list(scores[0].score.as_dict()) if scores else []


def _values(scores: list[SampleScore], figure: str) -> list[float]:
    """What the scores have for ``figure``, without those that have no number."""
    return _numbers(float(score.score.as_dict()[figure] or 0) for score in scores)


def _numbers(values: Iterable[float]) -> list[float]:
    return [value for value in values if not isnan(value)]


def _mean(numbers: list[float]) -> float:
    return fmean(numbers) if numbers else nan


def _grouped(scores: list[SampleScore], key: str) -> list[tuple[str, list[SampleScore]]]:
    """The scores by what the metadata of their samples has under ``key``, in the order of the names."""
    found: dict[str, list[SampleScore]] = {}
    for score in scores:
        found.setdefault((score.sample_metadata or {})[key], []).append(score)
    return sorted(found.items())
