"""Blocks of entries put into lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from kumoc.diagnostics.width import columns
from kumoc.language.format.entries import Block, Entry, Piece, Word, has_comments, words_of
from kumoc.language.format.lines import STEP, aligned, fits, flow, joined, pad, with_comment
from kumoc.language.format.rows import as_row, lay_rows

_ANCHORS = ("COLON", "EQUALS", "RULES")
"""What stands in one column in all entries of a table; where there is none it is what follows their first part."""
_LABEL = ("opening", "description")
_ONE_TABLE = ("truths", "labelled", "measured")
"""Blocks whose entries are aligned throughout; in others an empty line, or an entry with a block, parts two tables."""


def lay_file(file: Block) -> list[str]:
    """The lines of a whole file, an empty one between its declarations."""
    parted = (entry if "" in entry.above else replace(entry, above=("", *entry.above)) for entry in file.entries)
    return lay(replace(file, entries=tuple(parted)), 0)


def lay(block: Block, indent: int) -> list[str]:
    """The lines of a block, without its braces."""
    margin = " " * indent
    lines: list[tuple[str, str]] = []  # each with the comment that is to be put behind it
    for entry, own in zip(block.entries, _entries(block, indent), strict=True):
        lines += ((f"{margin}{line}".rstrip(), "") for line in entry.above)
        if len(own) == 1:
            lines.append((own[0], entry.behind))
        else:
            lines += ((line, "") for line in (*own[:-1], with_comment(own[-1], entry.behind)))
    lines += ((f"{margin}{line}".rstrip(), "") for line in block.below)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(_commented(lines))).strip("\n")
    return text.split("\n") if text else []


def _commented(lines: Iterable[tuple[str, str]]) -> list[str]:
    """Lines with the comments behind them, which are aligned where such lines follow each other and have room."""
    result: list[str] = []
    for has_comment, group in groupby(lines, key=lambda line: line[1] != ""):
        run = list(group)
        width = max(columns(line) for line, _ in run) if has_comment else 0
        in_column = [with_comment(pad(line, width), comment) for line, comment in run]
        result += in_column if fits(in_column) else (with_comment(line, comment) for line, comment in run)
    return result


def _entries(block: Block, indent: int) -> list[list[str]]:
    """The lines of each entry; those of one table are laid out together."""
    lines: list[list[str]] = [[] for _ in block.entries]
    rows = [as_row(entry) for entry in block.entries]
    tables: dict[tuple[str, int], list[int]] = {}
    section = 0
    for index, entry in enumerate(block.entries):
        kind = "row" if rows[index] else _kind(entry)
        if block.kind not in _ONE_TABLE:
            section += "" in entry.above or not kind
        if kind:
            tables.setdefault((kind, section), []).append(index)
        else:
            lines[index] = _alone(entry, indent)
    for (kind, _), members in tables.items():
        entries = [block.entries[index] for index in members]
        if kind == "row":
            table = lay_rows([row for index in members if (row := rows[index])], indent)
        else:
            table = (_derived if kind == "action" else _keyed)(entries, indent)
        for index, own in zip(members, table, strict=True):
            lines[index] = own
    return lines


def _kind(entry: Entry) -> str:
    """The kind of table that an entry without a block stands in; empty for one that stands alone."""
    if entry.block or (entry.kind == "action" and has_comments(words_of(entry.parts))):
        return ""
    if entry.kind == "action":
        return "action"
    anchor = entry.parts[_anchor(entry) :][:1]
    return anchor[0].kind if anchor and anchor[0].kind in _ANCHORS else "first"


def _anchor(entry: Entry) -> int:
    """Which of its parts is aligned with those of other entries."""
    return next((index for index, part in enumerate(entry.parts) if index and part.kind in _ANCHORS), 1)


def _keyed(entries: Sequence[Entry], indent: int) -> list[list[str]]:
    """Entries one under another, aligned unless a line gets too long by it."""
    halves = [(words_of(entry.parts[: _anchor(entry)]), words_of(entry.parts[_anchor(entry) :])) for entry in entries]
    width = aligned(joined(key) for key, _ in halves if not has_comments(key))
    loose, table = ([_pair(key, rest, filled, indent) for key, rest in halves] for filled in (0, width))
    too_long = any(fits(pair) and not fits(other) for pair, other in zip(loose, table, strict=True))
    return loose if too_long else table


def _pair(key: Sequence[Word], rest: Sequence[Word], width: int, indent: int) -> list[str]:
    margin = " " * indent
    if has_comments(key):
        return flow([*key, *rest], margin, indent)
    return flow(rest, f"{margin}{pad(joined(key), width)} ", indent) if rest else [margin + joined(key)]


def _derived(actions: Sequence[Entry], indent: int) -> list[list[str]]:
    """Actions without a block: in three columns if each fits on its line."""
    cells = [["", "", ""] for _ in actions]
    for row, action in zip(cells, actions, strict=True):
        label = _label(action)
        row[: len(label)] = [joined(part.words) for part in label]
        row[2] = joined(words_of(action.parts[len(label) :]))
    filled = [[pad(cell, max(map(columns, column))) for cell in column] for column in zip(*cells, strict=True)]
    lines = [" " * indent + " ".join(row).rstrip() for row in zip(*filter(any, filled), strict=True)]
    return [[line] for line in lines] if fits(lines) else [_alone(action, indent) for action in actions]


def _label(action: Entry) -> list[Piece]:
    """Its name and its description."""
    return [part for part in action.parts[:2] if isinstance(part, Piece) and part.kind in _LABEL]


def _alone(entry: Entry, indent: int) -> list[str]:
    """The lines of an entry that stands in no table."""
    lines: list[str] = []
    parts = entry.parts
    if entry.kind == "action" and _is_parted(entry, indent):
        label = _label(entry)
        lines += flow(words_of(label), " " * indent, indent)
        parts = parts[len(label) :]
        indent += STEP
    elif line := _names(entry, indent):
        return [line]
    margin = " " * indent
    words: list[Word] = []
    for part in parts:
        if isinstance(part, Piece):
            words += part.words
        elif inside := lay(part, indent + STEP):
            lines += [*flow(words, margin, indent), *inside]
            words = []
    return lines + flow(words, margin, indent)


def _is_parted(action: Entry, indent: int) -> bool:
    """Whether what an action does stands under its name and description."""
    label = _label(action)
    head = words_of(tuple(takewhile(lambda part: isinstance(part, Piece), action.parts)))
    if action.parts[len(label)].kind == "LBRACE":
        return False
    return not fits([" " * indent + joined(head)]) or (action.block is None and len(label) == 2)


def _names(entry: Entry, indent: int) -> str:
    """A block of nothing but names on one line; empty if there is more in it or no room."""
    block = entry.block
    if block is None or block.kind != "truths" or not block.entries or any(block.below):
        return ""
    words = [words_of(name.parts) for name in block.entries]
    if any(len(name) > 1 for name in words) or any(any(e.above) or "" in e.above or e.behind for e in block.entries):
        return ""
    at = entry.parts.index(block)
    head, tail = words_of(entry.parts[:at]), words_of(entry.parts[at + 1 :])
    line = f"{' ' * indent}{joined(head)} {', '.join(name.text for (name,) in words)} {joined(tail)}"
    return line if fits([line]) and not has_comments([*head, *tail]) else ""
