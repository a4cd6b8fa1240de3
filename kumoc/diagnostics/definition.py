"""What is said about a rule, and the page that is made of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from inspect import cleandoc

from kumoc.diagnostics.model import Rule


@dataclass(frozen=True, slots=True)
class Definition:
    """All that is said about a rule, in Markdown.

    ``summary`` is a clause. ``bad`` is a whole ``.kumo`` file that breaks the rule and no other, and ``good`` one that
    does not; where a file can't show it, ``bad`` is what a console shows, and ``good`` is empty. ``advice`` may be.
    """

    rule: Rule
    summary: str
    what: str
    why: str
    bad: str
    good: str
    advice: str


def define(rule: Rule, summary: str, *, what: str, why: str, bad: str, good: str = "", advice: str = "") -> Definition:
    """A definition from texts that may be indented."""
    return Definition(rule, summary, *map(cleandoc, (what, why, bad, good, advice)))


def page_name(rule: Rule) -> str:
    """The name of the file with the page of a rule."""
    return f"{rule.code}-{rule.name}.md"


def page(definition: Definition) -> str:
    """The page of a rule, in Markdown."""
    rule = definition.rule
    parts = [f"# {rule.code} {rule.name}", f"*{rule.severity.capitalize()}.*", definition.what, definition.why]
    parts += ["## Wrong", _fenced("kumo" if definition.good else "console", definition.bad)]
    if definition.good:
        parts += ["## Right", _fenced("kumo", definition.good)]
    if definition.advice:
        parts += ["## What to do", definition.advice]
    return "\n\n".join(parts) + "\n"


def index(definitions: Iterable[Definition]) -> str:
    """A table of rules with links to their pages, in Markdown."""
    rows = ["| code | name | severity | what is wrong |", "|---|---|---|---|"]
    for definition in definitions:
        rule = definition.rule
        rows.append(f"| [{rule.code}]({page_name(rule)}) | {rule.name} | {rule.severity} | {definition.summary} |")
    return "\n".join(rows) + "\n"


def by_name(definitions: Iterable[Definition]) -> str:
    """The names of rules in the order of the alphabet, with links to their pages, in Markdown."""
    rules = sorted((definition.rule for definition in definitions), key=lambda rule: rule.name)
    return " ·\n".join(f"[{rule.name}]({page_name(rule)})" for rule in rules) + "\n"


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"
