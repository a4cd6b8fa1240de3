"""What a formatter sees of a text: blocks of entries, entries of words, and every comment where it belongs.

The grammar's own tree says what an entry is: a child of the file or of a rule with braces. So what the grammar learns
to say is formatted with the rest.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile
from typing import NamedTuple

from lark import Token, Tree

_NEVER_FIRST = ("LBRACE", "COMMA", "COLON", "EQUALS", "DOTS")
"""What never begins a line: comments that stand before it are moved behind it."""
Gap = tuple[str, ...]
"""The lines between two tokens: the comment behind the first one, comments and empty lines, "" before the other."""


class Word(NamedTuple):
    """A token as it is written; ``splits`` says that a line which is too long may be broken before it.

    ``behind`` is the comment on its line and ``below`` are the comments between it and the next word of its entry.
    """

    text: str
    kind: str
    splits: bool
    behind: str = ""
    below: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that are one thing to the grammar: ``kind`` is its rule, or the kind of the token."""

    kind: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """The entries between two braces, and the comments and empty lines under the last of them."""

    kind: str
    entries: tuple[Entry, ...]
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a block is made of; the braces of a block in it belong to the pieces around.

    ``above`` are the comments and empty lines between it and the entry before, ``behind`` is the comment at its end.
    """

    kind: str
    begins_line: bool
    above: tuple[str, ...]
    parts: tuple[Piece | Block, ...]
    behind: str

    @property
    def block(self) -> Block | None:
        """The first block in it."""
        return next((part for part in self.parts if isinstance(part, Block)), None)


def words_of(parts: Sequence[Piece | Block]) -> tuple[Word, ...]:
    """The words of the pieces among these."""
    return tuple(word for part in parts if isinstance(part, Piece) for word in part.words)


def has_comments(words: Sequence[Word]) -> bool:
    """Whether a comment stands behind or below one of the words."""
    return any(word.behind or word.below for word in words)


def read(tokens: Sequence[Token], gaps: Sequence[Gap], tree: Tree[Token]) -> Block:
    """The whole file as one block; ``gaps`` are those around and between the tokens."""
    reader = _Reader(tokens, gaps, tree)
    return reader.block("start", tree.children, reader.gaps[0])


class _Reader:
    """Reads a tree; the gap behind each token is known by the place where the token starts."""

    def __init__(self, tokens: Sequence[Token], gaps: Sequence[Gap], tree: Tree[Token]) -> None:
        names = {token.start_pos for token in tree.scan_values(_is_name)}
        # a keyword that serves as a name may do so only where it doesn't begin a line, or else an entry
        self.keywords = {token.start_pos for token in tokens if token.type != "NAME" and token.start_pos in names}
        self.gaps = list(gaps)
        for index, token in enumerate(tokens):
            if token.type in _NEVER_FIRST or (token.start_pos in self.keywords and len(gaps[index]) == 1):
                self.gaps[index], self.gaps[index + 1] = _moved(self.gaps[index], self.gaps[index + 1])
        self.indices = {token.start_pos: index for index, token in enumerate(tokens)}
        self.words = tuple(self._words(tokens))

    def block(self, kind: str, children: Sequence[Tree[Token] | Token], before: Gap) -> Block:
        """The block of these entries; ``before`` is the gap before them."""
        entries: list[Entry] = []
        for child in children:
            assert isinstance(child, Tree)
            parts, gap = self.entry_parts(child)
            above = before[1:-1] if entries else tuple(dropwhile(operator.not_, before[1:-1]))
            entries.append(Entry(str(child.data), len(before) > 1, above, parts, gap[0]))
            before = gap
        return Block(kind, tuple(entries), before[1:-1])

    def entry_parts(self, node: Tree[Token]) -> tuple[tuple[Piece | Block, ...], Gap]:
        """The parts of an entry, and the gap behind it; a comma at its end is left out, since its line ends there."""
        parts = list(self.parts(node.children, str(node.data)))
        gap = self.gap(_last(node))
        if parts[-1].kind == "COMMA":
            parts.pop()
        last = parts[-1]
        assert isinstance(last, Piece)
        final = last.words[-1]._replace(behind="", below=())
        parts[-1] = replace(last, words=(*last.words[:-1], final))
        return tuple(parts), gap

    def parts(self, children: Sequence[Tree[Token] | Token], kind: str) -> Iterator[Piece | Block]:
        """The pieces and blocks of what stands in a rule ``kind``."""
        kinds = [child.type if isinstance(child, Token) else "" for child in children]
        start = kinds.index("LBRACE") if "LBRACE" in kinds else len(children)
        for child in children[:start]:
            if isinstance(child, Token):
                yield Piece(child.type, (self.word(child),))
                continue
            words = self.words[self.indices[_first(child).start_pos] : self.indices[_last(child).start_pos] + 1]
            if any(word.kind == "LBRACE" for word in words):
                yield from self.parts(child.children, str(child.data))
            else:
                yield Piece(str(child.data), words)
        if start < len(children):
            opening, end = children[start], kinds.index("RBRACE")
            assert isinstance(opening, Token)
            yield Piece("LBRACE", (self.word(opening)._replace(below=()),))  # they stand above the first entry
            yield self.block(kind, children[start + 1 : end], self.gap(opening))
            yield from self.parts(children[end:], kind)

    def _words(self, tokens: Sequence[Token]) -> Iterator[Word]:
        before = ""
        for token, gap in zip(tokens, self.gaps[1:], strict=True):
            splits = token.type == "OR" or (before == "COMMA" and token.start_pos not in self.keywords)
            yield Word(str(token), token.type, splits, gap[0], tuple(filter(None, gap[1:])))
            before = token.type

    def word(self, token: Token) -> Word:
        """The word that a token is."""
        return self.words[self.indices[token.start_pos]]

    def gap(self, token: Token) -> Gap:
        """The gap behind a token."""
        return self.gaps[self.indices[token.start_pos] + 1]


def _moved(before: Gap, after: Gap) -> tuple[Gap, Gap]:
    """Two gaps after the comments of the first are moved to the other."""
    comments = [line for line in before[1:] if line]
    if not before[0] and not comments:
        return ("",), after
    behind = [after[0]] if after[0] else []
    return ("",), (before[0], *comments, *behind, *(after[1:] or ("",)))


def _first(node: Tree[Token]) -> Token:
    first = node.children[0]
    return first if isinstance(first, Token) else _first(first)


def _last(node: Tree[Token]) -> Token:
    last = node.children[-1]
    return last if isinstance(last, Token) else _last(last)


def _is_name(leaf: object) -> bool:
    return isinstance(leaf, Token) and leaf.type == "NAME"
