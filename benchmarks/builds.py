"""How fast releases are built, in how much memory, and what a corpus of 100,000 instances would take.

    python benchmarks/builds.py
    python benchmarks/builds.py --rows 20000 --sizes 4x6 --workers 2

Each line is a run of the real command in processes of its own; memory is that of the largest of them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
BENCHMARK = """benchmark measured version "1.0.0" {{
  domains {domain}
  views {views}
  size measured {{ truths {truths}  actions {actions}  train {rows}  work {work} }}
}}
"""


def main() -> None:
    """Build and print a table."""
    options = _options()
    table = Table(title=f"Building {options.rows:,} instances of '{options.domain}'")
    for column in ("size", "views", "workers", "seconds", "instances a second", "MB in all at most", "100,000 take"):
        table.add_column(column, justify="right")
    for size in options.sizes.split(","):
        for views in ("game", "game, chat"):
            for workers in map(int, options.workers.split(",")):
                seconds, memory = _built(options, size, views, workers)
                rate = options.rows / seconds
                corpus = f"{100_000 / rate / 60:,.0f} min"
                table.add_row(size, views, str(workers), f"{seconds:,.1f}", f"{rate:,.1f}", f"{memory:,.0f}", corpus)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--sizes", default="4x6,12x16", help="TRUTHSxACTIONS, with commas between")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--domain", default="chemical")
    parser.add_argument("--work", type=int, default=20_000)
    return parser.parse_args()


def _built(options: argparse.Namespace, size: str, views: str, workers: int) -> tuple[float, float]:
    truths, actions = size.split("x")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "measured.kumo")
        wish = {"domain": options.domain, "views": views, "truths": truths, "actions": actions}
        file.write_text(BENCHMARK.format(**wish, rows=options.rows, work=options.work), encoding="utf-8")
        domain = ROOT / "domains" / f"{options.domain}.kumo"
        command = [sys.executable, "-m", "kumoc", "build", str(file), str(domain)]
        start = time.perf_counter()
        with subprocess.Popen([*command, "--out", folder, "--workers", str(workers)], stdout=subprocess.DEVNULL) as run:
            memory = _peak(run)
        if run.returncode:
            sys.exit(run.returncode)
        return time.perf_counter() - start, memory


def _peak(run: subprocess.Popen[bytes]) -> float:
    """The most megabytes that ``run`` and its children held together, looked at twice a second (Linux)."""
    most = 0.0
    done = threading.Event()
    while not done.wait(0.5):
        most = max(most, sum(map(_resident, _family(run.pid))))
        if run.poll() is not None:
            done.set()
    return most


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(relative for child in children for relative in _family(int(child)))]


def _resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
