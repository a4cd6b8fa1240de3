"""From a domain's syntax nodes to a resolved domain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from kumoc.diagnostics import Span
from kumoc.diagnostics.rules import (
    BAD_SETTING,
    DOMAIN_TOO_LARGE,
    MISSING_DECLARATION,
    REPEATED_DECLARATION,
    REPEATED_NAME,
    TRUTH_AND_ACTION,
)
from kumoc.folding import folded
from kumoc.language import syntax
from kumoc.language.domain import ResolvedAction, ResolvedDomain, ResolvedGroup, ResolvedOutcome, ResolvedTruth
from kumoc.language.facts import Property, measure, observe, resolve_properties
from kumoc.language.names import Scope, check_identifier, check_language, declare, skeleton
from kumoc.language.ranges import check_cover, check_readable, resolve_scale
from kumoc.language.report import Report
from kumoc.language.sets import Sets, resolve_sets
from kumoc.tables import DEFAULT_LANGUAGE, Noun, Range, Scale, plain

MAX_TABLE = 1_000_000
"""Truths times outcomes (and groups) of a domain: far beyond what is written by hand."""
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")

Block = TypeVar("Block", syntax.Truths, syntax.Actions)


@dataclass(frozen=True, slots=True)
class _Known:
    """What an action's body may refer to."""

    sets: Sets
    property_scope: Scope
    properties: Mapping[str, Property]
    lost: frozenset[str]
    report: Report


def resolve_domain(node: syntax.Domain, lost: frozenset[str], report: Report) -> ResolvedDomain | None:
    """The resolved domain, with every fault in it reported; None where it has no truths or no actions to speak of.

    ``lost`` are the names in parts of the file that could not be parsed.
    """
    check_identifier("domain", node.name, report)
    truths = _single(node, syntax.Truths, "truths", report)
    actions = _single(node, syntax.Actions, "actions", report)
    settings = _settings(node, report)
    properties = tuple(member for member in node.members if isinstance(member, syntax.Property))
    groups = tuple(member for member in node.members if isinstance(member, syntax.Group))
    if truths is None and not node.damaged:
        return None  # no set of truths can be meant in what follows
    if _is_too_large(node, truths, actions, report):
        return None
    truth_scope = declare("truth", (entry.name for entry in truths.entries) if truths else (), report)
    entries = _first_entries(truths, truth_scope)
    property_scope, resolved_properties = resolve_properties(properties, enumerate(entries), lost, report)
    sets = resolve_sets(groups, truth_scope, lost, report)
    known = _Known(sets, property_scope, resolved_properties, lost, report)
    action_scope = declare("action", (entry.name for entry in actions.entries) if actions else (), report)
    _check_kinds_apart(truth_scope, action_scope, report)
    _check_not_shared("property", properties, (truth_scope, action_scope), report)
    _check_not_shared("group", groups, (truth_scope, action_scope), report)
    resolved_actions = tuple(_resolve_action(action, known) for action in (actions.entries if actions else ()))
    if truths is None or actions is None:
        return None
    if len(entries) < 2 and not node.damaged:
        report.add(MISSING_DECLARATION, "a domain needs at least two truths", truths.one.span)
    if not resolved_actions and not node.damaged:
        report.add(MISSING_DECLARATION, "a domain needs at least one action", actions.one.span)
    observed = {action.property for action in resolved_actions}
    return ResolvedDomain(
        name=node.name,
        span=node.span,
        title=node.title.text if node.title else node.name.text.replace("_", " ").capitalize(),
        topic=settings.get("topic", ""),
        goal=settings.get("goal", f"find the {truths.one.text} that holds").rstrip(" ."),
        version=settings.get("version", "1.0.0"),
        language=settings.get("language", DEFAULT_LANGUAGE),
        truth_noun=Noun(truths.one.text, truths.many.text),
        action_noun=Noun(actions.one.text, actions.many.text),
        truths=tuple(
            ResolvedTruth(entry.name, _text(entry.description), frozenset(fact.property.text for fact in entry.facts))
            for entry in entries
        ),
        actions=resolved_actions,
        groups=tuple(
            ResolvedGroup(group.name, mask)
            for group in groups
            if (mask := sets.groups.get(group.name.text)) is not None
        ),
        unused=tuple(
            [("property", item.name) for item in properties if item.name.text not in observed]
            + [("group", group.name) for group in groups if group.name.text not in sets.used]
        ),
        whole=not node.damaged and not node.faulty and all(action.whole for action in resolved_actions),
    )


