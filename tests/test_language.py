"""What a domain compiles to."""

import json
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.benchmark import Benchmark, Mode, Size
from kumoc.cli import cli
from kumoc.diagnostics import Source
from kumoc.language import Compilation, compile_sources
from kumoc.tables import Action, Noun, Outcome, Range, Scale, Tables, Truth, from_json, members, to_json
from tests.command import DOMAINS, ROOT, kumoc

EVERYTHING = """\
# Everything that the language can say.
domain ores_2 "Ores" {
  topic   "mineralogy \\"on a page\\""
  goal    "name the ore."
  version "2.10.3"

  property hardness : number -1.5..10 unit "Mohs" decimals 2
  property streak   : one of black, "brick red", green
  property magnetic : yes or no
  property fizzing  : yes or no

  group metals = sulfides, Magnetite   # used before it is declared
  group sulfides = Pyrite, "Fool's gold"

  actions "bench test" "bench tests" {
    "Streak plate" "Unglazed porcelain." observes streak
    Magnet observes magnetic as "pulls", "does not pull"
    Picks measures hardness cut at 3, 5.5
    Acid observes fizzing
    "Look at it" {
      glassy rules out all but Quartz, metals
      "like metal" rules out Quartz,
                             Calcite
      "like nothing" rules out nothing
      dark rules out Quartz, all but sulfides
    }
    Balance "In water and in air." number 1..8 unit "g/cm3" {
      4.50..8 rules out Quartz, Calcite
      1..4.50 rules out metals
    }
  }

  truths "ore" "ores" {
    Quartz { hardness 7, streak black, magnetic no, fizzing no } "Glass, nearly."
    Calcite { hardness 2.5..3 or 9  streak black or green  magnetic any  fizzing yes }
    Pyrite { hardness 6..6.5 streak "brick red" magnetic no fizzing any }, Magnetite { hardness 5.5
      streak black magnetic yes
      fizzing yes or no }
    "Fool's gold" { hardness -1.5 or 10 streak green magnetic no fizzing no } "A name for pyrite."
  }
}

benchmark field_lab version "1.0.0" {
  title   "Field lab"
  license "cc-by-4.0"
  domains ores_2
  seed    20261121
  size one { truths 2  actions 1 }
  size two { truths 3  actions 2  valid 2  train 1  validation 0  test 3  mode paper  difficulty 1..2.5
             giveaways allowed  work 5e3 }
}
benchmark bare version "0.0.1" {
  domains ores_2
  size one { truths 2  actions 1  test 7  validation 5 }
}
"""
QUARTZ, CALCITE, PYRITE, MAGNETITE, FOOLS_GOLD = (1 << i for i in range(5))


def compiled(text: str) -> Compilation:
    return compile_sources([Source("x.kumo", text)])


def tables_of(text: str) -> Tables:
    compilation = compiled(text)
    assert not compilation.has_errors, compilation.diagnostics
    (tables,) = compilation.tables
    return tables


# ---- one domain, by hand


