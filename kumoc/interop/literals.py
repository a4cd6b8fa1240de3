"""JSON text and Python text as one tree of literals that know their lines.

Nothing is evaluated: Python is parsed with :mod:`ast` and only displays of literals are taken from its tree.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

MAX_DEPTH = 20
"""Levels of nesting that are read; a domain needs six."""


class SourceError(ValueError):
    """A file that can't be read: ``reason`` says in a sentence why, ``line`` counts from 1."""

    def __init__(self, reason: str, line: int) -> None:
        """Both are also what the error's text says."""
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class Items:
    """A list, a tuple or, not ``ordered``, a set."""

    nodes: tuple[Node, ...]
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping as written: a repeated key stands twice."""

    pairs: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True, slots=True)
class Filtered:
    """``[x for x in NAME if x in LISTED]``, or ``not in`` where ``listed_only`` is false."""

    name: str
    listed: Items
    listed_only: bool


@dataclass(frozen=True, slots=True)
class Node:
    """A value and the line it begins on. Numbers are decimal; a number without a bound is ``Decimal("Infinity")``."""

    value: Value
    line: int


Value: TypeAlias = str | Decimal | bool | Items | Entries | Filtered | None


# ---- JSON


def read_json(text: str) -> Node:
    """The tree of one JSON value. Raises :class:`SourceError`."""
    reader = _JsonReader(text)
    node, end = reader.value(reader.skip(0), 0)
    if reader.skip(end) != len(text):
        raise reader.error("something follows the end of the JSON value", reader.skip(end))
    return node


class _JsonReader:
    """Objects and arrays are walked here, for their lines; all else is the standard decoder's work."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.decoder = json.JSONDecoder()
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def error(self, reason: str, at: int) -> SourceError:
        return SourceError(reason, bisect_right(self.line_starts, at))

    def skip(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in " \t\r\n":
            at += 1
        return at

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        if depth > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} deep", at)
        line = bisect_right(self.line_starts, at)
        match self.text[at : at + 1]:
            case "{":
                pairs, end = self.members(at, depth, "}")
                return Node(Entries(tuple((key, value) for key, value in pairs if key)), line), end
            case "[":
                items, end = self.members(at, depth, "]")
                return Node(Items(tuple(value for _, value in items)), line), end
        value, end = self.scalar(at)
        return Node(_plain(value, line), line), end

    def members(self, at: int, depth: int, close: str) -> tuple[list[tuple[Node | None, Node]], int]:
        """What stands between the bracket at ``at`` and ``close``; keys are None in an array."""
        found: list[tuple[Node | None, Node]] = []
        at = self.skip(at + 1)
        while self.text[at : at + 1] != close:
            if found:
                at = self.skip(self.expect(",", at))
            key = None
            if close == "}":
                key, at = self.value(at, depth + 1)
                if not isinstance(key.value, str):
                    raise self.error("a key must be text in double quotes", at)
                at = self.skip(self.expect(":", self.skip(at)))
            value, at = self.value(at, depth + 1)
            found.append((key, value))
            at = self.skip(at)
        return found, at + 1

    def expect(self, mark: str, at: int) -> int:
        if self.text[at : at + 1] != mark:
            raise self.error(f"this is not JSON: a '{mark}' is missing", min(at, max(len(self.text) - 1, 0)))
        return at + 1

    def scalar(self, at: int) -> tuple[object, int]:
        try:
            return self.decoder.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self.error(f"this is not JSON: {error.msg}", error.pos) from None
        except ValueError:
            raise self.error("a number with too many digits", at) from None


# ---- Python


def read_python(text: str) -> Node:
    """The assignments of a Python file, as a mapping from names to literals. Raises :class:`SourceError`."""
    pairs: list[tuple[Node, Node]] = []
    for statement in _parse(text).body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str())):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case ast.Expr(value=value):
                raise _refused(value)
            case _:
                raise _refused(statement)
        pairs.append((Node(name, statement.lineno), _literal(value, 0)))
    return Node(Entries(tuple(pairs)), 1)


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file's odd escapes are not our reader's business
            return ast.parse(text)
    except SyntaxError as error:
        raise SourceError(f"this is not Python: {error.msg}", error.lineno or 1) from None
    except (RecursionError, MemoryError):
        raise SourceError("nested too deeply to be read", 1) from None
    except ValueError:
        raise SourceError("this is not text that Python can read", 1) from None


