"""From tokens to syntax nodes, past as many faults as there are.

A file that parses is parsed in one go; one that does not is first freed of its faults.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from lark import Token, Tree

from kumoc.diagnostics import Diagnostic, Source, in_order
from kumoc.language import syntax
from kumoc.language.allowances import read_allowances
from kumoc.language.braces import balance
from kumoc.language.build import build
from kumoc.language.layout import open_entries
from kumoc.language.lex import lex
from kumoc.language.names import is_identifier
from kumoc.language.recover import Sound, free_of_faults
from kumoc.language.run import RESERVED, Fault, Run, accepted


def is_domain_name(name: str) -> bool:
    """Whether ``name`` can be that of a domain: an identifier, and no word that is never a bare name."""
    return is_identifier(name) and name.upper() not in RESERVED


def parse(source: Source) -> tuple[syntax.File, tuple[Diagnostic, ...]]:
    """The syntax nodes of a source, and its syntax errors in order."""
    tokens = lex(source.text)
    sound = Sound(tokens, [], [])
    tree = Run().parse(tokens)
    if isinstance(tree, Fault):
        sound = free_of_faults(source, tokens)
        tree = Run().parse(sound.tokens)
    assert isinstance(tree, Tree)
    file, more = build(source, tree, sound.lost)
    allowances, wrong = read_allowances(source, tokens, tree)
    return replace(file, allowances=allowances), in_order([*sound.problems, *more, *wrong])


def syntax_tree(tokens: Sequence[Token]) -> Tree[Token] | None:
    """The tree that the grammar gives to ``tokens``; None where there is a fault in them."""
    tree = Run().parse(tokens)
    return None if isinstance(tree, Fault) else tree


class Break(NamedTuple):
    """Where tokens break off: the terminals that may follow, and the tokens and trees of what is still open."""

    expected: frozenset[str]
    open: tuple[Token | Tree[Token], ...]


def break_off(tokens: Sequence[Token]) -> Break | None:
    """How ``tokens``, which need not be complete, could go on; None if the entry in which they end is at fault."""
    parser = Run().feed(open_entries(tokens))
    if isinstance(parser, Fault):  # further up a brace may be missing
        parser = Run().feed(open_entries(balance(Source("", ""), tokens, broken_off=True)[0]))
    return None if isinstance(parser, Fault) else Break(accepted(parser), tuple(parser.parser_state.value_stack))
