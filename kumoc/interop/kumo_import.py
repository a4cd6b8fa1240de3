"""Import a KUMO domain: its Python or JSON file in, ``.kumo`` text out, with every fault told."""

from __future__ import annotations

from dataclasses import dataclass

from kumoc.interop.kumo_draft import Problem, Repair, notes_of
from kumoc.interop.kumo_read import read_domain
from kumoc.interop.kumo_repair import repair_domain
from kumoc.interop.kumo_write import write_draft


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported domain: its identifier, its ``.kumo`` text, and its faults in the order in which the text has them.

    Each of ``repairs`` and ``problems`` stands in the text too, as a comment. With ``problems`` the text does not
    compile until a person has decided them.
    """

    identifier: str
    text: str
    repairs: tuple[Repair, ...]
    problems: tuple[Problem, ...]


def import_domain(text: str, filename: str) -> Imported:
    """The domain in ``text``, a file of KUMO's form called ``filename``.

    Nothing is read or written, and Python is parsed, never run. Raises
    :class:`~kumoc.interop.literals.SourceError`, with a sentence and a line, for text of another form.
    """
    draft = repair_domain(read_domain(text, filename))
    notes = tuple(notes_of(draft))
    return Imported(
        identifier=draft.identifier,
        text=write_draft(draft),
        repairs=tuple(note for note in notes if isinstance(note, Repair)),
        problems=tuple(note for note in notes if isinstance(note, Problem)),
    )
