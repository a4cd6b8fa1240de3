"""``kumoc new``: the domain to begin with is sound, in style, and can be built as it is."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kumoc.cli import cli
from kumoc.cli.rows import InputError
from kumoc.language.run import RESERVED


def run(*arguments: object) -> Result:
    """``kumoc ARGUMENTS``, in this process."""
    return CliRunner().invoke(cli, [*map(str, arguments)])


def new(*arguments: str) -> None:
    """``kumoc new ARGUMENTS``; what it refuses is raised."""
    cli(["new", *arguments], standalone_mode=False)


def test_what_is_written_is_sound_in_style_and_built_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("new", "field_lab")
    assert made.exit_code == 0 and made.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["field_lab.kumo"]
    assert "kumoc watch field_lab.kumo" in made.stdout and "kumoc build field_lab.kumo" in made.stdout
    assert run("check", "field_lab.kumo").stdout == "1 sound domain, 1 benchmark: 0 errors, 0 warnings\n"
    assert "0 of 1 file to format" in run("fmt", "--check", "field_lab.kumo").stdout
    built = run("build", "field_lab.kumo")
    assert built.exit_code == 0 and built.stderr == "", built.stderr
    manifest = json.loads((tmp_path / "dist/field_lab/1.0.0/manifest.json").read_text(encoding="utf-8"))
    assert manifest["benchmark"]["title"] == "Field lab" and "built field_lab 1.0.0: 10 instances" in built.stdout


def test_any_identifier_will_do(tmp_path: Path) -> None:
    for name in ("a", "X" * 60, "number", "truth", "TeaTasting_2"):
        new(name, "-o", str(tmp_path / "some" / "where"))
    assert run("check", tmp_path).stdout == "5 sound domains, 5 benchmarks: 0 errors, 0 warnings\n"
    assert "0 of 5 files to format" in run("fmt", "--check", tmp_path).stdout


def test_a_file_that_is_there_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tea.kumo").write_text("mine")
    result = run("new", "tea")
    assert result.exit_code == 1 and "tea.kumo: exists already" in result.stderr and "-o" in result.stderr
    assert (tmp_path / "tea.kumo").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        ("field-lab", ": field_lab\n"),
        ("tea.kumo", ": tea\n"),
        ("my domains/Tea house.kumo", ": tea_house -o 'my domains'\n"),
        ("Gruyère", ": gruyere\n"),
        ("7 seas", ": domain_7_seas\n"),
        ("x" * 61, f": {'x' * 60}\n"),
        ("茶", "(a-z)\n"),
        ("", "(a-z)\n"),
        ("tea\x1b[31m", ": tea_31_m\n"),
    ],
)
def test_what_can_name_no_domain_is_told_with_a_name_that_can(
    name: str, proposed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refused:
        new(name)
    refused.value.show()
    told = capsys.readouterr().err
    assert "can't name a domain" in told and told.endswith(proposed) and "\x1b" not in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("word", ["all", "but", "domain"])
def test_words_of_the_language_name_no_domain(word: str) -> None:
    assert word.upper() in RESERVED
    with pytest.raises(InputError, match="a word of the language") as refused:
        new(word)
    assert refused.value.help.endswith(f": domain_{word}")