def test_everything_that_can_be_said() -> None:
    tables = tables_of(EVERYTHING)
    assert (tables.domain, tables.title, tables.version) == ("ores_2", "Ores", "2.10.3")
    assert (tables.topic, tables.goal) == ('mineralogy "on a page"', "name the ore")
    assert (tables.truth_noun, tables.action_noun) == (Noun("ore", "ores"), Noun("bench test", "bench tests"))
    assert tables.truths == (
        Truth("Quartz", "Glass, nearly."),
        Truth("Calcite"),
        Truth("Pyrite"),
        Truth("Magnetite"),
        Truth("Fool's gold", "A name for pyrite."),
    )
    two, three, five, ten = map(Decimal, ("-1.5", "3", "5.5", "10"))
    metals = PYRITE | FOOLS_GOLD | MAGNETITE
    assert tables.actions == (
        Action(
            "Streak plate",
            (
                Outcome("black", PYRITE | FOOLS_GOLD),
                Outcome("brick red", QUARTZ | CALCITE | MAGNETITE | FOOLS_GOLD),
                Outcome("green", QUARTZ | PYRITE | MAGNETITE),
            ),
            "Unglazed porcelain.",
        ),
        Action("Magnet", (Outcome("pulls", QUARTZ | PYRITE | FOOLS_GOLD), Outcome("does not pull", MAGNETITE))),
        Action(
            "Picks",
            (
                Outcome(Range(two, three), QUARTZ | PYRITE | MAGNETITE),
                Outcome(Range(three, five), QUARTZ | PYRITE | MAGNETITE | FOOLS_GOLD),
                Outcome(Range(five, ten, closed=True), 0),
            ),
            scale=Scale(two, ten, 2, "Mohs"),
        ),
        Action("Acid", (Outcome("yes", QUARTZ | FOOLS_GOLD), Outcome("no", CALCITE))),
        Action(
            "Look at it",
            (
                Outcome("glassy", CALCITE),
                Outcome("like metal", QUARTZ | CALCITE),
                Outcome("like nothing", 0),
                Outcome("dark", QUARTZ | CALCITE | MAGNETITE),
            ),
        ),
        Action(
            "Balance",
            (
                Outcome(Range(Decimal(1), Decimal("4.5")), metals),
                Outcome(Range(Decimal("4.5"), Decimal(8), closed=True), QUARTZ | CALCITE),
            ),
            "In water and in air.",
            Scale(Decimal(1), Decimal(8), 3, "g/cm3"),
        ),
    )


def test_benchmarks_and_their_defaults() -> None:
    full, bare = compiled(EVERYTHING).benchmarks
    assert full == Benchmark(
        name="field_lab",
        version="1.0.0",
        title="Field lab",
        license="cc-by-4.0",
        domains=("ores_2",),
        seed=20261121,
        sizes=(
            Size("one", 2, 1),
            Size(
                "two",
                3,
                2,
                valid=2,
                splits=(("train", 1), ("validation", 0), ("test", 3)),
                mode=Mode.PAPER,
                difficulty=(Decimal(1), Decimal("2.5")),
                giveaways=True,
                work=5_000,
            ),
        ),
    )
    assert bare == Benchmark(
        "bare", "0.0.1", "bare", "", ("ores_2",), 0, (Size("one", 2, 1, splits=(("validation", 5), ("test", 7))),)
    )
    assert Size("one", 2, 1) == Size(
        "one", 2, 1, valid=1, splits=(("test", 50),), mode=Mode.FAIR, difficulty=None, giveaways=False, work=2_000_000
    )


def test_what_a_domain_is_called_when_it_does_not_say() -> None:
    tables = tables_of(
        'domain old_Coins {\n truths "coin" "coins" { A, B }\n'
        ' actions "test" "tests" { t { p rules out A\n q rules out B } } }'
    )
    assert (tables.title, tables.topic, tables.goal, tables.version) == (
        "Old coins",
        "",
        "find the coin that holds",
        "1.0.0",
    )


@pytest.mark.parametrize(
    "name", ["Gruyère", "क्वार्ट्ज़", "ควอตซ์", "石英", "קְוַרץ", "مَرْو", "l’Étivaz", "Brie-de-Meaux", "_x9"]
)
def test_letters_of_any_script_need_no_quotes(name: str) -> None:
    tables = tables_of(
        f'domain c {{\n truths "c" "cs" {{ {name}, Other }}\n'
        f' actions "a" "as" {{ Cut {{ hard rules out Other\n soft rules out "{name}" }} }} }}'
    )
    assert tables.actions[0].outcomes[1] == Outcome("soft", 0b01)


