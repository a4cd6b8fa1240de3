"""Instances that nobody has seen: another month's, none of an earlier release's, or secret until they are revealed.

``docs/dataset.md`` says what each of these promises, and how a commitment is checked.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from pathlib import Path

from kumoc.generate import derive
from kumoc.release.errors import BuildError

LEAST_KEY_BYTES = 16
"""A shorter key could be found by trying, since rows that follow from it are shown to people."""

MOST_KEY_BYTES = 1_000_000

_LABEL = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.-]{0,38}[0-9A-Za-z])?")
_KEY_DOMAIN = b"kumoc private split, key, 1\n"
_COMMITMENT_DOMAIN = "kumoc private split, commitment, 1\n"


@dataclass(frozen=True, slots=True)
class Published:
    """A release on disk that was found whole, and the digest of all its rows."""

    path: Path
    rows_sha256: str


@dataclass(frozen=True, slots=True)
class Freshness:
    """What sets the instances of a release apart from those that its benchmark declares.

    ``declared_seed`` is the seed before ``label`` and key were mixed into it. ``key_sha256`` tells keys apart and does
    not give them away. No instance is in any of the releases ``disjoint_from``, which are sorted by their digests.
    """

    declared_seed: int
    label: str | None = None
    key_sha256: str | None = None
    disjoint_from: tuple[Published, ...] = ()


def fresh_seed(seed: int, label: str | None = None, key: bytes | None = None) -> int:
    """The seed that takes the place of ``seed``: itself where neither label nor key is given.

    With a key it has 256 bits and is as secret as the key. Raises BuildError for a label or key that can't be one.
    """
    if label is not None and not _LABEL.fullmatch(label):
        help_ = "use up to 40 letters, digits, dots and hyphens, such as 2026-11"
        raise BuildError(f"'{label}' can't label a release", help_)
    if key is not None:
        _check_key(key)
        message = json.dumps(["kumoc seed", seed, label]).encode()
        return int.from_bytes(hmac.digest(key, message, "sha256"))
    return seed if label is None else derive("fresh", seed, label)


def key_digest(key: bytes) -> str:
    """What a manifest says of a key: SHA-256 of the line ``kumoc private split, key, 1`` and the key's bytes."""
    return hashlib.sha256(_KEY_DOMAIN + key).hexdigest()


def commitment(key_sha256: str, rows_sha256: str) -> str:
    """A digest that can be published at once, and binds to key and rows, which may be revealed later.

    SHA-256 of three lines, each with its newline: ``kumoc private split, commitment, 1``, the key's digest
    (:func:`key_digest`) and the digest of the release's rows, both in hexadecimal.
    """
    return hashlib.sha256(f"{_COMMITMENT_DOMAIN}{key_sha256}\n{rows_sha256}\n".encode()).hexdigest()


def release_name(version: str, label: str | None) -> str:
    """What a release is called under its benchmark: ``1.0.0``, or ``1.0.0-2026-11`` for one with a label."""
    return version if label is None else f"{version}-{label}"


def _check_key(key: bytes) -> None:
    help_ = "make one with `head -c 32 /dev/urandom > FILE`, and keep it"
    if len(key) < LEAST_KEY_BYTES:
        raise BuildError(f"a key of {len(key)} bytes can be guessed: it takes {LEAST_KEY_BYTES} or more", help_)
    if len(key) > MOST_KEY_BYTES:
        raise BuildError(f"a key has at most {MOST_KEY_BYTES:,} bytes", help_)
