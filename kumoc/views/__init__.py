"""Rows of each dataset view, made from one instance."""

from kumoc.views.game import GAME_COLUMNS, bracket_width, game_row, is_exact

__all__ = ["GAME_COLUMNS", "bracket_width", "game_row", "is_exact"]
