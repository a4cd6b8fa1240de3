"""What keeps a release from being built, read or published."""

from __future__ import annotations

from collections.abc import Sequence


class BuildError(Exception):
    """What can't be done with a release as asked.

    The message says why, ``help`` what to do about it, and ``details`` are lines to show between the two.
    """

    def __init__(self, message: str, help_: str = "", details: Sequence[str] = ()) -> None:
        """An error with its sentence and, where there is one, the way out."""
        super().__init__(message)
        self.help = help_
        self.details = tuple(details)
