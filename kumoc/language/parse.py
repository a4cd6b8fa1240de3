"""From tokens to syntax nodes, past as many faults as there are.

A file that parses is parsed in one go. One that does not loses the smallest entry around its first fault, which is
reported, and is parsed on without it, until the rest parses: a fault costs one entry and causes no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lark import Token, Tree
from lark.exceptions import UnexpectedInput
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser

from kumoc.diagnostics import Diagnostic, Source, in_order
from kumoc.language import syntax
from kumoc.language.allowances import read_allowances
from kumoc.language.braces import balance, is_paired
from kumoc.language.build import build
from kumoc.language.faults import MAX_FAULTS, explain
from kumoc.language.layout import DECLARES, begins_line, entry_around, open_entries
from kumoc.language.lex import grammar, lex
from kumoc.language.names import is_identifier

RESERVED = frozenset((*DECLARES, "ALL", "NOTHING", "ANY", "BUT"))
"""Keywords that are never bare names; any other may be one wherever it can mean nothing else."""
_STRIDE = 256
"""Tokens between two places from which parsing can be taken up again."""


def is_domain_name(name: str) -> bool:
    """Whether ``name`` can be that of a domain: an identifier, and no word that is never a bare name."""
    return is_identifier(name) and name.upper() not in RESERVED


@dataclass(frozen=True, slots=True)
class Fault:
    """The parser stopped at token ``index`` (the number of tokens: the end) and would have taken ``expected``."""

    index: int
    expected: frozenset[str]


def parse(source: Source) -> tuple[syntax.File, tuple[Diagnostic, ...]]:
    """The syntax nodes of a source, and its syntax errors in order."""
    tokens = lex(source.text)
    sound = _Sound(tokens, [], [])
    tree = _Run().parse(tokens)
    if isinstance(tree, Fault):
        sound = _cut_out_faults(source, tokens)
        tree = _Run().parse(sound.tokens)
    assert isinstance(tree, Tree)
    file, more = build(source, tree, sound.lost)
    allowances, wrong = read_allowances(source, tokens, tree)
    return replace(file, allowances=allowances), in_order([*sound.problems, *more, *wrong])


def syntax_tree(tokens: Sequence[Token]) -> Tree[Token] | None:
    """The tree that the grammar gives to ``tokens``; None where there is a fault in them."""
    tree = _Run().parse(tokens)
    return None if isinstance(tree, Fault) else tree


class Break(NamedTuple):
    """Where tokens break off: the terminals that may follow, and the tokens and trees of what is still open."""

    expected: frozenset[str]
    open: tuple[Token | Tree[Token], ...]


def break_off(tokens: Sequence[Token]) -> Break | None:
    """How ``tokens``, which need not be complete, could go on; None if the entry in which they end is at fault."""
    parser = _Run().feed(open_entries(tokens))
    if isinstance(parser, Fault):  # further up a brace may be missing
        parser = _Run().feed(open_entries(balance(Source("", ""), tokens, broken_off=True)[0]))
    return None if isinstance(parser, Fault) else Break(_accepted(parser), tuple(parser.parser_state.value_stack))


class _Sound(NamedTuple):
    """Tokens that parse, those that were in their way, and what was wrong."""

    tokens: Sequence[Token]
    lost: list[Token]
    problems: list[Diagnostic]


def _cut_out_faults(source: Source, tokens: Sequence[Token]) -> _Sound:
    """What is left of tokens without their faults.

    Braces are taken as indentation suggests or, if they pair, as they stand: whichever costs less.
    """
    balanced, problems = balance(source, tokens)
    by_indentation = _cut_out_entries(source, balanced, problems)
    if not problems or not is_paired(tokens):
        return by_indentation
    return min(_cut_out_entries(source, tokens, []), by_indentation, key=_cost)


def _cost(sound: _Sound) -> int:
    return len(sound.problems) + len({token.line for token in sound.lost})


def _cut_out_entries(source: Source, given: Sequence[Token], braces: Sequence[Diagnostic]) -> _Sound:
    tokens, lost, problems = list(given), list[Token](), list(braces)
    run = _Run()
    blamed = -1
    while isinstance(fault := run.parse(tokens), Fault):
        if len(problems) >= MAX_FAULTS:
            return _Sound([], lost + tokens, problems)
        at = _offset(tokens, fault.index)
        if at != blamed:
            problems.append(explain(source, tokens, fault.index, fault.expected))
        complete = bool(fault.expected & {"RBRACE", "$END"})
        start, end = entry_around(tokens, fault.index, is_its_own=complete or at == blamed)
        blamed = at
        lost += tokens[start:end]
        del tokens[start:end]
        run.forget(start)
    return _Sound(tokens, lost, problems)


def _offset(tokens: Sequence[Token], index: int) -> int:
    return (tokens[index].start_pos or 0) if index < len(tokens) else -2


class _Run:
    """Parses tokens; after a change to them, from the last place before it and not from the beginning."""

    def __init__(self) -> None:
        self._marks: list[tuple[int, InteractiveParser]] = [(0, grammar().parse_interactive())]

    def feed(self, tokens: Sequence[Token]) -> InteractiveParser | Fault:
        """The parser after ``tokens``, or the first fault in them."""
        start, mark = self._marks[-1]
        parser = _twin(mark)
        for index in range(start, len(tokens)):
            if index >= self._marks[-1][0] + _STRIDE:
                self._marks.append((index, _twin(parser)))
            try:
                parser.feed_token(_as_name(tokens, index, parser))
            except UnexpectedInput:
                return Fault(index, _accepted(parser))
        return parser

    def parse(self, tokens: Sequence[Token]) -> Tree[Token] | Fault:
        """The tree of ``tokens``, of no use after :meth:`forget`, or the first fault in them."""
        parser = self.feed(tokens)
        if isinstance(parser, Fault):
            return parser
        try:
            tree: Tree[Token] = parser.feed_eof()
        except UnexpectedInput:
            return Fault(len(tokens), _accepted(parser))
        return tree

    def forget(self, index: int) -> None:
        """Take nothing for parsed from token ``index`` on."""
        while self._marks[-1][0] > index:
            self._marks.pop()


def _twin(parser: InteractiveParser) -> InteractiveParser:
    # The trees of both twins share their branches and may spoil them: only the first run of all can keep its tree.
    twin: InteractiveParser = parser.copy(deepcopy_values=False)
    return twin


def _accepted(parser: InteractiveParser) -> frozenset[str]:
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
    token, choices = tokens[index], parser.choices()
    if "NAME" not in choices or token.type in RESERVED or token.type == "NAME" or not token.isidentifier():
        return token
    # the tables of a LALR parser list more than can follow where it has yet to reduce
    if token.type in choices and (choices[token.type][0] is Shift or _takes(parser, token.type)):
        return token
    is_name = "RBRACE" in choices or not begins_line(tokens, index)
    return token.update(type="NAME") if is_name else token
