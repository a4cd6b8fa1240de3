"""What kumoc knows, in the words of the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from lsprotocol import types

from kumoc.diagnostics import Diagnostic, Edit, Place, Source, Span
from kumoc.editor.completion import Completion
from kumoc.editor.hints import Hint
from kumoc.editor.outline import Fold, Part
from kumoc.editor.positions import Positions
from kumoc.editor.symbols import Kind

_SYMBOL_KINDS = {
    "domain": types.SymbolKind.Module,
    "benchmark": types.SymbolKind.Module,
    "property": types.SymbolKind.Property,
    "truth": types.SymbolKind.EnumMember,
    "group": types.SymbolKind.Enum,
    "action": types.SymbolKind.Method,
}
_COMPLETION_KINDS = {
    Kind.TRUTH: types.CompletionItemKind.EnumMember,
    Kind.GROUP: types.CompletionItemKind.Enum,
    Kind.PROPERTY: types.CompletionItemKind.Property,
    Kind.VALUE: types.CompletionItemKind.Value,
    Kind.ACTION: types.CompletionItemKind.Method,
    Kind.DOMAIN: types.CompletionItemKind.Module,
}


@lru_cache(maxsize=256)
def _positions(source: Source, encoding: str) -> Positions:
    return Positions(source.text, encoding)


@dataclass(frozen=True, slots=True)
class Wire:
    """The form of things on the wire to a client, which counts columns in units of ``encoding`` and knows URIs."""

    encoding: str
    uri: Callable[[str], str]

    def offset(self, source: Source, position: types.Position) -> int:
        """The character at a position."""
        return _positions(source, self.encoding).offset(position.line, position.character)

    def span(self, source: Source, range_: types.Range) -> Span:
        """The characters of a range."""
        return Span(self.offset(source, range_.start), self.offset(source, range_.end))

    def position(self, source: Source, offset: int) -> types.Position:
        """The position of a character."""
        return types.Position(*_positions(source, self.encoding).position(offset))

    def range(self, source: Source, span: Span | None) -> types.Range:
        """The range of some characters; the beginning of the file for None, which stands for all of it."""
        start, end = (span.start, span.end) if span else (0, 0)
        return types.Range(self.position(source, start), self.position(source, end))

    def location(self, place: Place) -> types.Location:
        """A place in a file."""
        return types.Location(self.uri(place.source.name), self.range(place.source, place.span))

    def diagnostic(self, found: Diagnostic) -> types.Diagnostic:
        """A diagnostic, its help under its message."""
        severity = types.DiagnosticSeverity.Error if found.is_error else types.DiagnosticSeverity.Warning
        return types.Diagnostic(
            range=self.range(found.place.source, found.place.span),
            message=f"{found.message}\n{found.help}".rstrip(),
            severity=severity,
            code=f"{found.rule.code} {found.rule.name}",
            source="kumoc",
            related_information=[
                types.DiagnosticRelatedInformation(self.location(place), text) for text, place in found.notes
            ],
        )

    def edits(self, source: Source, edits: Iterable[Edit]) -> list[types.TextEdit]:
        """Changes to one file."""
        return [types.TextEdit(self.range(source, edit.span), edit.text) for edit in edits]

    def workspace_edit(self, edits: Mapping[Source, Iterable[Edit]]) -> types.WorkspaceEdit:
        """Changes to several files."""
        return types.WorkspaceEdit({self.uri(source.name): self.edits(source, made) for source, made in edits.items()})

    def quick_fix(self, found: Diagnostic, fix: Edit) -> types.CodeAction:
        """The fix of a diagnostic."""
        return types.CodeAction(
            title=f"Change to {fix.text}" if fix.span.end > fix.span.start else f"Insert {fix.text}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(found)],
            is_preferred=True,
            edit=self.workspace_edit({found.place.source: [fix]}),
        )

    def symbol(self, source: Source, part: Part) -> types.DocumentSymbol:
        """A part of a file with the parts in it."""
        return types.DocumentSymbol(
            name=part.name.strip() or part.kind,
            kind=_SYMBOL_KINDS.get(part.kind, types.SymbolKind.Object),
            range=self.range(source, part.extent),
            selection_range=self.range(source, part.head),
            children=[self.symbol(source, each) for each in part.parts],
        )

    def hint(self, source: Source, hint: Hint) -> types.InlayHint:
        """What an expression comes to."""
        return types.InlayHint(
            position=self.position(source, hint.offset),
            label=hint.label,
            tooltip=markdown(hint.whole),
            padding_left=True,
        )

    def completion(self, source: Source, completion: Completion) -> list[types.CompletionItem]:
        """What may be written next, names before words of the language."""
        range_ = self.range(source, completion.span)
        quote = '"' if source.text.startswith('"', completion.span.start) else ""
        return [
            types.CompletionItem(
                label=each.name,
                kind=_COMPLETION_KINDS[each.kind] if each.kind else types.CompletionItemKind.Keyword,
                detail=each.kind,
                sort_text=f"{number:06}",
                filter_text=f"{quote}{each.name}{quote}",
                text_edit=types.TextEdit(range_, each.text),
            )
            for number, each in enumerate(completion.proposals)
        ]


def folding(fold: Fold) -> types.FoldingRange:
    """Lines that can be folded."""
    kind = types.FoldingRangeKind.Comment if fold.is_comment else None
    return types.FoldingRange(fold.first, fold.last, kind=kind)


def markdown(text: str) -> types.MarkupContent:
    """Text that is typeset."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)
