"""Outcomes."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    ALWAYS_EXCLUDED,
    DOMAIN_TOO_LARGE,
    EMPTY_RANGE,
    GAP_IN_RANGES,
    OUTSIDE_SCALE,
    OVERLAPPING_RANGES,
    RANGE_TOO_NARROW,
    TOO_FEW_OUTCOMES,
)

DEFINITIONS = (
    define(
        TOO_FEW_OUTCOMES,
        "an action has fewer than two outcomes",
        what="An action has no outcome, or only one.",
        why="What can turn out in only one way tells nothing.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
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
              "turns green" rules out Gold
              "no change"   rules out Brass
            }
          }
        }
        """,
        advice="Add what else can be seen. Where that proves nothing, write `rules out nothing`.",
    ),
    define(
        ALWAYS_EXCLUDED,
        "every outcome of an action rules out the same truth",
        what="Every outcome of an action rules out the same truth.",
        why="If that truth held, the action could have no outcome at all: the domain contradicts itself.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Silver, Brass }
          actions "test" "tests" {
            "Acid" {
              "turns green" rules out Gold, Silver
              "turns black" rules out Gold, Brass
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Silver, Brass }
          actions "test" "tests" {
            "Acid" {
              "turns green" rules out Gold, Silver
              "turns black" rules out Gold, Brass
              "no change"   rules out Silver, Brass
            }
          }
        }
        """,
        advice="""
        Add the outcome that such a truth gives, or take the truth out of one of the outcomes. For a derived action,
        correct the fact.
        """,
    ),
    define(
        EMPTY_RANGE,
        "a range is empty or reversed",
        what="A range holds nothing: its ends are equal, or the higher one stands first.",
        why="""
        A range of outcomes, `lo..hi`, holds the numbers from `lo` up to, not including, `hi`. (The range of a fact and
        the `difficulty` of a size include both ends, so there `6..6` is fine, but `7..6` is not.)
        """,
        bad="""
        domain minerals {
          property hardness : number 1..10
          truths "mineral" "minerals" {
            Quartz  { hardness 7.5..6.5 }
            Calcite { hardness 3 }
          }
          actions "test" "tests" {
            "Scratch" measures hardness cut at 5
          }
        }
        """,
        good="""
        domain minerals {
          property hardness : number 1..10
          truths "mineral" "minerals" {
            Quartz  { hardness 6.5..7.5 }
            Calcite { hardness 3 }
          }
          actions "test" "tests" {
            "Scratch" measures hardness cut at 5
          }
        }
        """,
    ),
    define(
        OVERLAPPING_RANGES,
        "two ranges of an action overlap",
        what="Two ranges of a measured action overlap.",
        why="A measured value must fall in exactly one range, or the rules for it would contradict each other.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Balance" number 0..20 unit "g/cm3" {
              0..12  rules out Gold
              10..20 rules out Brass
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
        Let one range end where the next begins: `12` itself belongs to the upper one. Where both truths are possible
        between 10 and 12, make three ranges.
        """,
    ),
    define(
        GAP_IN_RANGES,
        "the ranges of an action leave a gap",
        what="The ranges of a measured action leave out a part of its scale.",
        why="Every value that can be measured must fall in a range.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Balance" number 0..20 unit "g/cm3" {
              0..10  rules out Gold
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
              0..10  rules out Gold
              10..12 rules out nothing
              12..20 rules out Brass
            }
          }
        }
        """,
    ),
    define(
        OUTSIDE_SCALE,
        "a range reaches beyond its scale",
        what="A range of a measured action reaches beyond its scale.",
        why="The scale says what can be measured at all.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Balance" number 0..20 unit "g/cm3" {
              0..12  rules out Gold
              12..25 rules out Brass
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Balance" number 0..25 unit "g/cm3" {
              0..12  rules out Gold
              12..25 rules out Brass
            }
          }
        }
        """,
    ),
    define(
        RANGE_TOO_NARROW,
        "no writable value lies inside a range",
        what="No value that can be written with the decimals of the scale lies strictly inside a range.",
        why="""
        What a player is shown is one value inside the range that was observed, never one on its bounds, written with
        the declared number of decimals.
        """,
        bad="""
        domain dice {
          truths "die" "dice" { Fair, Loaded }
          actions "test" "tests" {
            "Count the sixes in ten throws" number 0..10 decimals 0 {
              0..1  rules out Loaded
              1..10 rules out Fair
            }
          }
        }
        """,
        good="""
        domain dice {
          truths "die" "dice" { Fair, Loaded }
          actions "test" "tests" {
            "Count the sixes in ten throws" number -0.5..10.5 decimals 0 {
              -0.5..5.5 rules out Loaded
              5.5..10.5 rules out Fair
            }
          }
        }
        """,
        advice="""
        Give the scale more decimals (without `decimals` it has one more than its bounds show), widen the range, or, for
        whole numbers, put bounds half way between them.
        """,
    ),
    define(
        DOMAIN_TOO_LARGE,
        "a domain has too many truths and outcomes",
        what="The truths of a domain times its outcomes and groups are more than 1,000,000.",
        why="""
        The tables of a domain have a cell for each truth and outcome. Nobody writes or reviews this many by hand, and
        nothing that is done with the tables would come to an end.
        """,
        bad="""
        $ kumoc check everything.kumo
        error[K408 domain-too-large]: 2,000 truths times 1,500 outcomes and groups are more than 1,000,000
          --> everything.kumo:1:1
          |
        1 | domain everything {
          | ^^^^^^^^^^^^^^^^^
          = help: make several domains of it
        """,
        advice="Make several domains of it, each with truths that are worth telling apart.",
    ),
)
