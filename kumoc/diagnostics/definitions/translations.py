"""Translations."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import MISSING_FOR_BUILD, MISSING_TRANSLATION

_COINS = """
    domain coins "Coins" {
      truths "coin" "coins" {
        Gold "Soft and yellow."
        Brass
      }
      actions "test" "tests" {
        "Acid" {
          "no change"   rules out Brass
          "turns green" rules out Gold
        }
      }
    }
    """

DEFINITIONS = (
    define(
        MISSING_TRANSLATION,
        "a translation lacks something that its domain has",
        what="""
        A translation lacks something that its domain has: the title, the topic, the goal, nouns, a name, a description
        or an outcome.
        """,
        why="Nothing is built in that language before it is there, so that no book mixes two languages.",
        bad=f"""{_COINS}
    translation coins zh "硬币" {{
      goal "找出成立的那枚硬币"
      truths "硬币" "硬币" {{
        Gold  "金币"
        Brass "铜币"
      }}
      actions "检验" "检验" {{
        "Acid" "滴酸"
      }}
      outcomes {{
        "no change" "没有变化"
      }}
    }}
    """,
        good=f"""{_COINS}
    translation coins zh "硬币" {{
      goal "找出成立的那枚硬币"
      truths "硬币" "硬币" {{
        Gold  "金币" "柔软的黄色金属。"
        Brass "铜币"
      }}
      actions "检验" "检验" {{
        "Acid" "滴酸"
      }}
      outcomes {{
        "no change"   "没有变化"
        "turns green" "变绿"
      }}
    }}
    """,
    ),
    define(
        MISSING_FOR_BUILD,
        "a benchmark asks for a language or for templates that are not there",
        what="""
        A benchmark asks for a language that one of its domains is not given in, for one that there are no books in, or
        for a folder of templates that is not there.
        """,
        why="It can't be built as it is. Other files that are given to a build may bring what is not there.",
        bad=f"""{_COINS}
    benchmark purse version "1.0.0" {{
      domains   coins
      languages en, zh
      size small {{ truths 2  actions 1 }}
    }}
    """,
        good=f"""{_COINS}
    benchmark purse version "1.0.0" {{
      domains   coins
      languages en
      size small {{ truths 2  actions 1 }}
    }}
    """,
    ),
)
