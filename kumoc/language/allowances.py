"""Comments that allow a warning: ``# kumoc: allow unused-name - it is for the next version``.

Such a comment stands at the end of an entry or above one, and holds for the warnings about that entry and what is in
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lark import Token, Tree

from kumoc.diagnostics import Diagnostic, Place, Rule, Severity, Source, Span
from kumoc.diagnostics.rules import (
    ALLOWED_ERROR,
    BAD_DIRECTIVE,
    MISSING_REASON,
    UNKNOWN_RULE,
    UNUSED_ALLOWANCE,
    find,
    suggest,
)
from kumoc.language import syntax
from kumoc.language.comments import gaps

_DIRECTIVE = re.compile(r"#\s*(?:kumoc:\s*(?P<said>.*)|(?P<slip>(?i:kumoc?\s*:?\s*allow)\b.*))")
_ALLOW = re.compile(r"allow\s+(?P<rule>[^\s:,;]+)(?P<rest>.*)")
_REASON = re.compile(r"\s+[-–—]\s+\S.*")
_BEFORE_REASON = " \t:,;-–—"


def read_allowances(
    source: Source, tokens: Sequence[Token], tree: Tree[Token]
) -> tuple[tuple[syntax.Allowance, ...], list[Diagnostic]]:
    """The allowances in the comments of a source, and what is wrong with such comments."""
    allowances, problems = [], []
    directives = list(_directives(source.text, tokens))
    entries = list(_entries(tree)) if directives else []
    for comment, said, anchor in directives:
        rule, problem = _understood(said)
        if problem:
            problems.append(Diagnostic(problem[0], problem[1], Place(source, comment), problem[2]))
        if rule:
            around = [entry for entry in entries if anchor and entry.start <= (anchor.start_pos or 0) < entry.end]
            allowances.append(syntax.Allowance(rule, comment, around[-1] if around else None))
    return tuple(allowances), problems


def without_allowed(diagnostics: Iterable[Diagnostic], files: Iterable[tuple[Source, syntax.File]]) -> list[Diagnostic]:
    """The diagnostics but for allowed warnings, and a warning for each allowance that allows nothing.

    That is not known while anything is an error, since then not all warnings are looked for.
    """
    found = list(diagnostics)
    has_errors = any(diagnostic.is_error for diagnostic in found)
    for source, file in files:
        of_source = [diagnostic for diagnostic in found if diagnostic.place.source is source]
        for allowance in file.allowances:
            allowed = [diagnostic for diagnostic in of_source if _allows(allowance, diagnostic)]
            found = [diagnostic for diagnostic in found if diagnostic not in allowed]
            if not allowed and not has_errors:
                message = f"there is no warning '{allowance.rule.name}' here to allow"
                help_ = "take the comment away; it holds for the entry at whose end, or above which, it stands"
                found.append(Diagnostic(UNUSED_ALLOWANCE, message, Place(source, allowance.comment), help_))
    return found


def _allows(allowance: syntax.Allowance, diagnostic: Diagnostic) -> bool:
    covered, span = allowance.covers, diagnostic.place.span
    return (
        diagnostic.rule is allowance.rule
        and covered is not None
        and span is not None
        and covered.start <= span.start < covered.end
    )


def _directives(text: str, tokens: Sequence[Token]) -> Iterator[tuple[Span, str, Token | None]]:
    """Each comment that speaks to kumoc, or means to, what it says, and the token behind or above which it stands."""
    if "kumo" not in text.lower():
        return
    for index, lines in enumerate(gaps(text, tokens)):
        following = tokens[index] if index < len(tokens) else None
        if following is not None and following.type == "RBRACE":
            following = None  # under the last entry of a block there is nothing that could be meant
        for line, span in enumerate(lines):
            directive = _DIRECTIVE.fullmatch(text, span.start, span.end)
            if directive:
                yield span, directive["said"] or directive["slip"] or "", following if line else tokens[index - 1]


def _entries(node: Tree[Token]) -> Iterator[Span]:
    """The extents of all entries of blocks, each before those inside it."""
    inside = node.data == "start"
    for child in node.children:
        if isinstance(child, Token):
            inside = inside or child.type == "LBRACE"
            continue
        if inside:
            leaves = list(child.scan_values(lambda leaf: isinstance(leaf, Token)))
            yield Span(leaves[0].start_pos or 0, leaves[-1].end_pos or 0)
        yield from _entries(child)


def _understood(said: str) -> tuple[Rule | None, tuple[Rule, str, str] | None]:
    """The rule that a directive allows, if any, and what is wrong with it, if anything: rule, message and help."""
    match = _ALLOW.fullmatch(said)
    if match is None:
        return None, (BAD_DIRECTIVE, f"this comment asks kumoc for what it does not know: '{said}'", _form())
    name, rest = match["rule"], match["rest"]
    rule = find(name)
    if rule is None or rule.name != name:
        help_ = f"a rule is allowed by its name: {_form(rule.name)}" if rule else suggest(name)
        return None, (UNKNOWN_RULE, f"there is no rule named '{name}'", help_)
    if rule.severity is Severity.ERROR:
        return None, (ALLOWED_ERROR, f"'{name}' is an error: only warnings can be allowed", "mend what is wrong")
    if _REASON.fullmatch(rest):
        return rule, None
    if rest.startswith(","):
        message = f"one comment allows one rule, and more stands behind '{name}'"
        return rule, (MISSING_REASON, message, f"{_form(name)}, and another comment for each other rule")
    if reason := rest.strip(_BEFORE_REASON):
        return rule, (MISSING_REASON, f"' - ' is missing between '{name}' and the reason", _form(name, reason))
    return rule, (MISSING_REASON, f"no reason is given for allowing '{name}'", _form(name))


def _form(rule: str = "RULE-NAME", reason: str = "REASON") -> str:
    return f"write `# kumoc: allow {rule} - {reason}`"
