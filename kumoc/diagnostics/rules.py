"""Every rule there is. Codes are stable: they are never given to another rule."""

from difflib import get_close_matches

from kumoc.diagnostics.model import Rule, Severity

RULES: dict[str, Rule] = {}
"""All rules by code, in order."""


def _rule(code: str, name: str, severity: Severity) -> Rule:
    rule = RULES[code] = Rule(code, name, severity)
    return rule


def _error(code: str, name: str) -> Rule:
    return _rule(code, name, Severity.ERROR)


def _warning(code: str, name: str) -> Rule:
    return _rule(code, name, Severity.WARNING)


# files
UNREADABLE_FILE = _error("K001", "unreadable-file")
NOT_UTF_8 = _error("K002", "not-utf-8")
FILE_TOO_LARGE = _error("K003", "file-too-large")
NOTHING_TO_COMPILE = _error("K004", "nothing-to-compile")

# syntax
SYNTAX_ERROR = _error("K101", "syntax-error")
UNBALANCED_BRACE = _error("K102", "unbalanced-brace")
BAD_STRING = _error("K103", "bad-string")
BAD_NUMBER = _error("K104", "bad-number")
BAD_NAME = _error("K105", "bad-name")
RESERVED_WORD = _error("K106", "reserved-word")
REPEATED_DECLARATION = _error("K107", "repeated-declaration")
MISSING_DECLARATION = _error("K108", "missing-declaration")
BAD_SETTING = _error("K109", "bad-setting")

# names
UNKNOWN_NAME = _error("K201", "unknown-name")
REPEATED_NAME = _error("K202", "repeated-name")
CONFUSABLE_NAMES = _error("K203", "confusable-names")
TRUTH_AND_ACTION = _error("K204", "truth-and-action")
GROUP_CYCLE = _error("K205", "group-cycle")

# properties and facts
VALUE_OUTSIDE_TYPE = _error("K301", "value-outside-type")
WRONG_PROPERTY_KIND = _error("K302", "wrong-property-kind")
WRONG_LABEL_COUNT = _error("K303", "wrong-label-count")
BAD_CUT_POINT = _error("K304", "bad-cut-point")

# outcomes
TOO_FEW_OUTCOMES = _error("K401", "too-few-outcomes")
ALWAYS_EXCLUDED = _error("K402", "always-excluded")
EMPTY_RANGE = _error("K403", "empty-range")
OVERLAPPING_RANGES = _error("K404", "overlapping-ranges")
GAP_IN_RANGES = _error("K405", "gap-in-ranges")
OUTSIDE_SCALE = _error("K406", "outside-scale")
RANGE_TOO_NARROW = _error("K407", "range-too-narrow")
DOMAIN_TOO_LARGE = _error("K408", "domain-too-large")

# benchmarks
SIZE_TOO_LARGE = _error("K501", "size-too-large")
IMPOSSIBLE_SIZE = _error("K502", "impossible-size")

# warnings
NEVER_EXCLUDES = _warning("K601", "never-excludes")
NEVER_EXCLUDED = _warning("K602", "never-excluded")
INSEPARABLE_TRUTHS = _warning("K603", "inseparable-truths")
TWIN_ACTIONS = _warning("K604", "twin-actions")
TELLING_LABEL = _warning("K605", "telling-label")
UNUSED_NAME = _warning("K606", "unused-name")
MISSING_FACT = _warning("K607", "missing-fact")
SENTENCE_AS_NAME = _warning("K608", "sentence-as-name")
MISSING_TRANSLATION = _warning("K609", "missing-translation")
MISSING_FOR_BUILD = _warning("K610", "missing-for-build")

# comments that speak to the compiler
BAD_DIRECTIVE = _error("K701", "bad-directive")
UNKNOWN_RULE = _error("K702", "unknown-rule")
ALLOWED_ERROR = _error("K703", "allowed-error")
MISSING_REASON = _error("K704", "missing-reason")
UNUSED_ALLOWANCE = _warning("K705", "unused-allowance")


def find(code_or_name: str) -> Rule | None:
    """The rule with that code or name, in any case; None where there is none."""
    wanted = code_or_name.strip().lower()
    return next((rule for rule in RULES.values() if wanted in (rule.code.lower(), rule.name)), None)


def suggest(wanted: str) -> str:
    """What to do about a code or name that is no rule's."""
    known = {text.lower(): text for rule in RULES.values() for text in (rule.code, rule.name)}
    near = get_close_matches(wanted.strip().lower(), known, n=1)
    return f"did you mean '{known[near[0]]}'?" if near else "`kumoc explain` lists all rules"
