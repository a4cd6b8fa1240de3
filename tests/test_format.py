"""One style: what it looks like, that nothing else than words and comments decides it, and that nothing is lost."""

import os
import stat
import sys
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner

from kumoc.cli import cli, main
from kumoc.compiler import compile_paths
from kumoc.language import format as formatter
from kumoc.language.format import CannotFormatError, FormatterError, format_text
from tests.command import DOMAINS, ROOT, kumoc
from tests.fuzz import fuzz_format
from tests.kumo_blocks import kumo_blocks
from tests.layouts import relaid
from tests.test_language import EVERYTHING
from tests.test_recovery import GOOD

UNTIDY = (ROOT / "tests" / "data" / "untidy.kumo").read_text(encoding="utf-8")
TIDY = (ROOT / "tests" / "data" / "tidy.kumo").read_text(encoding="utf-8")
TEA = (DOMAINS / "tea.kumo").read_text(encoding="utf-8")


def test_the_style() -> None:
    assert format_text(UNTIDY) == TIDY


def test_the_example_of_the_docs() -> None:
    typed, tidy = (block.text for block in kumo_blocks(ROOT / "docs" / "style.md"))
    assert format_text(typed) == tidy


def test_the_examples_of_the_docs_are_in_the_style() -> None:
    pages = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    examples = [block.text for page in pages for block in kumo_blocks(page)]
    untidy = [text.split("\n")[0] for text in examples if format_text(text) != text]
    # the one shows what the layout rule bears, the other what a careless author typed
    assert untidy == ['domain rocks "Rocks" {', 'domain teas "Teas" {']
    assert len(examples) > 10


@pytest.mark.parametrize("name", ["benchmarks", "minerals", "tea"])
def test_the_domains_are_in_the_style(name: str) -> None:
    """Some of them: the gate looks at them all."""
    text = (DOMAINS / f"{name}.kumo").read_text(encoding="utf-8")
    assert format_text(text) == text


def declared(*lines: str) -> str:
    """A domain with these lines in it."""
    return "".join(f"{line}\n" for line in ("domain x {", *lines, "}"))


