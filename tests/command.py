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
