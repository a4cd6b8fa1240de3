"""The book that a player is given: rendered from an instance, read back, and proved equal to its tables."""

from kumoc.book.proof import Verdict, check, verdicts
from kumoc.book.reader import LANGUAGES, Rules, UnreadableBook, read
from kumoc.book.renderer import render, word_count

__all__ = ["LANGUAGES", "Rules", "UnreadableBook", "Verdict", "check", "read", "render", "verdicts", "word_count"]
