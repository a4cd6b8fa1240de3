"""Sizes that people type."""

from __future__ import annotations

import click

from kumoc.benchmark import Size


class SizeType(click.ParamType[Size]):
    """``TRUTHS,ACTIONS[,VALID]``; with a name before it if it is ``named``, otherwise its numbers are its name."""

    def __init__(self, *, named: bool) -> None:
        """Say which of the two."""
        self.name = ("NAME=" if named else "") + "TRUTHS,ACTIONS[,VALID]"
        self._example = "easy=4,6" if named else "4,6"
        self._named = named

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Size:
        """The size that is meant."""
        name, _, numbers = str(value).partition("=") if self._named else (str(value), "", str(value))
        parts = numbers.split(",")
        if not name or len(parts) not in (2, 3) or not all(map(str.isdecimal, parts)):
            self.fail(f"'{value}' is not of the form {self.name}, such as {self._example}", param, ctx)
        truths, actions, valid = (*map(int, parts), 1)[:3]
        if not 1 <= valid < truths or actions < 1:
            self.fail(f"'{value}' needs at least one action, one valid truth and one that is not", param, ctx)
        return Size(name, truths, actions, valid)
