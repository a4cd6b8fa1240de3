"""Heads of blocks that can't be read, mended: what stands in such a block is then read like any other."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from lark import Token
from lark.parsers.lalr_interactive_parser import InteractiveParser

from kumoc.language.faults import nearest_words
from kumoc.language.lex import literals
from kumoc.language.run import Fault, Run, accepted, take, twin

_PUT_IN = ("NAME", "STRING", "VERSION")
_MOST_TOKENS = 40
"""Tokens of a head; one that is longer is no slip."""


class Head(NamedTuple):
    """What makes the head of a block sound: the tokens to stand in place of ``tokens[start:end]``."""

    start: int
    end: int
    tokens: tuple[Token, ...]


def mend_head(run: Run, tokens: Sequence[Token], fault: Fault, entry: tuple[int, int]) -> Head | None:
    """The sound head nearest to that of the ``entry`` (start, end), if the fault is in the head of a block.

    Nearest is what takes the fewest tokens out and puts the fewest in; what the parser had taken counts twice.
    """
    opener = next((at for at in range(fault.index, entry[1]) if tokens[at].type in ("LBRACE", "RBRACE")), None)
    if opener is None or tokens[opener].type == "RBRACE":
        return None
    if tokens[fault.index] == "\r":  # it is one for each line of the file, and all of them are one fault
        return None
    start = fault.index
    while start > entry[0] and tokens[start - 1].type not in ("LBRACE", "RBRACE"):
        start -= 1
    if opener - start > _MOST_TOKENS:
        return None
    found = _cheapest(run.before(tokens, start), tokens, start, fault, opener)
    return None if found is None else Head(start, opener, found)


def _cheapest(
    parser: InteractiveParser, tokens: Sequence[Token], start: int, fault: Fault, opener: int
) -> tuple[Token, ...] | None:
    """The cheapest tokens in place of ``tokens[start:opener]`` after which ``parser`` takes the opening brace."""
    order = count()
    ways: list[tuple[int, int, int, InteractiveParser, tuple[Token, ...]]] = []
    for index in range(start, fault.index + 1):  # what stands from here to the fault is given up
        cost = 2 * (fault.index - index)
        heappush(ways, (cost, next(order), fault.index, twin(parser), tuple(tokens[start:index])))
        take(parser, tokens, index)
    seen = set[tuple[int, tuple[object, ...]]]()
    while ways:
        cost, _, index, parser, head = heappop(ways)
        place = (index, tuple(parser.parser_state.state_stack))
        if place in seen:
            continue
        seen.add(place)
        token = tokens[index]
        taken = twin(parser)
        if take(taken, tokens, index):
            if index == opener:
                return head
            heappush(ways, (cost, next(order), index + 1, taken, (*head, token)))
        for put_in, goes_on in _substitutes(token, accepted(parser), may_be_slip=index == fault.index):
            more = twin(parser)
            more.feed_token(put_in)
            heappush(ways, (cost + 1, next(order), index + goes_on, more, (*head, put_in)))
        if index < opener:
            heappush(ways, (cost + 1, next(order), index + 1, parser, head))
    return None


def _substitutes(token: Token, expected: frozenset[str], *, may_be_slip: bool) -> list[tuple[Token, int]]:
    """What may be put in before ``token``, with 0, or in its place, with 1: a word that it may have been meant as."""
    # a name that is no other's, and a text that is a version where it must be one
    texts = {"NAME": f"unnamed_{token.start_pos}", "STRING": '"0.0.0"', "VERSION": "version"}
    found = [(Token.new_borrow_pos(kind, texts[kind], token), 0) for kind in _PUT_IN if kind in expected]
    for meant in nearest_words(token, expected) if may_be_slip else ():
        kind = next(kind for kind, word in literals().items() if word == meant)
        found.append((token.update(type=kind, value=meant), 1))
    return found
