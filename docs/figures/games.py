"""One instance of the release ``pocket``: how a game of it unfolds, and all that the exact player may do in it."""

from __future__ import annotations

from pathlib import Path

from docs.figures.svg import Drawing
from kumoc import load
from kumoc.solve import Branch, Decision, ExactPlayer, Named, policy
from kumoc.views.read import BareGame, bare_game

RELEASE = Path(__file__).parents[2] / "dist" / "pocket" / "1.0.0"
ROW = 2
"""As in ``kumoc solve dist/pocket/1.0.0 --size easy --row 2``."""


def _game() -> tuple[BareGame, ExactPlayer]:
    bare = bare_game(list(load(RELEASE, "easy"))[ROW])
    return bare, ExactPlayer(len(bare.truths), bare.game)


def unfolding() -> str:
    """A column for each round of the exact player's game, in which what its outcome rules out is struck through."""
    bare, player = _game()
    width, gap, top, step = 175, 55, 66, 42
    drawing = Drawing(720, top + step * len(bare.truths), "A game, round by round: what each outcome rules out")
    taken = player.trajectory(bare.observed)
    heads = [("At the start", "all four are possible")]
    heads += [(f"{n}. {bare.actions[a]}", f"“{bare.outcomes[a][bare.observed[a]]}”") for n, a in enumerate(taken, 1)]
    ruled_out = 0
    for column, (head, below) in enumerate(heads):
        x = 20 + column * (width + gap)
        drawing.text(x, 22, head, "strong")
        drawing.text(x, 42, below, "soft")
        before = ruled_out
        if column:
            action = taken[column - 1]
            ruled_out |= bare.game[action][bare.observed[action]]
        for i, truth in enumerate(bare.truths):
            y, is_out, is_last = top + i * step, ruled_out >> i & 1, column == len(taken)
            kind = "gone" if is_out else "won" if is_last else "box"
            drawing.rect(x, y, width, 30, kind, 6)
            words, kind = (truth, "struck") if is_out else (f"{truth}: valid", "strong") if is_last else (truth, "")
            drawing.text(x + width / 2, y + 20, words, kind, "middle")
            if column and not before >> i & 1:
                drawing.path(f"M{x - gap + 8} {y + 15}H{x - 9}m-6 -4l6 4l-6 4", "faint" if is_out else "line")
    return str(drawing)


def tree() -> str:
    """The exact player's whole policy, from left to right: each end in a row of its own."""
    bare, player = _game()
    root = policy(player)
    drawing = Drawing(720, 12 + _STEP * _ends(root), "What the exact player does after each outcome")
    _draw(drawing, bare, root, (12, 34), f"{player.value:.4g} actions on average")
    return str(drawing)


_WIDTH, _GAP, _STEP = 152, 46, 56


def _draw(drawing: Drawing, bare: BareGame, node: Decision | Named, at: tuple[int, int], seen: str) -> int:
    """Draw ``node`` with its upper left corner ``at``, below what was ``seen``, and all behind it; the next free y."""
    x, y = at
    named = isinstance(node, Named)
    words = " or ".join(bare.truths[i] for i in node.truths) if named else bare.actions[node.action]
    drawing.text(x, y - 5, seen, "soft")
    drawing.rect(x, y, _WIDTH, 28, "won" if named else "box", 6)
    drawing.text(x + _WIDTH / 2, y + 19, words, "strong" if named else "", "middle")
    if isinstance(node, Named):
        return y + _STEP
    next_y = y
    for branch in node.branches:
        drawing.path(f"M{x + _WIDTH} {y + 14}h16V{next_y + 14}H{x + _WIDTH + _GAP - 3}")
        next_y = _draw(drawing, bare, branch.then, (x + _WIDTH + _GAP, next_y), _seen(bare, node.action, branch))
    return next_y


def _seen(bare: BareGame, action: int, branch: Branch) -> str:
    return f"{' or '.join(bare.outcomes[action][i] for i in branch.outcomes)}: {100 * branch.probability:.3g}%"


def _ends(node: Decision | Named) -> int:
    return sum(_ends(branch.then) for branch in node.branches) if isinstance(node, Decision) else 1
