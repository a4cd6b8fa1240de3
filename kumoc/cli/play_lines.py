"""A game line by line: for scripts, and for terminals without a full screen."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

from kumoc.cli.names import position
from kumoc.cli.rows import InputError
from kumoc.diagnostics.text import printable
from kumoc.play import Act, Move, Name, Puzzle, State, Strategy, told
from kumoc.tables import members

_ASK_WHAT_IS_LEFT = "?"
_PLACE = "standard input"


@dataclass(frozen=True, slots=True)
class LinePlayer:
    """Whoever writes to the standard input: one name of an action or a truth a line, or ``?`` for what is left."""

    book: str
    name: str = "person"

    def sit(self, puzzle: Puzzle, trial: int) -> Strategy:  # noqa: ARG002
        """Begin a game: the book is shown."""
        click.echo("\n".join(map(printable, self.book.splitlines())))
        click.echo()

        def strategy(state: State) -> Move:
            if state.events:
                click.echo(printable(told(puzzle, state.events[-1])))
            return _read_move(puzzle, state)

        return strategy


def _read_move(puzzle: Puzzle, state: State) -> Move:
    """The first line that makes a move. A person may mend a wrong name; from a pipe it raises InputError."""
    names = (*puzzle.actions, *puzzle.truths)
    while True:
        said = _line()
        if said == _ASK_WHAT_IS_LEFT:
            click.echo(f"Left: {', '.join(printable(puzzle.truths[i]) for i in members(state.survivors))}.")
            continue
        try:
            at = position(said, names, "name", _PLACE)
        except InputError as error:
            if not sys.stdin.isatty():
                raise
            error.show()
            continue
        return Act(at) if at < len(puzzle.actions) else Name(at - len(puzzle.actions))


def _line() -> str:
    """The next line with anything on it; people are asked for it. Raises InputError where there is none, or Abort."""
    asking = sys.stdin.isatty()
    said = ""
    while not said:
        try:
            said = input("Action, or truth to name (? shows what is left): " if asking else "").strip()
        except EOFError:
            if asking:
                raise click.Abort from None
            help_ = "give one name a line, and in the last that of a truth"
            raise InputError(_PLACE, "ends before a truth is named", help_) from None
        except UnicodeDecodeError as error:
            raise InputError(_PLACE, f"is not UTF-8 text (byte {error.start + 1})") from error
    return said
