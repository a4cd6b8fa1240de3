"""Options of the test suite."""

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-spec",
        action="store_true",
        help="Write what the compiler says now into tests/spec, and the pages of its rules into docs/diagnostics.",
    )


# where the tests are run in the background, interruptions are ignored, and would be by what the tests start
signal.signal(signal.SIGINT, signal.default_int_handler)
