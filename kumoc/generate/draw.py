"""Seeded draws that stay the same on every machine, Python version and hash seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice


def derive(*parts: str | int) -> int:
    """The seed that belongs to ``parts``, such as (benchmark seed, domain, size, split, index, attempt).

    It has 63 bits, to fit a signed column. Distinct parts, kinds included (``1`` is not ``"1"``), give seeds as good
    as independent.
    """
    return int.from_bytes(blake2b(json.dumps(parts).encode(), digest_size=8).digest()) >> 1


class Draws:
    """A stream of draws that depends on its seed alone.

    It reads ``getrandbits`` only: of the methods of :class:`random.Random` that one keeps its stream from one Python
    version to the next, while ``shuffle``, ``sample`` and ``randrange`` have changed theirs before.
    """

    def __init__(self, seed: int) -> None:
        """Start the stream of ``seed`` (not negative)."""
        self._bits = random.Random(seed).getrandbits

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit - 1``, each equally likely; ``limit`` may be as large as you like."""
        width = (limit - 1).bit_length()
        drawn = self._bits(width)
        while drawn >= limit:
            drawn = self._bits(width)
        return drawn

    def order(self, count: int) -> Iterator[int]:
        """The numbers from 0 to ``count - 1`` in a random order, drawn one by one as they are asked for."""
        pool = list(range(count))
        for last in range(count, 0, -1):
            at = self.below(last)
            yield pool[at]
            pool[at] = pool[last - 1]

    def permutation(self, count: int) -> tuple[int, ...]:
        """One of the orders of 0 to ``count - 1``, each equally likely."""
        return tuple(self.order(count))

    def choose(self, count: int, size: int) -> tuple[int, ...]:
        """``size`` distinct numbers from 0 to ``count - 1`` in random order, each selection equally likely."""
        return tuple(islice(self.order(count), size))