def test_names_are_kept_in_nfc_and_found_in_any_form() -> None:
    decomposed, composed = "Gruye\u0300re", "Gruy\u00e8re"
    tables = tables_of(
        f'domain c {{\n truths "c" "cs" {{ {decomposed}, Brie }}\n'
        f' actions "a" "as" {{ Cut {{ "hard" rules out Brie\n "soft" rules out "{composed}" }} }} }}'
    )
    assert tables.truths[0].name == composed
    assert tables.actions[0].outcomes[1] == Outcome("soft", 0b01)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("  ", "\t"),
        lambda text: text.replace("\n", '   # a { comment "\n'),
        lambda text: text.replace("\n", "\n\n\n"),
        lambda text: "\n".join(line.strip() for line in text.splitlines()),
        lambda text: text.replace(" {", "\n{").replace("}", "\n}"),
    ],
    ids=("crlf", "byte order mark", "tabs", "comments", "blank lines", "no indentation", "braces on their own lines"),
)
def test_layout_means_nothing_else(change: object) -> None:
    assert callable(change)
    moved = change(EVERYTHING)
    assert compiled(moved).diagnostics == ()
    assert compiled(moved).tables == compiled(EVERYTHING).tables
    assert compiled(moved).benchmarks == compiled(EVERYTHING).benchmarks


def test_carriage_returns_alone_are_no_line_ends() -> None:
    (error,) = compiled(EVERYTHING.replace("\n", "\r")).diagnostics
    assert (error.rule.code, error.message) == ("K101", "a carriage return stands alone")


# ---- set expressions, against Python's sets


@dataclass(frozen=True)
class Written:
    """A set expression as text and as the set that it means."""

    text: str
    meaning: frozenset[int]


ALL = frozenset(range(8))
ITEMS = (Written("all", ALL), Written("nothing", frozenset()), *(Written(f"T{i}", frozenset({i})) for i in ALL))


def union(items: list[Written]) -> frozenset[int]:
    return frozenset().union(*(item.meaning for item in items))


@st.composite
def expressions(draw: st.DrawFn, groups: tuple[Written, ...] = ()) -> Written:
    named = [item for item in (*ITEMS, *groups) if item.text not in ("all", "nothing")]
    included = draw(st.lists(st.sampled_from((*ITEMS, *groups)), max_size=4))
    first_excepted = draw(st.none() | st.sampled_from(named))
    if first_excepted is None:
        included = included or [ITEMS[1]]
        return Written(", ".join(item.text for item in included), union(included))
    excepted = [first_excepted, *draw(st.lists(st.sampled_from((*ITEMS, *groups)), max_size=3))]
    items = [*(item.text for item in included), f"all but {first_excepted.text}", *(item.text for item in excepted[1:])]
    return Written(", ".join(items), union(included) | (ALL - union(excepted)))


@st.composite
def groups_and_outcomes(draw: st.DrawFn) -> tuple[list[tuple[str, Written]], list[Written]]:
    declared: list[tuple[str, Written]] = []
    for number in range(draw(st.integers(0, 5))):
        known = tuple(Written(name, written.meaning) for name, written in declared)
        declared.append((f"g{number}", draw(expressions(known))))
    known = tuple(Written(name, written.meaning) for name, written in declared)
    return draw(st.permutations(declared)), draw(st.lists(expressions(known), min_size=2, max_size=4))


@settings(max_examples=80, deadline=None)
@given(groups_and_outcomes())
def test_set_expressions_mean_what_sets_mean(drawn: tuple[list[tuple[str, Written]], list[Written]]) -> None:
    groups, outcomes = drawn
    # the last outcome rules out nothing, so that no truth is ruled out by all of them
    outcomes = [*outcomes, ITEMS[1]]
    tables = tables_of(
        f'domain d {{\n truths "t" "ts" {{ {", ".join(f"T{i}" for i in sorted(ALL))} }}\n'
        + "".join(f" group {name} = {written.text}\n" for name, written in groups)
        + ' actions "a" "as" { act {\n'
        + "".join(f"  o{number} rules out {written.text}\n" for number, written in enumerate(outcomes))
        + " } } }"
    )
    (action,) = tables.actions
    assert [frozenset(members(outcome.excludes)) for outcome in action.outcomes] == [each.meaning for each in outcomes]


