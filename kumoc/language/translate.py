"""Declared translations: names looked up in the tables of their domain, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kumoc.diagnostics.rules import (
    MISSING_TRANSLATION,
    REPEATED_DECLARATION,
    REPEATED_NAME,
    TRUTH_AND_ACTION,
    UNKNOWN_NAME,
)
from kumoc.folding import folded
from kumoc.language import syntax
from kumoc.language.names import check_language, declare, skeleton, suggest
from kumoc.language.report import Report
from kumoc.tables import Action, ActionWords, Noun, Tables, Translation, Truth
from kumoc.translation import languages, untranslated

_NOTHING = Noun("", "")

Words = Mapping[str, syntax.Wording]
"""What stands for each name."""


def resolve_translation(
    node: syntax.Translation, domains: Mapping[str, Tables | None], lost: frozenset[str], report: Report
) -> Tables | None:
    """The tables of the translation's domain with the translation added; None where they can't be had.

    ``domains`` maps the declared domains to their tables, or to None where those can't be had for a reported fault.
    """
    if node.language.text not in lost:
        check_language(node.language, report)
    tables = domains.get(node.domain.text)
    if node.domain.text not in domains and node.domain.text not in lost:
        help_, fix = suggest(node.domain, domains, report)
        help_ = help_ or "give the file that declares it too, or its folder"
        report.add(UNKNOWN_NAME, f"there is no domain '{node.domain.text}'", node.domain.span, help_, fix=fix)
    if tables is None:
        return None
    if node.language.text in languages(tables):
        message = f"'{tables.domain}' is given in '{node.language.text}' already"
        report.add(REPEATED_NAME, message, node.language.span, "join the two, or translate into another language")
        return None
    added = replace(tables, translations=(*tables.translations, _translation(node, tables, report)))
    missing = () if node.damaged or report.has_errors else tuple(untranslated(added, node.language.text))
    if missing:
        message = f"this translation lacks {', '.join(missing)}"
        report.add(MISSING_TRANSLATION, message, node.span, f"nothing is built in '{node.language.text}' without it")
    return added


def _translation(node: syntax.Translation, tables: Tables, report: Report) -> Translation:
    settings = _settings(node, report)
    blocks = _blocks(node, report)
    actions = tables.actions
    labels = [outcome.key for action in actions for outcome in action.outcomes if isinstance(outcome.key, str)]
    units = [action.scale.unit for action in actions if action.scale and action.scale.unit]
    truth_words = _words(blocks, "truths", (truth.name for truth in tables.truths), report)
    action_words = _words(blocks, "actions", (action.name for action in actions), report)
    label_words = _words(blocks, "outcomes", labels, report)
    unit_words = _words(blocks, "units", units, report)
    _check_names(truth_words, action_words, report)
    for action in actions:
        keys = [outcome.key for outcome in action.outcomes if isinstance(outcome.key, str)]
        declare("outcome", (label_words[key].text for key in keys if key in label_words), report, folded)
    return Translation(
        language=node.language.text,
        title=_text(node.title),
        topic=settings.get("topic", ""),
        goal=settings.get("goal", "").rstrip(" .。"),
        truth_noun=_noun(blocks, "truths"),
        action_noun=_noun(blocks, "actions"),
        truths=tuple(Truth(*_worded(truth_words, truth.name)) for truth in tables.truths),
        actions=tuple(_action(action, action_words, label_words, unit_words) for action in actions),
    )


def _settings(node: syntax.Translation, report: Report) -> dict[str, str]:
    settings: dict[str, str] = {}
    for member in node.members:
        if isinstance(member, syntax.Setting):
            assert isinstance(member.value, syntax.Word)
            if member.keyword in settings:
                report.add(REPEATED_DECLARATION, f"'{member.keyword}' is given twice", member.span, "keep one")
            settings.setdefault(member.keyword, member.value.text)
    return settings


def _blocks(node: syntax.Translation, report: Report) -> dict[str, syntax.Wordings]:
    blocks: dict[str, syntax.Wordings] = {}
    for member in node.members:
        if isinstance(member, syntax.Wordings):
            if member.keyword in blocks:
                message = f"'{member.keyword}' stands twice in this translation"
                report.add(REPEATED_DECLARATION, message, member.span, "join the two")
            blocks.setdefault(member.keyword, member)
    return blocks


def _words(blocks: Mapping[str, syntax.Wordings], keyword: str, known: Iterable[str], report: Report) -> Words:
    """The entries of a block by the name they translate; names that are not ``known``, or repeat, are reported."""
    kind = keyword.removesuffix("s")
    names = frozenset(known)
    words: dict[str, syntax.Wording] = {}
    for entry in blocks[keyword].entries if keyword in blocks else ():
        if entry.name.text not in names:
            help_, fix = suggest(entry.name, sorted(names), report)
            report.add(UNKNOWN_NAME, f"there is no {kind} '{entry.name.text}'", entry.name.span, help_, fix=fix)
        elif first := words.get(entry.name.text):
            note = (("first translated here", first.name.span),)
            message = f"the {kind} '{entry.name.text}' is translated twice"
            report.add(REPEATED_NAME, message, entry.name.span, "", note)
        else:
            words[entry.name.text] = entry
    return words


def _check_names(truths: Words, actions: Words, report: Report) -> None:
    """Hold translated names to what holds for names: none can be taken for another."""
    truth_scope = declare("truth", (entry.text for entry in truths.values()), report)
    by_skeleton = {skeleton(name): word for name, word in truth_scope.words.items()}
    for name, word in declare("action", (entry.text for entry in actions.values()), report).words.items():
        if truth := by_skeleton.get(skeleton(name)):
            message = f"'{name}' is both an action and a truth: a player's answer would mean either"
            note = (("the truth", truth.span),)
            report.add(TRUTH_AND_ACTION, message, word.span, "name the action by what one does", note)


def _noun(blocks: Mapping[str, syntax.Wordings], keyword: str) -> Noun:
    return Noun(*(word.text for word in blocks[keyword].nouns)) if keyword in blocks else _NOTHING


def _worded(words: Words, name: str) -> tuple[str, str]:
    """The translated name and description."""
    entry = words.get(name)
    return (entry.text.text, _text(entry.description)) if entry else ("", "")


def _action(action: Action, actions: Words, labels: Words, units: Words) -> ActionWords:
    name, description = _worded(actions, action.name)
    unit = action.scale.unit if action.scale else ""
    keys = [outcome.key if isinstance(outcome.key, str) else "" for outcome in action.outcomes]
    # a unit that is not translated is a sign that all languages write alike
    return ActionWords(
        name, description, _worded(units, unit)[0] or unit, tuple(_worded(labels, key)[0] for key in keys)
    )


def _text(word: syntax.Word | None) -> str:
    return word.text if word else ""
