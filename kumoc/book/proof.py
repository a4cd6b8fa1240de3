"""Prove that a book says what the tables of its instance say, no more and no less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from kumoc.book.reader import ActionEntry, Rule, Rules, Seen, UnreadableBook, read
from kumoc.generate.instance import Instance
from kumoc.tables import Action, Range


@dataclass(frozen=True, slots=True)
class Verdict:
    """One rule, as a book has it and as the tables do: the truths that ``seen`` of ``action`` rules out in each.

    ``sentences`` are those of the book that state it.
    """

    action: str
    seen: Seen
    said: frozenset[str]
    meant: frozenset[str]
    sentences: tuple[str, ...]

    @property
    def kind(self) -> str:
        """``stated``, ``missing``, ``added`` or ``contradicted``."""
        if self.said == self.meant:
            return "stated"
        if not self.said:
            return "missing"
        return "contradicted" if self.meant else "added"


@dataclass(frozen=True, slots=True)
class Difference:
    """A way in which a book differs from its instance other than in a rule, a title, a noun or a description.

    ``kind`` is that of a verdict, ``action`` the action that it is about, empty if it is about none, and ``sentence``
    says it.
    """

    kind: str
    sentence: str
    action: str = ""


def check(instance: Instance, text: str, style: str = "guide", language: str = "en") -> list[str]:
    """How the book ``text`` differs from the tables of ``instance``, a sentence each; empty means that it is proved.

    Found are rules that are missing, added, stated twice or contradicted, entries that are missing, added, in another
    order or otherwise described, and an introduction that gives another goal, number of valid truths or the like. A
    text that cannot be read is one difference, whatever else is wrong with it.
    """
    try:
        book = read(text, style, language)
    except UnreadableBook as error:
        return [f"The book cannot be read: {error}."]
    said = [difference.sentence for difference in differences(instance, book)]
    said += [*_introduction(book, instance), *_otherwise_told(book, instance)]
    said += [f'The book states a rule of "{entry.name}" twice.' for entry in book.actions if _repeats(entry)]
    return said + [
        f'For {in_words(verdict.seen)} of "{verdict.action}", the book {_difference(verdict)}.'
        for verdict in verdicts(instance, book)
        if verdict.kind != "stated"
    ]


def differences(instance: Instance, book: Rules) -> Iterator[Difference]:
    """Where ``book`` counts other truths as valid, or lists, has in play or measures other than ``instance`` does.

    The order in which it lists them makes no difference here.
    """
    if book.valid != len(instance.valid):
        wrong = f'The number of valid truths is "{book.valid}" in the book and "{len(instance.valid)}" in the instance.'
        yield Difference("contradicted", wrong)
    for what, where, said, meant in _lists(book, instance):
        acts = what == "action"
        for name in _less(meant, said):
            yield Difference("missing", f'The book leaves out the {what}{where} "{name}".', name if acts else "")
        for name in _less(said, meant):
            yield Difference("added", f'The book adds the {what}{where} "{name}".', name if acts else "")
    measured = {action.name: action.scale for action in instance.tables.actions}
    for entry in book.actions:
        scale = measured.get(entry.name)
        unit = scale.unit if scale else None
        if entry.name in measured and entry.unit != unit:
            said_unit, meant_unit = _kind(entry.unit), _kind(unit)
            wrong = f'The outcomes of "{entry.name}" are {said_unit} in the book and {meant_unit} in the tables.'
            yield Difference("contradicted", wrong, entry.name)


def _lists(book: Rules, instance: Instance) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """What is listed and where, in words; the names in the book, and those in the tables."""
    described = _described(book, instance)
    truths, actions = described.tables.truths, described.tables.actions
    if book.in_play is not None:
        yield "truth", " in play", list(book.in_play[0]), [truths[i].name for i in instance.truths]
        yield "action", " in play", list(book.in_play[1]), [actions[i].name for i in instance.actions]
    yield "truth", "", [entry.name for entry in book.truths], [truths[i].name for i in described.truths]
    yield "action", "", [entry.name for entry in book.actions], [actions[i].name for i in described.actions]


def _less(names: Iterable[str], others: Iterable[str]) -> Iterator[str]:
    """Those of ``names`` that are not among ``others``, or not as often."""
    yield from Counter(names) - Counter(others)


def unnamed(instance: Instance, book: str) -> Iterator[str]:
    """A sentence for each listed truth and action, and each label with a rule, whose name is not in ``book``."""
    tables = instance.tables
    names: dict[str, None] = {tables.truths[i].name: None for i in instance.truths}
    listed = sum(1 << i for i in instance.truths)
    for action in (tables.actions[i] for i in instance.actions):
        names[action.name] = None
        for outcome in action.outcomes:
            if isinstance(outcome.key, str) and outcome.excludes & listed:
                names[outcome.key] = None
    yield from (f'The name "{name}" is not in it.' for name in names if name not in book)


def verdicts(instance: Instance, book: Rules) -> Iterator[Verdict]:
    """Each rule of the actions that ``book`` describes and the tables of ``instance`` know, in the book's order."""
    described = _described(book, instance)
    bits = {described.tables.truths[i].name: 1 << i for i in described.truths}
    known = {described.tables.actions[i].name: described.tables.actions[i] for i in described.actions}
    for entry in book.actions:
        if entry.name in known:
            said = {rule.seen: rule for rule in entry.rules}
            meant = {rule.seen: rule for rule in _rules(known[entry.name], bits)}
            nothing = frozenset[str]()
            for seen in meant | said:
                stated = said.get(seen, Rule(seen, nothing))
                yield Verdict(
                    entry.name, seen, stated.names, meant.get(seen, Rule(seen, nothing)).names, stated.sentences
                )


