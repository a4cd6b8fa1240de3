"""Tables as ``.kumo`` text: what compiles back to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kumoc.interop.kumo_lines import aligned, broken, quoted
from kumoc.interop.kumo_ranges import plain
from kumoc.interop.kumo_sets import SetWriter, find_groups, written
from kumoc.tables import DEFAULT_LANGUAGE, Action, ActionWords, Outcome, Scale, Tables, Translation, Truth


def write_tables(tables: Tables, comments: Iterable[str] = ()) -> str:
    """The text of a domain file that compiles to ``tables``; ``comments`` are the lines above it.

    Properties and facts are not found again: every outcome says in full what it rules out.
    """
    sets = find_groups(
        truths=[truth.name for truth in tables.truths],
        others=[action.name for action in tables.actions],
        masks=[outcome.excludes for action in tables.actions for outcome in action.outcomes],
    )
    lines = [*(f"# {comment}" for comment in comments), *_domain(tables, sets)]
    for translation in tables.translations:
        lines += ["", *_translation(tables, translation)]
    return "\n".join(lines) + "\n"


def _domain(tables: Tables, sets: SetWriter) -> Iterator[str]:
    yield f"domain {tables.domain} {quoted(tables.title)} {{"
    if tables.topic:
        yield f"  topic   {quoted(tables.topic)}"
    yield f"  goal    {quoted(tables.goal)}"
    yield f"  version {quoted(tables.version)}"
    if tables.language != DEFAULT_LANGUAGE:
        yield f"  language {tables.language}"
    yield ""
    yield f"  truths {quoted(tables.truth_noun.one)} {quoted(tables.truth_noun.many)} {{"
    yield from _truths(tables.truths)
    yield "  }"
    yield ""
    yield from sets.declarations()
    yield f"  actions {quoted(tables.action_noun.one)} {quoted(tables.action_noun.many)} {{"
    for position, action in enumerate(tables.actions):
        yield from [""] if position else []
        yield from _action(action, sets)
    yield "  }"
    yield "}"


def _translation(tables: Tables, words: Translation) -> Iterator[str]:
    yield f"translation {tables.domain} {words.language}{f' {quoted(words.title)}' if words.title else ''} {{"
    yield from (f"  {name} {quoted(text)}" for name, text in (("topic", words.topic), ("goal", words.goal)) if text)
    labels = {
        outcome.key: label
        for action, other in zip(tables.actions, words.actions, strict=True)
        for outcome, label in zip(action.outcomes, other.labels, strict=True)
        if isinstance(outcome.key, str)
    }
    units = {
        action.scale.unit: other.unit
        for action, other in zip(tables.actions, words.actions, strict=True)
        if action.scale and action.scale.unit != other.unit
    }
    truths = [(truth.name, other) for truth, other in zip(tables.truths, words.truths, strict=True)]
    actions = [(action.name, other) for action, other in zip(tables.actions, words.actions, strict=True)]
    yield from _words(f"truths {quoted(words.truth_noun.one)} {quoted(words.truth_noun.many)}", truths)
    yield from _words(f"actions {quoted(words.action_noun.one)} {quoted(words.action_noun.many)}", actions)
    yield from _words("outcomes", [(label, Truth(text)) for label, text in labels.items()])
    yield from _words("units", [(unit, Truth(text)) for unit, text in units.items()])
    yield "}"


def _words(head: str, entries: Iterable[tuple[str, Truth | ActionWords]]) -> Iterator[str]:
    """A block of a translation, if it has anything to say."""
    lines = [
        f"    {quoted(name)} {quoted(words.name)}{f' {quoted(words.description)}' if words.description else ''}"
        for name, words in entries
        if words.name
    ]
    if lines:
        yield from (f"  {head} {{", *lines, "  }")


def _truths(truths: Iterable[Truth]) -> Iterator[str]:
    names = {truth: written(truth.name) for truth in truths}
    width = aligned(name for truth, name in names.items() if truth.description)
    for truth, name in names.items():
        yield f"    {name:<{width}}  {quoted(truth.description)}" if truth.description else f"    {name}"


def _action(action: Action, sets: SetWriter) -> Iterator[str]:
    description = f" {quoted(action.description)}" if action.description else ""
    yield f"    {quoted(action.name)}{description}{_scale(action.scale)} {{"
    width = aligned(map(_key, action.outcomes))
    for outcome in action.outcomes:
        yield from broken(f"      {_key(outcome):<{width}} rules out ", sets.write(outcome.excludes))
    yield "    }"


def _scale(scale: Scale | None) -> str:
    if scale is None:
        return ""
    unit = f" unit {quoted(scale.unit)}" if scale.unit else ""
    return f" number {plain(scale.low)}..{plain(scale.high)}{unit} decimals {scale.decimals}"


def _key(outcome: Outcome) -> str:
    key = outcome.key
    return quoted(key) if isinstance(key, str) else f"{plain(key.low)}..{plain(key.high)}"