def _literal(node: ast.expr, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise SourceError(f"nested more than {MAX_DEPTH} deep", node.lineno)
    return Node(_value(node, depth), node.lineno)


def _value(node: ast.expr, depth: int) -> Value:
    value: Value
    match node:
        case ast.Constant(value=str() | int() | float() | None as constant):
            value = _plain(constant, node.lineno)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            value = _signed(sign, operand, depth)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            value = _items(elements, depth)
        case ast.Set(elts=elements):
            value = _items(elements, depth, ordered=False)
        case ast.Dict(keys=keys, values=values):
            value = _entries(node, keys, values, depth)
        case ast.Call(func=ast.Name(id="set"), args=[], keywords=[]):
            value = Items((), ordered=False)
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))], keywords=[]):
            value = _infinity(text, node)
        case ast.Name(id="str" | "int" | "float" | "bool" as name):
            value = name  # the type itself, where its name in quotes was meant
        case ast.ListComp() | ast.SetComp():
            value = _filtered(node, depth)
        case _:
            raise _refused(node)
    return value


def _items(elements: Sequence[ast.expr], depth: int, *, ordered: bool = True) -> Items:
    return Items(tuple(_literal(element, depth + 1) for element in elements), ordered)


def _entries(node: ast.expr, keys: Sequence[ast.expr | None], values: Sequence[ast.expr], depth: int) -> Entries:
    pairs = []
    for key, value in zip(keys, values, strict=True):
        if key is None:
            raise SourceError("a mapping is unpacked here: only literals are read, and nothing is run", node.lineno)
        pairs.append((_literal(key, depth + 1), _literal(value, depth + 1)))
    return Entries(tuple(pairs))


def _signed(sign: ast.unaryop, operand: ast.expr, depth: int) -> Decimal:
    value = _literal(operand, depth + 1).value
    if not isinstance(value, Decimal):
        raise _refused(operand)
    return -value if isinstance(sign, ast.USub) else value


def _infinity(text: str, node: ast.expr) -> Decimal:
    match text.strip().lower().removeprefix("+"):
        case "inf" | "infinity":
            return Decimal("Infinity")
        case "-inf" | "-infinity":
            return Decimal("-Infinity")
    raise _refused(node)


def _filtered(node: ast.ListComp | ast.SetComp, depth: int) -> Filtered:
    match node.elt, node.generators:
        case (
            ast.Name(id=result),
            [
                ast.comprehension(
                    target=ast.Name(id=each), iter=ast.Name(id=name), ifs=[ast.Compare() as test], is_async=0
                )
            ],
        ) if result == each:
            match test:
                case ast.Compare(
                    left=ast.Name(id=tested), ops=[ast.In() | ast.NotIn() as how], comparators=[ast.expr() as listed]
                ) if tested == each and isinstance(items := _value(listed, depth + 1), Items):
                    return Filtered(name, items, listed_only=isinstance(how, ast.In))
    reason = "of comprehensions only `[x for x in NAME if x not in [...]]` and the same with `in` are read"
    raise SourceError(reason, node.lineno)


_WORDS = {
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.FunctionDef: "a function",
    ast.ClassDef: "a class",
    ast.Call: "a call",
    ast.JoinedStr: "an f-string",
    ast.Lambda: "a lambda",
    ast.BinOp: "a computation",
    ast.Name: "a name",
    ast.Attribute: "an attribute",
    ast.Subscript: "a subscript",
    ast.Starred: "an unpacking",
    ast.GeneratorExp: "a generator",
    ast.DictComp: "a comprehension",
    ast.NamedExpr: "an assignment inside an expression",
}


def _refused(node: ast.stmt | ast.expr) -> SourceError:
    word = _WORDS.get(type(node), "something else than a literal")
    return SourceError(f"{word} stands here: only literals are read, and nothing is run", node.lineno)


# ---- both


def _plain(value: object, line: int) -> str | Decimal | bool | None:
    """A scalar as a node holds it; the text of a double is the shortest that gives it back."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return Decimal(value)
    assert isinstance(value, float)
    if math.isnan(value):
        raise SourceError("a number is 'not a number'", line)
    return Decimal(repr(value)) if value else Decimal(0)
