"""Benchmarks."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    IMPOSSIBLE_SIZE,
    SIZE_TOO_LARGE,
)

DEFINITIONS = (
    define(
        SIZE_TOO_LARGE,
        "a size asks for more than a domain has",
        what="A size of a benchmark asks for more truths or more actions than one of its domains has.",
        why="An instance lists truths and actions of one domain, and none of them twice.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
          }
        }

        benchmark mint version "1.0.0" {
          domains coins
          size easy { truths 4  actions 1 }
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

        benchmark mint version "1.0.0" {
          domains coins
          size easy { truths 2  actions 1 }
        }
        """,
        advice="Ask for fewer, leave the domain out of the benchmark, or describe more of the field.",
    ),
    define(
        IMPOSSIBLE_SIZE,
        "a domain has no instance of a size",
        what="A domain has enough truths and actions for a size, but no instance of that size exists.",
        why="""
        In a fair instance each listed truth could be the valid one: for each of them the listed actions have outcomes
        that rule out all the others. If no choice of that many truths and actions allows this, the size can't be built.

        With `disjoint truths` each split needs an instance of its own, and no two splits share a truth.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Silver, Brass }
          actions "test" "tests" {
            "Acid" {
              "turns green" rules out Gold, Silver
              "no change"   rules out Brass
            }
            "Eye" {
              "white"  rules out Gold
              "yellow" rules out Silver
            }
          }
        }

        benchmark mint version "1.0.0" {
          domains coins
          size easy { truths 3  actions 1 }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Silver, Brass }
          actions "test" "tests" {
            "Acid" {
              "turns green" rules out Gold, Silver
              "no change"   rules out Brass
            }
            "Eye" {
              "white"  rules out Gold
              "yellow" rules out Silver
            }
          }
        }

        benchmark mint version "1.0.0" {
          domains coins
          size easy { truths 3  actions 2 }
        }
        """,
        advice="""
        Ask for fewer truths or more actions, or give the domain outcomes that tell more of its truths apart.
        """,
    ),
)
