"""One style for ``.kumo`` text.

:func:`format_text` lays the tokens of a text out anew: what it gives depends on them, on their comments and on the
empty lines between entries, and on nothing else of the old layout.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import NamedTuple

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
    if formatted == text:
        return text
    try:
        after = _read(formatted)
    except CannotFormatError as error:
        raise FormatterError("it would have syntax errors") from error
    for what, said, says in (
        ("words", before.words, after.words),
        ("syntax", _without_places(before.file), _without_places(after.file)),
        ("comments", before.comments, after.comments),
    ):
        if said != says:
            raise FormatterError(f"its {what} would not be the same")
    # what is laid out alike need not be laid out to see it
    if after.block != before.block and _lay(after) != formatted:
        raise FormatterError("it would be formatted otherwise the next time")
    return formatted


class _Parsed(NamedTuple):
    """What a text says: its words but for commas, which the layout may add or drop; and how it is laid out."""

    words: list[str]
    file: syntax.File
    comments: list[str]
    block: Block


def _read(text: str) -> _Parsed:
    tokens = lex(text)
    tree = syntax_tree(tokens)
    if tree is None:
        raise CannotFormatError("the text has syntax errors")
    file, problems = build(Source("", text), tree, ())
    if problems:
        raise CannotFormatError("the text has syntax errors")
    lines = [tuple(text[line.start : line.end] for line in gap) for gap in gaps(text, tokens)]
    return _Parsed(
        words=[str(token) for token in tokens if token.type != "COMMA"],
        file=file,
        comments=[line for gap in lines for line in gap if line],
        block=read(tokens, lines, tree),
    )


def _lay(parsed: _Parsed) -> str:
    return "".join(f"{line}\n" for line in lay_file(parsed.block))


def _without_places(node: object) -> object:
    """A syntax node as plain values, without the spans in it."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return [_without_places(item) for item in node]
    if is_dataclass(node):
        return [type(node), *(_without_places(getattr(node, field.name)) for field in fields(node))]
    return node
