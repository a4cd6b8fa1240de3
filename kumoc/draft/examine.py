"""Find the ``.kumo`` text in an answer, and say what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kumoc.diagnostics import Diagnostic, Source
from kumoc.draft.wanted import Wanted
from kumoc.language import syntax
from kumoc.language.compile import CompiledFile, compile_file, link
from kumoc.models.answers import unshown

MOST_CHARACTERS = 200_000
"""Of a text that a model writes: many times a domain of the paper's size."""

_FENCED = re.compile(r"^ {0,3}```[^\n`]*\n(.*?)(?:^ {0,3}```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_DOMAIN = re.compile(r"^\s*domain\b", re.MULTILINE)
_END = re.compile(r"^}[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Examined:
    """A text, what the compiler says of it, and what else is wrong with it."""

    text: str
    diagnostics: tuple[Diagnostic, ...]
    problems: tuple[str, ...]

    @property
    def warnings(self) -> int:
        """How many warnings there are."""
        return sum(not diagnostic.is_error for diagnostic in self.diagnostics)

    @property
    def is_sound(self) -> bool:
        """Whether it is what was asked for, but for warnings."""
        return not self.problems and self.warnings == len(self.diagnostics)


def text_of(answer: str) -> str:
    """The text of a domain in an answer, without what stands around it; empty if there is none.

    It is the longest fenced block with a domain in it or, without any, what goes from a domain's first line to its
    last.
    """
    answer = answer.replace("\r\n", "\n")
    blocks = [block for block in _FENCED.findall(answer) if _DOMAIN.search(block)]
    if blocks:
        return str(max(blocks, key=len))
    begins = _DOMAIN.search(answer)
    if begins is None:
        return ""
    ends = [match.end() for match in _END.finditer(answer, begins.start())]
    return answer[begins.start() : ends[-1] if ends else None].strip() + "\n"


def examine(text: str, name: str, wanted: Wanted, mark: str) -> Examined:
    """What is wrong with the text of a domain that is to have that name; ``mark`` is one that only the prompt has."""
    if problem := _unfit(text, mark):
        return Examined(text, (), (problem,))
    compiled = compile_file(Source(f"{name}.kumo", text))
    return Examined(text, link([compiled]).diagnostics, tuple(_beside(compiled, name, wanted)))


def _unfit(text: str, mark: str) -> str:
    """Why a text is none to compile; empty if it is one."""
    if not text:
        return "There is no domain in your answer."
    if len(text) > MOST_CHARACTERS:
        return f"The file has more than {MOST_CHARACTERS:,} characters."
    if mark in text:
        return "It repeats what was asked."
    if character := unshown(text):
        line = text.count("\n", 0, text.index(character)) + 1
        return f"Line {line} holds the character U+{ord(character):04X}, which is none of a text."
    return ""


def _beside(compiled: CompiledFile, name: str, wanted: Wanted) -> Iterator[str]:
    """What is wrong with a file that the compiler knows nothing of."""
    declared = compiled.file.declarations
    if any(isinstance(node, syntax.Benchmark | syntax.Translation) for node in declared):
        yield "There must be a domain in the file and nothing else."
    if [domain.node.name.text for domain in compiled.domains] != [name]:
        yield f"There must be one domain in the file, and its name must be {name}."
    if compiled.file.allowances:
        yield "There must be no comment that allows a warning: mend what it warns of."
    for tables in (domain.tables for domain in compiled.domains if domain.tables):
        for kind, there, least in (
            ("truths", len(tables.truths), wanted.truths),
            ("actions", len(tables.actions), wanted.actions),
        ):
            if there < least:
                yield f"There are {there} {kind}, and there must be at least {least}."
