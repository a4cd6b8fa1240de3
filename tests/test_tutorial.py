"""The tutorial is true: its files are written, its commands run, its output compared.

After an intended change of output, rewrite the page with ``python -m tests.test_tutorial``.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.command import ROOT

PAGE = ROOT / "docs" / "tutorial.md"
_KUMOC = f'kumoc() {{ {shlex.quote(sys.executable)} -m kumoc "$@"; }}\n'
_BLOCK = re.compile(
    r'^(?P<fence>`{3,})(?P<kind>kumo|console|python)(?: title="(?P<file>\S+)")?\n(?P<body>.*?)^(?P=fence)$',
    re.MULTILINE | re.DOTALL,
)


def replay(page: str, place: Path) -> str:
    """The page as it should be: each console block with the output that its command gives in ``place``."""
    script: list[str] = []

    def block(match: re.Match[str]) -> str:
        body = match["body"]
        if match["kind"] == "kumo":
            (place / match["file"]).write_text(body, encoding="utf-8")
        elif match["kind"] == "python":
            script.append(body)
        else:
            command = body.splitlines()[0]
            assert command.startswith("$ ") and "kumoc " in command
            said = _run(["bash", "-c", _KUMOC + command[2:]], place)
            return f"{match['fence']}console\n{command}\n{said}{match['fence']}"
        return match[0]

    fresh = _BLOCK.sub(block, page)
    assert _run([sys.executable, "-c", "\n".join(script)], place).strip()
    return fresh


def _run(command: list[str], place: Path) -> str:
    # a width that is set for the tests, by a library or by whoever runs them, is none of the page's
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {
        "PYTHONPATH": str(ROOT),
        "HF_HOME": str(place / "cache"),
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }
    result = subprocess.run(
        command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert "Traceback" not in result.stdout, result.stdout
    return result.stdout


def test_every_command_of_the_tutorial_gives_what_the_page_shows(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert replay(page, tmp_path) == page
    shown = {line.split()[1] for line in re.findall(r"^\$ .*?(kumoc .*)$", page, re.MULTILINE)}
    inline = {call.split()[1] for call in re.findall(r"`(kumoc [^`]+)`", page)}
    assert inline <= shown, "commands that are named and not run"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(replay(PAGE.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
