"""Where the stages of the compiler leave what they find wrong in one source."""

from __future__ import annotations

from kumoc.diagnostics import Diagnostic, Edit, Place, Rule, Source, Span


class Report:
    """Collects the diagnostics of one source; nothing stops at the first."""

    def __init__(self, source: Source) -> None:
        """An empty report on ``source``."""
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def add(
        self,
        rule: Rule,
        message: str,
        span: Span,
        help_: str = "",
        notes: tuple[tuple[str, Span], ...] = (),
        fix: Edit | None = None,
    ) -> None:
        """Leave one finding; ``notes`` point at other places of the same source."""
        places = tuple((text, Place(self.source, where)) for text, where in notes)
        self.diagnostics.append(Diagnostic(rule, message, Place(self.source, span), help_, places, fix))

    @property
    def has_errors(self) -> bool:
        """Whether an error is among the findings."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)
