"""What keeps a release from being built, read or published."""

from __future__ import annotations


class BuildError(Exception):
    """What can't be done with a release as asked; the message says why, ``help`` what to do about it."""

    def __init__(self, message: str, help_: str = "") -> None:
        """An error with its sentence and, where there is one, the way out."""
        super().__init__(message)
        self.help = help_
