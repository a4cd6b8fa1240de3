"""Read a book back: what it says, taken from its text alone.

This package is the other half of a proof, so it shares nothing with the renderer: it knows the names and the form of
the text, sentence by sentence, and takes nothing that it does not know.
"""

from __future__ import annotations

from kumoc.book.reader.forms import LANGUAGES
from kumoc.book.reader.guide import read_guide, read_long
from kumoc.book.reader.page import Page
from kumoc.book.reader.prose import read_prose
from kumoc.book.reader.rules import ActionEntry, Rule, Rules, Seen, TruthEntry, UnreadableBook
from kumoc.book.reader.symbolic import read_symbolic
from kumoc.book.reader.table import read_table

__all__ = ["LANGUAGES", "STYLES", "ActionEntry", "Rule", "Rules", "Seen", "TruthEntry", "UnreadableBook", "read"]

_READERS = {
    "guide": read_guide,
    "table": read_table,
    "prose": read_prose,
    "symbolic": read_symbolic,
    "long": read_long,
}

STYLES = tuple(_READERS)
"""The styles that can be read."""


def read(text: str, style: str = "guide", language: str = "en", *, whole: bool = True) -> Rules:
    """What the book ``text`` of that style and language says.

    Of a text that is not the ``whole`` book, but ends somewhere after the introduction, it is what the book says up to
    there, without an entry that is not complete.

    Raises :class:`UnreadableBook` at the first line that is not one of such a book, wherever it stands: a sentence of
    the introduction counts as much as a rule. Empty lines mean nothing.
    """
    return _READERS[style](Page(text, whole=whole), LANGUAGES[language])
