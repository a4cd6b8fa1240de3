"""Past the faults of a file: what is left of its tokens can be parsed.

A fault costs as little as can be, and causes no other: a brace is put in or left out; the head of a block is mended, so
that what stands in the block is read; anything else costs the smallest entry around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lark import Token
from lark.parsers.lalr_interactive_parser import InteractiveParser

from kumoc.diagnostics import Diagnostic, Source
from kumoc.language.braces import (
    balance,
    closes_nothing,
    closing_after,
    never_closed,
    never_opened,
    opening_after,
    unpaired,
)
from kumoc.language.faults import MAX_FAULTS, explain
from kumoc.language.heads import mend_head
from kumoc.language.layout import entry_around
from kumoc.language.run import Fault, Run, take, twin


class Sound(NamedTuple):
    """Tokens that parse, those that were in their way or put in, and what was wrong."""

    tokens: Sequence[Token]
    lost: list[Token]
    problems: list[Diagnostic]


def free_of_faults(source: Source, tokens: Sequence[Token]) -> Sound:
    """What is left of tokens without their faults.

    Braces are taken as indentation suggests or as they stand, and then as the grammar does: whichever costs less.
    """
    balanced, problems = balance(source, tokens)
    by_indentation = _Recovery(source, balanced, problems).run()
    if not problems:
        return by_indentation
    paired = not any(unpaired(tokens))
    if not paired and len(by_indentation.problems) == 1:
        return by_indentation
    recovery = _Recovery(source, tokens, [])
    by_grammar = recovery.run()
    if paired:
        return min(by_grammar, by_indentation, key=_cost)
    return min(by_indentation, by_grammar, key=_cost) if recovery.is_even else by_indentation


def _cost(sound: Sound) -> int:
    return len(sound.problems) + len({token.line for token in sound.lost})


class _Recovery:
    """Goes from fault to fault."""

    def __init__(self, source: Source, tokens: Sequence[Token], braces: Sequence[Diagnostic]) -> None:
        self._source = source
        self._tokens = list(tokens)
        self._lost: list[Token] = []
        self._problems = list(braces)
        self._run = Run()
        opening, closing = unpaired(tokens)
        self._missing = max(len(opening) - len(closing), 0)
        self._to_spare = max(len(closing) - len(opening), 0)
        self._blamed = -1
        self._mended = set[int]()  # where the blocks begin whose heads are mended, each once

    def run(self) -> Sound:
        """The tokens without their faults."""
        while isinstance(fault := self._run.parse(self._tokens), Fault):
            if len(self._problems) >= MAX_FAULTS:
                return Sound([], self._lost + self._tokens, self._problems)
            if not self._settle_braces(fault):
                self._give_up(fault)
        return Sound(self._tokens, self._lost, self._problems)

    @property
    def is_even(self) -> bool:
        """Whether as many braces were put in or left out as there are too few or too many."""
        return self._missing == self._to_spare == 0

    def _settle_braces(self, fault: Fault) -> bool:
        """Whether the parser gets past the fault once braces are put in, or left out, right before its entry."""
        if fault.index == len(self._tokens):
            return self._close(fault.index, fault.index) if self._missing else False
        if self._to_spare and self._tokens[fault.index].type == "RBRACE" and "$END" in fault.expected:
            return self._leave_out(fault.index, fault.index + 1)
        start, _ = entry_around(self._tokens, fault.index, is_its_own=True)
        if self._missing:
            return self._close(start, fault.index + 1)
        if self._to_spare:
            token = self._tokens[fault.index]
            if token.type == "UNCLOSED_STRING" and token.rstrip().endswith("{"):  # which it has swallowed
                self._replace(fault.index + 1, fault.index + 1, [opening_after(token)])
                self._to_spare -= 1
                return False
            return self._open(fault.index) or self._open(start) or self._open_again(start, fault.index + 1)
        return False

    def _open(self, index: int) -> bool:
        """Whether the parser takes the entry at ``index`` as the first of a block whose opening brace is put in."""
        opening = opening_after(self._tokens[index - 1])
        parser = self._run.before(self._tokens, index)
        _, end = entry_around(self._tokens, index, is_its_own=True)
        if not take(parser, [opening], 0) or not self._takes(parser, index, end):
            return False
        self._problems.append(never_opened(self._source, self._tokens[index - 1]))
        self._replace(index, index, [opening])
        self._to_spare -= 1
        return True

    def _close(self, start: int, end: int) -> bool:
        """Whether the parser takes ``tokens[start:end]`` once blocks that lack their ends are closed before them."""
        parser = self._run.before(self._tokens, start)
        open_, _ = unpaired(self._tokens[:start])
        closing = closing_after(self._tokens[start - 1])
        for number in range(1, min(self._missing, len(open_)) + 1):
            if not take(parser, [closing], 0):
                return False
            if self._takes(parser, start, end):
                self._problems += [never_closed(self._source, opening) for opening in open_[-number:]]
                self._replace(start, start, [closing] * number)
                self._missing -= number
                return True
        return False

    def _open_again(self, start: int, end: int) -> bool:
        """Whether the parser takes ``tokens[start:end]`` once closing braces right before them are left out."""
        for number in range(1, self._to_spare + 1):
            first = start - number
            if first < 0 or self._tokens[first].type != "RBRACE":
                return False
            if self._takes(self._run.before(self._tokens, first), start, end):
                return self._leave_out(first, start)
        return False

    def _leave_out(self, start: int, end: int) -> bool:
        self._problems += [closes_nothing(self._source, brace) for brace in self._tokens[start:end]]
        self._to_spare -= end - start
        self._replace(start, end, [])
        return True

    def _takes(self, parser: InteractiveParser, start: int, end: int) -> bool:
        parser = twin(parser)
        return all(take(parser, self._tokens, index) for index in range(start, end))

    def _give_up(self, fault: Fault) -> None:
        """Report the fault, and mend the head of a block in which it is, or cut out the entry around it."""
        at = (self._tokens[fault.index].start_pos or 0) if fault.index < len(self._tokens) else -2
        if at != self._blamed:
            self._problems.append(explain(self._source, self._tokens, fault.index, fault.expected))
        complete = bool(fault.expected & {"RBRACE", "$END"})
        entry = entry_around(self._tokens, fault.index, is_its_own=complete or at == self._blamed)
        self._blamed = at
        head = mend_head(self._run, self._tokens, fault, entry)
        if head is None or (begins := self._tokens[head.end].start_pos or 0) in self._mended:
            self._lose(*entry, ())
        else:
            self._mended.add(begins)
            self._lose(head.start, head.end, head.tokens)

    def _lose(self, start: int, end: int, instead: Sequence[Token]) -> None:
        """Replace ``tokens[start:end]``, and remember what is gone and what is made up."""
        old, kept = self._tokens[start:end], set(map(id, instead))
        known = set(map(id, old))
        self._lost += [token for token in old if id(token) not in kept]
        self._lost += [token for token in instead if id(token) not in known]
        self._replace(start, end, instead)

    def _replace(self, start: int, end: int, instead: Sequence[Token]) -> None:
        self._tokens[start:end] = instead
        self._run.forget(start)
