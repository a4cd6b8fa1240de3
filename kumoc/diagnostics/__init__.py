"""Diagnostics are data: what is wrong, where, and what to do; one renderer a file shows them to people and programs."""

from kumoc.diagnostics.model import Diagnostic, Place, Rule, Severity, Source, Span, in_order
from kumoc.diagnostics.rules import RULES

__all__ = ["RULES", "Diagnostic", "Place", "Rule", "Severity", "Source", "Span", "in_order"]
