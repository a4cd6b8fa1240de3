"""The words of the language are coloured: what they are is asked of the grammar."""

import json
import re
import tomllib
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexer import Lexer
from pygments.token import Comment, Error, Keyword, Name, Number, Punctuation, String, Text

from kumoc.language.lex import literals
from tests.command import DOMAINS, ROOT

WORDS = sorted(word for word in literals().values() if word.isalpha())
TEXTMATE = ROOT / "editors" / "vscode" / "syntaxes" / "kumo.tmLanguage.json"


def pygments_lexer() -> Lexer:
    """The lexer that the project's entry point leads to."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    module, name = project["project"]["entry-points"]["pygments.lexers"]["kumo"].split(":")
    lexer = getattr(import_module(module), name)()
    assert isinstance(lexer, Lexer)
    return lexer


def textmate_scopes(text: str) -> set[str]:
    """The scopes of the patterns for words that take all of ``text``."""
    words = json.loads(TEXTMATE.read_text(encoding="utf-8"))["repository"]["word"]["patterns"]
    return {pattern["name"] for pattern in words if re.search(pattern["match"], f"; {text} ")}


def test_the_grammar_has_words() -> None:
    assert len(WORDS) > 40 and {"domain", "rules", "out", "benchmark"} <= set(WORDS)


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_the_grammar_is_coloured_by_both(word: str) -> None:
    assert (0, Keyword, word) in list(pygments_lexer().get_tokens_unprocessed(word))
    (scope,) = textmate_scopes(word)
    assert re.match(r"(keyword|storage|constant\.language)\.", scope)


def test_the_textmate_grammar_knows_no_other_words() -> None:
    words = json.loads(TEXTMATE.read_text(encoding="utf-8"))["repository"]["word"]["patterns"]
    known = [word for pattern in words for word in re.findall(r"[a-z]{2,}", pattern["match"])]
    assert sorted(known) == WORDS


@pytest.mark.parametrize("name", ["domains2", "all-round", "my-domain", "Number", "testé", "number’s", "no_"])
def test_names_that_hold_a_word_are_names(name: str) -> None:
    assert list(pygments_lexer().get_tokens_unprocessed(name)) == [(0, Name, name)]
    assert textmate_scopes(name) == set()


def test_pieces_are_told_apart() -> None:
    text = 'group a = "b c", 1..2 # two\r\n  $ 2x'
    found = [(kind, piece) for _, kind, piece in pygments_lexer().get_tokens_unprocessed(text) if piece.strip()]
    assert found == [
        (Keyword, "group"),
        (Name, "a"),
        (Punctuation, "="),
        (String, '"b c"'),
        (Punctuation, ","),
        (Number, "1"),
        (Punctuation, ".."),
        (Number, "2"),
        (Comment.Single, "# two"),
        (Error, "$"),
        (Error, "2x"),
    ]


def test_a_text_is_one_wherever_it_stands() -> None:
    found = list(pygments_lexer().get_tokens_unprocessed('"dull" rules out a\ndull observes b'))
    assert [kind for _, kind, piece in found if "dull" in piece] == [String, Name]


def test_the_projects_domains_hold_nothing_that_has_no_colour() -> None:
    for path in DOMAINS.glob("*.kumo"):
        kinds = {kind for kind, _ in pygments_lexer().get_tokens(path.read_text(encoding="utf-8"))}
        assert {Comment.Single, Keyword, Number, Punctuation, String, Text} <= kinds
        assert Error not in kinds


@settings(max_examples=200, derandomize=True, database=None)
@given(st.text(st.sampled_from('ab é{}",#\\.19-\n\r\t$ '), max_size=40))
def test_nothing_of_a_text_is_lost(text: str) -> None:
    pieces = list(pygments_lexer().get_tokens_unprocessed(text))
    assert "".join(piece for _, _, piece in pieces) == text
    assert all(text.startswith(piece, start) for start, _, piece in pieces)
