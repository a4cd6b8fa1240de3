"""A limit on work that does not depend on the machine, and a pause of the cyclic collector while working."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfWorkError(Exception):
    """The allowed number of states did not suffice for an exact answer."""


class Work:
    """Counts the states and sets of survivors worked out; ``limit`` is how many each question may add, None for any."""

    __slots__ = ("_left", "limit", "spent")

    def __init__(self, limit: int | None) -> None:
        """Nothing is spent yet."""
        self.limit = limit
        self.spent = 0
        self.renew()

    def renew(self) -> None:
        """Begin a new question."""
        self._left = float("inf") if self.limit is None else self.limit

    def lift(self) -> None:
        """Set no limit until the next question."""
        self._left = float("inf")

    def spend(self) -> None:
        """Count one more. Raises OutOfWorkError beyond the limit."""
        if self._left <= 0:
            raise OutOfWorkError(f"an exact answer takes more than the {self.limit} states allowed; see the bounds")
        self._left -= 1
        self.spent += 1


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep Python's cyclic garbage collector from walking, again and again, a growing table that holds no garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():
                # puts all objects into the oldest generation, unseen: what was built meanwhile is there to stay
                gc.freeze()
                gc.unfreeze()
            gc.enable()
