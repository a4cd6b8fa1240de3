"""The two optimal players of a bare game: the paper's, and the exact one who uses the guarantee."""

from kumoc.generate.instance import Game
from kumoc.solve.exact import ExactPlayer
from kumoc.solve.paper import PaperPlayer
from kumoc.solve.player import Player

__all__ = ["ExactPlayer", "PaperPlayer", "Player", "exact_value", "paper_value"]


def paper_value(n_truths: int, outcomes: Game) -> float:
    """Expected actions of the paper's player; per action, ``outcomes`` has the mask of truths each outcome excludes."""
    return PaperPlayer(n_truths, outcomes).value


def exact_value(n_truths: int, outcomes: Game) -> float:
    """Expected actions of the exact player; per action, ``outcomes`` has the mask of truths each outcome excludes."""
    return ExactPlayer(n_truths, outcomes).value
