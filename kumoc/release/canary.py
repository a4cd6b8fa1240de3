"""A text by which a release is found again where it should not be: in training data, or in what a model repeats."""

from __future__ import annotations

from uuid import UUID, uuid5

_NAMESPACE = UUID("5d5f1f5a-7c3e-4b39-9f0e-3f1f6b0e8a57")


def canary(benchmark: str, release: str) -> str:
    """The canary of a release, such as ``1.0.0``, of a benchmark: always the same for these two, and for no others."""
    return f"kumoc canary {uuid5(_NAMESPACE, f'{benchmark} {release}')}"