def _single(node: syntax.Domain, kind: type[Block], keyword: str, report: Report) -> Block | None:
    """The one block of a kind, with the entries of all where it stands twice; that, and a missing one, is reported."""
    found = [member for member in node.members if isinstance(member, kind)]
    for repeated in found[1:]:
        report.add(REPEATED_DECLARATION, f"'{keyword}' stands twice in this domain", repeated.one.span, "join the two")
    if not found and not node.damaged:
        message = f"the domain '{node.name.text}' declares no {keyword}"
        report.add(MISSING_DECLARATION, message, node.span, f'add `{keyword} "one" "many" {{ ... }}`')
    entries = tuple(entry for block in found for entry in block.entries)
    return replace(found[0], entries=entries) if found else None


def _is_too_large(
    node: syntax.Domain, truths: syntax.Truths | None, actions: syntax.Actions | None, report: Report
) -> bool:
    """Whether the tables would have more than :data:`MAX_TABLE` cells, which is reported."""
    values = {
        member.name.text: len(member.type.values)
        for member in node.members
        if isinstance(member, syntax.Property) and isinstance(member.type, syntax.ChoiceType)
    }
    rows = sum(isinstance(member, syntax.Group) for member in node.members)
    for action in actions.entries if actions else ():
        match action.body:
            case syntax.Observes(property):
                rows += values.get(property.text, 0)
            case syntax.Measures(_, cuts):
                rows += len(cuts) + 1
            case syntax.Labelled(outcomes) | syntax.Measured(_, outcomes):
                rows += len(outcomes)
    columns = len(truths.entries) if truths else 0
    if rows * columns <= MAX_TABLE:
        return False
    message = f"{columns:,} truths times {rows:,} outcomes and groups are more than {MAX_TABLE:,}"
    report.add(DOMAIN_TOO_LARGE, message, node.span, "make several domains of it")
    return True


def _settings(node: syntax.Domain, report: Report) -> dict[str, str]:
    settings: dict[str, str] = {}
    for member in node.members:
        if isinstance(member, syntax.Setting):
            assert isinstance(member.value, syntax.Word)
            if member.keyword in settings:
                report.add(REPEATED_DECLARATION, f"'{member.keyword}' is given twice", member.span, "keep one")
            settings.setdefault(member.keyword, member.value.text)
            if member.keyword == "version":
                check_version(member.value, report)
            if member.keyword == "language":
                check_language(member.value, report)
            if member.keyword == "goal" and not member.value.text.strip(" ."):
                report.add(BAD_SETTING, "this goal is empty", member.value.span, 'it reads after "Your goal is to"')
    return settings


def check_version(word: syntax.Word, report: Report) -> None:
    """Report a version that is not three numbers with points between them."""
    if not _VERSION.fullmatch(word.text):
        report.add(BAD_SETTING, f"'{word.text}' is no version", word.span, 'write three numbers, such as "1.0.0"')


def _first_entries(truths: syntax.Truths | None, scope: Scope) -> tuple[syntax.Truth, ...]:
    """The entries that declared the names of ``scope``, without those that repeat one."""
    entries = truths.entries if truths else ()
    return tuple(entry for entry in entries if scope.words.get(entry.name.text) is entry.name)


