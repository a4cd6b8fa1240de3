"""The two optimal players of a bare game: the paper's, and the exact one who uses the guarantee."""

from kumoc.generate.instance import Game
from kumoc.solve.bracket import Bounds
from kumoc.solve.exact import ExactPlayer
from kumoc.solve.paper import PaperPlayer
from kumoc.solve.player import TIE, Player
from kumoc.solve.policy import Branch, Decision, Named, policy
from kumoc.solve.reductions import Reductions
from kumoc.solve.work import OutOfWorkError

__all__ = [
    "TIE",
    "Bounds",
    "Branch",
    "Decision",
    "ExactPlayer",
    "Named",
    "OutOfWorkError",
    "PaperPlayer",
    "Player",
    "Reductions",
    "exact_value",
    "paper_value",
    "policy",
]


def paper_value(n_truths: int, outcomes: Game) -> float:
    """Expected actions of the paper's player; per action, ``outcomes`` has the mask of truths each outcome excludes."""
    return PaperPlayer(n_truths, outcomes).value


def exact_value(n_truths: int, outcomes: Game) -> float:
    """Expected actions of the exact player; per action, ``outcomes`` has the mask of truths each outcome excludes."""
    return ExactPlayer(n_truths, outcomes).value
