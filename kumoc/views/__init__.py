"""Rows of each dataset view, made from one instance."""

from kumoc.views.game import GAME_COLUMNS, game_row

__all__ = ["GAME_COLUMNS", "game_row"]