@pytest.mark.parametrize(
    ("lines", "tidy"),
    [
        # names on one line as long as they fit, and nothing stands between them
        (["truths 't' 'ts' {", "A", "B", "}"], ["  truths 't' 'ts' { A, B }"]),
        (["truths 't' 'ts' { A, B, }"], ["  truths 't' 'ts' { A, B }"]),
        (["truths 't' 'ts' {}"], ["  truths 't' 'ts' {}"]),
        (["truths 't' 'ts' { A,", "", "B }"], ["  truths 't' 'ts' {", "    A", "", "    B", "  }"]),
        (["truths 't' 'ts' { A, # a", "B }"], ["  truths 't' 'ts' {", "    A  # a", "    B", "  }"]),
        (["truths 't' 'ts' { # a", "B }"], ["  truths 't' 'ts' {  # a", "    B", "  }"]),
        (["truths 't' 'ts' { B # a", "}"], ["  truths 't' 'ts' {", "    B  # a", "  }"]),
        (["truths 't' 'ts' {", "# a", "}"], ["  truths 't' 'ts' {", "    # a", "  }"]),
        (["truths 't' 'ts' { # a", "}"], ["  truths 't' 'ts' {  # a", "  }"]),
        (["truths 't' 'ts' { A, B", "# b", "}"], ["  truths 't' 'ts' {", "    A", "    B", "    # b", "  }"]),
        (["truths 't' 'ts' { A 'a'", "B }"], ["  truths 't' 'ts' {", "    A 'a'", "    B", "  }"]),
        (
            [f"truths 't' 'ts' {{ {', '.join('A' * 30 + str(i) for i in range(4))} }}"],
            ["  truths 't' 'ts' {", *(f"    {'A' * 30}{i}" for i in range(4)), "  }"],
        ),
        # facts: a line for each truth if all fit; the brace is aligned only where something follows one
        (
            ["truths 't' 'ts' { A { p 1, q", "2 }", "Bb { p 10 q 2 or", "3 } }"],
            ["  truths 't' 'ts' {", "    A  { p 1   q 2 }", "    Bb { p 10  q 2 or 3 }", "  }"],
        ),
        (
            ["truths 't' 'ts' { A { p 1 q 2 } 'a'", "Bb { p 10 } }"],
            ["  truths 't' 'ts' {", "    A  { p 1   q 2 } 'a'", "    Bb { p 10      }", "  }"],
        ),
        (
            ["truths 't' 'ts' { A {} 'a'", "B { p 10 } }"],
            ["  truths 't' 'ts' {", "    A {      } 'a'", "    B { p 10 }", "  }"],
        ),
        (["truths 't' 'ts' { A { } }"], ["  truths 't' 'ts' {", "    A {}", "  }"]),
        # no order of the columns suits all
        (
            ["truths 't' 'ts' { A { p 10 q 2 }", "B { q 20 p 1 } }"],
            ["  truths 't' 'ts' {", "    A { p 10  q 2 }", "    B { q 20  p 1 }", "  }"],
        ),
        # a comment among facts takes its truth out of the table
        (
            ["truths 't' 'ts' { A { p 1 # one", "qq 2 }", "Bb { p 10 qq 20 } }"],
            [
                "  truths 't' 'ts' {",
                "    A {",
                "      p  1  # one",
                "      qq 2",
                "    }",
                "    Bb { p 10  qq 20 }",
                "  }",
            ],
        ),
        # comments that stand before what can't begin a line are moved behind it
        (["group g # a", "# b", "= # c", "A"], ["  group g =  # a", "      # b", "      # c", "      A"]),
        (["group g = A # a", ", B"], ["  group g = A,  # a", "      B"]),
        (["group g = A # a", ", # b", "B"], ["  group g = A,  # a", "      # b", "      B"]),
        # columns of entries that follow each other; an empty line begins new ones
        (
            ["group g = A", "# b", "group hh = B", "", "", "", "group iii = A"],
            ["  group g  = A", "  # b", "  group hh = B", "", "  group iii = A"],
        ),
        (
            ["topic 'a'", "group g = A", "goal 'a'", "property p : yes or no"],
            ["  topic 'a'", "  group g = A", "  goal  'a'", "  property p : yes or no"],
        ),
        (
            ["group g = A # a", "group hh = B # b", "group iii = B", "group j = C # c"],
            ["  group g   = A  # a", "  group hh  = B  # b", "  group iii = B", "  group j   = C  # c"],
        ),
        # a comment inside a key takes it out of the columns
        (
            ["group # a", "gggg = A", "group h = B", "group ii = A"],
            ["  group  # a", "      gggg = A", "  group h  = B", "  group ii = A"],
        ),
        # an empty line at the ends of a block is none
        (["", "topic 'a'", "", "# b", "", ""], ["  topic 'a'", "", "  # b"]),
    ],
)
def test_details_of_the_style(lines: list[str], tidy: list[str]) -> None:
    untidy, expected = declared(*lines).replace("'", '"'), declared(*tidy).replace("'", '"')
    assert format_text(untidy) == expected


LONG = "x" * 110


