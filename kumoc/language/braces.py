"""Braces that are missing or to spare, found by indentation: only looked for where a file does not parse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from lark import Token

from kumoc.diagnostics import Diagnostic, Place, Source
from kumoc.diagnostics.rules import UNBALANCED_BRACE
from kumoc.language.faults import MAX_FAULTS
from kumoc.language.layout import span_of

_ENDS_NO_HEAD = frozenset(("LBRACE", "RBRACE", "COMMA", "EQUALS"))


def balance(
    source: Source, tokens: Sequence[Token], *, broken_off: bool = False
) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens with missing braces put in and surplus ones left out, and an error for each.

    Blocks that are open at the end are closed, unless the tokens are ``broken_off`` there.
    """
    balancer = _Balancer(source)
    lines = [list(line) for _, line in groupby(tokens, key=lambda token: token.line)]
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else []
        balancer.take(line, _indent(following))
    if not broken_off:
        balancer.close_deeper_than(0)
    return balancer.balanced, balancer.problems


class Unpaired(NamedTuple):
    """The braces that have no partner, however they are indented."""

    opening: list[Token]
    closing: list[Token]


def unpaired(tokens: Iterable[Token]) -> Unpaired:
    """The opening braces of ``tokens`` that nothing closes, and the closing ones that close nothing."""
    found = Unpaired([], [])
    for token in tokens:
        if token.type == "LBRACE":
            found.opening.append(token)
        elif token.type == "RBRACE" and found.opening:
            found.opening.pop()
        elif token.type == "RBRACE":
            found.closing.append(token)
    return found


def closing_after(token: Token) -> Token:
    """A closing brace put in behind ``token``: unlike one that was written it has no text."""
    return Token.new_borrow_pos("RBRACE", "", token)


def opening_after(token: Token) -> Token:
    """An opening brace put in behind ``token``."""
    return Token.new_borrow_pos("LBRACE", "{", token)


def never_opened(source: Source, last: Token) -> Diagnostic:
    """The error for a block whose head ends with ``last`` and not with a brace."""
    return _unbalanced(source, last, "a '{' is missing after this", "add the '{' that opens the block")


def never_closed(source: Source, opening: Token) -> Diagnostic:
    """The error for a brace that nothing closes."""
    return _unbalanced(source, opening, "this '{' is never closed", "add the missing '}' where the block ends")


def closes_nothing(source: Source, closing: Token) -> Diagnostic:
    """The error for a brace that closes nothing."""
    help_ = "take it away, or add the '{' that it should close"
    return _unbalanced(source, closing, "this '}' closes nothing", help_)


def _unbalanced(source: Source, token: Token, message: str, help_: str) -> Diagnostic:
    return Diagnostic(UNBALANCED_BRACE, message, Place(source, span_of(token)), help_)


class _Balancer:
    def __init__(self, source: Source) -> None:
        self.balanced: list[Token] = []
        self.problems: list[Diagnostic] = []
        self._source = source
        self._open: list[tuple[Token, int]] = []  # with the indentation of the line of each brace
        self._ends: dict[int, int] = {}  # by indentation, where in `balanced` the last line that has it ends
        self._indent_before = 0

    def take(self, line: Sequence[Token], following: int) -> None:
        """Read a line of tokens; ``following`` is the indentation of the next one."""
        indent = _indent(line)
        # what stands no further in than the line of an open brace can't be inside that brace, but for its closing
        self.close_deeper_than(indent if line[0].type == "RBRACE" else indent - 1)
        for token in line:
            if token.type == "RBRACE" and not self._closes(token, line, following):
                continue
            if token.type == "LBRACE":
                self._open.append((token, indent))
            self.balanced.append(token)
        self._ends = {column: end for column, end in self._ends.items() if column < indent}
        self._ends[indent] = len(self.balanced)
        self._indent_before = indent

    def close_deeper_than(self, column: int) -> None:
        """Put in the closing braces of all blocks whose line is indented deeper than that."""
        while self._open and self._open[-1][1] > column:
            opener, _ = self._open.pop()
            self._report(never_closed(self._source, opener))
            self.balanced.append(closing_after(self.balanced[-1]))

    def _closes(self, brace: Token, line: Sequence[Token], following: int) -> bool:
        """Whether a closing brace has something to close, if need be by putting in the brace that it closes."""
        indent = _indent(line)
        first = brace is line[0]
        if self._open:
            opener, column = self._open[-1]
            # one at the end of a line closes no block that goes on under this line
            if column == indent if first else (opener.line == brace.line or following != indent):
                self._open.pop()
                return True
        if first and self._put_in_opening(indent):
            return True
        self._report(closes_nothing(self._source, brace))
        return False

    def _put_in_opening(self, indent: int) -> bool:
        """Whether what stands before this line, indented deeper, has a head without its brace: it is put in."""
        end = self._ends.get(indent, 0)
        if not end or self._indent_before <= indent or len(self.problems) == MAX_FAULTS:
            return False
        last = self.balanced[end - 1]
        if last.type in _ENDS_NO_HEAD:
            return False
        if last.type != "UNCLOSED_STRING":  # which may have swallowed the brace, and is reported
            self._report(never_opened(self._source, last))
        self.balanced.insert(end, opening_after(last))
        return True

    def _report(self, problem: Diagnostic) -> None:
        if len(self.problems) < MAX_FAULTS:
            self.problems.append(problem)


def _indent(line: Sequence[Token]) -> int:
    return (line[0].column or 0) if line else 0
