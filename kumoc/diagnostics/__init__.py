"""Diagnostics are data: what is wrong, where, and what to do; one renderer a file shows them to people and programs."""

from kumoc.diagnostics.model import Diagnostic, Edit, Place, Rule, Severity, Source, Span, edited, in_order
from kumoc.diagnostics.rules import RULES

__all__ = ["RULES", "Diagnostic", "Edit", "Place", "Rule", "Severity", "Source", "Span", "edited", "in_order"]