@pytest.mark.parametrize(
    ("actions", "tidy"),
    [
        # derived actions in columns if all fit on their lines
        (["A 'a' observes p", "Bb 'bb' observes p"], ["A  'a'  observes p", "Bb 'bb' observes p"]),
        (
            ["A observes p", "Bbb 'b' observes p", "Cc observes p"],
            ["A  observes p", "Bbb 'b' observes p", "Cc observes p"],
        ),
        (["A observes p", "Bb observes p"], ["A  observes p", "Bb observes p"]),
        (
            ["A 'a' observes p", f"Bb '{LONG}' observes p"],
            ["A 'a'", "  observes p", f"Bb '{LONG}'", "  observes p"],
        ),
        (["A observes p", f"Bb '{LONG}' observes p"], ["A observes p", f"Bb '{LONG}'", "  observes p"]),
        (["A observes p", f"Bb observes p as '{LONG}'"], ["A observes p", "Bb", f"  observes p as '{LONG}'"]),
        (["A 'a' # a", "observes p"], ["A 'a'  # a", "  observes p"]),
        # columns go on to the next empty line or block
        (
            ["A observes p", "Bb { x rules out A }", "Ccc observes p", "D observes p", "", "Eeeee observes p"],
            [
                "A observes p",
                "Bb {",
                "  x rules out A",
                "}",
                "Ccc observes p",
                "D   observes p",
                "",
                "Eeeee observes p",
            ],
        ),
        # outcomes in columns throughout, but for labels that are too long
        (
            ["A {", "x rules out A", "", f"'{LONG[:50]}' rules out A", "'y y' rules out B", "}"],
            ["A {", "  x     rules out A", "", f"  '{LONG[:50]}' rules out A", "  'y y' rules out B", "}"],
        ),
        (["A { # a", "x rules out A # b", "} # c"], ["A {  # a", "  x rules out A  # b", "}  # c"]),
        # a head that is too long is broken before what is measured, and the block stands under that
        (
            [f"A '{LONG}' number 0..1 {{ 0..1 rules out A", "# a", "}"],
            [f"A '{LONG}'", "  number 0..1 {", "    0..1 rules out A", "    # a", "  }"],
        ),
        ([f"A '{LONG}{LONG}' {{ x rules out A }}"], [f"A '{LONG}{LONG}' {{", "  x rules out A", "}"]),
    ],
)
def test_details_of_actions(actions: list[str], tidy: list[str]) -> None:
    untidy = declared("actions 'a' 'as' {", *actions, "}").replace("'", '"')
    expected = declared("  actions 'a' 'as' {", *(f"    {line}".rstrip() for line in tidy), "  }").replace("'", '"')
    assert format_text(untidy) == expected


def test_declarations_are_parted_and_line_ends_are_lf() -> None:
    text = '\ufeff# top\n\n\ndomain x {\n}\tdomain y "Y" { } # y\n# below\nbenchmark z version "1.0.0" {}\n\f# end'
    assert format_text(text.replace("\n", "\r\n")) == (
        '# top\n\ndomain x {}\n\ndomain y "Y" {}  # y\n\n# below\nbenchmark z version "1.0.0" {}\n# end\n'
    )
    assert format_text("") == format_text(" \n\n") == ""
    assert format_text("\n\n # only\n\n\n#this  ") == "# only\n\n#this\n"


# ---- lists that are too long


def test_lists_are_broken_after_commas_and_alternatives_before_or() -> None:
    names = [f"name_{number}" for number in range(40)]
    facts = " or ".join(names)
    text = f'domain x {{ property p : one of {", ".join(names)} truths "t" "ts" {{ A {{ p {facts} q 1 }} }} }}'
    lines = format_text(text).splitlines()
    assert max(map(len, lines)) <= 120
    first, *further = [line for line in lines if "," in line]
    assert first.startswith("  property p : one of name_0, ") and first.endswith(",")
    assert all(line.startswith("      name_") and len(line) > 100 for line in further[:-1])
    (start,) = (index for index, line in enumerate(lines) if line.startswith("      p name_0 or "))
    assert lines[start + 1].startswith("          or name_") and len(lines[start]) > 100
    assert "      q 1" in lines


def test_a_keyword_that_is_a_name_does_not_begin_a_line() -> None:
    names = [f"name_{number}" for number in range(16)]
    text = f"domain x {{ property p : one of {', '.join(f'{name}, size' for name in names)} }}"
    lines = format_text(text).splitlines()
    assert len(lines) == 5, lines
    assert not any(line.split()[0] == "size" for line in lines)


# ---- facts that take more lines than one


def table(*truths: str) -> str:
    return 'domain x {\n  truths "t" "ts" {\n' + "".join(f"    {truth}\n" for truth in truths) + "  }\n}\n"


