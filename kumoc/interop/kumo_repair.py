"""Repair what can be repaired in a KUMO domain without guessing, and note every repair.

The principle: an outcome never comes to rule out a truth that some reading of the source lets it keep. Where that
does not settle a fault, the fault is written as it is, for the compiler to report and a person to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from kumoc.interop.kumo_draft import Draft, DraftAction, Note, Problem, Repair
from kumoc.interop.kumo_names import clean, clean_note, name_domain, name_things, spelling
from kumoc.interop.kumo_outcomes import draft_outcomes
from kumoc.interop.kumo_read import Domain, Name, Table
from kumoc.interop.kumo_truths import Truths, confusable, gather_truths
from kumoc.language.names import skeleton
from kumoc.language.words import MAX_NAME


def repair_domain(domain: Domain) -> Draft:
    """The domain as it can be written, with a note for every fault that was repaired or left."""
    truths = gather_truths(domain.truths)
    entries = _gather_actions(domain)
    actions = [entry for entry in entries if entry.tables]
    identifier, title = name_domain(domain.name)
    action_noun = name_things(domain.action_list)
    names = _rename(actions, truths, action_noun.one)
    return Draft(
        source_name=clean(domain.name),
        identifier=identifier,
        title=title,
        truth_noun=name_things(domain.truth_list),
        action_noun=action_noun,
        truths=truths.drafts,
        actions=tuple(
            draft for entry, name in zip(actions, names, strict=True) for draft in _draft_actions(entry, name, truths)
        ),
        notes=tuple(
            Repair("no-outcomes", entry.name.line, entry.place, f'"{entry.text}" has no outcomes', "left out")
            for entry in entries
            if not entry.tables
        ),
    )


@dataclass(slots=True)
class _Entry:
    """An action, the tables that are given for it, and what there is to say about its name."""

    name: Name
    tables: list[Table] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def text(self) -> str:
        return clean(self.name.text)

    @property
    def place(self) -> str:
        return f'action "{self.text}"'

    def note(self, kind: str, line: int, wrong: str, done: str) -> None:
        self.notes.append(Repair(kind, line, self.place, wrong, done))


def _gather_actions(domain: Domain) -> list[_Entry]:
    """The listed actions in order, then those that have outcomes but are not listed."""
    entries: dict[str, _Entry] = {}
    for name in domain.actions:
        entry = entries.setdefault(spelling(clean(name.text)), _Entry(name))
        if entry.name is not name:
            entry.note("repeated-action", name.line, "it was listed twice", "taken as one action")
    with_table = {spelling(clean(table.action.text)) for table in domain.tables}
    without: dict[str, list[_Entry]] = {}
    for key, entry in entries.items():
        if key not in with_table:
            without.setdefault(skeleton(entry.text), []).append(entry)
    for table in domain.tables:
        text = clean(table.action.text)
        alike = without.get(skeleton(text), [])
        if spelling(text) in entries:
            entry = entries[spelling(text)]
        elif len(alike) == 1:
            entry = alike[0]
        else:
            entry = entries[spelling(text)] = _Entry(table.action)
            wrong = "it has outcomes but is not in the list of actions"
            entry.note("unlisted-action", table.action.line, wrong, "kept, after the listed ones")
        if text != entry.text:
            wrong = f'its outcomes are given under "{text}"'
            entry.note("spelling", table.action.line, wrong, "taken as this action's")
        if table.states:
            entry.tables.append(table)
    return list(entries.values())


def _rename(actions: list[_Entry], truths: Truths, noun: str) -> list[str]:
    """A name for each action: its own or, where a truth has that too, its own with what it is in brackets."""
    of_truths = frozenset(skeleton(truth.name) for truth in truths.drafts)
    of_actions: dict[str, _Entry] = {}
    for entry in actions:
        entry.notes += clean_note(entry.name, entry.place)
        first = of_actions.setdefault(skeleton(entry.text), entry)
        if first is not entry:
            entry.notes.append(confusable(entry.name, first.text, entry.place))
    names = []
    for entry in actions:
        name = entry.text
        if skeleton(name) in of_truths:
            name = f"{entry.text} ({noun})"
            line, wrong = entry.name.line, f'"{entry.text}" is the name of a truth too'
            if skeleton(name) in of_truths or skeleton(name) in of_actions or len(name) > MAX_NAME:
                why = f'"{name}" is taken or too long, and no other name is known'
                entry.notes.append(Problem("truth-and-action", line, entry.place, wrong, why))
                name = entry.text
            else:
                entry.note("truth-and-action", line, wrong, f'the action is called "{name}" here')
        names.append(name)
    return names


def _draft_actions(entry: _Entry, name: str, truths: Truths) -> Iterator[DraftAction]:
    """The action, once; or as often as there are tables for it that differ."""
    drafts: list[DraftAction] = []
    notes = list(entry.notes)
    for table in entry.tables:
        draft = draft_outcomes(DraftAction(name, ()), table, truths)
        line = table.action.line
        if any(_same_outcomes(draft, other) for other in drafts):
            wrong = "its outcomes are given twice, alike"
            notes.append(Repair("repeated-action", line, entry.place, wrong, "taken once"))
        elif drafts:
            wrong, why = "its outcomes are given again, and differ", "which of them are meant can't be told"
            problem = Problem("repeated-action", line, entry.place, wrong, why)
            drafts.append(replace(draft, notes=(problem, *draft.notes)))
        else:
            drafts.append(draft)
    yield replace(drafts[0], notes=(*notes, *drafts[0].notes))
    yield from drafts[1:]


def _same_outcomes(one: DraftAction, other: DraftAction) -> bool:
    pairs = zip(one.outcomes, other.outcomes, strict=False)
    same_length = len(one.outcomes) == len(other.outcomes)
    return same_length and all((a.key, a.excludes) == (b.key, b.excludes) for a, b in pairs)
