"""Prove that a book says what the tables of its instance say, no more and no less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kumoc.book.reader import ActionEntry, Rule, Rules, Seen, TruthEntry, UnreadableBook, read
from kumoc.generate.instance import Instance
from kumoc.tables import Action, Range, Truth


def check(instance: Instance, text: str) -> list[str]:
    """How the book ``text`` differs from the tables of ``instance``, a sentence each; empty means that it is proved.

    Found are rules that are missing, added, stated twice or contradicted, entries that are missing, added, in another
    order or otherwise described, and an introduction that gives another goal, number of valid truths or the like. A
    text that cannot be read is one difference, whatever else is wrong with it.
    """
    try:
        book = read(text)
    except UnreadableBook as error:
        return [f"The book cannot be read: {error}."]
    truths = [instance.tables.truths[i] for i in instance.truths]
    actions = [instance.tables.actions[i] for i in instance.actions]
    differences = [*_introduction(book, instance), *_entries("truth", book.truths, truths)]
    differences += _entries("action", book.actions, actions)
    bits = {truth.name: 1 << i for i, truth in zip(instance.truths, truths, strict=True)}
    meant = {action.name: action for action in actions}
    for entry in book.actions:
        if entry.name in meant:
            differences += _action(entry, meant[entry.name], bits)
    return differences


def _introduction(book: Rules, instance: Instance) -> Iterator[str]:
    tables = instance.tables
    for what, said, meant in (
        ("title", book.title, tables.title),
        ("topic", book.topic, tables.topic),
        ("goal", book.goal, tables.goal),
        ("noun for one truth", book.truth_noun[0], tables.truth_noun.one),
        ("noun for several truths", book.truth_noun[1], tables.truth_noun.many),
        ("noun for one action", book.action_noun[0], tables.action_noun.one),
        ("noun for several actions", book.action_noun[1], tables.action_noun.many),
        ("number of valid truths", book.valid, len(instance.valid)),
    ):
        if said != meant:
            yield f'The {what} is "{said}" in the book and "{meant}" in the instance.'


def _entries(kind: str, said: Sequence[TruthEntry | ActionEntry], meant: Sequence[Truth | Action]) -> Iterator[str]:
    names = [entry.name for entry in said]
    descriptions = {entry.name: entry.description for entry in said}
    expected = [entry.name for entry in meant]
    if names != expected:
        absent, added = Counter(expected) - Counter(names), Counter(names) - Counter(expected)
        yield from (f'The book leaves out the {kind} "{name}".' for name in absent)
        yield from (f'The book adds the {kind} "{name}".' for name in added)
        if not absent and not added:
            yield f"The book lists the {kind}s in another order than the instance."
    for entry in meant:
        if descriptions.get(entry.name, entry.description) != entry.description:
            yield f'The book describes the {kind} "{entry.name}" in other words than the tables.'


def _action(entry: ActionEntry, action: Action, bits: dict[str, int]) -> Iterator[str]:
    unit = action.scale.unit if action.scale else None
    if entry.unit != unit:
        yield f'The outcomes of "{action.name}" are {_kind(entry.unit)} in the book and {_kind(unit)} in the tables.'
    said = dict(entry.rules)
    if len(said) < len(entry.rules):
        yield f'The book states a rule of "{action.name}" twice.'
    meant = dict(_rules(action, bits))
    for seen in meant | said:
        if difference := _rule(said.get(seen, frozenset()), meant.get(seen, frozenset())):
            yield f'For {_outcome(seen)} of "{action.name}", the book {difference}.'


def _kind(unit: str | None) -> str:
    if unit is None:
        return "labels"
    return f'numbers in "{unit}"' if unit else "numbers without a unit"


def _rules(action: Action, bits: dict[str, int]) -> Iterator[Rule]:
    """What the tables say of ``action``, in the reader's terms, for outcomes that rule out a listed truth."""
    for outcome in action.outcomes:
        names = frozenset([name for name, bit in bits.items() if outcome.excludes & bit])
        key = outcome.key
        if names:
            yield (key.low, key.high, key.closed) if isinstance(key, Range) else key, names


def _rule(said: frozenset[str], meant: frozenset[str]) -> str:
    """How the truths that a rule names differ from those it should name, as the end of a sentence; empty if not."""
    if said == meant:
        return ""
    if not said:
        return f"has no rule, and the tables rule out {_quoted(meant)}"
    if not meant:
        return f"adds a rule: it rules out {_quoted(said)}, and the tables rule out nothing"
    wrong, missing = said - meant, meant - said
    parts = [f"wrongly rules out {_quoted(wrong)}"] if wrong else []
    parts += [f"does not rule out {_quoted(missing)}"] if missing else []
    return "contradicts the tables: it " + " and ".join(parts)


def _outcome(seen: Seen) -> str:
    if isinstance(seen, str):
        return f'the outcome "{seen}"'
    low, high, closed = seen
    return f"an outcome of at least {low:f} and {'at most' if closed else 'less than'} {high:f}"


def _quoted(names: frozenset[str]) -> str:
    return ", ".join(f'"{name}"' for name in sorted(names))