def test_lines_of_facts_end_where_most_did_and_where_they_are_full() -> None:
    values = {name: f"{name} {name * 20}" for name in "abcdef"}  # 22 columns: five of them fill a line
    row = " ".join(values.values())
    full = f"A {{ {row} }}"
    a, b, c, d, e, f = values.values()
    assert format_text(table(full)) == table("A {", f"  {a}  {b}  {c}  {d}", f"  {e}  {f}", "}")
    broken = full.replace(f"{b} ", f"{b}\n")
    expected = ("{", f"  {a}  {b}", f"  {c}  {d}  {e}  {f}", "}")
    for truths in ((broken,), (full, broken, broken)):
        laid = format_text(table(*truths))
        assert laid == table(*(line for _ in truths for line in ("A {", *expected[1:])))
        assert format_text(laid) == laid
    assert format_text(table(full, full, broken)) == format_text(table(full, full, full))


def test_a_missing_fact_leaves_its_place_empty() -> None:
    long = "y" * 60
    laid = format_text(
        table(f"A {{ p 1 q {long} r 2 s {long} }}", f"B {{ q 5 s {long} }}", "C { s 2 }", "D { p 3 r 1 }")
    )
    assert laid == table(
        "A {",
        f"  p 1  q {long}  r 2",
        f"  s {long}",
        "}",
        "B {",
        "       q 5",
        f"  s {long}",
        "}",
        "C {",
        "  s 2",
        "}",
        "D {",
        f"  p 3  {' ' * 62}  r 1",
        "}",
    )


# ---- random layouts


def test_nothing_is_lost_whatever_the_layout_and_it_decides_nothing() -> None:
    """A small sample of the longer run: ``python -m tests.fuzz.fuzz_format``."""
    figures = fuzz_format.run(60, seed=0)
    assert figures.texts == 60
    assert figures.sound >= 25
    assert figures.layouts == 2 * figures.sound
    assert figures.valid >= 0.9 * figures.layouts
    assert figures.comments > 200


def test_what_is_formatted_compiles_to_the_same(tmp_path: Path) -> None:
    random = Random(3)
    for text in (EVERYTHING, GOOD, TEA):
        file = tmp_path / "x.kumo"
        file.write_text(text, encoding="utf-8")
        before = compile_paths([file])
        file.write_text(format_text(relaid(text, random)), encoding="utf-8")
        after = compile_paths([file])
        assert (before.tables, before.benchmarks) == (after.tables, after.benchmarks)
        assert before.tables


# ---- what can't be formatted


@pytest.mark.parametrize(
    "text",
    ["domain x {", 'domain x { truths "t" "ts" { A B } }', 'domain x { topic "a\\b" }', "$", "domain x { }}"],
)
def test_a_text_with_syntax_errors_is_not_formatted(text: str) -> None:
    with pytest.raises(CannotFormatError):
        format_text(text)


