"""What derived and set expressions come to, shown behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kumoc.diagnostics import Span
from kumoc.editor.declared import Declared, declared
from kumoc.editor.hover import escaped, table
from kumoc.language import syntax
from kumoc.language.compile import CompiledDomain, CompiledFile
from kumoc.language.domain import ResolvedAction, ResolvedDomain
from kumoc.language.names import listed

_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Hint:
    """A short ``label`` to show at ``offset``, and in Markdown all that it stands for."""

    offset: int
    label: str
    whole: str


def hints(compiled: CompiledFile, span: Span) -> tuple[Hint, ...]:
    """Hints for groups, and for what actions rule out, in that part of the file; lists of truths need none."""
    found = (hint for domain in compiled.domains if domain.resolved for hint in _in_domain(domain, domain.resolved))
    return tuple(hint for hint in found if span.start <= hint.offset <= span.end)


def _in_domain(domain: CompiledDomain, resolved: ResolvedDomain) -> Iterator[Hint]:
    known = declared(domain.node)
    for group in resolved.groups:
        yield from _of_set(known.groups[group.name.text].set, group.mask, resolved, known)
    for action in resolved.actions:
        node = known.actions[action.name.text]
        if node.name is action.name:
            yield from _of_action(node, action, resolved, known)


def _of_action(node: syntax.Action, action: ResolvedAction, domain: ResolvedDomain, known: Declared) -> Iterator[Hint]:
    match node.body:
        case syntax.Observes() | syntax.Measures() if action.outcomes:
            counts = [f"{outcome.excludes.bit_count()} ({outcome.text})" for outcome in action.outcomes]
            yield Hint(node.extent.end, f"rules out {listed(counts)}", table(action, domain))
        case syntax.Labelled(outcomes) | syntax.Measured(_, outcomes):
            masks = {outcome.span: outcome.excludes for outcome in action.outcomes}
            for outcome in outcomes:
                if outcome.key.span in masks:
                    yield from _of_set(outcome.set, masks[outcome.key.span], domain, known)


def _of_set(expression: syntax.SetExpression, mask: int, domain: ResolvedDomain, known: Declared) -> Iterator[Hint]:
    if expression.excepted is not None or any(word.text in known.groups for word in expression.words):
        names = domain.names(mask)
        label = listed(names, _MOST_NAMED) or "nothing"
        yield Hint(expression.span.end, f"= {label}", ", ".join(map(escaped, names)))