# ---- derived outcomes, against points on a line

HALVES = st.integers(-6, 6).map(lambda half: Fraction(half, 2))
"""Bounds are halves, so that points at quarters tell any two of their intervals apart."""
POINTS = [Fraction(quarter, 4) for quarter in range(-12, 13)]


def decimal(number: Fraction) -> str:
    return str(float(number))


@st.composite
def facts(draw: st.DrawFn) -> list[tuple[Fraction, Fraction]]:
    return [
        (min(pair), max(pair))
        for pair in draw(st.lists(st.tuples(HALVES, HALVES) | HALVES.map(lambda x: (x, x)), max_size=3))
    ]


@settings(max_examples=80, deadline=None)
@given(
    st.sets(st.integers(-5, 5), min_size=1, max_size=4),
    st.lists(facts(), min_size=2, max_size=5),
)
def test_measured_outcomes_rule_out_what_never_shows_such_a_value(
    cuts: set[int], shown: list[list[tuple[Fraction, Fraction]]]
) -> None:
    bounds = [Fraction(-3), *(Fraction(cut, 2) for cut in sorted(cuts)), Fraction(3)]
    truths = [
        f"T{number} {{ q "
        + (" or ".join(decimal(a) if a == b else f"{decimal(a)}..{decimal(b)}" for a, b in intervals) or "any")
        + " }"
        for number, intervals in enumerate(shown)
    ]
    tables = tables_of(
        'domain d {\n property q : number -3..3 decimals 3\n truths "t" "ts" {\n'
        + "\n".join(truths)
        + f'\n }}\n actions "a" "as" {{ act measures q cut at {", ".join(decimal(b) for b in bounds[1:-1])} }} }}'
    )
    (action,) = tables.actions
    for outcome, low, high in zip(action.outcomes, bounds, bounds[1:], strict=False):
        assert isinstance(outcome.key, Range)
        assert (Fraction(outcome.key.low), Fraction(outcome.key.high)) == (low, high)
        assert outcome.key.closed == (high == 3)
        inside = [x for x in POINTS if low <= x < high or x == high == 3]
        ruled_out = {
            number
            for number, intervals in enumerate(shown)
            if intervals and not any(a <= x <= b for x in inside for a, b in intervals)
        }
        assert set(members(outcome.excludes)) == ruled_out


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sets(st.sampled_from("abcd")), min_size=2, max_size=6), st.booleans())
def test_observed_outcomes_rule_out_what_never_shows_that_value(shown: list[set[str]], worded: bool) -> None:
    truths = "\n".join(f"T{n} {{ q {' or '.join(sorted(values)) or 'any'} }}" for n, values in enumerate(shown))
    labels = ' as "w", "x", "y", "z"' if worded else ""
    tables = tables_of(
        f'domain d {{\n property q : one of a, b, c, d\n truths "t" "ts" {{\n{truths}\n }}\n'
        f' actions "a" "as" {{ act observes q{labels} }} }}'
    )
    (action,) = tables.actions
    assert [outcome.key for outcome in action.outcomes] == list("wxyz" if worded else "abcd")
    for outcome, value in zip(action.outcomes, "abcd", strict=True):
        expected = {n for n, values in enumerate(shown) if values and value not in values}
        assert set(members(outcome.excludes)) == expected


@pytest.mark.parametrize(
    ("scale", "cuts", "decimals"),
    [
        ("0..10", "5", 1),
        ("0..10", "2.5", 2),
        ("0.0..10.0", "5", 2),
        ("1.50..2", "1.6", 3),
        ("0..1e1", "5", 1),
        ("0..10 decimals 4", "5", 4),
        ("0..10 decimals 0", "5", 0),
        ("0..1", "0.123456789", 9),
    ],
)
def test_without_decimals_there_is_one_more_than_the_bounds_show(scale: str, cuts: str, decimals: int) -> None:
    tables = tables_of(
        f'domain d {{\n property q : number {scale}\n truths "t" "ts" {{ A {{ q any }}, B {{ q any }} }}\n'
        f' actions "a" "as" {{ act measures q cut at {cuts} }} }}'
    )
    assert tables.actions[0].scale is not None
    assert tables.actions[0].scale.decimals == decimals


