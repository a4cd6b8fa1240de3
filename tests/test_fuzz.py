"""A small sample of the longer run: ``python -m tests.fuzz.fuzz_parser --count 10000``."""

from tests.fuzz import fuzz_parser


def test_damaged_files_never_break_the_compiler() -> None:
    figures = fuzz_parser.run(300, seed=0)
    assert figures.texts == 300
    assert figures.clean < 100 and figures.errors > 300
    assert len(figures.rules) > 15
