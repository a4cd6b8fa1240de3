"""Names."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    CONFUSABLE_NAMES,
    GROUP_CYCLE,
    REPEATED_NAME,
    TRUTH_AND_ACTION,
    UNKNOWN_NAME,
)

DEFINITIONS = (
    define(
        UNKNOWN_NAME,
        "a name is used that nothing declares",
        what="A name is used that nothing declares. If a declared name is near, it is suggested.",
        why="A misspelt name would silently rule out nothing.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Bras
              "turns green" rules out Gold
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
        advice="""
        Names are compared exactly, also in case. A benchmark finds its domains only in the files that are given with
        it: give the folder that holds them all.
        """,
    ),
    define(
        REPEATED_NAME,
        "a name is declared twice",
        what="""
        Two things of one kind have the same name, a truth gives the same property twice, or a group or property is
        called like a truth or an action.
        """,
        why="A name must mean one thing wherever it stands.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass, Gold }
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
          truths "coin" "coins" { Gold, Brass, Silver }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
            "Eye" {
              "white"  rules out all but Silver
              "yellow" rules out Silver
            }
          }
        }
        """,
    ),
    define(
        CONFUSABLE_NAMES,
        "two names differ only in case, spacing or punctuation",
        what="""
        Two names differ only in case, spacing or punctuation: `Iron pyrite` and `Iron-Pyrite`. For outcomes and values,
        where `Rh+` and `Rh-` are two things, punctuation counts, so they must differ in more than case or spacing.
        """,
        why="A reader can't tell such names apart, and an answer that is read with forgiveness would match both.",
        bad="""
        domain minerals {
          truths "mineral" "minerals" { Quartz, "Iron pyrite", "Iron-Pyrite" }
          actions "test" "tests" {
            "Streak" {
              "white" rules out all but Quartz
              "black" rules out Quartz
            }
          }
        }
        """,
        good="""
        domain minerals {
          truths "mineral" "minerals" { Quartz, "Iron pyrite" }
          actions "test" "tests" {
            "Streak" {
              "white" rules out all but Quartz
              "black" rules out Quartz
            }
          }
        }
        """,
    ),
    define(
        TRUTH_AND_ACTION,
        "a name is both a truth and an action",
        what="""
        A truth and an action have the same name, or names that differ only in case, spacing or punctuation.
        """,
        why="""
        A player answers with a name. If it were both, the game could not know whether the player acts or concludes.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Gold" {
              "found"     rules out Brass
              "not found" rules out Gold
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Spectrometer" {
              "a line at 268 nm"  rules out Brass
              "no line at 268 nm" rules out Gold
            }
          }
        }
        """,
    ),
    define(
        GROUP_CYCLE,
        "a group contains itself",
        what="A group is defined by itself, directly or by way of other groups.",
        why="Such a group stands for no definite set.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Silver, Brass }
          group noble    = Gold, precious
          group precious = Silver, noble
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out all but noble
              "turns green" rules out noble
            }
            "Eye" {
              "white"  rules out all but Silver
              "yellow" rules out Silver
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Silver, Brass }
          group noble = Gold, Silver
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out all but noble
              "turns green" rules out noble
            }
            "Eye" {
              "white"  rules out all but Silver
              "yellow" rules out Silver
            }
          }
        }
        """,
    ),
)
