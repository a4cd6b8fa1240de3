"""Syntax errors in plain words: what stands there, what would have been taken, and what may have been meant."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from lark import Token

from kumoc.diagnostics import Diagnostic, Edit, Place, Rule, Source, Span
from kumoc.diagnostics.rules import BAD_NUMBER, BAD_STRING, RESERVED_WORD, SYNTAX_ERROR
from kumoc.language.layout import DECLARES, begins_line, span_of
from kumoc.language.lex import MAX_DIGITS, literals

_WORDING = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "OPENING_STRING": "a text in quotes",
    "NUMBER": "a number",
    "$END": "the end of the file",
}
MAX_FAULTS = 100
"""Syntax errors reported for one file before the rest of it is passed over."""
_MOST_EXPECTED = 8
_LONGEST_FOUND = 60


class _Help(NamedTuple):
    text: str
    fix: Edit | None = None


def explain(source: Source, tokens: Sequence[Token], index: int, expected: Collection[str]) -> Diagnostic:
    """The error for a parser that stopped at token ``index`` (the number of tokens: the end of the file)."""
    if index >= len(tokens):
        end = len(source.text)
        message = f"the file ends too early: expected {_wording(expected)}"
        place = Place(source, Span(max(end - 1, 0), end))
        return Diagnostic(SYNTAX_ERROR, message, place, _missing(tokens, expected).text)
    rule, message, help_ = _fault(tokens, index, expected)
    place = Place(source, _place(tokens, index, expected))
    return Diagnostic(rule, message, place, help_.text, fix=help_.fix)


def _place(tokens: Sequence[Token], index: int, expected: Collection[str]) -> Span:
    # where an entry stopped short, its end is to blame, not the innocent line under it
    token = tokens[index - 1] if _stopped_short(tokens, index, expected) else tokens[index]
    return span_of(token)


def _stopped_short(tokens: Sequence[Token], index: int, expected: Collection[str]) -> bool:
    return index > 0 and begins_line(tokens, index) and "RBRACE" not in expected and "$END" not in expected


def _fault(tokens: Sequence[Token], index: int, expected: Collection[str]) -> tuple[Rule, str, _Help]:
    token = tokens[index]
    match token.type:
        case "UNCLOSED_STRING":
            return BAD_STRING, "this text has no closing quote", _Help('end it with a " on the same line')
        case "MALFORMED_NUMBER":
            help_ = _Help("write a name that begins with a digit in quotes")
            return BAD_NUMBER, f"{_found(token)} is not a number", help_
        case "UNUSABLE_NUMBER":
            message = f"written out, {_found(token)} has more than {MAX_DIGITS} digits"
            return BAD_NUMBER, message, _Help("round it, or choose a unit that fits")
        case "STRAY" if token == "\r":
            return SYNTAX_ERROR, "a carriage return stands alone", _Help("save the file with line ends LF or CRLF")
        case "STRAY":
            help_ = _Help("a name with such a character needs quotes")
            return SYNTAX_ERROR, f"'{_shown(token)}' has no meaning here", help_
    innocent = begins_line(tokens, index) and (token.type in DECLARES or _stopped_short(tokens, index, expected))
    if "NAME" in expected and _is_word(token) and not innocent:
        message = f"'{token}' is a word of the language, so it can't be a name as it stands"
        help_ = _Help(f"write \"{token}\" in quotes if it is meant as a name; else is a '}}' missing?")
        return RESERVED_WORD, message, help_
    return SYNTAX_ERROR, f"expected {_wording(expected)}, found {_found(token)}", _hint(tokens, index, expected)


def _hint(tokens: Sequence[Token], index: int, expected: Collection[str]) -> _Help:
    token = tokens[index]
    if near := nearest_words(token, expected):
        return _Help(f"did you mean '{near[0]}'?", Edit(span_of(token), near[0]) if len(near) == 1 else None)
    if _stopped_short(tokens, index, expected) and tokens[index - 1].type == "COMMA":
        return _Help("go on with the list, or take the comma away")
    if token.type in ("OPENING_STRING", "HEAD") and "STRING" in expected and "OPENING_STRING" not in expected:
        return _Help("a description stands on the line of what it describes")
    if token.type == "STRING" and "OPENING_STRING" in expected:
        return _Help("a quoted name begins its line, or follows a comma")
    if token.type in ("NAME", "STRING", "NUMBER") and "COMMA" in expected and not begins_line(tokens, index):
        return _Help(f"is a comma missing before {_found(token)}?", _comma_after(tokens[index - 1]))
    return _missing(tokens[:index], expected)


def nearest_words(token: Token, expected: Collection[str]) -> list[str]:
    """The words of the language, at most two, that ``token`` may be a slip for."""
    if not token.isidentifier():
        return []
    words = sorted(word for kind, word in literals().items() if kind in expected and word.isalpha())
    return get_close_matches(str(token), words, n=2)


def _missing(before: Sequence[Token], expected: Collection[str]) -> _Help:
    """Help where something was left out before the place at which the parser stopped."""
    if set(expected) == {"RULES"} and len(before) > 1 and not begins_line(before, len(before) - 1):
        return _Help(f"is a comma missing before {_found(before[-1])}?", _comma_after(before[-2]))
    if len(expected) == 1:
        return _Help(f"add {_wording(expected)}")  # or something else stands in its place
    return _Help("")


def _comma_after(token: Token) -> Edit:
    end = span_of(token).end
    return Edit(Span(end, end), ",")


def _wording(expected: Collection[str]) -> str:
    kinds = set(expected) - {"HEAD"}
    if {"NAME", "NUMBER", "RBRACE"} <= kinds:
        kinds.remove("NUMBER")  # ranges without a scale are taken only to be refused
    if "NAME" in kinds:
        kinds -= {"STRING", "OPENING_STRING"}
    keywords = sorted(f"'{literals()[kind]}'" for kind in kinds if kind not in _WORDING)
    parts = sorted({_WORDING[kind] for kind in kinds if kind in _WORDING}) + keywords
    if len(parts) > _MOST_EXPECTED:
        parts = [*parts[: _MOST_EXPECTED - 1], "..."]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _is_word(token: Token) -> bool:
    return token.type not in ("NAME", "HEAD", "NUMBER") and str(token).isidentifier()


def _found(token: Token) -> str:
    text = literals().get(token.type, str(token))  # a brace that was put in has no text of its own
    shown = text if len(text) <= _LONGEST_FOUND else f"{text[:_LONGEST_FOUND]}..."
    return shown if token.startswith('"') else f"'{shown}'"


def _shown(character: str) -> str:
    return character if character.isprintable() else f"\\u{ord(character):04x}"
