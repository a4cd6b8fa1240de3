"""Damaged `.kumo` files: whatever the text, the compiler neither fails nor hangs, and every place is inside the file.

    python -m tests.fuzz.fuzz_parser --count 10000 --seed 0

A failure prints the number of the text; ``--only NUMBER`` compiles that one again and prints it.
"""

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, sqrt
from random import Random

import click

from kumoc.diagnostics import Place, Source
from kumoc.diagnostics.json import render_json
from kumoc.diagnostics.sarif import render_sarif
from kumoc.diagnostics.text import render_text
from kumoc.language import Compilation, compile_sources
from kumoc.tables import from_json, to_json
from tests.command import DOMAINS, ROOT
from tests.kumo_blocks import blocks

MOST_SECONDS = 5.0
TOKEN = re.compile(r'"[^"\n]*"|[\w.-]+|\s+|.', re.S)
HOSTILE = (
    *'\0\a\x1b\x7f\u200b\u202e\ufeff\u0301\U0001f4a5"\\{},:=#\r\n\t',
    "{" * 60,
    "}" * 60,
    '"' * 7,
    "1e999",
    "-0",
    "9" * 40,
    "1..2",
    "all but ",
    "rules out ",
    "domain x {",
    "group g = g\n",
    "../../x",
    "\x1b[31m",
)


def corpus() -> list[str]:
    """The domains that come with the project, and every block of `.kumo` in its documents."""
    files = [path.read_text(encoding="utf-8") for path in sorted(DOMAINS.glob("*.kumo"))]
    documents = [*sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("tests/spec/*.md"))]
    found = [block for path in documents for block in blocks(path.read_text(encoding="utf-8"))]
    return files + [block.text for block in found if block.info.startswith("kumo")]


def rearrange(parts: list[str], random: Random) -> list[str]:
    """The parts with one of them deleted, doubled, moved or swapped with another."""
    if not parts:
        return parts
    one, other = (random.randrange(len(parts)) for _ in range(2))
    match random.randrange(4):
        case 0:
            del parts[one]
        case 1:
            parts.insert(other, parts[one])
        case 2:
            parts.insert(other, parts.pop(one))
        case _:
            parts[one], parts[other] = parts[other], parts[one]
    return parts


def lines(text: str, random: Random) -> str:
    return "".join(rearrange(text.splitlines(keepends=True), random))


def tokens(text: str, random: Random) -> str:
    return "".join(rearrange(TOKEN.findall(text), random))


def characters(text: str, random: Random) -> str:
    start = random.randrange(len(text) + 1)
    return text[:start] + "".join(rearrange(list(text[start : start + 20]), random)) + text[start + 20 :]


def truncate(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] if random.randrange(2) else text[at:]


def insert(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(HOSTILE) + text[at:]


def random_bytes(text: str, random: Random) -> str:
    data = bytearray(text.encode())
    for _ in range(random.randint(1, 4)):
        if data:
            data[random.randrange(len(data))] = random.randrange(256)
    return data.decode(errors="replace")


def line_ends(text: str, random: Random) -> str:
    return text.replace("\n", random.choice(("\r\n", "\r", " ", "\n\n", "\n   ")))


MUTATIONS: tuple[Callable[[str, Random], str], ...] = (
    *(lines, tokens, tokens, characters, insert) * 3,
    truncate,
    random_bytes,
    line_ends,
)


def mutated(texts: list[str], seed: int, number: int) -> str:
    """The text of that number: short texts are damaged more often than long ones."""
    random = Random(f"{seed}/{number}")
    (text,) = random.choices(texts, [1 / sqrt(len(text) + 1) for text in texts])
    for _ in range(random.choice((1, 1, 2, 3, 5, 8))):
        text = random.choice(MUTATIONS)(text, random)
    return text


@dataclass
class Figures:
    """What a run came upon."""

    texts: int = 0
    clean: int = 0
    errors: int = 0
    slowest: float = 0.0
    slowest_number: int = -1
    rules: Counter[str] = field(default_factory=Counter)


def check(text: str) -> Compilation:
    """Compile a text and hold the result against what must be true of any."""
    source = Source("fuzzed.kumo", text)
    compilation = compile_sources([source])
    for diagnostic in compilation.diagnostics:
        for place in (diagnostic.place, *(place for _, place in diagnostic.notes)):
            check_place(place, source)
    json.loads(render_json(compilation.diagnostics))
    json.loads(render_sarif(compilation.diagnostics))
    render_text(compilation.diagnostics).encode()
    if not compilation.has_errors:
        assert compilation.tables or compilation.benchmarks
    for tables in compilation.tables:
        assert from_json(json.loads(json.dumps(to_json(tables)))) == tables
    return compilation


def check_place(place: Place, source: Source) -> None:
    assert place.source is source
    if place.span is not None:
        assert 0 <= place.span.start <= place.span.end <= len(source.text)
        assert source.position(place.span.start) <= source.position(place.span.end)


def run(count: int, seed: int, most_seconds: float = inf) -> Figures:
    """Check ``count`` texts. Raises AssertionError with the number of a text that fails."""
    texts = corpus()
    figures = Figures()
    for number in range(count):
        text = mutated(texts, seed, number)
        begun = time.perf_counter()
        try:
            compilation = check(text)
        except Exception as error:
            raise AssertionError(f"text {number} of seed {seed}: {type(error).__name__}: {error}") from error
        taken = time.perf_counter() - begun
        assert taken < most_seconds, f"text {number} of seed {seed} took {taken:.1f} s"
        if taken > figures.slowest:
            figures.slowest, figures.slowest_number = taken, number
        figures.texts += 1
        figures.clean += not compilation.diagnostics
        figures.errors += sum(diagnostic.is_error for diagnostic in compilation.diagnostics)
        figures.rules.update({diagnostic.rule.code for diagnostic in compilation.diagnostics})
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="compile the text of this number alone, and print it")
    arguments = parser.parse_args()
    if arguments.only is not None:
        text = mutated(corpus(), arguments.seed, arguments.only)
        click.echo(text)
        click.echo(render_text(check(text).diagnostics))
        return
    begun = time.perf_counter()
    figures = run(arguments.count, arguments.seed, MOST_SECONDS)
    click.echo(f"{figures.texts:,} texts in {time.perf_counter() - begun:.0f} s, {figures.clean:,} without a finding")
    click.echo(f"{figures.errors:,} errors; slowest text {figures.slowest_number}: {figures.slowest:.2f} s")
    click.echo(f"texts by rule: {dict(sorted(figures.rules.items()))}")


if __name__ == "__main__":
    main()