# ---- tables as JSON


def test_tables_come_back_from_json_as_they_were() -> None:
    schema = json.loads((ROOT / "schemas" / "tables.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    texts = (EVERYTHING, *((DOMAINS / f"{name}.kumo").read_text(encoding="utf-8") for name in ("minerals", "tea")))
    for text in texts:
        (tables,) = compiled(text).tables
        data = json.loads(json.dumps(to_json(tables)))
        validator.validate(data)
        assert from_json(data) == tables


# ---- files, through the command

GOOD = """domain coins {
  truths "coin" "coins" { Gold, Brass }
  actions "test" "tests" {
    Acid {
      "no change" rules out Brass
      "turns green" rules out Gold
    }
  }
}
"""


def check(*paths: object) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, paths)], standalone_mode=False)


def assert_says(result: Result, *parts: str) -> None:
    assert result.exception is None
    assert result.return_value == 1
    for part in parts:
        assert part in result.stdout


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.kumo").write_bytes(b'domain x {\n topic "caf\xe9"\n}\n')
    (tmp_path / "utf16.kumo").write_bytes(GOOD.encode("utf-16"))
    (tmp_path / "nothing").mkdir()
    (tmp_path / "folder.kumo").mkdir()
    assert_says(check(tmp_path / "latin.kumo"), "K002 not-utf-8", "line 2 is not UTF-8 (byte 23 is 0xe9)")
    assert_says(check(tmp_path / "utf16.kumo"), "K002 not-utf-8", "line 1 is not UTF-8 (byte 1 is 0xff)")
    assert_says(check(tmp_path / "missing.kumo"), "K001 unreadable-file", "No such file or directory")
    assert_says(check(tmp_path / "nothing"), "K004 nothing-to-compile", "no .kumo file is in this folder")
    assert_says(check(tmp_path / "folder.kumo"), "K004 nothing-to-compile", "no .kumo file is in this folder")
    assert_says(check(tmp_path), "K001", "K002")


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "\ufeff", " \t\r\n\f"])
def test_a_file_that_declares_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "empty.kumo").write_text(text, encoding="utf-8")
    assert_says(check(tmp_path / "empty.kumo"), "K004 nothing-to-compile", "this file declares nothing")


def test_a_file_with_a_byte_order_mark_and_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "marked.kumo").write_bytes(GOOD.encode("utf-8-sig"))
    (tmp_path / "mint.kumo").write_text(
        'benchmark mint version "1.0.0" { domains coins\n size easy { truths 2 actions 1 } }', encoding="utf-8"
    )
    (tmp_path / "notes.txt").write_text("not read")
    result = check(tmp_path, tmp_path / "mint.kumo", tmp_path / "deep")
    assert result.return_value == 0
    assert result.stdout == "1 sound domain, 1 benchmark: 0 errors, 0 warnings\n"


def test_a_file_has_at_most_a_megabyte(tmp_path: Path) -> None:
    file = tmp_path / "large.kumo"
    file.write_text(GOOD + "#" * (1_000_000 - len(GOOD)))
    assert check(file).return_value == 0
    file.write_text(GOOD + "#" * (1_000_001 - len(GOOD)))
    assert_says(check(file), "K003 file-too-large")


def test_a_chain_of_groups_may_be_long(tmp_path: Path) -> None:
    groups = "".join(f"group g{i} = g{i + 1}\n" for i in range(40_000))
    text = GOOD.replace("  actions", f"{groups}group g40000 = Gold\n  actions").replace("out Gold", "out g0")
    (tmp_path / "chain.kumo").write_text(text)
    result = check(tmp_path / "chain.kumo")
    assert (result.return_value, result.stdout) == (0, "1 sound domain, 0 benchmarks: 0 errors, 0 warnings\n")


