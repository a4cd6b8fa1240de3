"""The book that a player is given: rendered from an instance, read back, and proved equal to its tables."""

from kumoc.book.proof import Difference, Verdict, check, differences, in_words, unnamed, verdicts
from kumoc.book.reader import LANGUAGES, Rules, UnreadableBook, read
from kumoc.book.renderer import render, word_count
from kumoc.book.report import Finding, Report, report

__all__ = [
    "LANGUAGES",
    "Difference",
    "Finding",
    "Report",
    "Rules",
    "UnreadableBook",
    "Verdict",
    "check",
    "differences",
    "in_words",
    "read",
    "render",
    "report",
    "unnamed",
    "verdicts",
    "word_count",
]
