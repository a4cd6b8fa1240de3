"""Past a fault: so many independent faults, so many errors; and no text makes the compiler fail or hang."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kumoc.diagnostics import Diagnostic, Source
from kumoc.language import compile_sources

GOOD = """\
# A page of minerals.
domain minerals "Mineral identification" {
  topic   "Earth science"
  goal    "identify the mineral in a hand specimen"
  version "1.0.0"

  property hardness : number 1..10 unit "Mohs"
  property streak   : one of white, yellow, green, red, black
  property magnetic : yes or no
  property lustre   : one of glassy, metallic, earthy

  truths "mineral" "minerals" {
    Quartz        { hardness 7        streak white  magnetic no   lustre glassy }  "A hard, glassy silicate."
    "Iron pyrite" { hardness 6..6.5   streak black  magnetic no   lustre metallic }
    Magnetite     { hardness 5.5..6.5 streak black  magnetic yes  lustre metallic or earthy }
    Calcite       { hardness 3        streak white  magnetic no   lustre any }
    Dolomite      { hardness 3.5..4   streak white  magnetic no   lustre glassy }
    Hematite      { hardness 5..6     streak red    magnetic no   lustre metallic }
  }

  group carbonates = Calcite, Dolomite
  group oxides     = Magnetite, Hematite
  group ores       = oxides, "Iron pyrite"

  actions "bench test" "bench tests" {
    "Streak plate" "The powder colour left on unglazed porcelain." observes streak
    "Magnet" observes magnetic as "attracted", "not attracted"
    "Loupe" observes lustre
    "Hardness picks" measures hardness cut at 2.5, 3.5, 5.5, 6.5
    "Acid drop" "Dilute hydrochloric acid." {
      "fizzes"      rules out all but carbonates
      "no reaction" rules out carbonates
    }
    "Specific gravity" number 1.0..8.0 unit "g/cm3" decimals 2 {
      1.0..2.6 rules out "Iron pyrite", Magnetite
      2.6..4.0 rules out Magnetite
      4.0..8.0 rules out Quartz, carbonates
    }
    "Flame" {
      "sparks"  rules out all but ores
      "nothing seen" rules out "Iron pyrite"
    }
  }
}

