"""Options of the test suite."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-spec", action="store_true", help="Write what the compiler says now into tests/spec/*.md."
    )
