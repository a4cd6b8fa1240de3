"""A benchmark as declared: which domains, which sizes, how many instances, from which seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

SPLITS = ("train", "validation", "test")
"""The splits a size may have, in the order they are built and listed in."""


LANGUAGES = ("en", "zh")
"""The languages that books are written in."""


GAME = "game"
"""The view that every release has: the others are made from its rows."""


VIEWS = (GAME, "chat", "steps")
"""Names of dataset views, in the order they are listed in; no size may have one of them, or configurations would be
ambiguous."""


DEFAULT_WORK = 2_000_000
"""States that a player may work out for one question about an instance, where a size does not say."""


class Mode(StrEnum):
    """How instances are chosen: see :mod:`kumoc.generate`."""

    FAIR = "fair"
    PAPER = "paper"


GUIDE = "guide"
"""The style that a book has where none is asked for."""


STYLES = (GUIDE, "table", "prose", "symbolic", "long")
"""How a book can be written: see :mod:`kumoc.book`."""


REWRITTEN = "rewritten"
"""The style of a book that a model wrote anew from a guide; no benchmark can declare it."""


MAX_WORDS = 1_000_000
"""Words that a long book may be wanted to have."""


class Variant(StrEnum):
    """Which names an instance is shown under: see :mod:`kumoc.edition`."""

    ORIGINAL = "original"
    ANONYMOUS = "anonymous"
    COUNTERFACTUAL = "counterfactual"


@dataclass(frozen=True, slots=True)
class Book:
    """A style of :data:`STYLES`; a long book has at most that many ``words``, unless its guide alone has more."""

    style: str = GUIDE
    words: int = 0

    @property
    def name(self) -> str:
        """The style, with the number of words where there is one: ``long4000``."""
        return f"{self.style}{self.words or ''}"


@dataclass(frozen=True, slots=True)
class Edition:
    """One way to show the instances of a size; ``language`` is a code, empty for that of each domain.

    ``label`` tells it from the other editions of its size; that of the first one is empty.
    """

    book: Book = Book()
    language: str = ""
    variant: Variant = Variant.ORIGINAL
    label: str = ""


@dataclass(frozen=True, slots=True)
class Size:
    """One size of instance: ``truths`` listed truths of which ``valid`` hold, and ``actions`` listed actions.

    ``splits`` pairs each split's name with its number of instances for each domain, in the order of
    :data:`SPLITS`. ``difficulty`` keeps instances whose exact expected number of actions is sure to lie in that
    closed band. ``giveaways`` lets instances through whose answer follows from the book alone (paper mode only; a fair
    instance never is one). ``work`` is the most states that each player may work out for any one question about an
    instance; where that does not suffice, bounds take the place of the answer. ``disjoint``: no truth that one split
    lists is listed by another. Each instance is shown in each of the ``books`` and ``variants``.
    """

    name: str
    truths: int
    actions: int
    valid: int = 1
    splits: tuple[tuple[str, int], ...] = (("test", 50),)
    mode: Mode = Mode.FAIR
    difficulty: tuple[Decimal, Decimal] | None = None
    giveaways: bool = False
    work: int = DEFAULT_WORK
    disjoint: bool = False
    books: tuple[Book, ...] = (Book(),)
    variants: tuple[Variant, ...] = (Variant.ORIGINAL,)

    def editions(self, languages: tuple[str, ...]) -> tuple[Edition, ...]:
        """All ways to show an instance, in those languages (none: in its domain's own), the size's own first.

        A label has what differs from the first book, language and variant.
        """
        named = languages or ("",)
        return tuple(
            Edition(book, language, variant, "-".join(self._differing(book, language, variant, named[0])))
            for book in self.books
            for language in named
            for variant in self.variants
        )

    def _differing(self, book: Book, language: str, variant: Variant, first: str) -> Iterator[str]:
        if book != self.books[0]:
            yield book.name
        if language != first:
            yield language
        if variant != self.variants[0]:
            yield variant


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A declared benchmark; ``domains`` are identifiers of compiled domains, in declared order.

    ``views`` are those of :data:`VIEWS` that a release holds, in that order, the game view always among them.
    ``changes`` says in words what sets this version apart from the one before. Rows are in each of the ``languages``;
    where none is named, in the domain's own. ``templates`` is the folder of templates that take the place of the
    project's own, empty for none.
    """

    name: str
    version: str
    title: str
    license: str
    domains: tuple[str, ...]
    seed: int
    sizes: tuple[Size, ...]
    views: tuple[str, ...] = (GAME,)
    changes: str = ""
    languages: tuple[str, ...] = ()
    templates: str = ""


DEFAULT_SIZES = (Size("easy", truths=4, actions=6), Size("hard", truths=12, actions=16))
"""The paper's two sizes, used where no benchmark is declared."""
