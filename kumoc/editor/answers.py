"""The answers to what a client may ask about a file."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kumoc.diagnostics import Diagnostic, Edit, Place, Span
from kumoc.diagnostics.definition import page
from kumoc.diagnostics.definitions import DEFINITIONS
from kumoc.editor.completion import complete
from kumoc.editor.hints import hints
from kumoc.editor.hover import describe, rule_at
from kumoc.editor.outline import folds, outline
from kumoc.editor.project import ProjectFile, places, reach
from kumoc.editor.protocol import folding, markdown
from kumoc.editor.rename import CannotRenameError, rename
from kumoc.editor.session import Session
from kumoc.editor.symbols import Occurrence, at
from kumoc.language.format import CannotFormatError, format_text


class _AtPosition(Protocol):
    text_document: types.TextDocumentIdentifier
    position: types.Position


class _Spot(NamedTuple):
    """A character of a file, and the name that stands there."""

    file: ProjectFile
    offset: int
    name: Occurrence | None


def _spot(ls: Session, params: _AtPosition) -> _Spot | None:
    file = ls.file(params.text_document)
    if file is None:
        return None
    offset = ls.wire.offset(file.source, params.position)
    return _Spot(file, offset, at(file.names, offset))


def _places(ls: Session, spot: _Spot, *, uses: bool, declarations: bool) -> list[Place]:
    """Where the thing named at a spot is named."""
    if spot.name is None:
        return []
    files = ls.project.files
    found = places(reach(files, spot.file.source.name, spot.name.symbol), spot.name.symbol)
    return [
        Place(files[name].source, each.span)
        for name, occurrences in found.items()
        for each in occurrences
        if (declarations if each.defines else uses)
    ]


def definition(ls: Session, params: types.DefinitionParams) -> list[types.Location]:
    """Where a name is declared."""
    spot = _spot(ls, params)
    return [ls.wire.location(each) for each in _places(ls, spot, uses=False, declarations=True)] if spot else []


def references(ls: Session, params: types.ReferenceParams) -> list[types.Location]:
    """Where a name is used."""
    spot, declarations = _spot(ls, params), params.context.include_declaration
    found = _places(ls, spot, uses=True, declarations=declarations) if spot else []
    return [ls.wire.location(each) for each in found]


def hover(ls: Session, params: types.HoverParams) -> types.Hover | None:
    """What is known of a name, and the pages of what is wrong with it."""
    spot = _spot(ls, params)
    if spot is None:
        return None
    homes = [each.source.name for each in _places(ls, spot, uses=False, declarations=True)]
    texts = [describe(ls.project.files[home].compile(), spot.name.symbol) for home in homes[:1] if spot.name]
    rules = [each.rule for each in ls.found(spot.file) if _touches(each, Span(spot.offset, spot.offset))]
    named = rule_at(spot.file.source.text, spot.offset)
    pages = [page(DEFINITIONS[rule.code]) for rule in dict.fromkeys((*rules, *([named] if named else ())))]
    contents = "\n\n---\n\n".join((*texts, *pages))
    return types.Hover(markdown(contents)) if contents else None


def prepare_rename(ls: Session, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The name that would be changed."""
    spot = _spot(ls, params)
    if spot is None or spot.name is None:
        return None
    return types.PrepareRenamePlaceholder(ls.wire.range(spot.file.source, spot.name.span), spot.name.symbol.name)


def renaming(ls: Session, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The changes that give something another name."""
    spot, files = _spot(ls, params), ls.project.files
    if spot is None or spot.name is None:
        return None
    try:
        edits = rename(files, spot.file.source.name, spot.name.symbol, params.new_name)
    except CannotRenameError as error:
        raise JsonRpcException(str(error), code=types.LSPErrorCodes.RequestFailed) from error
    return ls.wire.workspace_edit({files[name].source: made for name, made in edits.items()})


def completion(ls: Session, params: types.CompletionParams) -> list[types.CompletionItem]:
    """What may be written next."""
    file = ls.file(params.text_document)
    if file is None:
        return []
    offset = ls.wire.offset(file.source, params.position)
    files = sorted(ls.project.files.values(), key=lambda each: each is not file)
    domains = [domain.node for each in files for domain in each.recent().domains]
    found = complete(file.source.text, offset, domains)
    return ls.wire.completion(file.source, found) if found else []


def code_actions(ls: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The fixes of what is wrong in a range."""
    file, only = ls.file(params.text_document), params.context.only
    if file is None or (only is not None and types.CodeActionKind.QuickFix not in only):
        return []
    span = ls.wire.span(file.source, params.range)
    found = [(each, each.fix) for each in ls.found(file) if _touches(each, span)]
    return [ls.wire.quick_fix(each, fix) for each, fix in found if fix]


def symbols(ls: Session, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The parts of a file."""
    file = ls.file(params.text_document)
    return [ls.wire.symbol(file.source, part) for part in outline(file.compile().file)] if file else []


def folding_ranges(ls: Session, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """What can be folded."""
    file = ls.file(params.text_document)
    return [folding(fold) for fold in folds(file.source, file.compile().file)] if file else []


def inlay_hints(ls: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    """What expressions come to."""
    file = ls.file(params.text_document)
    if file is None:
        return []
    found = hints(file.compile(), ls.wire.span(file.source, params.range))
    return [ls.wire.hint(file.source, hint) for hint in found]


def formatting(ls: Session, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The file in the style of the language; no change to a file with syntax errors."""
    file = ls.file(params.text_document)
    if file is None:
        return []
    text = file.source.text
    try:
        formatted = format_text(text)
    except CannotFormatError:
        return []
    return ls.wire.edits(file.source, [Edit(Span(0, len(text)), formatted)]) if formatted != text else []


def _touches(found: Diagnostic, span: Span) -> bool:
    where = found.place.span
    return where is not None and where.start <= span.end and span.start <= where.end
