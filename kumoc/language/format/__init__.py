"""One style for ``.kumo`` text.

:func:`format_text` lays the tokens of a text out anew: what it gives depends on them, on their comments and on the
empty lines between entries, and on nothing else of the old layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import NamedTuple

from lark import Token

from kumoc.diagnostics import Source, Span
from kumoc.language import syntax
from kumoc.language.build import build
from kumoc.language.comments import gaps
from kumoc.language.format.blocks import lay_file
from kumoc.language.format.entries import Block, read
from kumoc.language.lex import lex
from kumoc.language.parse import syntax_tree


class CannotFormatError(ValueError):
    """The text has syntax errors, which :func:`kumoc.language.parse.parse` tells: it is best left as it is."""


class FormatterError(Exception):
    """What the formatter made of a text says something else than the text: a fault of the formatter."""


def format_text(text: str) -> str:
    """``text`` in the style of the language, with LF line ends.

    It says the same: the result was parsed again, has the same syntax nodes and the same comments in the same order,
    and is left unchanged by another formatting. Raises :class:`CannotFormatError` for a text with syntax errors, and
    :class:`FormatterError` where the result would not be the same, which is a bug.
    """
    before = _read(text)
    formatted = _lay(before)
    try:
        after = _read(formatted)
    except CannotFormatError as error:
        raise FormatterError("the formatted text has syntax errors") from error
    for what, one, other in zip(("words", "syntax nodes", "comments"), _meaning(before), _meaning(after), strict=True):
        if one != other:
            raise FormatterError(f"the formatted text has other {what}")
    if _lay(after) != formatted:
        raise FormatterError("the formatted text is formatted otherwise")
    return formatted


class _Parsed(NamedTuple):
    text: str
    tokens: Sequence[Token]
    file: syntax.File
    block: Block


def _read(text: str) -> _Parsed:
    tokens = lex(text)
    tree = syntax_tree(tokens)
    if tree is None:
        raise CannotFormatError("the text has syntax errors")
    file, problems = build(Source("", text), tree, ())
    if problems:
        raise CannotFormatError("the text has syntax errors")
    return _Parsed(text, tokens, file, read(text, tokens, tree))


def _lay(parsed: _Parsed) -> str:
    return "".join(f"{line}\n" for line in lay_file(parsed.block))


def _meaning(parsed: _Parsed) -> tuple[object, object, object]:
    """The words without the commas that the layout may add or drop, the syntax nodes, and the comments."""
    words = [str(token) for token in parsed.tokens if token.type != "COMMA"]
    lines = [parsed.text[line.start : line.end] for gap in gaps(parsed.text, parsed.tokens) for line in gap]
    return words, _without_places(parsed.file), [line for line in lines if line]


def _without_places(node: object) -> object:
    """A syntax node as plain values, without the spans in it."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return [_without_places(item) for item in node]
    if is_dataclass(node):
        return [type(node), *(_without_places(getattr(node, field.name)) for field in fields(node))]
    return node
