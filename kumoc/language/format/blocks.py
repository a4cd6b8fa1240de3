"""Blocks of entries put into lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from kumoc.diagnostics.width import columns
from kumoc.language.format.entries import Block, Entry, Piece, Word, has_comments, words_of
from kumoc.language.format.lines import STEP, aligned, fits, flow, joined, pad, with_comment
from kumoc.language.format.rows import is_row, lay_rows

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
    tables: dict[tuple[str, int], list[int]] = {}
    is_table = block.kind in _ONE_TABLE
    section = 0
    for index, entry in enumerate(block.entries):
        kind = _kind(entry)
        if not is_table:
            section += "" in entry.above or kind == "alone"
        is_long = kind == "row" and not is_table and len(lay_rows([entry], indent)[0]) > 1
        tables.setdefault((kind, ~index if is_long or kind == "alone" else section), []).append(index)
    lines: list[list[str]] = [[] for _ in block.entries]
    for (kind, _), members in tables.items():
        table = _table(kind, [block.entries[index] for index in members], indent)
        for index, own in zip(members, table, strict=True):
            lines[index] = own
    return lines


def _kind(entry: Entry) -> str:
    """The kind of table that an entry stands in."""
    if is_row(entry):
        return "row"
    if entry.block or (entry.kind == "action" and has_comments(words_of(entry.parts))):
        return "alone"
    if entry.kind == "action":
        return "described" if len(_label(entry)) > 1 else "derived"
    anchor = entry.parts[_anchor(entry) :][:1]
    return anchor[0].kind if anchor and anchor[0].kind in _ANCHORS else ""


def _table(kind: str, entries: Sequence[Entry], indent: int) -> list[list[str]]:
    match kind:
        case "row":
            return lay_rows(entries, indent)
        case "derived" | "described":
            return _derived(entries, indent)
        case "alone":
            return [_alone(entry, indent) for entry in entries]
    return _keyed(entries, indent)


def _anchor(entry: Entry) -> int:
    """Which of its parts is aligned with those of other entries."""
    return next((index for index, part in enumerate(entry.parts) if index and part.kind in _ANCHORS), 1)


def _keyed(entries: Sequence[Entry], indent: int) -> list[list[str]]:
    """Entries one under another, aligned unless a line gets too long by it."""
    rows = [_cells(entry) for entry in entries]
    widths = _widths(rows)
    table = [_line(row, widths, indent) for row in rows]
    if all(map(fits, table)):
        return table
    loose = [_line(row, [0 for _ in widths], indent) for row in rows]
    too_long = any(fits(line) and not fits(other) for line, other in zip(loose, table, strict=True))
    return loose if too_long else table


def _cells(entry: Entry) -> list[tuple[Word, ...]]:
    """What stands in columns: all parts of an entry that begins with its name, else a key and the rest."""
    at = _anchor(entry)
    if at == 1 and entry.parts[0].kind == "opening":
        return [words_of([part]) for part in entry.parts]
    return [words_of(parts) for parts in (entry.parts[:at], entry.parts[at:]) if parts]


def _widths(rows: Sequence[Sequence[Sequence[Word]]]) -> list[int]:
    """The widths of the columns, where something follows in the row."""
    keys = [row[:-1] for row in rows if not any(map(has_comments, row[:-1]))]
    return [aligned(joined(row[index]) for row in keys if index < len(row)) for index in range(max(map(len, rows)))]


def _line(cells: Sequence[Sequence[Word]], widths: Sequence[int], indent: int) -> list[str]:
    *keys, last = cells
    margin = " " * indent
    if any(map(has_comments, keys)):
        return flow([word for cell in cells for word in cell], margin, indent)
    padded = (f"{pad(joined(key), width)} " for key, width in zip(keys, widths, strict=False))
    return flow(last, margin + "".join(padded), indent)


def _derived(actions: Sequence[Entry], indent: int) -> list[list[str]]:
    """Actions without a block, all or none of them described: in columns if each fits on its line."""
    cells = [[joined(words) for words in _cells(action)] for action in actions]
    filled = [[pad(cell, max(map(columns, column))) for cell in column] for column in zip(*cells, strict=True)]
    lines = [f"{' ' * indent}{' '.join(row)}".rstrip() for row in zip(*filled, strict=True)]
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
            continue
        inside = lay(part, indent + STEP)
        if inside or has_comments(words[-1:]):
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
