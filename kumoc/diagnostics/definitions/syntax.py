"""How a text is made up."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    BAD_NUMBER,
    BAD_STRING,
    SYNTAX_ERROR,
    UNBALANCED_BRACE,
)

DEFINITIONS = (
    define(
        SYNTAX_ERROR,
        "the text does not follow the grammar",
        what="""
        The text does not follow the grammar: something stands where it can't, or something is left out. The message
        says what could have stood there.
        """,
        why="""
        Only what can be read can be checked. What can't is passed over, from the beginning of the entry to its end, and
        the rest of the file is checked. Where it is the head of a block, up to its `{`, only the head is passed over,
        and what stands in the block is checked. What depends on the lost part is not reported again.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change" rules out Brass
              "turns green" rule out Gold
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
          }
        }
        """,
    ),
    define(
        UNBALANCED_BRACE,
        "a brace has no partner",
        what="A `{` is never closed, or a `}` closes nothing.",
        why="""
        Where braces don't pair, indentation decides which of them is to blame: a line that stands no further in than
        the line of an open `{` can't be inside it. In a file that is not indented, what can't stand in a block ends it.
        So the rest of the file can still be checked.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change" rules out Brass
              "turns green" rules out Gold
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
          }
        }
        """,
    ),
    define(
        BAD_STRING,
        "a text in quotes is not closed or holds what it can't",
        what="""
        A text in quotes has no closing quote on its line, holds a backslash that means nothing, or holds a character
        that can't be shown (a tab or another control character).
        """,
        why=r"""
        A text stands on one line, so a quote that was forgotten swallows no more than that line. In a text `\"` is a
        double quote and `\\` is a backslash; there are no other escapes.
        """,
        bad="""
        domain coins {
          topic "metals
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change" rules out Brass
              "turns green" rules out Gold
            }
          }
        }
        """,
        good="""
        domain coins {
          topic "metals"
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
          }
        }
        """,
    ),
    define(
        BAD_NUMBER,
        "a number is none, or has too many digits",
        what="Something begins like a number and is none, or it is a number with more than 15 digits.",
        why="""
        Numbers are kept exactly, and every program that reads the tables must get back the same number: 15 significant
        digits are what a double holds. A number lies between 1e-15 and 1e15 in size, or is 0.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Balance" number 0..20 unit "g/cm3" {
              0..12O rules out Gold
              12..20 rules out Brass
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Balance" number 0..20 unit "g/cm3" {
              0..12  rules out Gold
              12..20 rules out Brass
            }
          }
        }
        """,
        advice="""
        Round the number or choose a unit that fits. A name that begins with a digit stands in quotes: `"24 carat"`.
        """,
    ),
)
