"""What stands between tokens: spaces, line ends and comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lark import Token

from kumoc.diagnostics import Span

_SPACES = " \t\f\r\ufeff"


def gaps(text: str, tokens: Sequence[Token]) -> Iterator[tuple[Span, ...]]:
    """For each gap between tokens, those at both ends of the text included, its lines without the spaces around them.

    Each line is a comment or empty. The first stands behind a token, so it is empty in the first gap of all; the last
    stands before one.
    """
    start = 0
    for index, token in enumerate((*tokens, None)):
        end = len(text) if token is None else token.start_pos or 0
        lines = _lines(text, start, end)
        yield lines if index else (Span(0, 0), *lines)
        start = end if token is None else token.end_pos or 0


def _lines(text: str, start: int, end: int) -> tuple[Span, ...]:
    lines = []
    for line in text[start:end].split("\n"):
        first = start + len(line) - len(line.lstrip(_SPACES))
        lines.append(Span(first, first + len(line.strip(_SPACES))))
        start += len(line) + 1
    return tuple(lines)
