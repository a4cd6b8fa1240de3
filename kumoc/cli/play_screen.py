"""A game on the full screen of a terminal: the book on one side, actions, outcomes and truths on the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from rich import box
from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static

from kumoc.diagnostics.text import printable
from kumoc.play import Act, Kind, Move, Name, Simulator, State
from kumoc.play.layout import Shape, layout

_STYLES = {Shape.TITLE: "bold underline", Shape.CHAPTER: "bold", Shape.SECTION: "bold cyan"}
_WIDE = 76
"""Columns from which on the two sides stand beside each other, not one above the other."""


class Board(App[State]):
    """One game. It ends with the state in which the game is over, or with None if the person leaves before."""

    TITLE = "kumoc play"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_WIDE, "-wide")]  # noqa: RUF012 - as the base class has it
    CSS = """
    #board { layout: horizontal; }
    .-narrow #board { layout: vertical; }
    #book, OptionList {
        border: round $foreground 40%; border-title-style: bold; border-title-color: $foreground;
        border-subtitle-color: $foreground 80%; background: $background; padding: 0 1; scrollbar-size-vertical: 1;
    }
    #book:focus, OptionList:focus { border: round $accent; border-title-color: $accent; background-tint: transparent; }
    OptionList > .option-list--option-highlighted { background: $foreground 8%; }
    OptionList:focus > .option-list--option-highlighted { background: $accent 25%; color: $foreground; }
    #book { width: 1fr; height: 1fr; }
    #moves { width: 1fr; height: 1fr; }
    .-narrow #book { width: 100%; height: 2fr; }
    .-narrow #moves { width: 100%; height: 3fr; }
    #actions { height: 1fr; }
    #truths { height: auto; max-height: 45%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "focus('book')", "Book"),
        Binding("a", "focus('actions')", "Actions"),
        Binding("t", "focus('truths')", "Truths"),
        Binding("s", "toggle_survivors", "What is left"),
        Binding("ctrl+q", "quit", "Leave"),
    ]

    def __init__(self, simulator: Simulator, book: str) -> None:
        """A game by the rules of ``simulator``, about to begin."""
        super().__init__()
        self.simulator = simulator
        self.book = book
        self.state = simulator.start()
        self.shows_survivors = False

    def compose(self) -> ComposeResult:
        """Lay out both sides."""
        with Horizontal(id="board"):
            with VerticalScroll(id="book", can_focus=True):
                yield Static(Group(*_book(self.book)))
            with Vertical(id="moves"):
                yield OptionList(*self._actions(), id="actions")
                yield OptionList(*self._truths(), id="truths")
        yield Footer()

    def on_mount(self) -> None:
        """Begin at the actions."""
        for name in ("book", "actions", "truths"):
            self.query_one(f"#{name}").border_title = name.capitalize()
        self.query_one("#actions").focus()
        self._update()

    def action_toggle_survivors(self) -> None:
        """Show which truths are ruled out, or hide it again."""
        self.shows_survivors = not self.shows_survivors
        self._update()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take an action, or name a truth once the person has confirmed it."""
        at = event.option_index
        if event.option_list.id == "truths":
            question = Confirm(self.simulator.puzzle.truths[at])
            self.push_screen(question, lambda sure: self._move(Name(at)) if sure else None)
        elif self.state.remaining >> at & 1:
            self._move(Act(at))

    def _move(self, move: Move) -> None:
        self.state = self.simulator.step(self.state, move)
        self._update()
        if self.state.end is not None:
            self.exit(self.state)

    def _update(self) -> None:
        for name, prompts in (("actions", self._actions()), ("truths", self._truths())):
            options = self.query_one(f"#{name}", OptionList)
            for i, prompt in enumerate(prompts):
                options.replace_option_prompt_at_index(i, prompt)
        left = f"{self.state.survivors.bit_count()} of {len(self.simulator.puzzle.truths)} left"
        self.query_one("#actions").border_subtitle = f"Enter takes one: {self.state.actions} taken"
        self.query_one("#truths").border_subtitle = left if self.shows_survivors else "Enter names one"

    def _actions(self) -> Iterator[Text]:
        """Each action, with what it has shown."""
        seen = {event.name: event.seen or "" for event in self.state.events if event.kind is Kind.ACT}
        for name in self.simulator.puzzle.actions:
            if name in seen:
                yield Text.assemble((printable(name), "dim"), "\n  → ", (printable(seen[name]), "bold cyan"))
            else:
                yield Text(printable(name))

    def _truths(self) -> Iterator[Text]:
        """Each truth; those ruled out are struck if the person has asked for it."""
        for i, name in enumerate(self.simulator.puzzle.truths):
            struck = self.shows_survivors and not self.state.survivors >> i & 1
            yield Text(printable(name), style="dim strike" if struck else "")


class Confirm(ModalScreen[bool]):
    """Asks whether a truth is to be named."""

    CSS = """
    Confirm { align: center middle; }
    Confirm Static { width: auto; max-width: 80%; padding: 1 3; border: round $accent; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Name it"),
        Binding("n,escape", "dismiss(False)", "Go back"),
    ]

    def __init__(self, truth: str) -> None:
        """About ``truth``."""
        super().__init__()
        self.truth = truth

    def compose(self) -> ComposeResult:
        """The question."""
        name = (printable(self.truth), "bold")
        yield Static(Text.assemble("Name ", name, "? This ends the game.\n\n", ("y  name it     n  go back", "dim")))


def _book(book: str) -> Iterator[RenderableType]:
    """The parts of the book with a line between them: headings stand out, rules hang, every name is to the letter."""
    for part in layout(book):
        match part.shape:
            case Shape.LIST:
                yield _filled(Table.grid(padding=(0, 1)), (("•", *cells) for cells in part.rows))
            case Shape.TABLE:
                head, *rows = part.rows
                columns = (Column(Text(printable(cell))) for cell in head)
                yield _filled(Table(*columns, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False), rows)
            case shape:
                yield from (Text(printable(text), _STYLES.get(shape, "")) for (text,) in part.rows)
        yield Text()


def _filled(table: Table, rows: Iterable[tuple[str, ...]]) -> Table:
    for cells in rows:
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table
