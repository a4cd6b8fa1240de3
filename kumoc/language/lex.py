"""From text to tokens, with the grammar's own terminals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lark import Lark, Token
from lark.lark import PostLex

from kumoc.data import data_path

FAULTY = ("UNCLOSED_STRING", "MALFORMED_NUMBER", "STRAY")
"""Terminals that no program contains; they let the lexer go on past a fault."""


class _Openings(PostLex):
    """Tells strings that begin an entry from strings that continue a line.

    Without the distinction a quoted name under an undescribed truth would silently become its description.
    """

    always_accept = FAULTY

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        line, before = 0, ""
        for token in stream:
            opens = token.type == "STRING" and (token.line != line or before in ("LBRACE", "COMMA"))
            yield token.update(type="OPENING_STRING") if opens else token
            line, before = token.end_line or 0, token.type


@cache
def grammar() -> Lark:
    """The parser tables, built once and when first needed (some 70 ms)."""
    text = data_path("grammar/kumo.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="basic", postlex=_Openings(), maybe_placeholders=False)


def lex(text: str) -> tuple[Token, ...]:
    """All tokens of ``text`` but spaces and comments; what is no token at all has a type in :data:`FAULTY`."""
    return tuple(grammar().lex(text))
