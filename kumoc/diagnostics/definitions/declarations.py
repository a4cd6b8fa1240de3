"""What is declared."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    BAD_NAME,
    BAD_SETTING,
    MISSING_DECLARATION,
    REPEATED_DECLARATION,
    RESERVED_WORD,
)

DEFINITIONS = (
    define(
        BAD_NAME,
        "a name can't be read, repeated or used as a folder",
        what="""
        A name is empty, too long (more than 120 characters), has spaces at its ends or two in a row, or holds a double
        quote, a backslash or an invisible character. The name of a domain, benchmark or size holds other characters
        than letters (a to z), digits and underscores. Or a size is called like a view of the dataset (`game`, `chat`,
        `steps`).
        """,
        why="""
        Players must be able to read a name and to repeat it. Names of domains, benchmarks and sizes become names of
        folders.
        """,
        bad="""
        domain "old coins" {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
          }
        }
        """,
        good="""
        domain old_coins "Old coins" {
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
        RESERVED_WORD,
        "a word of the language stands where a name belongs",
        what="A word of the language stands where a name belongs.",
        why="""
        `domain`, `benchmark`, `property`, `truths`, `group`, `actions`, `all`, `nothing`, `any` and `but` are never
        names as they stand: the compiler finds its way by them, also in a file with faults. Other words of the
        language, such as `size` or `number`, can be names.
        """,
        bad="""
        domain blood {
          property group : one of A, B
          truths "donor" "donors" { Ada, Ben }
          actions "test" "tests" {
            "Serum" {
              "clots" rules out Ada
              "stays clear" rules out Ben
            }
          }
        }
        """,
        good="""
        domain blood {
          property "group" : one of A, B
          truths "donor" "donors" {
            Ada { "group" A }
            Ben { "group" B }
          }
          actions "test" "tests" {
            "Serum" observes "group"
          }
        }
        """,
        advice="""
        Choose another word, or write the name in quotes, here and where it is used. If no name was meant, a `}` may be
        missing before it.
        """,
    ),
    define(
        REPEATED_DECLARATION,
        "something is said twice that can be said once",
        what="""
        Something that can be said once is said twice: a setting such as `topic` or `seed`, or a whole block of truths
        or actions.
        """,
        why="Of two answers the compiler would have to pick one, and a reader another.",
        bad="""
        domain coins {
          version "1.0.0"
          version "1.1.0"
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
          }
        }
        """,
        good="""
        domain coins {
          version "1.1.0"
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
        MISSING_DECLARATION,
        "something is left out that can't be",
        what="""
        Something is left out that can't be: the truths or actions of a domain (at least two truths, at least one
        action), the domains or sizes of a benchmark, the number of truths or actions of a size.
        """,
        why="There is no sensible default for these.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
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
        BAD_SETTING,
        "a setting has a value that it can't have",
        what="""
        A setting has a value that it can't have: a version that is not three numbers, a count that is not whole or too
        small, as many valid truths as there are truths, more than 9 decimals, an empty goal.
        """,
        why="A value that means nothing would have to be replaced by a guess.",
        bad="""
        domain coins {
          version "1.0"
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
          }
        }
        """,
        good="""
        domain coins {
          version "1.0.0"
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
)
