"""Which names stand where in a file, and which of them mean the same."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kumoc.diagnostics import Span
from kumoc.editor.declared import Declared, choices, declared
from kumoc.language import syntax


class Kind(StrEnum):
    """What a name can name."""

    TRUTH = "truth"
    GROUP = "group"
    PROPERTY = "property"
    VALUE = "value"
    ACTION = "action"
    DOMAIN = "domain"


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name names: equal symbols are the same thing.

    ``within`` are the names of the domain that it belongs to and, for a value, of the property.
    """

    kind: Kind
    name: str
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where a symbol is named; where it is declared if ``defines``."""

    symbol: Symbol
    span: Span
    quoted: bool
    defines: bool


def occurrences(file: syntax.File) -> tuple[Occurrence, ...]:
    """All names of a file that mean something, in order.

    Names that nothing declares are left out, except those of domains, which other files may declare.
    """
    found: list[Occurrence] = []
    for declaration in file.declarations:
        match declaration:
            case syntax.Domain():
                found += _in_domain(declaration, declared(declaration))
            case syntax.Translation():
                found += _in_translation(declaration)
            case syntax.Benchmark():
                found += _in_benchmark(declaration)
    return tuple(sorted(found, key=lambda occurrence: occurrence.span.start))


def at(found: Sequence[Occurrence], offset: int) -> Occurrence | None:
    """The occurrence that holds the character at ``offset``, or ends before it; ``found`` is in order."""
    position = bisect_right(found, offset, key=lambda occurrence: occurrence.span.start) - 1
    return found[position] if position >= 0 and offset <= found[position].span.end else None


def _in_benchmark(benchmark: syntax.Benchmark) -> Iterator[Occurrence]:
    for setting in benchmark.settings:
        if setting.keyword == "domains" and isinstance(setting.value, tuple):
            words = (word for word in setting.value if isinstance(word, syntax.Word))
            yield from (_occurrence(Kind.DOMAIN, word) for word in words)


def _in_translation(translation: syntax.Translation) -> Iterator[Occurrence]:
    """The domain, and the truths and actions by the names that it gives them."""
    yield _occurrence(Kind.DOMAIN, translation.domain)
    kinds = {"truths": Kind.TRUTH, "actions": Kind.ACTION}
    for member in translation.members:
        if isinstance(member, syntax.Wordings) and member.keyword in kinds:
            for entry in member.entries:
                yield _occurrence(kinds[member.keyword], entry.name, translation.domain.text)


def _in_domain(domain: syntax.Domain, known: Declared) -> Iterator[Occurrence]:
    within = domain.name.text
    yield _occurrence(Kind.DOMAIN, domain.name, defines=True)
    for member in domain.members:
        match member:
            case syntax.Property(name):
                yield _occurrence(Kind.PROPERTY, name, within, defines=True)
                for value in choices(member):
                    yield _occurrence(Kind.VALUE, value, within, name.text, defines=True)
            case syntax.Group(name, expression):
                yield _occurrence(Kind.GROUP, name, within, defines=True)
                yield from _in_set(expression, within, known)
            case syntax.Truths():
                for truth in member.entries:
                    yield _occurrence(Kind.TRUTH, truth.name, within, defines=True)
                    yield from _in_facts(truth.facts, within, known)
            case syntax.Actions():
                for action in member.entries:
                    yield _occurrence(Kind.ACTION, action.name, within, defines=True)
                    yield from _in_body(action.body, within, known)


def _in_facts(facts: Iterable[syntax.Fact], within: str, known: Declared) -> Iterator[Occurrence]:
    for fact in facts:
        yield from _in_property(fact.property, within, known)
        values = {word.text for word in choices(known.properties.get(fact.property.text))}
        for value in fact.values:
            if isinstance(value, syntax.Word) and value.text in values:
                yield _occurrence(Kind.VALUE, value, within, fact.property.text)


def _in_body(body: syntax.Body, within: str, known: Declared) -> Iterator[Occurrence]:
    match body:
        case syntax.Observes(name) | syntax.Measures(name):
            yield from _in_property(name, within, known)
        case syntax.Labelled(outcomes) | syntax.Measured(_, outcomes):
            for outcome in outcomes:
                yield from _in_set(outcome.set, within, known)


def _in_property(word: syntax.Word, within: str, known: Declared) -> Iterator[Occurrence]:
    if word.text in known.properties:
        yield _occurrence(Kind.PROPERTY, word, within)


def _in_set(expression: syntax.SetExpression, within: str, known: Declared) -> Iterator[Occurrence]:
    for word in expression.words:
        if word.text in known.truths:
            yield _occurrence(Kind.TRUTH, word, within)
        elif word.text in known.groups:
            yield _occurrence(Kind.GROUP, word, within)


def _occurrence(kind: Kind, word: syntax.Word, *within: str, defines: bool = False) -> Occurrence:
    return Occurrence(Symbol(kind, word.text, within), word.span, word.quoted, defines)