benchmark field_lab version "1.0.0" {
  title   "Field lab"
  license "cc-by-4.0"
  domains minerals
  seed    20261121
  size easy { truths 4  actions 4  test 50 }
  size hard { truths 5  actions 6  valid 1  difficulty 1..8 }
}
"""

PLANTED = (
    ("# A page", "/ A page", "K101"),
    ('topic   "Earth science"', 'topic   "Earth science', "K103"),
    ('goal    "identify', 'gaol    "identify', "K101"),
    ('version "1.0.0"\n\n', 'version "1.0"\n\n', "K109"),
    ("property magnetic : yes or no", "property magnetic : yes and no", "K101"),
    ("lustre   : one of glassy, metallic,", "lustre   : one of glassy, metallic", "K101"),
    ("{ hardness 7        streak white", "{ hardness 7        streak wite", "K301"),
    ('"Iron pyrite" { hardness 6..6.5 ', '"Iron pyrite" { hardness 6.5..6 ', "K403"),
    ("Magnetite     { hardness 5.5..6.5", "Magnetite     { hardnes 5.5..6.5", "K201"),
    ("{ hardness 3        streak", "{ hardness 300        streak", "K301"),
    ("Dolomite      {", "    }\n    Dolomite      {", "K102"),
    ("{ hardness 3.5..4  ", "{ hardness 3.5.4  ", "K101"),
    ("Hematite      {", "Hematite   $   {", "K101"),
    ("= Calcite, Dolomite\n", "= Calcite, Dolomite,\n", "K101"),
    ("= Magnetite, Hematite", "= Magnetite, Hematit", "K201"),
    ('= oxides, "Iron pyrite"', '= oxides "Iron pyrite"', "K101"),
    ('unglazed porcelain."', "unglazed porcelain.", "K103"),
    ('"Loupe" observes', '"Loupe" observs', "K101"),
    ("cut at 2.5, 3.5", "cut at 3.5, 2.5", "K304"),
    ('"fizzes"      rules out', '"fizzes"      rules ot', "K101"),
    ('"no reaction" rules out carbonates\n    }\n', '"no reaction" rules out carbonates\n', "K102"),
    ("1.0..2.6 rules", "1.0..2,6 rules", "K101"),
    ("4.0..8.0 rules", "4.0..1e99 rules", "K104"),
    ('    "Flame" {', '    "Flame"', "K102"),
    ("all but ores", "all but orez", "K201"),
    ('rules out "Iron pyrite"\n    }\n  }', 'rules out "Iron pyrite\n    }\n  }', "K103"),
    ('benchmark field_lab version "1.0.0"', 'benchmark field_lab version "one"', "K109"),
    ('title   "Field lab"', 'titel   "Field lab"', "K101"),
    ("domains minerals\n", "domains minerals, medical\n", "K201"),
    ("seed    20261121", "seed    2026.5", "K109"),
    ("size easy { truths 4", "size easy { truth 4", "K101"),
    ("  size hard {", "  }\n  size hard {", "K102"),
    ("actions 6  valid", "actons 6  valid", "K101"),
    ("  property lustre", "  # kumoc: to be checked\n  property lustre", "K701"),
    ("  group carbonates", "  # kumoc: allow unused-group - it is new\n  group carbonates", "K702"),
    ("  group oxides", "  # kumoc: allow bad-name - it is new\n  group oxides", "K703"),
    ("  group ores", "  # kumoc: allow unused-name\n  group ores", "K704"),
)
"""What stands in the good file, what is put there, and the one error that this must give."""


def errors(text: str) -> list[Diagnostic]:
    return [found for found in compile_sources([Source("x.kumo", text)]).diagnostics if found.is_error]


def test_the_file_is_good_before_faults_are_planted() -> None:
    assert compile_sources([Source("x.kumo", GOOD)]).diagnostics == ()


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault[1].strip())
def test_one_fault_gives_one_error_on_its_line(fault: tuple[str, str, str]) -> None:
    old, new, code = fault
    assert GOOD.count(old) == 1
    (error,) = errors(GOOD.replace(old, new))
    assert error.rule.code == code
    assert error.place.span is not None
    line, _ = error.place.source.position(error.place.span.start)
    before = GOOD[: GOOD.index(old)].count("\n") + 1
    # the '{' of a block that lacks its end is where the block begins
    assert before - 2 <= line <= before + new.count("\n")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sets(st.sampled_from(range(len(PLANTED))), min_size=2))
def test_so_many_faults_so_many_errors(planted: set[int]) -> None:
    text = GOOD
    for index in sorted(planted):
        old, new, _ = PLANTED[index]
        assert text.count(old) == 1
        text = text.replace(old, new)
    found = errors(text)
    assert Counter(error.rule.code for error in found) == Counter(PLANTED[index][2] for index in planted)


def test_a_hundred_syntax_errors_are_enough() -> None:
    entries = "".join(f"  group g{i} =\n" for i in range(150))
    found = errors(f'domain x {{\n{entries}  truths "t" "ts" {{ A, B }}\n  actions "a" "as" {{\n  }}\n}}\n')
    assert [error.rule.code for error in found] == ["K101"] * 100


def test_a_file_in_another_language_gives_few_errors() -> None:
    program = "def main(argument):\n    for x in range(10):\n        print(x, 'text', {\"a\": 1})\n\n" * 200
    assert 1 <= len(errors(program)) <= 100


@pytest.mark.parametrize(
    ("wrong", "codes"),
    [
        ("no paired braces by accident", ["K102", "K102"]),
        ("oddly indented, but paired", ["K101"]),
        ("not indented at all", ["K101"]),
    ],
)
def test_braces_are_judged_by_what_costs_less(wrong: str, codes: list[str]) -> None:
    texts = {
        # one missing and one to spare: they pair, and everything between them would be lost
        "no paired braces by accident": GOOD.replace(
            '"no reaction" rules out carbonates\n    }\n', '"no reaction" rules out carbonates\n'
        ).replace("  size hard {", "  }\n  size hard {"),
        "oddly indented, but paired": "".join(
            f"{' ' * (number * 7 % 5)}{line.strip()}\n" for number, line in enumerate(GOOD.splitlines())
        ).replace("rules out all but ores", "rules ot all but ores"),
        "not indented at all": "".join(f"{line.strip()}\n" for line in GOOD.splitlines()).replace("topic ", "topik "),
    }
    assert [error.rule.code for error in errors(texts[wrong])] == codes


BROKEN_HEADS = (
    ('domain minerals "Mineral identification" {', 'domain minerals: "Mineral identification" {'),
    ('domain minerals "Mineral identification" {', "domain minerals Minerals {"),
    ('domain minerals "Mineral identification" {', "domian minerals {"),
    ('domain minerals "Mineral identification" {', 'domain 5 "minerals" {'),
    ('truths "mineral" "minerals" {', 'truths "mineral" {'),
    ('truths "mineral" "minerals" {', "truths mineral minerals {"),
    ('truths "mineral" "minerals" {', 'truths: "mineral", "minerals" {'),
    ('truths "mineral" "minerals" {', 'truth "mineral" "minerals" {'),
    ("Dolomite      {", "Dolomite :    {"),
    ("Dolomite      {", "Dolomite 1    {"),
    ('actions "bench test" "bench tests" {', "actions {"),
    ('actions "bench test" "bench tests" {', 'actions "bench test" "bench tests" = {'),
    ('"Acid drop" "Dilute hydrochloric acid." {', '"Acid drop": {'),
    ('"Acid drop" "Dilute hydrochloric acid." {', '"Acid drop" acid {'),
    ('"Acid drop" "Dilute hydrochloric acid." {', "Acid drop {"),
    ('"Acid drop" "Dilute hydrochloric acid." {', "1Acid {"),
    ('"Acid drop" "Dilute hydrochloric acid." {', '"Acid drop {'),
    ('"Acid drop" "Dilute hydrochloric acid." {', '- "Acid drop" {'),
    ('number 1.0..8.0 unit "g/cm3" decimals 2 {', "number 1.0-8.0 {"),
    ('number 1.0..8.0 unit "g/cm3" decimals 2 {', "number {"),
    ('number 1.0..8.0 unit "g/cm3" decimals 2 {', "number 1.0..8.0 unit g {"),
    ('"Flame" {', '"Flame" observes {'),
    ('"Flame" {', '"Flame" -> {'),
    ('benchmark field_lab version "1.0.0" {', 'benchmark field_lab "1.0.0" {'),
    ('benchmark field_lab version "1.0.0" {', "benchmark {"),
    ("size easy {", "size easy: {"),
    ("size hard {", "sizes hard {"),
)
"""The head of a block, and one that is no head: one error, whatever stands in the block."""

IN_BODIES = (
    ("topic   ", "topik   "),
    ("hardness 7 ", "hardnes 7 "),
    ("streak white  magnetic no   lustre any", "streak white  magnetic no   lustre = any"),
    ("{ hardness 3.5..4  ", "{ hardness 4..3.5  "),
    ("= Calcite, Dolomite", "= Calcite, Quarz"),
    ('"Loupe" observes', '"Loupe" observs'),
    ('"fizzes"      rules out', '"fizzes"      rule out'),
    ('"no reaction" rules out carbonates', '"no reaction" rules out carbonate'),
    ('1.0..2.6 rules out "Iron pyrite"', '1.0..2.6 rules out "Iron pirite"'),
    ("2.6..4.0 rules out Magnetite", "2.6..4.0 -> Magnetite"),
    ("rules out all but ores", "rules out all but orez"),
    ('"nothing seen" rules', '"nothing seen" excludes'),
    ("seed    20261121", "seed    2026.5"),
    ("truths 4", "truth 4"),
    ("difficulty 1..8", "difficulty 8..1"),
)
"""What stands in a block, and a fault in its place: one error, whatever the head of the block."""


def planted(faults: list[tuple[str, str]], text: str) -> str | None:
    """The text with all faults in it; None where two of them are in one place."""
    for old, new in faults:
        if text.count(old) != 1:
            return None
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("fault", BROKEN_HEADS + IN_BODIES, ids=lambda fault: fault[1].strip())
def test_a_broken_head_is_one_error(fault: tuple[str, str]) -> None:
    text = planted([fault], GOOD)
    assert text is not None
    assert len(errors(text)) == 1


def test_a_broken_head_hides_nothing_that_is_wrong_in_its_block() -> None:
    valid = []

    @settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        st.lists(st.sampled_from(BROKEN_HEADS), min_size=1, max_size=6, unique_by=lambda fault: fault[0]),
        st.lists(st.sampled_from(IN_BODIES), unique=True),
    )
    def check(heads: list[tuple[str, str]], inside: list[tuple[str, str]]) -> None:
        text = planted([*heads, *inside], GOOD)
        valid.append(text is not None)
        if text is not None:
            assert len(errors(text)) == len(heads) + len(inside)

    check()
    assert sum(valid) >= 90


@pytest.mark.parametrize(
    "head", ["translation minerals", "translation", "translation minerals: zh", "translations minerals zh"]
)
def test_a_broken_head_of_a_translation_is_one_error(head: str) -> None:
    text = f'{GOOD}{head} {{\n  outcomes {{\n    "fizzes" "x"\n    "sparks" = "y"\n  }}\n}}\n'
    assert len(errors(text)) == 2


FLAT = "".join(f"{line.strip()}\n" for line in GOOD.splitlines())


@pytest.mark.parametrize("fault", BROKEN_HEADS, ids=lambda fault: fault[1].strip())
def test_a_broken_head_in_a_flat_file_hides_nothing(fault: tuple[str, str]) -> None:
    text = planted([fault, *IN_BODIES[5:8]], FLAT)
    assert text is not None
    assert len(errors(text)) == 4


@pytest.mark.parametrize("text", [GOOD, FLAT], ids=["indented", "flat"])
@pytest.mark.parametrize("with_faults", [False, True], ids=["else sound", "with other faults"])
def test_one_brace_gone_is_one_error(text: str, with_faults: bool) -> None:
    faults = [IN_BODIES[index] for index in (0, 6, 10)] if with_faults else []
    lines = (planted(faults, text) or "").splitlines(keepends=True)
    alone = [number for number, line in enumerate(lines) if line.strip() == "}"]
    assert len(alone) == 7
    for number in alone:
        found = errors("".join(lines[:number] + lines[number + 1 :]))
        assert Counter(error.rule.code for error in found)["K102"] == 1
        assert len(found) == 1 + len(faults)


@pytest.mark.parametrize("text", [GOOD, FLAT], ids=["indented", "flat"])
def test_one_opening_brace_gone_is_one_error(text: str) -> None:
    lines = text.splitlines(keepends=True)
    openers = [number for number, line in enumerate(lines) if line.endswith("{\n")]
    assert len(openers) == 7
    for number in openers:
        changed = [*lines[:number], lines[number].replace("{", ""), *lines[number + 1 :]]
        (error,) = errors("".join(changed))
        assert error.rule.code == "K102"


@pytest.mark.parametrize("text", [GOOD, FLAT], ids=["indented", "flat"])
def test_one_brace_to_spare_is_one_error(text: str) -> None:
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.strip() == "}":
            (error,) = errors("".join([*lines[:number], line, *lines[number:]]))
            assert error.rule.code == "K102"


@pytest.mark.parametrize("begun", ["domain x {\n", 'benchmark x version "1.0.0" {\n', 'domain x {\n  topic "t"\n'])
def test_a_block_that_is_only_begun_lacks_its_end_and_nothing_else(begun: str) -> None:
    (error,) = errors(begun)
    assert error.rule.code == "K102"
