"""What tokens say as texts and names, and what is wrong with them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from lark import Token

from kumoc.language.lex import lex

MAX_NAME = 120
"""Characters of a name."""
_NAMES = ("NAME", "STRING", "OPENING_STRING", "HEAD")
_ESCAPE = re.compile(r"\\(.)")
_UNSHOWN = ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")


def is_quoted(token: str) -> bool:
    """Whether a name or text stands in quotes."""
    return token.startswith('"')


def plain(token: str) -> str:
    """A name or text in Unicode NFC and without its quotes."""
    text = _ESCAPE.sub(r"\1", token[1:-1]) if is_quoted(token) else str(token)
    return unicodedata.normalize("NFC", text)


def quoted(text: str) -> str:
    """A text as it is written between quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def as_written(name: str) -> str:
    """A name as it is written in a list of names: in quotes unless it is a bare word, and none of the language."""
    return name if [token.type for token in lex(name) if token == name] == ["NAME"] else quoted(name)


def possible_names(token: Token) -> Iterator[str]:
    """The names that a token may have stood for that could not be parsed."""
    if token.type in _NAMES or token.isidentifier():
        yield plain(token)
    elif token.type == "UNCLOSED_STRING":  # nobody knows where the name in it ends
        swallowed = unicodedata.normalize("NFC", token[1 : MAX_NAME + 2]).split(" ")
        yield from (" ".join(swallowed[: i + 1]) for i in range(len(swallowed)))


def fault_of_text(token: Token) -> tuple[str, str] | None:
    """What is wrong with a text in quotes, and what to do about it."""
    unknown = [escape.group() for escape in _ESCAPE.finditer(token) if escape.group(1) not in '"\\']
    if unknown:
        return f"'{unknown[0]}' has no meaning in a text", 'only \\" and \\\\ do: write \\\\ for a backslash'
    if not token.isprintable() and any(unicodedata.category(character) in _UNSHOWN for character in token):
        return "this text holds a character that can't be shown", "take control characters and tabs out of it"
    return None


def fault_of_name(name: str) -> str | None:
    """What is wrong with a name, as the rest of a sentence that begins with "this name"."""
    if not name.strip():
        return "is empty"
    if name != " ".join(name.split()):
        return "begins or ends with a space, holds two in a row, or one that is no plain space"
    if '"' in name or "\\" in name:
        return "holds a double quote or a backslash"
    if any(unicodedata.category(character) == "Cf" for character in name):
        return "holds an invisible character"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    return None
