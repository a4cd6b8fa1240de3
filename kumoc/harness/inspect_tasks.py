"""Tasks for Inspect AI: ``inspect eval kumoc/game`` and ``inspect eval kumoc/onestep``.

Inspect finds them by the entry point ``kumoc``. They read the rows of a release and nothing else; a sample carries its
row, so that a log can be scored again from itself alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from rich.markup import escape

from kumoc import __version__
from kumoc.harness.inspect_scores import game_scores, onestep_scores
from kumoc.harness.onestep import question
from kumoc.harness.selection import SPLIT, select
from kumoc.play import Release, Simulator, opening, read_answer, told
from kumoc.release import BuildError
from kumoc.release.difficulty import band
from kumoc.views.read import bare_game
from kumoc.views.turns import System

VERSION = 1
"""Version of both tasks: it rises when figures of an older log would not compare with those of a new one."""

EPOCHS = 5
"""Games of a model on each instance, as in the KUMO paper."""

Domains = str | Sequence[str] | None


@task
def game(
    release: str,
    size: str | None = None,
    domain: Domains = None,
    split: str = SPLIT,
    edition: str = "",
    step_limit: int | None = None,
    system: System = "book",
) -> Task:
    """The game of deduction, played turn by turn.

    Args:
        release: Folder of a release, as ``kumoc build`` writes it.
        size: Size of the instances (default: all).
        domain: Domain or domains (default: all).
        split: Split that they are in.
        edition: Books, language and names that they are shown in, such as ``table-zh`` (default: the size's own).
        step_limit: Turns of a game (default: 50, or one more than there are actions if that is more).
        system: What the player is given, the knowledge ``book`` or the ``table`` of rules as JSON.
    """

    def first(row: dict[str, Any]) -> list[ChatMessage]:
        rules, begin = opening(Simulator.of(row, limit=step_limit, system=system).puzzle)
        return [ChatMessageSystem(content=rules["content"]), ChatMessageUser(content=begin["content"])]

    return _task(
        release, size, domain, split, edition, system, first, solver=turns(step_limit), scorer=game_scores(step_limit)
    )


@task
def onestep(
    release: str,
    size: str | None = None,
    domain: Domains = None,
    split: str = SPLIT,
    edition: str = "",
    system: System = "book",
) -> Task:
    """All outcomes are given, and a truth is to be named: deduction without a choice of actions, in a single turn.

    Args:
        release: Folder of a release, as ``kumoc build`` writes it.
        size: Size of the instances (default: all).
        domain: Domain or domains (default: all).
        split: Split that they are in.
        edition: Books, language and names that they are shown in, such as ``table-zh`` (default: the size's own).
        system: What the player is given, the knowledge ``book`` or the ``table`` of rules as JSON.
    """

    def first(row: dict[str, Any]) -> list[ChatMessage]:
        return [ChatMessageUser(content=question(row, bare_game(row), system))]

    return _task(release, size, domain, split, edition, system, first, solver=generate(), scorer=onestep_scores())


@solver
def turns(step_limit: int | None = None) -> Solver:
    """Plays on until a truth is named, an answer is refused or ``step_limit`` turns are taken."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        simulator = Simulator.of(state.metadata["row"], limit=step_limit)
        puzzle, play = simulator.puzzle, simulator.start()
        while play.end is None:
            if play.events:
                state.messages.append(ChatMessageUser(content=told(puzzle, play.events[-1])))
            state = await generate(state)
            play = simulator.step(play, read_answer(state.output.completion, puzzle.actions, puzzle.truths))
        return state

    return solve


def _task(
    folder: str,
    size: str | None,
    domain: Domains,
    split: str,
    edition: str,
    system: System,
    first: Callable[[dict[str, Any]], list[ChatMessage]],
    **parts: Any,
) -> Task:
    domains = [domain] if isinstance(domain, str) else domain
    try:
        if system not in get_args(System):
            raise BuildError(f"there is no system {system!r}", f"it is one of {', '.join(get_args(System))}")
        selection = select(Path(folder), size, domains, split, edition)
        samples = [_sample(row, selection.release, first(row)) for row in selection.rows]
    except BuildError as error:
        raise PrerequisiteError(escape(f"{error}\n{error.help}")) from error
    except ValueError as error:  # what the simulator says of a row or of the number of turns
        raise PrerequisiteError(escape(str(error))) from error
    return Task(
        MemoryDataset(samples, name=f"{selection.release.name} {selection.release.version}", location=folder),
        epochs=EPOCHS,
        version=VERSION,
        metadata={"release": asdict(selection.release), "kumoc": __version__},
        **parts,
    )


def _sample(row: dict[str, Any], release: Release, messages: list[ChatMessage]) -> Sample:
    return Sample(
        id=row["instance_id"],
        input=messages,
        target=row["valid_truths"],
        metadata={
            "domain": row["domain"],
            "size": row["size"],
            "difficulty": band(row["exact_expected_actions"]),
            "release": asdict(release),
            "row": row,
        },
    )