def test_names_that_nothing_declares_are_no_syntax_errors() -> None:
    assert format_text("domain x{group g=Nobody}") == "domain x {\n  group g = Nobody\n}\n"


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("syntax errors", "  }\n", "\n"),
        ("words", "Sencha", "Matcha"),
        ("syntax", '} "A steamed', '}\n"A steamed'),
        ("comments", "# What each", "# What"),
        ("next time", "  goal   ", "\n  goal "),
    ],
)
def test_a_result_that_says_something_else_is_not_given_out(
    said: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay, news = formatter.lay_file, iter((new, old))
    monkeypatch.setattr(formatter, "lay_file", lambda file: "\n".join(lay(file)).replace(old, next(news)).split("\n"))
    with pytest.raises(FormatterError, match=said):
        format_text(TEA)


# ---- the command


def fmt(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["fmt", *map(str, arguments)], standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.return_value, result.stdout, result.stderr


def test_a_folder_is_formatted(tmp_path: Path) -> None:
    (tmp_path / "tidy.kumo").write_text(TIDY, encoding="utf-8")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "untidy.kumo").write_text(UNTIDY, encoding="utf-8", newline="\r\n")
    (tmp_path / "notes.txt").write_text(UNTIDY)
    assert fmt("--check", tmp_path) == (1, f"would format {tmp_path}/in/untidy.kumo\n1 of 2 files to format\n", "")
    assert fmt(tmp_path) == (0, f"formatted {tmp_path}/in/untidy.kumo\n1 of 2 files formatted\n", "")
    assert (tmp_path / "in" / "untidy.kumo").read_bytes() == TIDY.encode()
    assert fmt("--check", tmp_path) == (0, "0 of 2 files to format\n", "")
    assert (tmp_path / "notes.txt").read_text() == UNTIDY


def test_a_difference_is_shown_and_nothing_written(tmp_path: Path) -> None:
    file = tmp_path / "x.kumo"
    shown = f'--- {file}\n+++ {file}\n@@ -1,5 +1,5 @@\n domain x {{\n   topic "a"\n- goal "g"\n+  goal  "g"\n }}\n \n'
    file.write_text('domain x {\n  topic "a"\n goal "g"\n}\n')
    before = file.stat()
    assert fmt("--diff", file) == (0, shown, "1 of 1 file to format\n")
    assert fmt("--diff", "--check", file) == (1, shown, "1 of 1 file to format\n")
    assert file.stat() == before


def test_files_with_syntax_errors_are_left_and_the_others_are_formatted(tmp_path: Path) -> None:
    (tmp_path / "a.kumo").write_text("domain  x {")
    (tmp_path / "b.kumo").write_text("domain  x { }")
    (tmp_path / "c.kumo").write_bytes(b"\xff")
    code, out, err = fmt(tmp_path)
    assert code == 1
    assert out == f"formatted {tmp_path}/b.kumo\n1 of 2 files formatted\n"
    assert "K102 unbalanced-brace" in click.unstyle(err) and "K002 not-utf-8" in click.unstyle(err)
    assert (tmp_path / "a.kumo").read_text() == "domain  x {"
    assert (tmp_path / "b.kumo").read_text() == "domain x {}\n"


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "x.txt", tmp_path / "x.kumo"
    file.write_text("domain  x { }")
    file.chmod(0o600)
    link.symlink_to(file)
    assert fmt(link)[0] == 0
    assert link.is_symlink() and file.read_text() == "domain x {}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.kumo", "x.txt"]


def test_a_file_that_is_read_only_is_told_of_and_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.kumo").write_text(f"domain  {name} {{ }}")
    locked = tmp_path / "b.kumo"
    locked.chmod(0o444)
    # the test may be run by one who may write all files
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or Path(path) != locked)
    code, out, err = fmt(tmp_path)
    assert code == 1 and out.endswith("2 of 3 files formatted\n") and f"{locked}: can't be written" in err
    assert locked.read_text() == "domain  b { }" and (tmp_path / "c.kumo").read_text() == "domain c {}\n"
    assert len(list(tmp_path.iterdir())) == 3


def test_a_failed_self_check_is_a_bug_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.kumo"
    file.write_text("domain  x { }")
    monkeypatch.setattr(formatter, "lay_file", lambda _: ["domain y {}"])
    monkeypatch.setattr(sys, "argv", ["kumoc", "fmt", str(file)])
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 2
    assert f"FormatterError: {file} was left as it is: its words would not be the same" in capsys.readouterr().err
    assert file.read_text() == "domain  x { }"


def test_without_a_path_it_is_the_folder_of_domains_here_and_never_kumocs_own(tmp_path: Path) -> None:
    nowhere = kumoc("fmt", "--check", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert nowhere.returncode == 1 and "K001 unreadable-file" in nowhere.stderr
    (tmp_path / "domains").mkdir()
    (tmp_path / "domains" / "x.kumo").write_text("domain x {}\n")
    here = kumoc("fmt", "--check", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert (here.returncode, here.stdout) == (0, "0 of 1 file to format\n")