def _check_kinds_apart(truths: Scope, actions: Scope, report: Report) -> None:
    by_skeleton = {skeleton(name): word for name, word in truths.words.items()}
    for name, word in actions.words.items():
        if truth := by_skeleton.get(skeleton(name)):
            message = f"'{name}' is both an action and a truth: a player's answer would mean either"
            note = (("the truth", truth.span),)
            report.add(TRUTH_AND_ACTION, message, word.span, "name the action by what one does", note)


def _check_not_shared(
    kind: str, members: Iterable[syntax.Property | syntax.Group], scopes: Iterable[Scope], report: Report
) -> None:
    for word in (member.name for member in members):
        for scope in scopes:
            if other := scope.words.get(word.text):
                message = f"'{word.text}' names a {kind} and also a declared {scope.kind}"
                note = ((f"the {scope.kind}", other.span),)
                report.add(REPEATED_NAME, message, word.span, f"rename the {kind}", note)


def _text(word: syntax.Word | None) -> str:
    return word.text if word else ""


# ---- actions


def _resolve_action(action: syntax.Action, known: _Known) -> ResolvedAction:
    scale: Scale | None = None
    outcomes: tuple[ResolvedOutcome, ...] | None
    body = action.body
    match body:
        case syntax.Observes():
            item = _property(body.property, known)
            outcomes = observe(body, item, known.report) if item else None
        case syntax.Measures():
            item = _property(body.property, known)
            measured = measure(body, item, known.report) if item else None
            scale, outcomes = measured or (None, None)
        case syntax.Labelled():
            outcomes = _labelled(body, known)
        case syntax.Measured():
            scale, outcomes = _measured(body, known, whole=not action.damaged)
    return ResolvedAction(
        name=action.name,
        description=_text(action.description),
        scale=scale,
        outcomes=outcomes or (),
        whole=outcomes is not None and not action.damaged,
        property=body.property.text if isinstance(body, syntax.Observes | syntax.Measures) else None,
    )


def _property(word: syntax.Word, known: _Known) -> Property | None:
    known.property_scope.find(word, known.report, known.lost)
    return known.properties.get(word.text)


def _labelled(body: syntax.Labelled, known: _Known) -> tuple[ResolvedOutcome, ...] | None:
    declare("outcome", (outcome.key for outcome in body.outcomes), known.report, folded)
    masks = [known.sets.evaluate(outcome.set) for outcome in body.outcomes]
    return _outcomes(
        (outcome.key.text, mask, outcome.key.span) for outcome, mask in zip(body.outcomes, masks, strict=True)
    )


def _measured(
    body: syntax.Measured, known: _Known, *, whole: bool
) -> tuple[Scale | None, tuple[ResolvedOutcome, ...] | None]:
    bounds = [bound.value for outcome in body.outcomes for bound in (outcome.key.low, outcome.key.high)]
    scale = resolve_scale(body.type, bounds, known.report) if body.type else None
    masks = [known.sets.evaluate(outcome.set) for outcome in body.outcomes]
    covered = scale is not None and check_cover(
        scale, (outcome.key for outcome in body.outcomes), known.report, whole=whole
    )
    if scale is None or not covered:
        return scale, None
    ranges = [_range(outcome.key, scale) for outcome in body.outcomes]
    spans = [outcome.key.span for outcome in body.outcomes]
    check_readable(scale, zip(ranges, spans, strict=True), known.report)
    in_order = sorted(zip(ranges, masks, spans, strict=True), key=lambda outcome: outcome[0].low)
    return scale, _outcomes(in_order)


def _range(interval: syntax.Interval, scale: Scale) -> Range:
    high = plain(interval.high.value)
    return Range(plain(interval.low.value), high, closed=high == scale.high)


def _outcomes(
    parts: Iterable[tuple[str | Range, int | None, Span]],
) -> tuple[ResolvedOutcome, ...] | None:
    """The outcomes; None where what one of them rules out is not known."""
    outcomes = []
    for key, mask, span in parts:
        if mask is None:
            return None
        outcomes.append(ResolvedOutcome(key, mask, span))
    return tuple(outcomes)
