"""The book that a player is given: rendered from an instance, read back, and proved equal to its tables."""

from kumoc.book.proof import check
from kumoc.book.reader import Rules, UnreadableBook, read
from kumoc.book.renderer import render

__all__ = ["Rules", "UnreadableBook", "check", "read", "render"]