def test_a_domain_has_at_most_a_million_cells(tmp_path: Path) -> None:
    def text(count: int) -> str:
        truths = "\n".join(f"T{i}" for i in range(1000))
        outcomes = "\n".join(f"o{i} rules out all but T{i}" for i in range(count))
        return f'domain d {{\ntruths "t" "ts" {{\n{truths}\n}}\nactions "a" "as" {{ act {{\n{outcomes}\n}} }}\n}}'

    assert not compiled(text(1000)).has_errors
    (tmp_path / "large.kumo").write_text(text(1001))
    assert_says(check(tmp_path / "large.kumo"), "K408", "1,000 truths times 1,001 outcomes and groups are more than")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{" * 100_000, "K102"),
        ("{\n" * 20_000, "K102"),
        ("}" * 100_000, "K102"),
        ("$\n" * 20_000, "K101"),
        ('"\n' * 20_000, "K103"),
        (GOOD.replace("Brass }", "Brass }\n  group g = h\n  group h = g"), "K205 group-cycle"),
        (GOOD.replace("domain coins", 'domain "../../x"'), "'../../x' can't name a domain"),
        (GOOD.replace("Acid", "Acid number 0..1e999"), "'1e999' has more than 15 digits"),
        (GOOD.replace("Acid", f"Acid number 0..1e{'9' * 50}"), "has more than 15 digits"),
        (GOOD.replace("Acid", f"Acid number 0..1.{'0' * 40}1"), "has more than 15 digits"),
        (GOOD.replace("Brass }", "Brass\0 }"), "'\\u0000' has no meaning here"),
        (GOOD.replace("Brass }", 'Brass "a\0b" }'), "this text holds a character that can't be shown"),
        (GOOD.replace("Brass }", 'Brass "\x1b[31mred\x1b]0;title\x07" }'), "can't be shown"),
        (GOOD.replace("Brass }", "Brass \x1b[2J}"), "'\\u001b' has no meaning here"),
    ],
    ids=lambda value: repr(value[-24:]),
)
def test_hostile_files_end_in_errors(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "hostile.kumo"
    file.write_text(text, encoding="utf-8")
    result = check(file)
    assert_says(result, said)
    assert all(character == "\n" or character.isprintable() for character in result.stdout)


def test_the_program_itself_exits_with_1_and_no_traceback(tmp_path: Path) -> None:
    file = tmp_path / "hostile.kumo"
    file.write_text("{" * 100_000 + "\0\x1b[31m", encoding="utf-8")
    result = kumoc("check", file)
    assert result.returncode == 1
    assert result.stderr == ""
    assert "\x1b" not in result.stdout and result.stdout.endswith("100 errors, 0 warnings\n")


def test_values_of_a_scale_have_at_most_fifteen_digits(tmp_path: Path) -> None:
    text = GOOD_SCALE.replace("decimals 2", "decimals 9")
    (tmp_path / "fine.kumo").write_text(GOOD_SCALE)
    (tmp_path / "long.kumo").write_text(text)
    assert check(tmp_path / "fine.kumo").return_value == 0
    assert_says(check(tmp_path / "long.kumo"), "bad-setting", "more than 15 digits")


GOOD_SCALE = """
domain far "Far" {
  truths "a" "as" { A, B }
  actions "b" "bs" {
    Measure number 0..1000000 decimals 2 {
      0..500000       rules out A
      500000..1000000 rules out B
    }
  }
}
"""


def test_names_that_can_be_confused_cause_no_other_error(tmp_path: Path) -> None:
    (tmp_path / "rh.kumo").write_text(
        'domain rh "Rh" {\n truths "t" "ts" { Rh, rh }\n'
        ' actions "a" "as" {\n Test {\n x rules out Rh\n y rules out rh\n}}}'
    )
    result = check(tmp_path / "rh.kumo")
    assert_says(result, "confusable-names", "1 error,")
