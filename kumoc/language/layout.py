"""Where entries begin and end, by lines and braces: how a file that does not parse is taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lark import Token

DECLARES = frozenset(("DOMAIN", "BENCHMARK", "PROPERTY", "TRUTHS", "GROUP", "ACTIONS"))
"""Reserved words that begin a declaration."""

_CONTINUES = frozenset(
    (
        "OBSERVES",
        "MEASURES",
        "RULES",
        "UNIT",
        "DECIMALS",
        "AS",
        "CUT",
        "AT",
        "OR",
        "OUT",
        "BUT",
        "COLON",
        "EQUALS",
        "COMMA",
        "LBRACE",
        "DOTS",
        "RBRACE",
    )
)
_CONTINUED = frozenset(("COMMA", "EQUALS"))


def begins_line(tokens: Sequence[Token], index: int) -> bool:
    """Whether that token is the first one on its line."""
    return index == 0 or tokens[index].line != tokens[index - 1].end_line


def entry_around(tokens: Sequence[Token], index: int, *, is_its_own: bool) -> tuple[int, int]:
    """The smallest entry (start, end) that holds token ``index``.

    A token that begins a line may be innocent: unless ``is_its_own`` the entry before it is given, which stopped short.
    """
    depths = tuple(_depths(tokens))
    culprit = min(index, len(tokens) - 1)
    stopped_short = not is_its_own and 0 < index < len(tokens) and begins_line(tokens, index)
    culprit -= stopped_short
    start = culprit
    while start > 0 and not (_begins_entry(tokens, start) and depths[start] <= depths[culprit]):
        start -= 1
    end = culprit + 1
    while not stopped_short and end < len(tokens) and depths[end] >= depths[start]:
        if depths[end] == depths[start] and _begins_entry(tokens, end):
            break
        end += 1
    return start, end


def _begins_entry(tokens: Sequence[Token], index: int) -> bool:
    if index == 0:
        return True
    if not begins_line(tokens, index) or tokens[index].type in _CONTINUES:
        return False
    return tokens[index].type in DECLARES or tokens[index - 1].type not in _CONTINUED


def _depths(tokens: Sequence[Token]) -> Iterator[int]:
    depth = 0
    for token in tokens:
        depth -= token.type == "RBRACE"
        yield depth
        depth += token.type == "LBRACE"
