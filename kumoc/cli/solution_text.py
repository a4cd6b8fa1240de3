"""A solution for people: typeset for a terminal, plain text in a pipe."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from kumoc.cli.show import plural
from kumoc.cli.solution import Solution, states
from kumoc.diagnostics.text import printable
from kumoc.solve import Bounds, Branch, Comparison, Decision, Named, Step
from kumoc.views.game import rounded
from kumoc.views.play import Play
from kumoc.views.read import BareGame

_PIPE_WIDTH = 100
"""Columns where there is no terminal to ask and COLUMNS is not set."""


_DECIMALS = 3
_NOT_FOUND = Text("not found", style="dim")


def to_text(solution: Solution, depth: int) -> str:
    """The whole solution; the tree is folded at ``depth`` actions. Colours are for a terminal only."""
    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    with console.capture() as capture:
        for part in _parts(solution, depth):
            console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def missing(solution: Solution, work: int) -> str:
    """What is missing of a solution for want of ``work``, and what to do about it."""
    what = " and no ".join(solution.given_up)
    return f"with at most {plural(work, 'state')} a question there is no {what}: raise --work"


def _parts(solution: Solution, depth: int) -> list[RenderableType]:
    parts: list[RenderableType] = [_instance(solution), _players(solution)]
    if solution.tree is not None:
        parts += [_policy(solution, solution.tree, depth)]
    if solution.comparison is not None:
        parts += [_comparison(solution, solution.comparison)]
    return parts


def _text(text: str, style: str = "") -> Text:
    """Text from a row: neither markup nor terminal escapes work in it."""
    return Text(printable(text), style=style)


def _joined(names: Sequence[str], positions: Sequence[int], between: str = ", ", style: str = "") -> Text:
    return _text(between.join(names[i] for i in positions), style)


def _heading(title: str, legend: str) -> Text:
    return Text.assemble((title, "bold"), "   ", (legend, "dim"))


def _number(number: float) -> str:
    return f"{number + 0.0:.{_DECIMALS}f}"


def _instance(solution: Solution) -> Panel:
    row, bare = solution.chosen.row, solution.bare
    title = " · ".join(str(row[column]) for column in ("domain", "size", "instance_id") if row.get(column))
    grid = Table.grid(padding=(0, 4))
    truths = Table.grid()
    truths.add_row(Text(plural(len(bare.truths), "truth"), style="dim"))
    for i, name in enumerate(bare.truths):
        mark = Text("  valid", style="green") if i in bare.valid else Text()
        truths.add_row(Text.assemble(_text(name, "bold green" if i in bare.valid else ""), mark))
    actions = Table.grid(padding=(0, 3))
    actions.add_row(Text(plural(len(bare.actions), "action"), style="dim"), Text("what it shows here", style="dim"))
    for name, seen in zip(bare.actions, bare.seen, strict=True):
        actions.add_row(_text(name), _text(seen, "cyan"))
    grid.add_row(truths, actions)
    return Panel(
        grid, title=_text(title or solution.chosen.where), title_align="left", border_style="dim", expand=False
    )


def _players(solution: Solution) -> Table:
    bare = solution.bare
    table = Table(box=box.SIMPLE, pad_edge=False, header_style="dim")
    for header in ("player", "expected actions", "best first action", "what it does here"):
        table.add_column(header, overflow="fold")
    for name, play in solution.plays.items():
        style = "bold" if name == solution.player else ""
        table.add_row(Text(name, style=style), _bounds(play.bounds), _first(bare, play), _taken(bare, play))
    return table


def _bounds(bounds: Bounds) -> str:
    lower, upper = rounded(bounds, _DECIMALS)
    return _number(lower) if bounds.exact else f"{_number(lower)} to {_number(upper)}"


def _first(bare: BareGame, play: Play) -> Text:
    if play.optimal is None:
        return _NOT_FOUND
    return _joined(bare.actions, play.optimal) if play.optimal else Text("none is needed", style="dim")


def _taken(bare: BareGame, play: Play) -> Text:
    return Text.assemble(f"{len(play.trajectory)}: ", _joined(bare.actions, play.trajectory))


def _policy(solution: Solution, root: Decision | Named, depth: int) -> RenderableType:
    if isinstance(root, Named):
        return Text.assemble("No action is needed: the answer is ", _then(solution.bare, root, depth), "\n")
    legend = "chance, outcome → answer, or next action and actions expected"
    tree = Tree(_then(solution.bare, root, depth), guide_style="dim")
    folded = _grow(tree, solution.bare, root, depth)
    parts: list[RenderableType] = [_heading(f"How the {solution.player} player plays", legend), tree]
    if folded:
        parts.append(Text(f"{plural(folded, 'state')} folded away: --depth all shows them", style="dim"))
    return Group(*parts, Text())


def _grow(tree: Tree, bare: BareGame, state: Decision | Named, depth: int) -> int:
    """Add what comes after ``state``, no more than ``depth`` actions deep; how many states were left out."""
    if isinstance(state, Named):
        return 0
    if depth <= 0:
        return states(state) - 1
    folded = 0
    for branch in sorted(state.branches, key=lambda branch: -branch.probability):
        label = Text.assemble(_branch(bare, state.action, branch), _then(bare, branch.then, depth - 1))
        folded += _grow(tree.add(label), bare, branch.then, depth - 1)
    return folded


def _branch(bare: BareGame, action: int, branch: Branch) -> Text:
    chance = f"{_percent(branch.probability):>4}  "
    return Text.assemble((chance, "magenta"), _joined(bare.outcomes[action], branch.outcomes, " / "), (" → ", "dim"))


def _percent(probability: float) -> str:
    return f"{probability:.1%}" if probability < 0.00995 else f"{probability:.0%}"


def _then(bare: BareGame, state: Decision | Named, depth: int) -> Text:
    if isinstance(state, Named):
        return _joined(bare.truths, state.truths, " or ", "bold green")
    first, *others = state.optimal
    parts = [_text(bare.actions[first], "bold"), Text(f"  {_number(state.value)}", style="cyan")]
    if others:
        parts += [Text("  or ", style="dim"), _joined(bare.actions, others, style="dim")]
    if depth <= 0:
        parts.append(Text(f"  … {plural(states(state) - 1, 'state')}", style="dim"))
    return Text.assemble(*parts)


def _comparison(solution: Solution, comparison: Comparison) -> Group:
    table = Table(box=box.SIMPLE, pad_edge=False, header_style="dim")
    for header in ("", "action and what it showed", "left"):
        table.add_column(header, overflow="fold")
    for header in ("best", "taken", "regret"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("what was best", overflow="fold")
    for number, step in enumerate(comparison.steps, start=1):
        table.add_row(str(number), *_step(solution.bare, step))
    heading = _heading(
        f"The trajectory against the {solution.player} player", "best, taken: actions expected from there"
    )
    return Group(heading, table, *_summary(solution.bare, comparison))


def _step(bare: BareGame, step: Step) -> tuple[Text, ...]:
    regret = Text("0", style="green") if step.is_optimal else Text(f"+{_number(step.regret)}", style="red")
    return (
        Text.assemble(_text(bare.actions[step.action], "bold"), (" → ", "dim"), _text(bare.seen[step.action], "cyan")),
        Text(f"{len(step.before)} → {len(step.after)}"),
        Text(_number(step.value)),
        Text(_number(step.expected)),
        regret,
        _verdict(bare, step),
    )


def _verdict(bare: BareGame, step: Step) -> Text:
    if step.is_optimal:
        return Text("✓", style="green")
    why = "taken before" if step.repeated else "" if step.optimal else "the answer was known"
    between = "; " if step.repeated and step.optimal else ""
    return Text.assemble((why + between, "dim"), _joined(bare.actions, step.optimal))


def _summary(bare: BareGame, comparison: Comparison) -> tuple[Text, Text]:
    taken = plural(len(comparison.steps), "action")
    if comparison.known:
        known = _joined(bare.truths, comparison.known, " or ", "bold green")
        end = Text.assemble(f"After {taken} the answer is known: ", known)
    else:
        further = _number(comparison.further)
        end = Text(f"After {taken} the answer is not known: best play would need {further} more on average.")
    account = (
        f"{len(comparison.steps)} taken + {_number(comparison.further)} to go"
        f" = {_number(comparison.expected)} expected + {_number(comparison.regret)} regret {_luck(comparison.luck)}"
    )
    return end, Text(account)


def _luck(luck: float) -> str:
    size = _number(abs(luck))
    if size == _number(0):
        return f"+ {size} luck"
    return f"- {size} good luck" if luck < 0 else f"+ {size} bad luck"
