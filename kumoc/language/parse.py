"""From tokens to syntax nodes, past as many faults as there are.

A file that parses is parsed in one go. One that does not loses the smallest entry around its first fault, which is
reported, and is parsed again without it, until the rest parses: a fault costs one entry and causes no other.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from kumoc.diagnostics import Diagnostic, Source, in_order
from kumoc.language import syntax
from kumoc.language.braces import balance
from kumoc.language.build import build
from kumoc.language.faults import explain
from kumoc.language.layout import entry_around
from kumoc.language.lex import grammar, lex

MAX_FAULTS = 100
"""Syntax errors reported for one file before the rest of it is passed over."""

RESERVED = frozenset({"DOMAIN", "BENCHMARK", "PROPERTY", "TRUTHS", "GROUP", "ACTIONS", "ALL", "NOTHING", "ANY", "BUT"})
"""Keywords that are never bare names; any other may be one wherever it can mean nothing else."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The parser stopped at token ``index`` (the number of tokens: the end) and would have taken ``expected``."""

    index: int
    expected: frozenset[str]


def parse(source: Source) -> tuple[syntax.File, tuple[Diagnostic, ...]]:
    """The syntax nodes of a source, and its syntax errors in order."""
    tokens = lex(source.text)
    problems: list[Diagnostic] = []
    lost: list[Token] = []
    result = _run(tokens)
    if isinstance(result, Fault):
        tokens, problems = balance(source, tokens)
        result = _run(tokens)
    blamed = -1
    while isinstance(result, Fault) and len(problems) < MAX_FAULTS:
        at = _offset(tokens, result.index)
        if at != blamed:
            problems.append(explain(source, tokens, result.index, result.expected))
        complete = bool(result.expected & {"RBRACE", "$END"})
        start, end = entry_around(tokens, result.index, is_its_own=complete or at == blamed)
        blamed = at
        lost += tokens[start:end]
        tokens = tokens[:start] + tokens[end:]
        result = _run(tokens)
    if isinstance(result, Fault):
        lost += tokens
        result = Tree("start", [])
    file, more = build(source, result, tuple(lost))
    return file, in_order([*problems, *more])


def _offset(tokens: tuple[Token, ...], index: int) -> int:
    return (tokens[index].start_pos or 0) if index < len(tokens) else -2


def _run(tokens: tuple[Token, ...]) -> Tree[Token] | Fault:
    parser = grammar().parse_interactive()
    for index, token in enumerate(tokens):
        try:
            parser.feed_token(_as_name(token, parser.choices()))
        except UnexpectedInput:
            return Fault(index, frozenset(parser.accepts()))
    try:
        tree: Tree[Token] = parser.feed_eof()
    except UnexpectedInput:
        return Fault(len(tokens), frozenset(parser.accepts()))
    return tree


def _as_name(token: Token, choices: Collection[str]) -> Token:
    """A keyword as a name where only a name can stand."""
    is_name = token.type not in choices and "NAME" in choices and token.isidentifier() and token.type not in RESERVED
    return token.update(type="NAME") if is_name else token
