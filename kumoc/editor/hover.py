"""What there is to say about a name, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kumoc.diagnostics import Rule, Source, Span
from kumoc.diagnostics.rules import find
from kumoc.editor.declared import Declared, declared
from kumoc.editor.symbols import Kind, Symbol
from kumoc.language import syntax
from kumoc.language.compile import CompiledDomain, CompiledFile
from kumoc.language.domain import ResolvedAction, ResolvedDomain

_RULES = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_MARKS = re.compile(r"([\\`*_\[\]<>|~#&])")


def describe(compiled: CompiledFile, symbol: Symbol) -> str:
    """What is known of ``symbol``, which ``compiled`` declares; an empty text where it does not."""
    home = symbol.within[0] if symbol.within else symbol.name
    domain = next((each for each in compiled.domains if each.node.name.text == home), None)
    return "\n".join(_lines(compiled.source, domain, symbol)) if domain else ""


def table(action: ResolvedAction, domain: ResolvedDomain) -> str:
    """What each outcome of an action rules out, as a table in Markdown."""
    rows = [f"| {escaped(each.text)} | {_names(each.excludes, domain)} |" for each in action.outcomes]
    return "\n".join(["| outcome | rules out |", "|---|---|", *rows])


def rule_at(text: str, offset: int) -> Rule | None:
    """The rule whose code or name stands at ``offset``, in a comment."""
    start = text.rfind("\n", 0, offset) + 1
    words = _RULES.finditer(text, text.find("#", start, offset))
    word = next((word.group() for word in words if word.start() <= offset <= word.end()), "")
    return find(word) if "#" in text[start:offset] else None


def escaped(text: str) -> str:
    """``text`` with nothing in it that means anything in Markdown."""
    return _MARKS.sub(r"\\\1", text)


def _lines(source: Source, domain: CompiledDomain, symbol: Symbol) -> Iterator[str]:
    known, resolved = declared(domain.node), domain.resolved
    yield f"**{escaped(symbol.name)}**, {_noun(symbol.kind, resolved)}"
    yield ""
    match symbol.kind:
        case Kind.TRUTH:
            yield from _truth(source, known.truths[symbol.name])
            yield from _ruled_out_by(symbol.name, resolved) if resolved else ()
        case Kind.ACTION:
            yield from _action(known.actions[symbol.name], resolved)
        case Kind.GROUP:
            masks = [group.mask for group in resolved.groups if group.name.text == symbol.name] if resolved else []
            yield from (_names(mask, resolved) for mask in masks if resolved)
        case Kind.PROPERTY:
            yield from _property(source, known, symbol.name)
        case Kind.VALUE:
            yield from _value(known, symbol)
        case Kind.DOMAIN:
            yield f"{escaped(_text(domain.node.title))}\n"
            yield f"{len(known.truths)} truths, {len(known.actions)} actions"


def _noun(kind: Kind, domain: ResolvedDomain | None) -> str:
    if domain and kind is Kind.TRUTH:
        return f"a {kind} ({escaped(domain.truth_noun.one)})"
    if domain and kind is Kind.ACTION:
        return f"an {kind} ({escaped(domain.action_noun.one)})"
    return f"{'an' if kind is Kind.ACTION else 'a'} {kind}"


def _truth(source: Source, truth: syntax.Truth) -> Iterator[str]:
    yield f"{escaped(_text(truth.description))}\n"
    for fact in truth.facts:
        shown = Span(fact.values[0].span.start, fact.values[-1].span.end)
        yield f"- {escaped(fact.property.text)}: {escaped(source.text[shown.start : shown.end])}"


def _ruled_out_by(truth: str, domain: ResolvedDomain) -> Iterator[str]:
    bit = sum(1 << i for i, each in enumerate(domain.truths) if each.name.text == truth)
    able = {
        action.name.text: keys
        for action in domain.actions
        if (keys := [escaped(outcome.text) for outcome in action.outcomes if outcome.excludes & bit])
    }
    yield "\nRuled out by\n" if able else "\nRuled out by nothing."
    for action, keys in able.items():
        yield f"- {escaped(action)}: {', '.join(keys)}"


def _action(action: syntax.Action, domain: ResolvedDomain | None) -> Iterator[str]:
    yield f"{escaped(_text(action.description))}\n"
    for each in domain.actions if domain else ():
        if domain and each.name is action.name:
            yield table(each, domain)


def _property(source: Source, known: Declared, name: str) -> Iterator[str]:
    extent = known.properties[name].extent
    yield f"```kumo\n{source.text[extent.start : extent.end]}\n```\n"
    derived = [
        action.name.text
        for action in known.actions.values()
        if isinstance(action.body, syntax.Observes | syntax.Measures) and action.body.property.text == name
    ]
    yield f"Asked for by {', '.join(map(escaped, derived)) or 'no action'}"


def _value(known: Declared, symbol: Symbol) -> Iterator[str]:
    """The truths that give this value, or any."""
    giving = [
        truth.name.text
        for truth in known.truths.values()
        for fact in truth.facts
        if fact.property.text == symbol.within[1] and any(_is_or_holds(value, symbol.name) for value in fact.values)
    ]
    yield f"Shown by {', '.join(map(escaped, giving)) or 'no truth'}"


def _is_or_holds(value: syntax.FactValue, name: str) -> bool:
    return isinstance(value, syntax.AnyValue) or (isinstance(value, syntax.Word) and value.text == name)


def _names(mask: int, domain: ResolvedDomain) -> str:
    return ", ".join(map(escaped, domain.names(mask))) or "nothing"


def _text(word: syntax.Word | None) -> str:
    return word.text if word else ""
