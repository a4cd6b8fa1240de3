"""Braces that do not pair, found by indentation: only read where a file does not parse."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from kumoc.diagnostics import Diagnostic, Place, Source, Span
from kumoc.diagnostics.rules import UNBALANCED_BRACE
from kumoc.language.layout import begins_line


def balance(source: Source, tokens: Sequence[Token]) -> tuple[tuple[Token, ...], list[Diagnostic]]:
    """The tokens with missing ``}`` put in and surplus ones left out, and an error for each.

    Tokens whose braces pair come back as they are, however they are indented.
    """
    if _paired(tokens):
        return tuple(tokens), []
    balanced: list[Token] = []
    problems: list[Diagnostic] = []
    open_braces: list[tuple[Token, int]] = []  # with the column at which the line of each brace begins

    def close_deeper_than(column: int) -> None:
        while open_braces and open_braces[-1][1] > column:
            opener, _ = open_braces.pop()
            problems.append(_never_closed(source, opener))
            balanced.append(Token.new_borrow_pos("RBRACE", "}", balanced[-1]))

    indent = 1
    for index, token in enumerate(tokens):
        first = begins_line(tokens, index)
        indent = (token.column or 1) if first else indent
        if token.type == "RBRACE":
            if first:
                close_deeper_than(indent)
            if not open_braces or (first and open_braces[-1][1] < indent):
                problems.append(_closes_nothing(source, token))
                continue
            open_braces.pop()
        elif first:
            # what stands no further in than the line of an open brace can't be inside that brace
            close_deeper_than(indent - 1)
        if token.type == "LBRACE":
            open_braces.append((token, indent))
        balanced.append(token)
    close_deeper_than(0)
    return tuple(balanced), problems


def _paired(tokens: Sequence[Token]) -> bool:
    depth = 0
    for token in tokens:
        depth += (token.type == "LBRACE") - (token.type == "RBRACE")
        if depth < 0:
            return False
    return depth == 0


def _never_closed(source: Source, opener: Token) -> Diagnostic:
    return Diagnostic(
        UNBALANCED_BRACE,
        "this '{' is never closed",
        _place(source, opener),
        "add the missing '}' where the block ends",
    )


def _closes_nothing(source: Source, brace: Token) -> Diagnostic:
    return Diagnostic(
        UNBALANCED_BRACE,
        "this '}' closes nothing",
        _place(source, brace),
        "take it away, or add the '{' that it should close",
    )


def _place(source: Source, token: Token) -> Place:
    return Place(source, Span(token.start_pos or 0, token.end_pos or 0))
