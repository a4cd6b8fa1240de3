"""A domain in another of its languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kumoc.tables import Action, ActionWords, Tables, Translation, Truth


def languages(tables: Tables) -> tuple[str, ...]:
    """The languages that a domain is given in, whole or in part, its own first."""
    return (tables.language, *(translation.language for translation in tables.translations))


def translated(tables: Tables, language: str) -> Tables:
    """The same domain in that language, one of its :func:`languages` in which nothing is missing."""
    if language == tables.language:
        return tables
    words = _translation(tables, language)
    return replace(
        tables,
        title=words.title,
        topic=words.topic,
        goal=words.goal,
        truth_noun=words.truth_noun,
        action_noun=words.action_noun,
        truths=words.truths,
        actions=tuple(_translated(*pair) for pair in zip(tables.actions, words.actions, strict=True)),
        language=language,
        translations=(),
    )


def untranslated(tables: Tables, language: str) -> Iterator[str]:
    """What a domain says in its own language and not in that other one, in words such as ``the truth 'Gold'``."""
    words = _translation(tables, language)
    for what, own, other in (
        ("the title", tables.title, words.title),
        ("the topic", tables.topic, words.topic),
        ("the goal", tables.goal, words.goal),
        ("the nouns for truths", tables.truth_noun.one, words.truth_noun.one),
        ("the nouns for actions", tables.action_noun.one, words.action_noun.one),
    ):
        if own and not other:
            yield what
    yield from _entries("truth", tables.truths, words.truths)
    yield from _entries("action", tables.actions, words.actions)
    yield from dict.fromkeys(_labels(tables.actions, words.actions))


def with_languages(tables: Tables, wanted: Iterable[str]) -> Tables:
    """The same domain without translations into languages that are not ``wanted``."""
    kept = set(wanted)
    return replace(tables, translations=tuple(each for each in tables.translations if each.language in kept))


def restricted(
    translations: Iterable[Translation], truths: Sequence[int] | None = None, actions: Sequence[int] | None = None
) -> tuple[Translation, ...]:
    """Translations of a domain that keeps only the truths and actions in these positions (None: all of them)."""
    return tuple(
        replace(
            each,
            truths=each.truths if truths is None else tuple(each.truths[i] for i in truths),
            actions=each.actions if actions is None else tuple(each.actions[i] for i in actions),
        )
        for each in translations
    )


def _translation(tables: Tables, language: str) -> Translation:
    return next(translation for translation in tables.translations if translation.language == language)


def _entries(kind: str, entries: Iterable[Truth | Action], others: Iterable[Truth | ActionWords]) -> Iterator[str]:
    for entry, other in zip(entries, others, strict=True):
        if not other.name:
            yield f"the {kind} '{entry.name}'"
        elif entry.description and not other.description:
            yield f"the description of '{entry.name}'"


def _labels(actions: Iterable[Action], words: Iterable[ActionWords]) -> Iterator[str]:
    for action, other in zip(actions, words, strict=True):
        for outcome, label in zip(action.outcomes, other.labels, strict=True):
            if isinstance(outcome.key, str) and not label:
                yield f"the outcome '{outcome.key}'"


def _translated(action: Action, words: ActionWords) -> Action:
    return Action(
        name=words.name,
        outcomes=tuple(
            replace(outcome, key=label) if isinstance(outcome.key, str) else outcome
            for outcome, label in zip(action.outcomes, words.labels, strict=True)
        ),
        description=words.description,
        scale=replace(action.scale, unit=words.unit) if action.scale else None,
    )
