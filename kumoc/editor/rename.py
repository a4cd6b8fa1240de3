"""Giving something another name, wherever it is named."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from kumoc.diagnostics import Edit, Rule, Source, edited
from kumoc.editor.project import Files, ProjectFile, places, reach
from kumoc.editor.symbols import Occurrence, Symbol
from kumoc.language.compile import link
from kumoc.language.lex import lex
from kumoc.language.words import as_written, is_quoted, plain, quoted


class CannotRenameError(ValueError):
    """The name can't be given; the message says why, in a sentence for the person who asked."""


def rename(files: Files, name: str, symbol: Symbol, wish: str) -> dict[str, tuple[Edit, ...]]:
    """What to change, by file, so that ``symbol``, which stands in the file ``name``, is called ``wish``.

    ``wish`` may be written with or without quotes; each place keeps its quotes, and gets some where it needs them.
    Raises :class:`CannotRenameError` if the compiler would find an error that is not there now, or if the name would
    not be read as one everywhere.
    """
    searched = reach(files, name, symbol)
    if any(symbol.name in file.compile().file.lost_words for file in searched.values()):
        raise CannotRenameError(f"'{symbol.name}' also stands in a part with a syntax error: mend that first")
    wanted = _meant(wish.strip())
    edits = {
        each: tuple(Edit(place.span, _written(place, wanted)) for place in occurrences)
        for each, occurrences in places(searched, symbol).items()
    }
    _check(files, edits, symbol, Symbol(symbol.kind, wanted, symbol.within))
    return edits


def _meant(wish: str) -> str:
    is_string = [token.type for token in lex(wish) if token == wish] == ["OPENING_STRING"]
    return plain(wish) if is_string else unicodedata.normalize("NFC", wish)


def _written(place: Occurrence, name: str) -> str:
    keeps_quotes = place.quoted and not is_quoted(as_written(place.symbol.name))
    return quoted(name) if keeps_quotes else as_written(name)


def _check(files: Files, edits: Mapping[str, Sequence[Edit]], old: Symbol, new: Symbol) -> None:
    changed = {name: ProjectFile(Source(name, edited(files[name].source.text, made))) for name, made in edits.items()}
    known = {(rule, message.replace(f"'{old.name}'", f"'{new.name}'")) for rule, message in _errors(files)}
    for rule, message in _errors({**files, **changed}):
        if (rule, message) not in known:
            raise CannotRenameError(message)
    for name, made in edits.items():
        if sum(each.symbol == new for each in changed[name].names) != len(made):
            raise CannotRenameError(f"'{new.name}' would be read as something else here")


def _errors(files: Files) -> list[tuple[Rule, str]]:
    compilation = link([file.compile() for file in files.values()])
    return [(each.rule, each.message) for each in compilation.diagnostics if each.is_error]
