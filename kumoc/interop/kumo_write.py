"""A draft as ``.kumo`` text that reads as if a person had written it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from kumoc.interop.kumo_draft import Draft, DraftAction, DraftOutcome, Note, Repair, notes_of
from kumoc.interop.kumo_lines import WIDTH, aligned, broken, quoted
from kumoc.interop.kumo_ranges import plain
from kumoc.interop.kumo_sets import SetWriter, find_groups, written


def write_draft(draft: Draft) -> str:
    """The text of the draft: one domain, every note a comment directly above what it is about."""
    sets = find_groups(
        truths=[truth.name for truth in draft.truths],
        others=[action.name for action in draft.actions],
        masks=[outcome.excludes for action in draft.actions for outcome in action.outcomes],
    )
    return "\n".join([*_header(draft), *_domain(draft, sets)]) + "\n"


def _header(draft: Draft) -> Iterator[str]:
    yield f"# Imported from KUMO's {draft.source_name}."
    yield "# KUMO is licensed under Apache-2.0 by its authors, those of arXiv 2504.02810."
    notes = list(notes_of(draft))
    repaired = sum(isinstance(note, Repair) for note in notes)
    if repaired:
        yield f"# Faults repaired: {repaired}. Each is told by a comment above what it touched."
    if len(notes) > repaired:
        yield f"# Faults not repaired: {len(notes) - repaired}. Each is told by a comment above its place."


def _domain(draft: Draft, sets: SetWriter) -> Iterator[str]:
    things, actions = draft.truth_noun, draft.action_noun
    goal = "find out which truth holds" if things.one == "truth" else f"identify the {things.one}"
    yield f"domain {draft.identifier} {quoted(draft.title)} {{"
    yield f"  topic   {quoted(draft.title)}"
    yield f"  goal    {quoted(goal)}"
    yield '  version "1.0.0"'
    yield ""
    yield f"  truths {quoted(things.one)} {quoted(things.many)} {{"
    for truth in draft.truths:
        yield from _comments(truth.notes, "    ")
        yield f"    {written(truth.name)}"
    yield "  }"
    yield ""
    yield from sets.declarations()
    yield f"  actions {quoted(actions.one)} {quoted(actions.many)} {{"
    if draft.notes:
        yield from _comments(draft.notes, "    ")
        yield ""
    for position, action in enumerate(draft.actions):
        yield from [""] if position else []
        yield from _action(action, sets)
    yield "  }"
    yield "}"


def _action(action: DraftAction, sets: SetWriter) -> Iterator[str]:
    yield from _comments(action.notes, "    ")
    yield f'    "{action.name}"{_scale(action)} {{'
    width = aligned(map(_key, action.outcomes))
    for outcome in action.outcomes:
        yield from _comments(outcome.notes, "      ")
        yield from broken(f"      {_key(outcome):<{width}} rules out ", sets.write(outcome.excludes))
    yield "    }"


def _scale(action: DraftAction) -> str:
    ends = [end for outcome in action.outcomes if not isinstance(outcome.key, str) for end in outcome.key]
    if not ends:
        return ""
    decimals = "" if action.decimals is None else f" decimals {action.decimals}"
    return f" number {plain(min(ends))}..{plain(max(ends))}{decimals}"


def _key(outcome: DraftOutcome) -> str:
    if isinstance(outcome.key, str):
        return f'"{outcome.key}"'
    low, high = outcome.key
    return f"{plain(low)}..{plain(high)}"


def _comments(notes: Iterable[Note], indent: str) -> Iterator[str]:
    for note in notes:
        if isinstance(note, Repair):
            text = f"Repaired: {note.wrong}; {note.done}."
        else:
            text = f"Not repaired: {note.wrong}; {note.why}."
        first, further = f"{indent}# ", f"{indent}#   "
        yield from wrap(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=further,
            break_long_words=False,
            break_on_hyphens=False,
        )
