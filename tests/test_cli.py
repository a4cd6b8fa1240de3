"""The command line as people meet it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from kumoc import __version__, cli
from kumoc.files import write_bytes, write_text
from tests.command import DOMAINS, ROOT, kumoc

COMMANDS = (
    "new",
    "check",
    "watch",
    "fmt",
    "build",
    "verify",
    "diff",
    "publish",
    "book",
    "solve",
    "play",
    "bench-players",
    "export-harness",
    "score",
    "import",
    "import-trajectories",
    "graph",
    "stats",
    "split",
    "lsp",
    "propose",
    "draft",
    "explain",
)


def test_help_shows_an_example_for_each_command() -> None:
    assert kumoc("--help").stdout.count("kumoc build") >= 1
    for command in COMMANDS:
        result = kumoc(command, "--help")
        assert result.returncode == 0
        assert f"kumoc {command}" in result.stdout.split("Example:")[1]


def test_help_loads_none_of_the_heavy_libraries() -> None:
    code = (
        "import sys; sys.argv = ['kumoc', '--help']\n"
        "from kumoc.cli import main\n"
        "try: main()\n"
        "except SystemExit: print([m for m in ('lark', 'pyarrow', 'pysat', 'jinja2', 'rich', 'datasets', 'yaml', "
        "'jsonschema', 'numpy', 'scipy', 'matplotlib', 'inspect_ai', 'textual', 'watchfiles') if m in sys.modules])\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_version() -> None:
    assert kumoc("--version").stdout == f"kumoc {__version__}\n"


@pytest.mark.parametrize("arguments", [("chekc",), ("check", "--nonsense"), ("build", "--count"), ("import",)])
def test_a_wrong_call_is_bad_input(arguments: tuple[str, ...]) -> None:
    result = kumoc(*arguments)
    assert result.returncode == 1
    assert "Error" in result.stderr and "Traceback" not in result.stderr


def test_the_projects_own_domains_are_clean() -> None:
    result = kumoc("check", DOMAINS)
    assert result.returncode == 0
    assert result.stdout.endswith("0 errors, 0 warnings\n")


def test_check_exits_with_1_on_errors_and_0_on_warnings(tmp_path: Path) -> None:
    good = (DOMAINS / "tea.kumo").read_text(encoding="utf-8")
    (tmp_path / "warned.kumo").write_text(good.replace("group robust", "group spare = Assam\n  group robust"))
    warned = kumoc("check", tmp_path / "warned.kumo")
    assert warned.returncode == 0 and "unused-name" in warned.stdout
    (tmp_path / "wrong.kumo").write_text(good.replace("group robust", "grup robust"))
    wrong = kumoc("check", tmp_path)
    assert wrong.returncode == 1 and "did you mean 'group'?" in wrong.stdout
    machine = json.loads(kumoc("check", tmp_path, "--format", "json").stdout)
    assert machine["errors"] >= 1
    assert json.loads(kumoc("check", tmp_path, "--format", "sarif").stdout)["version"] == "2.1.0"


def test_without_a_domains_folder_the_domains_of_kumoc_are_taken(tmp_path: Path) -> None:
    result = kumoc("check", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert result.returncode == 0
    assert "domains that come with kumoc" in result.stderr


def test_a_bug_of_ours_exits_with_2_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("out of tea")

    monkeypatch.setattr("kumoc.compiler.compile_paths", broken)
    monkeypatch.setattr(sys, "argv", ["kumoc", "check"])
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    assert exit_.value.code == 2
    assert "bug in kumoc" in capsys.readouterr().err


def test_a_full_output_is_no_bug() -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "kumoc", "check", str(DOMAINS)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=ROOT,
        )
    assert result.returncode == 1
    assert "No space left" in result.stderr and "Traceback" not in result.stderr


def test_two_files_that_would_become_one_are_not_both_imported(tmp_path: Path) -> None:
    domain = {
        "truths": ["Cat", "Dog"],
        "actions": ["Listen"],
        "outcomes": {
            "Listen": {
                "type": "str",
                "states": [{"state": "purrs", "rules_out": ["Dog"]}, {"state": "barks", "rules_out": ["Cat"]}],
            }
        },
    }
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "PetEnv.json").write_text(json.dumps(domain))
    result = kumoc("import", "a/PetEnv.json", "b/PetEnv.json", "--overwrite", "-o", "out", cwd=tmp_path)
    assert result.returncode == 1 and "1 of 2 files imported" in result.stdout and "another file" in result.stderr
    again = kumoc("import", "a/PetEnv.json", "-o", "out", cwd=tmp_path)
    assert again.returncode == 1 and "exists already" in again.stderr
    assert kumoc("check", "out", cwd=tmp_path).returncode == 0


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.kumo")
    assert kumoc("check", tmp_path).returncode == 1


def test_an_interruption_while_loading_shows_no_traceback() -> None:
    code = (
        "import sys, kumoc.__main__\n"
        "class Loading:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Loading())\n"
        "kumoc.__main__.main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 130 and result.stderr == ""


def test_an_interruption_while_an_object_is_destroyed_is_not_lost() -> None:
    code = (
        "import signal, time\n"
        "from kumoc import cli\n"
        "class Held:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
        "def run(**_):\n"
        "    held = Held()\n"
        "    del held\n"
        "    time.sleep(60)\n"
        "cli.cli = run\n"
        "cli.main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 130 and "Traceback" not in result.stderr


@pytest.mark.parametrize("write", [partial(write_text, text="x"), partial(write_bytes, data=b"x")])
def test_what_cannot_be_written_is_named_by_its_own_name(tmp_path: Path, write: Callable[[Path], None]) -> None:
    (tmp_path / "there").mkdir()
    for target, error in ((tmp_path / "there", IsADirectoryError), (tmp_path / ("long" * 63), OSError)):
        with pytest.raises(error) as refused:
            write(target)
        assert refused.value.filename == str(target)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
