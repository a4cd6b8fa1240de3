"""A trajectory: one game as it was played, in the form of ``schemas/trajectory.schema.json``.

It says all that scoring needs, so that figures come from trajectories alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kumoc.play.moves import Fault
from kumoc.play.signature import Signature, signature
from kumoc.play.simulator import End, Event, Kind, Simulator, State

TRAJECTORY_VERSION = "1.0.0"
"""Version of the JSON form; its major number rises when a reader of the old form would go wrong."""

FORGIVEN = frozenset({Fault.MARKS, Fault.SPELLING})
"""Parse errors that only a strict reading makes."""


@dataclass(frozen=True, slots=True)
class Release:
    """Which release an instance was taken from: the benchmark's name, its version, and the digest of all rows."""

    name: str
    version: str
    rows_sha256: str


@dataclass(frozen=True, slots=True)
class Optimum:
    """How many actions the optimal players need, under the names of the game view's columns; None if not known."""

    exact_expected_actions: float | None = None
    exact_trajectory_length: int | None = None
    paper_expected_actions: float | None = None
    paper_trajectory_length: int | None = None
    optimal_action_cnt: int | None = None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One game by ``model``, its ``trial`` (from 0) on this instance.

    ``truths``, ``actions`` and ``valid`` count what the instance lists, and ``wasted`` the actions that could not tell
    the player anything (:class:`kumoc.play.Event`). ``tokens`` are all that a model read and wrote. ``origin`` says in
    names and texts where the play comes from. None stands for what is not known.
    """

    instance_id: str
    domain: str
    size: str
    model: str
    trial: int
    truths: int
    actions: int
    valid: int
    events: tuple[Event, ...]
    end: End
    success: bool
    wasted: int | None
    optimum: Optimum = Optimum()
    signature: Signature | None = None
    release: Release | None = None
    tokens: int | None = None
    origin: Mapping[str, str] = field(default_factory=dict)

    @property
    def taken(self) -> int:
        """How many actions were taken, repeated ones included."""
        return sum(event.kind is Kind.ACT for event in self.events)


def record(
    simulator: Simulator,
    state: State,
    model: str,
    trial: int = 0,
    *,
    release: Release | None = None,
    tokens: int | None = None,
    origin: Mapping[str, str] | None = None,
) -> Trajectory:
    """The trajectory of a game that ended in ``state``. Raises ValueError if the game goes on."""
    if state.end is None:
        raise ValueError("the game is not over")
    puzzle, row = simulator.puzzle, simulator.row
    return Trajectory(
        instance_id=puzzle.instance_id,
        domain=puzzle.domain,
        size=puzzle.size,
        model=model,
        trial=trial,
        truths=len(puzzle.truths),
        actions=len(puzzle.actions),
        valid=puzzle.valid,
        events=state.events,
        end=state.end,
        success=state.success,
        wasted=sum(event.wasted for event in state.events),
        optimum=Optimum(**{name: row[name] for name in Optimum.__slots__}),
        signature=signature(len(puzzle.truths), puzzle.game),
        release=release,
        tokens=tokens,
        origin=origin or {},
    )


def to_json(trajectory: Trajectory) -> dict[str, Any]:
    """``trajectory`` as plain data of the form that ``schemas/trajectory.schema.json`` describes."""
    events, optimum, degrees, release = (
        trajectory.events,
        trajectory.optimum,
        trajectory.signature,
        trajectory.release,
    )
    named = next((event.name for event in events if event.kind is Kind.NAME), None)
    faults = [(step, event.fault) for step, event in enumerate(events) if event.fault is not None]
    return {
        "trajectory_version": TRAJECTORY_VERSION,
        "instance_id": trajectory.instance_id,
        "domain": trajectory.domain,
        "size": trajectory.size,
        "release": release and {name: getattr(release, name) for name in Release.__slots__},
        "model": trajectory.model,
        "trial": trajectory.trial,
        "truths": trajectory.truths,
        "actions": trajectory.actions,
        "valid": trajectory.valid,
        "end": str(trajectory.end),
        "named": named,
        "success": trajectory.success,
        "strict_success": trajectory.success and not faults,
        "actions_taken": trajectory.taken,
        "repeated": sum(event.repeated for event in events),
        "wasted": trajectory.wasted,
        "parse_errors": [{"step": step, "kind": str(fault), "forgiven": fault in FORGIVEN} for step, fault in faults],
        "tokens": trajectory.tokens,
        **{name: getattr(optimum, name) for name in Optimum.__slots__},
        "signature": degrees and {"truths": list(degrees.truths), "actions": list(degrees.actions)},
        "events": [_event(event) for event in events],
        "origin": dict(trajectory.origin),
    }


def to_line(trajectory: Trajectory) -> str:
    """The same as one line of JSON with its newline."""
    return json.dumps(to_json(trajectory), ensure_ascii=False) + "\n"


def _event(event: Event) -> dict[str, Any]:
    return {
        "kind": str(event.kind),
        "name": event.name,
        "seen": event.seen,
        "fault": None if event.fault is None else str(event.fault),
        "said": event.said,
    }
