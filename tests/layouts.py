"""The same `.kumo` text in other layouts, and what two layouts of a text have in common."""

import re
from collections.abc import Iterator
from random import Random

from lark import Token

from kumoc.diagnostics import Source
from kumoc.language import compile_sources
from kumoc.language.lex import lex
from kumoc.language.parse import parse, syntax_tree

SPACES = (" ", "  ", "\t", "   \t ", "\f ")
LINE_ENDS = ("\n", "\r\n", "\n    ", "\n\t", "\ufeff\n")
EMPTY_LINES = ("\n\n", "  \n \n\r\n  ")
ALLOWANCES = tuple(f"# kumoc: allow {name} - why" for name in ("unused-name", "twin-actions", "never-excludes"))
NEVER_FIRST = ("LBRACE", "COMMA", "COLON", "EQUALS", "DOTS")
COMMENTS = ("# why", "#", "#! not {", '# "quoted', "# é 茶 \t", "#### a, b }")


def meaning(text: str) -> str | None:
    """The syntax nodes of a text without their places; None if it has errors other than in comments."""
    file, problems = parse(Source("", text))
    if any(problem.rule.code < "K7" for problem in problems):
        return None
    return re.sub(r"Span\(start=\d+, end=\d+\)", "", repr(file.declarations))


def told(text: str) -> list[tuple[str, str]]:
    """What the compiler says of a text, wherever it stands."""
    return sorted((found.rule.code, found.message) for found in compile_sources([Source("", text)]).diagnostics)


def comments(text: str) -> list[str]:
    """The comments of a text in order, found character by character."""
    found, quoted, position = [], False, 0
    while position < len(text):
        character = text[position]
        if character == "#" and not quoted:
            comment = text[position:].split("\n", 1)[0]
            found.append(comment.rstrip(" \t\f\r\ufeff"))
            position += len(comment)
            continue
        quoted ^= character == '"'
        position += 2 if character == "\\" and quoted else 1
    return found


def scrambled(text: str, random: Random, commented: float) -> str:
    """The tokens of ``text`` with other spaces, line ends and comments between them; most often as valid as before.

    ``commented`` is how likely each gap is to hold a comment.
    """
    parts, before = [], ""
    for token, can_break in _tokens(text):
        parts += [_gap(before, token.type, can_break, random, commented), str(token)]
        before = token.type
    return "".join([*parts, _gap("", "", True, random, commented)])


def _tokens(text: str) -> Iterator[tuple[Token, bool]]:
    """The tokens of a text, each with whether it may begin a line: a keyword that serves as a name may not."""
    tokens = lex(text)
    tree = syntax_tree(tokens)
    assert tree is not None
    names = {
        token.start_pos for token in tree.scan_values(lambda value: isinstance(value, Token)) if token.type == "NAME"
    }
    return ((token, token.type == "NAME" or token.start_pos not in names) for token in tokens)


def _gap(before: str, after: str, can_break: bool, random: Random, commented: float) -> str:
    gap = random.choice(SPACES)
    opens = before in ("COMMA", "LBRACE")
    if not can_break or (after == "STRING" and not opens):  # on a line of its own it would be a name
        return gap
    breaks = random.random() < 0.3 or (after in ("OPENING_STRING", "HEAD") and not opens)
    # a comment is moved away from before what can't begin a line, so there nothing is allowed
    comments = COMMENTS if after in NEVER_FIRST else COMMENTS + ALLOWANCES
    if random.random() < commented:
        gap += random.choice(comments)
        breaks = True
    while breaks:
        gap += random.choice(LINE_ENDS + EMPTY_LINES)
        breaks = random.random() < commented
        gap += random.choice(SPACES) + random.choice(comments) if breaks else ""
    return gap


def relaid(text: str, random: Random) -> str:
    """``text`` with other spaces and line ends where they mean nothing even to the formatter; most often valid.

    Comments, empty lines, and the line ends among facts and in sizes are left where they are.
    """
    parts, before, blocks, opening, end = [], "", [""], "", 0
    for token, can_break in _tokens(text):
        gap = text[end : token.start_pos]
        in_row = blocks[-1] in ("facts", "SIZE")
        if "#" not in gap and gap.count("\n") < 2 and not (in_row and "\n" in gap):
            gap = _gap(before, token.type, can_break and not in_row, random, 0)
            gap = re.sub(r"\n\s*\n", "\n", gap)
        parts += [gap, str(token)]
        if token.type in ("TRUTHS", "ACTIONS", "SIZE"):
            opening = token.type
        elif token.type == "LBRACE":
            blocks.append("facts" if blocks[-1] == "TRUTHS" else opening)
        elif token.type == "RBRACE":
            blocks.pop()
        before, end = token.type, token.end_pos
    return "".join([*parts, text[end:]])
