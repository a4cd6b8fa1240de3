"""Draws the figures of the documentation anew: ``python -m docs.figures``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docs.figures.charts import players, spread, who_is_valid
from docs.figures.games import tree, unfolding

FOLDER = Path(__file__).parent
FIGURES: dict[str, Callable[[], str]] = {
    "game": unfolding,
    "tree": tree,
    "valid": who_is_valid,
    "spread": spread,
    "players": players,
}

if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
