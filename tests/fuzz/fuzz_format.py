"""`.kumo` texts in random layouts: the formatter loses nothing, settles at once, and is not moved by the layout.

    python -m tests.fuzz.fuzz_format --count 5000 --seed 0

A failure prints the number of the text; ``--only NUMBER`` prints that one, and what is made of it.
"""

import argparse
import time
from dataclasses import dataclass
from random import Random

import click

from kumoc.language.format import CannotFormatError, format_text
from tests.fuzz.fuzz_parser import corpus, mutated
from tests.layouts import comments, meaning, relaid, scrambled, told

LONGEST = 4_000
"""Characters of a text that is taken: many short ones show more than a few long ones."""


@dataclass
class Figures:
    """What a run came upon: texts, those that can be parsed, layouts of these, and those that mean the same."""

    texts: int = 0
    sound: int = 0
    layouts: int = 0
    valid: int = 0
    comments: int = 0


def short_texts() -> list[str]:
    return [text for text in corpus() if len(text) <= LONGEST]


def check(text: str, random: Random, figures: Figures) -> None:
    """Format two layouts of a text and hold the results against what must be true of any."""
    said = meaning(text)
    figures.texts += 1
    if said is None:
        try:
            format_text(text)
        except CannotFormatError:
            return
        raise AssertionError("a text with syntax errors was formatted")
    figures.sound += 1
    tidy = format_text(text)
    check_kept(text, tidy)
    figures.layouts += 2
    layout = scrambled(text, random, random.choice((0, 0.02, 0.1, 0.4)))
    if meaning(layout) == said:
        figures.valid += 1
        figures.comments += len(comments(layout))
        check_kept(layout, format_text(layout))
    layout = relaid(tidy, random)
    if meaning(layout) == said:
        figures.valid += 1
        assert format_text(layout) == tidy, "another layout was formatted otherwise"


def check_kept(text: str, tidy: str) -> None:
    """That ``tidy`` says what ``text`` says, in the same order, and is in the style."""
    assert meaning(tidy) == meaning(text), "another meaning"
    assert comments(tidy) == comments(text), "other comments"
    assert told(tidy) == told(text), "other diagnostics"
    assert format_text(tidy) == tidy, "formatted otherwise the next time"
    for line in tidy.split("\n"):
        assert "#" in line or (line == line.rstrip() and "\t" not in line), "stray spaces"
    assert "\n\n\n" not in tidy and not tidy.startswith("\n"), "stray empty lines"
    assert not tidy or (tidy.endswith("\n") and not tidy.endswith("\n\n")), "the end of the text"


def layout_source(texts: list[str], seed: int, number: int) -> str:
    """The text of that number: every other one is damaged, and may have become something odd, but sound."""
    return mutated(texts, seed, number) if number % 2 else Random(f"{seed}/{number}").choice(texts)


def run(count: int, seed: int) -> Figures:
    """Check ``count`` texts. Raises AssertionError with the number of a text that fails."""
    texts = short_texts()
    figures = Figures()
    for number in range(count):
        try:
            check(layout_source(texts, seed, number), Random(f"{seed}/{number}"), figures)
        except Exception as error:
            raise AssertionError(f"text {number} of seed {seed}: {type(error).__name__}: {error}") from error
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="format the text of this number alone, and print it")
    arguments = parser.parse_args()
    if arguments.only is not None:
        text = layout_source(short_texts(), arguments.seed, arguments.only)
        click.echo(text)
        check(text, Random(f"{arguments.seed}/{arguments.only}"), Figures())
        return
    begun = time.perf_counter()
    figures = run(arguments.count, arguments.seed)
    click.echo(
        f"{figures.texts:,} texts in {time.perf_counter() - begun:.0f} s, {figures.sound:,} without syntax errors"
    )
    click.echo(f"{figures.layouts:,} layouts, {figures.valid:,} of them valid, with {figures.comments:,} comments")


if __name__ == "__main__":
    main()
