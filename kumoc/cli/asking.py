"""The models that commands ask."""

from __future__ import annotations

from collections.abc import Callable

import click

from kumoc.cli.rows import InputError
from kumoc.models.talk import TIMEOUT, ModelError, Talker, talker

timed = click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=TIMEOUT,
    help=f"Seconds for an answer (default: {TIMEOUT:g}).",
)
"""Gives a command the option ``--timeout``."""


def model_named(name: str, timeout: float = TIMEOUT, on_trouble: Callable[[str], None] = lambda _: None) -> Talker:
    """The model that Inspect knows by that name. Raises InputError."""
    try:
        return talker(name, timeout, on_trouble)
    except ModelError as error:
        raise InputError(name, str(error), error.help) from error
