"""What may be written next: the words that the grammar takes there, and the names that mean something there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from lark import Token, Tree

from kumoc.benchmark import STYLES, VIEWS
from kumoc.diagnostics import Span
from kumoc.editor.declared import Declared, choices, declared
from kumoc.editor.symbols import Kind
from kumoc.language import syntax
from kumoc.language.layout import span_of
from kumoc.language.lex import lex, literals
from kumoc.language.parse import Break, break_off
from kumoc.language.words import is_quoted, plain, quoted

_BLOCKS = ("TRUTHS", "ACTIONS", "SIZE")
_HEADS = ("DOMAIN", "TRANSLATION")
_NOTHING = Declared({}, {}, {}, {})


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something to write: ``name`` as people know it and ``text`` as it is written.

    ``kind`` is None for what no file declares: a word of the language, a view, a style of books.
    """

    name: str
    text: str
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand in place of ``span``, which is empty or the word that is being written."""

    span: Span
    proposals: tuple[Proposal, ...]


def complete(text: str, offset: int, domains: Sequence[syntax.Domain]) -> Completion | None:
    """What may be written at ``offset``; None inside of comments, numbers and texts.

    ``domains`` are those of all files, those of this one first. They may be as they were some keys ago: only the
    names in them matter.
    """
    span = _word(text, offset)
    broken = break_off(lex(text[: span.start])) if span else None
    if span is None or broken is None:
        return None
    home = _domain(broken.open, domains)
    names = tuple(_names(broken, declared(home) if home else _NOTHING, domains))
    words = () if text.startswith('"', span.start) else tuple(_words(broken.expected))
    return Completion(span, (*names, *words))


def _word(text: str, offset: int) -> Span | None:
    """The word or text in quotes that ends at ``offset`` or holds it; where there is none, an empty span."""
    start = text.rfind("\n", 0, offset) + 1
    line, column = text[start:].split("\n", 1)[0], offset - start
    before = 0
    for token in lex(line):  # no token goes on past the end of its line
        span = span_of(token)
        if span.start < column <= span.end:
            if token.type in ("NUMBER", "MALFORMED_NUMBER"):
                return None
            if token.isidentifier() or token.type == "NAME" or is_quoted(token):
                end = column if token.type == "UNCLOSED_STRING" else span.end
                return Span(start + span.start, start + end)
        if span.end <= column:
            before = span.end
    return None if "#" in line[before:column] else Span(offset, offset)


def _words(taken: frozenset[str]) -> Iterator[Proposal]:
    if "ANY" in taken:
        taken -= {"YES", "NO"}  # the values of some properties, which are proposed as such
    return (Proposal(word, word) for kind, word in literals().items() if kind in taken and word.isalpha())


def _names(broken: Break, known: Declared, domains: Iterable[syntax.Domain]) -> Iterator[Proposal]:
    if "ANY" in broken.expected:
        yield from _spelled(Kind.VALUE, choices(known.properties.get(_property(broken.open))))
    elif "NAME" in broken.expected:
        open_ = [item.type for item in reversed(broken.open) if isinstance(item, Token)]
        match next((kind for kind in open_ if kind != "COMMA"), ""):
            case "OUT" | "EQUALS" | "BUT":
                yield from _spelled(Kind.TRUTH, (truth.name for truth in known.truths.values()))
                yield from _spelled(Kind.GROUP, (group.name for group in known.groups.values()))
            case "OBSERVES":
                yield from _properties(each for each in known.properties.values() if choices(each))
            case "MEASURES":
                yield from _properties(each for each in known.properties.values() if not choices(each))
            case "DOMAINS" | "TRANSLATION":
                yield from _spelled(Kind.DOMAIN, (domain.name for domain in domains))
            case "VIEWS":
                yield from (Proposal(view, view) for view in VIEWS)
            case "BOOKS":
                yield from (Proposal(style, style) for style in STYLES)
            case _:
                yield from _entries(open_, known)


def _entries(open_: Sequence[str], known: Declared) -> Iterator[Proposal]:
    """Names that can begin an entry of the innermost block; ``open_`` begins with what was opened last."""
    inner = list(takewhile(lambda kind: kind not in _BLOCKS, open_))
    block = open_[len(inner)] if len(inner) < len(open_) else ""
    depth = inner.count("LBRACE") - inner.count("RBRACE")
    match block, depth, "TRANSLATION" in open_:
        case "TRUTHS", 2, False:
            yield from _properties(known.properties.values())
        case "TRUTHS", 1, True:
            yield from _spelled(Kind.TRUTH, (truth.name for truth in known.truths.values()))
        case "ACTIONS", 1, True:
            yield from _spelled(Kind.ACTION, (action.name for action in known.actions.values()))


def _spelled(kind: Kind, words: Iterable[syntax.Word]) -> Iterator[Proposal]:
    """Names as they are written where they are declared."""
    return (Proposal(word.text, quoted(word.text) if word.quoted else word.text, kind) for word in words)


def _properties(nodes: Iterable[syntax.Property]) -> Iterator[Proposal]:
    return _spelled(Kind.PROPERTY, (node.name for node in nodes))


def _property(open_: Sequence[Token | Tree[Token]]) -> str:
    """The property of the fact that is open: the last name that is no value."""
    names = (_name(item) for item in reversed(open_))
    return next((name for name in names if name is not None), "")


def _domain(open_: Sequence[Token | Tree[Token]], domains: Iterable[syntax.Domain]) -> syntax.Domain | None:
    """The domain that is open, or whose translation is, if any."""
    heads = [_name(name) for head, name in pairwise(open_) if isinstance(head, Token) and head.type in _HEADS]
    return next((domain for domain in domains if [domain.name.text] == heads), None)


def _name(item: Token | Tree[Token]) -> str | None:
    token = item.children[0] if isinstance(item, Tree) and item.data == "name" else item
    return plain(token) if isinstance(token, Token) and (token.type == "NAME" or is_quoted(token)) else None
