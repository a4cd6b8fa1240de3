"""The rules that a resolved domain is held to: each a function from the domain to what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_, or_

from kumoc.diagnostics.rules import (
    ALWAYS_EXCLUDED,
    INSEPARABLE_TRUTHS,
    MISSING_FACT,
    NEVER_EXCLUDED,
    NEVER_EXCLUDES,
    SENTENCE_AS_NAME,
    TELLING_LABEL,
    TOO_FEW_OUTCOMES,
    TWIN_ACTIONS,
    UNUSED_NAME,
)
from kumoc.language.domain import ResolvedAction, ResolvedDomain
from kumoc.language.names import listed, mentions
from kumoc.language.report import Report


def check_domain(domain: ResolvedDomain, report: Report) -> None:
    """Report every rule that ``domain`` breaks.

    Warnings about the domain as a whole are left out while anything in it is wrong: they would speak of a domain
    that nobody meant.
    """
    for check in _ALWAYS:
        check(domain, report)
    if domain.whole and not report.has_errors:
        for check in _ON_WHOLE_DOMAINS:
            check(domain, report)


def _too_few_outcomes(domain: ResolvedDomain, report: Report) -> None:
    for action in domain.actions:
        if action.whole and len(action.outcomes) < 2:
            message = f"'{action.name.text}' has {('no outcome', 'one outcome')[len(action.outcomes)]}"
            help_ = "an action needs at least two: what else can one see? (it may rule out nothing)"
            report.add(TOO_FEW_OUTCOMES, message, action.name.span, help_)


def _always_excluded(domain: ResolvedDomain, report: Report) -> None:
    for action in domain.actions:
        always = reduce(and_, _masks(action)) if action.whole and len(action.outcomes) > 1 else 0
        if always:
            named = _names(domain, always)
            message = f"'{action.name.text}' rules out {named} whatever its outcome"
            help_ = "a truth that holds must leave some outcome possible: take it out of one of them"
            report.add(ALWAYS_EXCLUDED, message, action.name.span, help_)


def _telling_label(domain: ResolvedDomain, report: Report) -> None:
    names = [(truth.name.text, truth.name.text.casefold()) for truth in domain.truths]
    for action in domain.actions:
        for outcome in action.outcomes:
            label = outcome.key
            if not isinstance(label, str):
                continue
            folded = label.casefold()
            told = [name for name, sought in names if sought in folded and mentions(folded, sought)]
            if told:
                message = f"the outcome '{label}' contains the name of the truth '{told[0]}'"
                report.add(TELLING_LABEL, message, outcome.span, "describe what is seen, not what it may mean")


def _sentence_as_name(domain: ResolvedDomain, report: Report) -> None:
    for word in (*(truth.name for truth in domain.truths), *(action.name for action in domain.actions)):
        if word.text.endswith(".") and len(word.text.split()) >= 4:
            message = "this reads like a description, but it is taken as a name"
            report.add(SENTENCE_AS_NAME, message, word.span, "a description stands on the line of what it describes")


def _missing_fact(domain: ResolvedDomain, report: Report) -> None:
    used = dict.fromkeys(action.property for action in domain.actions if action.property)
    for truth in domain.truths:
        missing = [name for name in used if name not in truth.facts]
        if missing:
            named = listed([f"'{name}'" for name in missing])
            message = (
                f"'{truth.name.text}' gives no fact for {named}, so what derives from it never rules this truth out"
            )
            report.add(MISSING_FACT, message, truth.name.span, f"add the fact, or say `{missing[0]} any`")


def _unused_name(domain: ResolvedDomain, report: Report) -> None:
    for kind, word in domain.unused:
        report.add(UNUSED_NAME, f"the {kind} '{word.text}' is never used", word.span, "use it or take it away")


def _never_excludes(domain: ResolvedDomain, report: Report) -> None:
    for action in domain.actions:
        if not reduce(or_, _masks(action)):
            message = f"'{action.name.text}' never rules anything out"
            report.add(NEVER_EXCLUDES, message, action.name.span, "taking it is always a waste: give it an effect")


def _never_excluded(domain: ResolvedDomain, report: Report) -> None:
    excludable = reduce(or_, (mask for action in domain.actions for mask in _masks(action)))
    excluded = f"{excludable:0{len(domain.truths)}b}"[::-1]
    for truth, bit in zip(domain.truths, excluded, strict=True):
        if bit == "0":
            message = f"nothing can rule out '{truth.name.text}': where it is listed, it must be the answer"
            report.add(NEVER_EXCLUDED, message, truth.name.span, "add an outcome that rules it out")


def _inseparable_truths(domain: ResolvedDomain, report: Report) -> None:
    rows = [f"{mask:0{len(domain.truths)}b}" for action in domain.actions for mask in _masks(action)]
    columns = ["".join(column) for column in zip(*rows, strict=True)][::-1]  # binary text begins with the last truth
    first: dict[str, int] = {}
    for position, (truth, column) in enumerate(zip(domain.truths, columns, strict=True)):
        other = first.setdefault(column, position)
        if other != position and "1" in column:
            twin = domain.truths[other].name
            message = f"no action tells '{truth.name.text}' from '{twin.text}'"
            help_ = "add an outcome that rules out one and not the other, or keep one of them"
            report.add(INSEPARABLE_TRUTHS, message, truth.name.span, help_, (("the other one", twin.span),))


def _twin_actions(domain: ResolvedDomain, report: Report) -> None:
    first: dict[tuple[int, ...], ResolvedAction] = {}
    for action in domain.actions:
        table = tuple(sorted(_masks(action)))
        other = first.setdefault(table, action)
        if other is not action and any(table):
            message = f"'{action.name.text}' rules out the same truths as '{other.name.text}', outcome by outcome"
            note = (("the other one", other.name.span),)
            report.add(TWIN_ACTIONS, message, action.name.span, "two such actions are one: keep one of them", note)


_ALWAYS: tuple[Callable[[ResolvedDomain, Report], None], ...] = (
    _too_few_outcomes,
    _always_excluded,
    _telling_label,
    _sentence_as_name,
)
_ON_WHOLE_DOMAINS: tuple[Callable[[ResolvedDomain, Report], None], ...] = (
    _missing_fact,
    _unused_name,
    _never_excludes,
    _never_excluded,
    _inseparable_truths,
    _twin_actions,
)


def _masks(action: ResolvedAction) -> Iterable[int]:
    return [outcome.excludes for outcome in action.outcomes]


def _names(domain: ResolvedDomain, mask: int) -> str:
    return listed([f"'{name}'" for name in domain.names(mask)])
