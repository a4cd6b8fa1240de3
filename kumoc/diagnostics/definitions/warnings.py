"""What is sound but hardly meant."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    INSEPARABLE_TRUTHS,
    MISSING_FACT,
    NEVER_EXCLUDED,
    NEVER_EXCLUDES,
    SENTENCE_AS_NAME,
    TELLING_LABEL,
    TWIN_ACTIONS,
    UNUSED_NAME,
)

DEFINITIONS = (
    define(
        NEVER_EXCLUDES,
        "an action never rules anything out",
        what="No outcome of an action rules anything out.",
        why="""
        Such an action tells nothing, so taking it is always a waste. It may be left in on purpose, as a temptation.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
            "Toss" {
              "heads" rules out nothing
              "tails" rules out nothing
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
        NEVER_EXCLUDED,
        "nothing can rule out a truth",
        what="No outcome of any action rules out this truth.",
        why="""
        Where it is listed, nothing can show that it does not hold, so it must be the answer: it gives the answer away.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Silver, Brass }
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
          truths "coin" "coins" { Gold, Silver, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass, Silver
              "turns green" rules out Gold, Silver
              "turns black" rules out Gold, Brass
            }
          }
        }
        """,
    ),
    define(
        INSEPARABLE_TRUTHS,
        "no action tells two truths apart",
        what="Every outcome treats two truths alike.",
        why="""
        Whatever rules out one rules out the other, so no game with one valid truth, and no fair game at all, can have
        both of them listed.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass, Bronze }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass, Bronze
              "turns green" rules out Gold
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" { Gold, Brass, Bronze }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass, Bronze
              "turns green" rules out Gold
            }
            "Eye" {
              "yellow" rules out Bronze
              "brown"  rules out Brass
            }
          }
        }
        """,
    ),
    define(
        TWIN_ACTIONS,
        "two actions rule out the same truths",
        what="Two actions rule out the same truths, outcome by outcome.",
        why="To a player they are one action under two names: after one of them the other tells nothing new.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
            }
            "Balance" {
              "light" rules out Gold
              "heavy" rules out Brass
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
        advice="Keep one of them, or say what the other shows beyond it.",
    ),
    define(
        TELLING_LABEL,
        "an outcome names a truth",
        what="The label of an outcome contains the name of a truth.",
        why="""
        Such a label tempts a reader to take the outcome for a confirmation. An outcome only ever rules out.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          actions "test" "tests" {
            "Acid" {
              "looks like gold" rules out Brass
              "turns green"     rules out Gold
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
        advice="Describe what is seen, not what it may mean.",
    ),
    define(
        UNUSED_NAME,
        "a group or property is never used",
        what="A group is declared and no set uses it, or a property is declared and no action is derived from it.",
        why="Often the name was meant to be used and is misspelt or forgotten where it belongs.",
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, Brass }
          group noble = Gold
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
          truths "coin" "coins" { Gold, Brass }
          group noble = Gold
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out all but noble
              "turns green" rules out noble
            }
          }
        }
        """,
    ),
    define(
        MISSING_FACT,
        "a truth says nothing about a property that is asked for",
        what="A truth says nothing about a property from which an action is derived.",
        why="It is taken to show any value, so the action never rules it out. That may be right; then say so.",
        bad="""
        domain minerals {
          property magnetic : yes or no
          property streak   : one of white, black
          truths "mineral" "minerals" {
            Quartz    { magnetic no   streak white }
            Magnetite { magnetic yes  streak black }
            Hematite  {               streak black }
          }
          actions "test" "tests" {
            "Magnet" observes magnetic
            "Plate"  observes streak
          }
        }
        """,
        good="""
        domain minerals {
          property magnetic : yes or no
          property streak   : one of white, black
          truths "mineral" "minerals" {
            Quartz    { magnetic no   streak white }
            Magnetite { magnetic yes  streak black }
            Hematite  { magnetic any  streak black }
          }
          actions "test" "tests" {
            "Magnet" observes magnetic
            "Plate"  observes streak
          }
        }
        """,
    ),
    define(
        SENTENCE_AS_NAME,
        "a name reads like a description",
        what="""
        The name of a truth or an action has four words or more and ends with a full stop, so it looks like a
        description.
        """,
        why="""
        A text in quotes that begins its line is a name. A description stands on the line on which what it describes
        ends.
        """,
        bad="""
        domain coins {
          truths "coin" "coins" { Gold, "A soft yellow metal.", Brass }
          actions "test" "tests" {
            "Acid" {
              "no change"   rules out Brass
              "turns green" rules out Gold
              "turns black" rules out all but Brass
            }
          }
        }
        """,
        good="""
        domain coins {
          truths "coin" "coins" {
            Gold "A soft yellow metal."
            Brass
          }
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
