"""How many choices of truths and actions it takes to fill a band of difficulty, by walking and blindly.

    python benchmarks/bands.py
    python benchmarks/bands.py --domains minerals --sizes 4x6 --rows 200

Bands are cut from the distribution of fair choices: its middle tenth, and the hundredth part at either end.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path

from rich.console import Console
from rich.table import Table

from kumoc.benchmark import Size
from kumoc.compiler import compile_paths
from kumoc.generate import derive, generate
from kumoc.release.band import draw, in_band
from kumoc.solve import Bounds, ExactPlayer
from kumoc.tables import Tables

FOLDER = Path(__file__).parents[1] / "domains"
MILLI = Decimal("0.001")


def main() -> None:
    """Measure and print a table."""
    options = _options()
    columns = ("domain", "size", "band", "blind: share", "choices a row", "walking: choices a row", "most", "ms a row")
    table = Table(title=f"{options.rows} rows a band; blind: {options.blind} choices")
    for column in columns:
        table.add_column(column, justify="right")
    for name in options.domains.split(","):
        (tables,) = compile_paths([FOLDER / f"{name}.kumo"]).tables
        for text in options.sizes.split(","):
            truths, actions = map(int, text.split("x"))
            for cells in _measured(tables, Size("measured", truths, actions), options):
                table.add_row(name, text, *cells)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--domains", default="minerals,chemical")
    parser.add_argument("--sizes", default="4x6,12x16")
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--blind", type=int, default=500)
    return parser.parse_args()


def _measured(tables: Tables, size: Size, options: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    values = sorted(_value(tables, size, derive("blind", i)) for i in range(options.blind))
    cuts = [values[round(part * (len(values) - 1))] for part in (0, 0.01, 0.45, 0.55, 0.99, 1)]
    for low, high in zip(cuts[::2], cuts[1::2], strict=True):
        edges = Decimal(low).quantize(MILLI, ROUND_FLOOR), Decimal(high).quantize(MILLI, ROUND_CEILING)
        banded = replace(size, difficulty=edges)
        share = sum(in_band(Bounds(value, value), banded) for value in values) / len(values)
        start = time.perf_counter()
        tried = [_tried(tables, banded, row) for row in range(options.rows)]
        each = (time.perf_counter() - start) / options.rows
        mean = sum(tried) / options.rows
        band = "{} to {}".format(*edges)
        yield band, f"{share:.1%}", f"{1 / share:.1f}", f"{mean:.1f}", str(max(tried)), f"{1000 * each:.0f}"


def _value(tables: Tables, size: Size, seed: int) -> float:
    return ExactPlayer(size.truths, generate(tables, size, seed).game).value


def _tried(tables: Tables, size: Size, row: int) -> int:
    """How many choices all draws for a row try, up to the first that comes to the band."""
    tried = attempt = 0
    while True:
        drawn = draw(tables, size, derive("walk", row, attempt))
        tried += len(drawn.tried)
        attempt += 1
        if drawn.instance:
            return tried


if __name__ == "__main__":
    main()
