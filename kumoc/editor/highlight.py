"""``.kumo`` text in colours, for whatever asks Pygments: terminals, documentation, notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lark import Token
from pygments.lexer import Lexer
from pygments.token import Comment, Error, Keyword, Name, Number, Punctuation, String, Text, _TokenType

from kumoc.language.comments import gaps
from kumoc.language.layout import span_of
from kumoc.language.lex import FAULTY, lex, literals

_KINDS = {"NAME": Name, "NUMBER": Number, "STRING": String, "OPENING_STRING": String}


class KumoLexer(Lexer):
    """Colours what the language's own lexer tells apart, and so knows every word of the grammar."""

    name = "Kumo"
    aliases: ClassVar[list[str]] = ["kumo"]
    filenames: ClassVar[list[str]] = ["*.kumo"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Each piece of ``text`` in order: where it begins, what it is, and the piece."""
        tokens = lex(text)
        pieces = [(span_of(token), _kind(token)) for token in tokens]
        pieces += [(line, Comment.Single) for gap in gaps(text, tokens) for line in gap if line.start < line.end]
        end = 0
        for span, kind in sorted(pieces, key=lambda piece: piece[0].start):
            if end < span.start:
                yield end, Text, text[end : span.start]
            yield span.start, kind, text[span.start : span.end]
            end = span.end
        if end < len(text):
            yield end, Text, text[end:]


def _kind(token: Token) -> _TokenType:
    if token.type in FAULTY:
        return Error
    if token.type == "HEAD":
        return String if token.startswith('"') else Name
    word = literals().get(token.type)
    if word is None:
        return _KINDS[token.type]
    return Keyword if word.isalpha() else Punctuation
