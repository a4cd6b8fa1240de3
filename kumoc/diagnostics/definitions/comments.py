"""Comments that speak to the compiler."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    ALLOWED_ERROR,
    BAD_DIRECTIVE,
    MISSING_REASON,
    UNKNOWN_RULE,
    UNUSED_ALLOWANCE,
)


def _coins(comment: str, ruled_out: str) -> str:
    return f"""
    domain coins {{
      truths "coin" "coins" {{ Gold, Brass }}
      group noble = Gold{comment}
      actions "test" "tests" {{
        "Acid" {{
          "no change"   rules out Brass
          "turns green" rules out {ruled_out}
        }}
      }}
    }}
    """


_ALLOWED = _coins("  # kumoc: allow unused-name - it is for the next version", "Gold")

DEFINITIONS = (
    define(
        BAD_DIRECTIVE,
        "a comment asks for what kumoc does not know",
        what="""
        A comment begins with `kumoc:` and does not go on with `allow` and the name of a rule; or it was meant as such a
        comment, and begins with `kumo: allow`, or lacks the colon.
        """,
        why="Such a comment is meant for the compiler. Passed over, it would do nothing, and nobody would learn of it.",
        bad=_coins("  # kumoc: checked by hand", "noble"),
        good=_coins("  # checked by hand", "noble"),
    ),
    define(
        UNKNOWN_RULE,
        "a comment allows a rule that there is not",
        what="What a comment allows is not the name of a rule. If the name of a rule is near, it is suggested.",
        why="It would allow nothing. Rules are allowed by their names, not by their codes, which readers don't know.",
        bad=_coins("  # kumoc: allow unused-group - it is for the next version", "noble"),
        good=_ALLOWED,
    ),
    define(
        ALLOWED_ERROR,
        "a comment allows an error",
        what="What a comment allows is an error.",
        why="""
        A warning may be wrong about what its author meant. An error leaves nothing that could be built, whatever was
        meant.
        """,
        bad=_coins("  # kumoc: allow unknown-name - Silver comes with the next version", "noble"),
        good=_coins("", "noble"),
    ),
    define(
        MISSING_REASON,
        "a warning is allowed without a reason",
        what="A comment allows a warning and does not say why: ` - ` and a reason are missing behind the name.",
        why="""
        Who reads the file later can't know whether the warning was wrong, or only in the way. It is allowed all the
        same.
        """,
        bad=_coins("  # kumoc: allow unused-name", "Gold"),
        good=_ALLOWED,
    ),
    define(
        UNUSED_ALLOWANCE,
        "a comment allows a warning that there is not",
        what="""
        A comment allows a warning, and there is no such warning about the entry at whose end, or above which, it
        stands.
        """,
        why="""
        What was wrong may have been mended, and then the comment tells something untrue; or it stands in the wrong
        place. While anything is an error this is not looked for, since not all warnings are.
        """,
        bad=_coins("  # kumoc: allow unused-name - it is for the next version", "noble"),
        good=_coins("", "noble"),
    ),
)
