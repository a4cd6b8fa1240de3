"""From text to tokens, with the grammar's own terminals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache

from lark import Lark, Token
from lark.lark import PostLex
from lark.lexer import PatternStr

from kumoc.data import data_path

FAULTY = ("UNCLOSED_STRING", "MALFORMED_NUMBER", "UNUSABLE_NUMBER", "STRAY")
"""Terminals that no program contains; they let the lexer go on past a fault."""
MAX_DIGITS = 15
"""Significant digits of a number, and digits before its point: what a double gives back unchanged."""
_FOLLOW_HEADS = ("RULES", "OBSERVES", "MEASURES")


class _Refine(PostLex):
    """Tells apart what the same characters mean.

    A string that begins an entry is not one that continues a line: without the distinction a quoted name under an
    undescribed truth would silently become its description. A name that begins its line and is followed by what
    follows only the name of an entry is the head of one: a list above it that lacks its end can't swallow it. A
    number that can't be kept exactly is no number.
    """

    always_accept = FAULTY

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        line, before = 0, ""
        for token, following in _with_next(stream):
            begins_line = token.line != line
            if begins_line and token.type in ("STRING", "NAME") and following in _FOLLOW_HEADS:
                yield token.update(type="HEAD")
            elif token.type == "STRING" and (begins_line or before in ("LBRACE", "COMMA")):
                yield token.update(type="OPENING_STRING")
            elif token.type == "NUMBER" and not _is_exact(token):
                yield token.update(type="UNUSABLE_NUMBER")
            else:
                yield token
            line, before = token.end_line or 0, token.type


def _with_next(stream: Iterator[Token]) -> Iterator[tuple[Token, str]]:
    """Each token with the type of the one after it."""
    token = next(stream, None)
    while token is not None:
        following = next(stream, None)
        yield token, "" if following is None else following.type
        token = following


def _is_exact(number: str) -> bool:
    try:
        value = Decimal(number)
    except InvalidOperation:  # an exponent that is out of all reach
        return False
    digits = "".join(map(str, value.as_tuple().digits)).strip("0")
    return len(digits) <= MAX_DIGITS and -MAX_DIGITS <= value.adjusted() < MAX_DIGITS


@cache
def grammar() -> Lark:
    """The parser tables, built once and when first needed (some 70 ms)."""
    text = data_path("grammar/kumo.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="basic", postlex=_Refine(), maybe_placeholders=False)


@cache
def literals() -> Mapping[str, str]:
    """What stands in a text for each terminal that is always written alike: words and punctuation."""
    return {each.name: each.pattern.value for each in grammar().terminals if isinstance(each.pattern, PatternStr)}


def lex(text: str) -> tuple[Token, ...]:
    """All tokens of ``text`` but spaces and comments; what is no token at all has a type in :data:`FAULTY`."""
    return tuple(grammar().lex(text))
