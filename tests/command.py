"""Runs the real command in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOMAINS = ROOT / "domains"
KUMOC = [sys.executable, "-m", "kumoc"]


def kumoc(*arguments: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """``kumoc ARGUMENTS``; text output, no terminal."""
    return subprocess.run(
        [*KUMOC, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env=os.environ | environment,
        check=False,
        timeout=120,
    )


def printed(program: str, *arguments: str) -> str:
    """What a Python program prints, under several hash seeds the same, in the project's folder."""
    said = {
        subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(said) == 1
    return said.pop()


def install_models(place: Path, name: str) -> None:
    """Let Inspect find the models of ``tests/NAME.py`` as it does those of packages, where ``finding(place)`` holds."""
    about = place / f"{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[inspect_ai]\n{name} = tests.{name}\n")


def finding(place: Path) -> dict[str, str]:
    """The environment in which what is installed in ``place`` is found, and nothing is written elsewhere."""
    return {"PYTHONPATH": os.pathsep.join((str(ROOT), str(place))), "HOME": str(place)}
