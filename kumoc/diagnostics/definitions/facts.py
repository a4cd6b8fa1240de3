"""Properties and facts."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    BAD_CUT_POINT,
    VALUE_OUTSIDE_TYPE,
    WRONG_LABEL_COUNT,
    WRONG_PROPERTY_KIND,
)

DEFINITIONS = (
    define(
        VALUE_OUTSIDE_TYPE,
        "a fact gives a value that its property can't have",
        what="""
        A fact gives a value that its property can't have: a number outside the scale, a word that is none of the
        choices, a word for a number, or a number for a choice.
        """,
        why="Such a fact would make a derived action rule the truth out wherever it is taken.",
        bad="""
        domain minerals {
          property hardness : number 1..10
          truths "mineral" "minerals" {
            Quartz  { hardness 7 }
            Calcite { hardness 30 }
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
            Quartz  { hardness 7 }
            Calcite { hardness 3 }
          }
          actions "test" "tests" {
            "Scratch" measures hardness cut at 5
          }
        }
        """,
    ),
    define(
        WRONG_PROPERTY_KIND,
        "a number is observed, or a choice is measured",
        what="An action observes a number, or measures a property that is not one.",
        why="""
        `observes` makes an outcome of each value of a choice; a number has no such list. `measures ... cut at ...`
        makes ranges of a number.
        """,
        bad="""
        domain minerals {
          property hardness : number 1..10
          truths "mineral" "minerals" {
            Quartz  { hardness 7 }
            Calcite { hardness 3 }
          }
          actions "test" "tests" {
            "Scratch" observes hardness
          }
        }
        """,
        good="""
        domain minerals {
          property hardness : number 1..10
          truths "mineral" "minerals" {
            Quartz  { hardness 7 }
            Calcite { hardness 3 }
          }
          actions "test" "tests" {
            "Scratch" measures hardness cut at 5
          }
        }
        """,
    ),
    define(
        WRONG_LABEL_COUNT,
        "there are more or fewer labels than values",
        what="`observes ... as ...` gives more or fewer labels than the property has values.",
        why="""
        Each value becomes one outcome, and the labels word them in the order in which the values are declared (`yes`
        before `no` for `yes or no`).
        """,
        bad="""
        domain minerals {
          property magnetic : yes or no
          truths "mineral" "minerals" {
            Quartz    { magnetic no }
            Magnetite { magnetic yes }
          }
          actions "test" "tests" {
            "Magnet" observes magnetic as "attracted"
          }
        }
        """,
        good="""
        domain minerals {
          property magnetic : yes or no
          truths "mineral" "minerals" {
            Quartz    { magnetic no }
            Magnetite { magnetic yes }
          }
          actions "test" "tests" {
            "Magnet" observes magnetic as "attracted", "not attracted"
          }
        }
        """,
    ),
    define(
        BAD_CUT_POINT,
        "a cut lies outside the scale or out of order",
        what="A cut does not lie strictly inside the scale of its property, or not above the cut before it.",
        why="""
        Cuts divide the scale into ranges, each from one cut to the next. A cut at the end of the scale, or a second one
        at the same place, would make a range that holds nothing.
        """,
        bad="""
        domain minerals {
          property hardness : number 1..10
          truths "mineral" "minerals" {
            Quartz  { hardness 7 }
            Calcite { hardness 3 }
          }
          actions "test" "tests" {
            "Scratch" measures hardness cut at 1, 5
          }
        }
        """,
        good="""
        domain minerals {
          property hardness : number 1..10
          truths "mineral" "minerals" {
            Quartz  { hardness 7 }
            Calcite { hardness 3 }
          }
          actions "test" "tests" {
            "Scratch" measures hardness cut at 5
          }
        }
        """,
    ),
)
