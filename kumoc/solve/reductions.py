"""Which reductions of the search are in use: each is proved in ``docs/players.md``, and none changes a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reductions:
    """Switches, all on by default; tests turn them off one at a time.

    ``relevance``: actions that exclude nothing of the survivors are dropped. ``classes``: actions that exclude the
    same truths of the survivors are interchangeable. ``outcomes``: outcomes that leave the same survivors are one.
    ``relaxation`` (paper's player): lower bounds from the game in which actions may be used again. ``waiting`` (paper's
    player): actions that show nothing are kept for the end. ``parts`` and ``twins`` (exact player): survivors that
    share no action are independent; single truths that behave alike are interchangeable.
    """

    relevance: bool = True
    classes: bool = True
    outcomes: bool = True
    relaxation: bool = True
    waiting: bool = True
    parts: bool = True
    twins: bool = True


ALL = Reductions()
