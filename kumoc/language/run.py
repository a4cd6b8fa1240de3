"""The parser at work on tokens that may be at fault: it stops, tells what it would take, and can be taken up there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lark import Token, Tree
from lark.exceptions import UnexpectedInput
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser

from kumoc.language.layout import DECLARES, begins_line
from kumoc.language.lex import grammar

RESERVED = frozenset((*DECLARES, "ALL", "NOTHING", "ANY", "BUT"))
"""Keywords that are never bare names; any other may be one wherever it can mean nothing else."""
_STRIDE = 256
"""Tokens between two places from which parsing can be taken up again."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The parser stopped at token ``index`` (the number of tokens: the end) and would have taken ``expected``."""

    index: int
    expected: frozenset[str]


class Run:
    """Parses tokens; after a change to them, from the last place before it and not from the beginning."""

    def __init__(self) -> None:
        """Begin with nothing parsed."""
        self._marks: list[tuple[int, InteractiveParser]] = [(0, grammar().parse_interactive())]

    def feed(self, tokens: Sequence[Token]) -> InteractiveParser | Fault:
        """The parser after ``tokens``, or the first fault in them."""
        start, mark = self._marks[-1]
        parser = twin(mark)
        for index in range(start, len(tokens)):
            if index >= self._marks[-1][0] + _STRIDE:
                self._marks.append((index, twin(parser)))
            if not take(parser, tokens, index):
                return Fault(index, accepted(parser))
        return parser

    def parse(self, tokens: Sequence[Token]) -> Tree[Token] | Fault:
        """The tree of ``tokens``, of no use after :meth:`forget`, or the first fault in them."""
        parser = self.feed(tokens)
        if isinstance(parser, Fault):
            return parser
        try:
            tree: Tree[Token] = parser.feed_eof()
        except UnexpectedInput:
            return Fault(len(tokens), accepted(parser))
        return tree

    def before(self, tokens: Sequence[Token], index: int) -> InteractiveParser:
        """The parser before token ``index``, up to which there is no fault."""
        start, mark = next((at, parser) for at, parser in reversed(self._marks) if at <= index)
        parser = twin(mark)
        for position in range(start, index):
            take(parser, tokens, position)
        return parser

    def forget(self, index: int) -> None:
        """Take nothing for parsed from token ``index`` on."""
        while self._marks[-1][0] > index:
            self._marks.pop()


def take(parser: InteractiveParser, tokens: Sequence[Token], index: int) -> bool:
    """Whether the parser takes token ``index``."""
    try:
        parser.feed_token(_as_name(tokens, index, parser))
    except UnexpectedInput:
        return False
    return True


def twin(parser: InteractiveParser) -> InteractiveParser:
    """A parser that stands where the other does, and goes its own way.

    The trees of both share their branches and may spoil them: only the first run of all can keep its tree.
    """
    copied: InteractiveParser = parser.copy(deepcopy_values=False)
    return copied


def accepted(parser: InteractiveParser) -> frozenset[str]:
    """The terminals that the parser can take."""
    return frozenset(kind for kind in parser.choices() if kind.isupper() and _takes(parser, kind))


def _takes(parser: InteractiveParser, kind: str) -> bool:
    """Whether the parser can take a token of that kind: worked out on its states, without the trees they stand for."""
    state = parser.parser_state
    table, stack = state.parse_conf.states, list(state.state_stack)
    while (step := table[stack[-1]].get(kind)) and step[0] is not Shift:
        rule = step[1]
        del stack[len(stack) - len(rule.expansion) :]
        stack.append(table[stack[-1]][rule.origin.name][1])
    return step is not None or stack[-1] == state.parse_conf.end_state


def _as_name(tokens: Sequence[Token], index: int, parser: InteractiveParser) -> Token:
    """A keyword as a name where only a name can stand; at the beginning of a line, only where an entry may begin."""
    token = tokens[index]
    if token.type == "NAME" or not token.isidentifier() or token.type in RESERVED:
        return token
    choices = parser.choices()
    if "NAME" not in choices:
        return token
    # the tables of a LALR parser list more than can follow where it has yet to reduce
    if token.type in choices and (choices[token.type][0] is Shift or _takes(parser, token.type)):
        return token
    is_name = "RBRACE" in choices or not begins_line(tokens, index)
    return token.update(type="NAME") if is_name else token
