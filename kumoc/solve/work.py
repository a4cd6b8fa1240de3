"""A limit on work that does not depend on the machine, and a pause of the cyclic collector while working."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfWorkError(Exception):
    """The allowed number of states did not suffice to find the exact value."""


class Work:
    """Counts the states and sets of survivors worked out; ``limit`` is the largest number allowed, None for any."""

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int | None) -> None:
        """Nothing is spent yet."""
        self.limit = float("inf") if limit is None else limit
        self.spent = 0

    def spend(self) -> None:
        """Count one more. Raises OutOfWorkError beyond the limit."""
        if self.spent >= self.limit:
            raise OutOfWorkError(f"more than {self.limit} states are needed for the exact value: see the bounds")
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
