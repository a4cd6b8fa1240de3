"""The parts of a file: for the list of what is in it, and for folding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import groupby

from kumoc.diagnostics import Source, Span
from kumoc.language import syntax


@dataclass(frozen=True, slots=True)
class Part:
    """A declaration or an entry, with those inside it.

    ``kind`` is the name of its syntax node in lower case, ``name`` what to call it, which is the kind again where it
    has no name; ``extent`` is all of it and ``head`` what to point at.
    """

    kind: str
    name: str
    extent: Span
    head: Span
    parts: tuple[Part, ...]


def outline(file: syntax.File) -> tuple[Part, ...]:
    """The declarations of a file, in order."""
    return tuple(_parts(file))


def _parts(node: object) -> Iterator[Part]:
    """What has an extent of its own, of what stands directly in ``node``."""
    for field in fields(node) if is_dataclass(node) else ():
        value = getattr(node, field.name)
        for child in value if isinstance(value, tuple) else (value,):
            extent = getattr(child, "extent", None)
            if extent is not None:
                kind = type(child).__name__.lower()
                name, head = _title(child) or (kind, Span(extent.start, extent.start + len(kind)))
                yield Part(kind, name, extent, head, tuple(_parts(child)))


def _title(node: object) -> tuple[str, Span] | None:
    match node:
        case syntax.Translation():
            return f"{node.domain.text} {node.language.text}", node.span
        case syntax.Wordings():
            return node.keyword, node.span
    word = getattr(node, "name", None)
    return (word.text, word.span) if word else None


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that can be hidden behind the first of them; both ends are counted from 0 and included."""

    first: int
    last: int
    is_comment: bool


def folds(source: Source, file: syntax.File) -> tuple[Fold, ...]:
    """What can be folded: parts of several lines, whose closing brace stays in sight, and comments of several lines."""
    return (*_of_parts(source, outline(file)), *_of_comments(source.text))


def _of_parts(source: Source, parts: Iterable[Part]) -> Iterator[Fold]:
    for part in parts:
        first, last = (source.position(offset)[0] - 1 for offset in (part.extent.start, part.extent.end))
        last -= source.text[part.extent.end - 1] == "}"
        if last > first:
            yield Fold(first, last, is_comment=False)
        yield from _of_parts(source, part.parts)


def _of_comments(text: str) -> Iterator[Fold]:
    for is_comment, lines in groupby(enumerate(text.split("\n")), lambda line: line[1].lstrip().startswith("#")):
        numbers = [number for number, _ in lines]
        if is_comment and len(numbers) > 1:
            yield Fold(numbers[0], numbers[-1], is_comment=True)
