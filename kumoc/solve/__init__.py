"""The two optimal players of a bare game: the paper's, and the exact one who uses the guarantee."""

from kumoc.generate.instance import Game
from kumoc.solve.bracket import TIE, Bounds
from kumoc.solve.compare import Comparison, Step, compare, expected_after
from kumoc.solve.exact import ExactPlayer
from kumoc.solve.floor import outlook
from kumoc.solve.guess import guess
from kumoc.solve.paper import PaperPlayer
from kumoc.solve.player import Player
from kumoc.solve.policy import Branch, Decision, Named, policy, to_json, walk
from kumoc.solve.reductions import Reductions
from kumoc.solve.work import OutOfWorkError

__all__ = [
    "TIE",
    "Bounds",
    "Branch",
    "Comparison",
    "Decision",
    "ExactPlayer",
    "Named",
    "OutOfWorkError",
    "PaperPlayer",
    "Player",
    "Reductions",
    "Step",
    "compare",
    "exact_value",
    "expected_after",
    "guess",
    "outlook",
    "paper_value",
    "policy",
    "to_json",
    "walk",
]


def paper_value(n_truths: int, outcomes: Game) -> float:
    """Expected actions of the paper's player; per action, ``outcomes`` has the mask of truths each outcome excludes."""
    return PaperPlayer(n_truths, outcomes).value


def exact_value(n_truths: int, outcomes: Game) -> float:
    """Expected actions of the exact player; per action, ``outcomes`` has the mask of truths each outcome excludes."""
    return ExactPlayer(n_truths, outcomes).value