def _described(book: Rules, instance: Instance) -> Instance:
    """``instance``, with all that a book which says what is in play has entries for beside it, in the book's order."""
    if book.in_play is None:
        return instance
    tables = instance.tables
    truths = {truth.name: i for i, truth in enumerate(tables.truths)}
    actions = {action.name: i for i, action in enumerate(tables.actions)}
    return replace(
        instance,
        truths=_positions((entry.name for entry in book.truths), truths, instance.truths),
        actions=_positions((entry.name for entry in book.actions), actions, instance.actions),
    )


def _positions(names: Iterable[str], known: Mapping[str, int], listed: Iterable[int]) -> tuple[int, ...]:
    """Those of the known among ``names``, then what is ``listed`` and not there."""
    return tuple(dict.fromkeys([*(known[name] for name in names if name in known), *listed]))


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
    ):
        if said != meant:
            yield f'The {what} is "{said}" in the book and "{meant}" in the instance.'


def _otherwise_told(book: Rules, instance: Instance) -> Iterator[str]:
    """What is listed in another order, or described in other words."""
    for what, where, said, meant in _lists(book, instance):
        if said != meant and Counter(said) == Counter(meant):
            yield f"The book lists the {what}s{where} in another order than the instance."
    tables = instance.tables
    for kind, entries, known in (("truth", book.truths, tables.truths), ("action", book.actions, tables.actions)):
        descriptions = {each.name: each.description for each in known}
        for entry in entries:
            if descriptions.get(entry.name, entry.description) != entry.description:
                yield f'The book describes the {kind} "{entry.name}" in other words than the tables.'


def _repeats(entry: ActionEntry) -> bool:
    return len({rule.seen for rule in entry.rules}) < len(entry.rules)


def _kind(unit: str | None) -> str:
    if unit is None:
        return "labels"
    return f'numbers in "{unit}"' if unit else "numbers without a unit"


def _rules(action: Action, bits: Mapping[str, int]) -> Iterator[Rule]:
    """What the tables say of ``action``, in the reader's terms, for outcomes that rule out a listed truth."""
    for outcome in action.outcomes:
        names = frozenset([name for name, bit in bits.items() if outcome.excludes & bit])
        key = outcome.key
        if names:
            yield Rule((key.low, key.high, key.closed) if isinstance(key, Range) else key, names)


def _difference(verdict: Verdict) -> str:
    """How the truths that a rule names differ from those it should name, as the end of a sentence."""
    said, meant = verdict.said, verdict.meant
    if not said:
        return f"has no rule, and the tables rule out {_quoted(sorted(meant))}"
    if not meant:
        return f"adds a rule: it rules out {_quoted(sorted(said))}, and the tables rule out nothing"
    wrong, missing = said - meant, meant - said
    parts = [f"wrongly rules out {_quoted(sorted(wrong))}"] if wrong else []
    parts += [f"does not rule out {_quoted(sorted(missing))}"] if missing else []
    return "contradicts the tables: it " + " and ".join(parts)


def in_words(seen: Seen) -> str:
    """The outcome that a rule speaks of, as part of a sentence."""
    if isinstance(seen, str):
        return f'the outcome "{seen}"'
    low, high, closed = seen
    return f"an outcome of at least {low:f} and {'at most' if closed else 'less than'} {high:f}"


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
