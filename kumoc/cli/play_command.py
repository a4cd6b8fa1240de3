"""``kumoc play``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.benchmark import DEFAULT_WORK
from kumoc.cli.choosing import choosing, chosen_row
from kumoc.cli.play_web import PageWish, paging, write_page
from kumoc.cli.playable import origin, played_columns, simulator_of
from kumoc.cli.rows import Choice, Chosen, InputError, json_lines, read_text, release_of
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.play import Simulator, State


@click.command("play")
@click.argument("source", metavar="SOURCE")
@choosing
@click.option("--plain", is_flag=True, help="Line by line, also in a terminal.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Add the trajectory to this file.")
@click.option("--as", "model", metavar="NAME", default="person", help="Who plays (default: person).")
@click.option("--work", type=click.IntRange(0), metavar="N", help="States that each question about best play may take.")
@paging
def command(
    source: str, choice: Choice, plain: bool, save: Path | None, model: str, work: int | None, wish: PageWish | None
) -> None:
    """Play an instance, and see in the end how it is best played; or make a page that people play in a browser.

    SOURCE is a release folder, a .parquet file of its game view, or a .json or .jsonl file of rows. In a terminal the
    game fills the screen. In a pipe, or with --plain, it reads one name of an action or a truth a line.

    With --web OUT it is written to one file of HTML instead, with --count instances drawn by --seed. The page needs no
    server. It gives back trajectories, as a file or to a server.

    \b
    Example:
      kumoc play dist/pocket/1.0.0
      kumoc play dist/pocket/1.0.0 --size pairs --row 2 --save plays.jsonl
      printf 'Hand magnet\\nAlmandine\\n' | kumoc play dist/pocket/1.0.0
      kumoc play dist/pocket/1.0.0 --web pilot.html --size easy --count 5
    """
    if not model:
        raise click.UsageError("--as needs a name")
    if wish is not None:
        only_here = {"row": choice.row, "id": choice.id, "plain": plain or None, "save": save, "work": work}
        for name in (name for name, value in only_here.items() if value is not None):
            raise click.UsageError(f"--{name} is for play in the terminal, not for --web")
        write_page(source, choice, wish, model)
        return
    _play(source, choice, plain, save, model, DEFAULT_WORK if work is None else work)


def _play(source: str, choice: Choice, plain: bool, save: Path | None, model: str, work: int) -> None:
    from kumoc.play import record, to_line  # noqa: PLC0415 - loaded only where it is used

    if source == "-":
        raise InputError("standard input", "is what the player writes to", "give a file of rows, or a release folder")
    chosen = chosen_row(source, choice, played_columns())
    simulator = simulator_of(chosen)
    release = release_of(source)
    trial = 0 if save is None else _next_trial(save, simulator.puzzle.instance_id, model)
    full_screen = not plain and sys.stdin.isatty() and sys.stdout.isatty()
    state = (_on_screen if full_screen else _in_lines)(simulator, chosen.row["knowledge_book"])
    if save is not None:
        line = to_line(record(simulator, state, model, trial, release=release, origin=origin(choice)))
        with save.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)
    _show_result(simulator, chosen, state, work)


def _next_trial(file: Path, instance_id: str, model: str) -> int:
    """One more than the last trial of ``model`` on the instance that a file of trajectories has, or 0.

    Raises InputError for a file of anything else, so that no game is lost.
    """
    if not file.parent.is_dir():
        raise InputError(str(file.parent), "is no folder", "make it, or save elsewhere")
    if not file.exists():
        return 0
    text = read_text(file)
    plays = json_lines(text, str(file), "trajectories are added to a file of such alone")
    if not all(isinstance(play, dict) and isinstance(play.get("trial"), int) for play in plays):
        raise InputError(str(file), "holds something else than trajectories", "save elsewhere")
    if plays and not text.endswith("\n"):
        raise InputError(str(file), "does not end in a line break", "add one, or save elsewhere")
    game = {"instance_id": instance_id, "model": model}
    return max((play["trial"] + 1 for play in plays if game.items() <= play.items()), default=0)


def _in_lines(simulator: Simulator, book: str) -> State:
    from kumoc.cli.play_lines import LinePlayer  # noqa: PLC0415
    from kumoc.play import play  # noqa: PLC0415

    return play(simulator, LinePlayer(book))


def _on_screen(simulator: Simulator, book: str) -> State:
    try:
        from kumoc.cli.play_screen import Board  # noqa: PLC0415 - an extra
    except ImportError as error:
        help_ = "pip install 'kumoc[play]', or give --plain to play line by line"
        raise InputError("kumoc play", "the full screen needs textual", help_) from error
    state = Board(simulator, book).run()
    if state is None:
        raise click.Abort
    return state


def _show_result(simulator: Simulator, chosen: Chosen, state: State, work: int) -> None:
    from kumoc.cli.solution import solve  # noqa: PLC0415
    from kumoc.cli.solution_text import missing, to_text  # noqa: PLC0415
    from kumoc.play import Kind  # noqa: PLC0415

    actions = simulator.bare.actions
    taken = [actions.index(event.name) for event in state.events if event.kind is Kind.ACT]
    solution = solve(chosen, simulator.bare, "exact", taken, work, with_tree=False)
    click.echo()
    click.echo(_verdict(state))
    click.echo(to_text(solution, 0), nl=False)
    if solution.given_up:
        click.echo(f"note: {missing(solution, work)}", err=True)


def _verdict(state: State) -> str:
    from kumoc.play import End  # noqa: PLC0415

    last = state.events[-1]
    if last.name is None or state.end is not End.NAMED:
        return "No turn is left, and no truth was named."
    if state.success:
        return f"Right: {printable(last.name)} is valid."
    why = "was ruled out by what you had seen" if last.ruled_out else "is not valid"
    return f"Wrong: {printable(last.name)} {why}."
