"""Where entries begin and end, by lines and braces: how a file that does not parse is taken apart."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from kumoc.diagnostics import Span

DECLARES = frozenset(("DOMAIN", "BENCHMARK", "TRANSLATION", "PROPERTY", "TRUTHS", "GROUP", "ACTIONS"))
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


def span_of(token: Token) -> Span:
    """Where a token stands."""
    return Span(token.start_pos or 0, token.end_pos or 0)


def begins_line(tokens: Sequence[Token], index: int) -> bool:
    """Whether that token is the first one on its line."""
    return index == 0 or tokens[index].line != tokens[index - 1].end_line


def entry_around(tokens: Sequence[Token], index: int, *, is_its_own: bool) -> tuple[int, int]:
    """The smallest entry (start, end) that holds token ``index``.

    A token that begins a line may be innocent: unless ``is_its_own`` the entry before it is given, which stopped short.
    """
    culprit = min(index, len(tokens) - 1)
    may_be_innocent = 0 < index < len(tokens) and tokens[index].type != "LBRACE"
    stopped_short = not is_its_own and may_be_innocent and begins_line(tokens, index)
    culprit -= stopped_short
    start, depth = culprit, 0  # the depth at which `start` stands, counted from that of the culprit
    while start > 0 and not (_begins_entry(tokens, start) and depth <= 0):
        depth -= _deepens(tokens, start)
        start -= 1
    end = culprit + 1
    if stopped_short:
        return start, end
    depth = -depth  # from here on counted from that of the entry
    while end < len(tokens):
        depth += _deepens(tokens, end)
        if depth < 0 or (depth == 0 and _begins_entry(tokens, end)):
            break
        end += 1
    return start, end


def open_entries(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without the entries that end before they do: of each block that is open, its head and its last entry."""
    starts, open_ = [0], list[int]()  # where the last entry of each open block begins, and where the blocks open
    for index, token in enumerate(tokens):
        if token.type == "RBRACE":
            if open_:
                open_.pop()
                starts.pop()
        elif _begins_entry(tokens, index):
            starts[-1] = index
        if token.type == "LBRACE":
            open_.append(index)
            starts.append(index + 1)
    ends = [*(index + 1 for index in open_), len(tokens)]
    return [token for start, end in zip(starts, ends, strict=True) for token in tokens[start:end]]


def _begins_entry(tokens: Sequence[Token], index: int) -> bool:
    if index == 0:
        return True
    if tokens[index].type in _CONTINUES:
        return False
    if tokens[index - 1].type == "LBRACE":
        return True
    if not begins_line(tokens, index):
        return False
    return tokens[index].type in DECLARES or tokens[index].type == "HEAD" or tokens[index - 1].type not in _CONTINUED


def _deepens(tokens: Sequence[Token], index: int) -> int:
    """By how much deeper in braces that token stands than the one before it; a brace stands outside its own block."""
    return (tokens[index - 1].type == "LBRACE") - (tokens[index].type == "RBRACE")
