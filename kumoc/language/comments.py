"""What stands between tokens: spaces, line ends and comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lark import Token

from kumoc.diagnostics import Span

_SPACES = " \t\f\r\ufeff"


def gaps(text: str, tokens: Sequence[Token]) -> Iterator[tuple[Span, ...]]:
    """For each gap between tokens, those at both ends of the text included, its lines without the spaces around them.

    Each line is a comment or empty. The first stands behind a token, and the last, which is empty, before one; at the
    ends of the text there is an empty line in place of a token.
    """
    starts = [0, *(token.end_pos or 0 for token in tokens)]
    ends = [*(token.start_pos or 0 for token in tokens), len(text)]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        first = () if index else (Span(start, start),)
        last = () if index < len(tokens) else (Span(end, end),)
        yield (*first, *_lines(text, start, end), *last)


def _lines(text: str, start: int, end: int) -> tuple[Span, ...]:
    gap = text[start:end]
    if gap in ("", " "):  # nearly all are
        return (Span(end, end),)
    lines = []
    for line in gap.split("\n"):
        first = start + len(line) - len(line.lstrip(_SPACES))
        lines.append(Span(first, first + len(line.strip(_SPACES))))
        start += len(line) + 1
    return tuple(lines)
