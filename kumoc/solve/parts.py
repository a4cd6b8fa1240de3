"""Parts of a state: survivors that share no action with others, how likely they are to fall, and what actions do.

Outcomes are taken as drawn uniformly and independently among *all* outcomes of each action. A state's worlds are then
those draws that leave exactly a possible set of valid truths, each weighted by its prior; see ``docs/players.md``.
"""

from __future__ import annotations

from collections.abc import Iterator

from kumoc.solve.reductions import Reductions
from kumoc.solve.scope import ActionClass, Scope, Scopes
from kumoc.solve.search import Node
from kumoc.solve.work import Work


class Part(Node):
    """A part of a state; as a node, the state in which the valid truths are in this part.

    ``excluded`` is the chance that all its survivors fall, ``weight`` the sum over its possible worlds of chance
    times prior, ``named`` the truths (mask) that lie in all those worlds. Parts with equal ``key`` behave alike.
    """

    __slots__ = ("excluded", "key", "named", "remaining", "scope", "weight")

    def __init__(self, scope: Scope, remaining: int, excluded: float, weight: float, named: int) -> None:
        """See the class; ``key`` is set by :class:`Parts`."""
        self.bound = 0.0 if named or not weight else 1.0
        self.solved = not self.bound
        self.moves = None
        self.visits = 1
        self.scope = scope
        self.remaining = remaining
        self.excluded = excluded
        self.weight = weight
        self.named = named
        self.key = 0


Effect = tuple[float, tuple[Part, ...], float, float]
"""What an outcome makes of a part: its share among the action's outcomes, the parts left in which the valid truths can
be, the chance that all that is left falls, and the weight of what is left."""


class Parts:
    """The parts of all states of a game."""

    def __init__(self, scopes: Scopes, prior: dict[int, float], valid: int, reductions: Reductions, work: Work) -> None:
        """``prior``: per possible set of ``valid`` truths, what its chance is multiplied with."""
        self._scopes = scopes
        self._prior = prior
        self._valid = valid
        self._twins = reductions.twins
        self._work = work
        self._keys: dict[tuple[float, ...], int] = {}
        self._n_keys = 0

    def of(self, scope: Scope, remaining: int) -> tuple[Part, ...]:
        """The parts of a state."""
        if scope.classes is None:
            self._scopes.build(scope)
        return tuple(
            [part.states.get(remaining & part.actions) or self._look_up(part, remaining) for part in scope.parts]
        )

    def _look_up(self, scope: Scope, remaining: int) -> Part:
        """The part made of all survivors of ``scope``, when these very ``remaining`` actions are new to it."""
        if scope.classes is None:
            self._scopes.build(scope)
        representative = scope.representative(remaining)
        known: Part | None = scope.states.get(representative)
        if known is None:
            known = scope.states[representative] = self._new_part(scope, representative)
        scope.states[remaining & scope.actions] = known
        return known

    def effects(self, part: Part) -> Iterator[tuple[ActionClass, list[Effect]]]:
        """Per class of actions that remains for ``part``, what its outcomes make of it."""
        for group in part.scope.classes or ():
            if group.actions & part.remaining:
                yield group, self.effect(part.scope, group, part.remaining)

    def effect(self, scope: Scope, group: ActionClass, remaining: int) -> list[Effect]:
        """What the outcomes of ``group``, a class of ``scope``, make of the part there with ``remaining`` actions."""
        rest = remaining ^ (1 << (remaining & group.actions).bit_length() - 1)
        n_outcomes = len(group.excluded)
        effects: list[Effect] = []
        for count, after in group.after or self._scopes.after(scope, group):
            if len(after.parts) == 1:
                only = after.parts[0]
                part = only.states.get(rest & only.actions) or self._look_up(only, rest)
                left = (part,) if part.weight else ()
                effects.append((count / n_outcomes, left, part.excluded, part.weight))
            else:
                parts = self.of(after, rest)
                effects.append((count / n_outcomes, possible(parts), *joint(parts)))
        return effects

    def _new_part(self, scope: Scope, remaining: int) -> Part:
        self._work.spend()
        size = scope.survivors.bit_count()
        if size <= self._valid:
            part = self._final(scope, remaining)
        elif sum([truths.bit_count() for cover, truths in scope.covers if not cover & remaining]) > self._valid:
            part = Part(scope, remaining, 0.0, 0.0, 0)
        else:
            part = self._averaged(scope, remaining)
        self._n_keys += 1
        part.key = self._twin(part) if size == 1 and self._twins else self._n_keys
        return part

    def _final(self, scope: Scope, remaining: int) -> Part:
        """No more survivors than valid truths: all of them stay if every action keeps them."""
        kept = 1.0
        for group in scope.classes or ():
            kept *= (group.excluded.count(0) / len(group.excluded)) ** (group.actions & remaining).bit_count()
        weight = kept * self._prior.get(scope.survivors, 0.0)
        return Part(scope, remaining, 1.0 - kept, weight, scope.survivors)

    def _averaged(self, scope: Scope, remaining: int) -> Part:
        """The mean over the outcomes of any one action."""
        group = next(group for group in scope.classes or () if group.actions & remaining)
        excluded = weight = 0.0
        named = -1
        for share, parts, its_excluded, its_weight in self.effect(scope, group, remaining):
            excluded += share * its_excluded
            if its_weight:
                weight += share * its_weight
                named &= parts[0].named if len(parts) == 1 else 0
        return Part(scope, remaining, excluded, weight, named)

    def _twin(self, part: Part) -> int:
        """A key shared by the parts of one survivor that behave alike."""
        if not part.excluded:
            return self._n_keys
        kept = [
            group.excluded.count(0) / len(group.excluded)
            for group in part.scope.classes or ()
            for _ in range((group.actions & part.remaining).bit_count())
        ]
        odds = float(f"{part.weight / part.excluded:.11e}")
        # a lone action's share of keeping outcomes is no more than part of the odds
        signature = (odds, *sorted(kept)) if len(kept) > 1 else (odds,)
        return self._keys.setdefault(signature, self._n_keys)


def possible(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts in which the valid truths can be: one that cannot fall, else all that can hold them."""
    standing = [part for part in parts if not part.excluded]
    if len(standing) > 1:
        return ()
    return tuple([part for part in standing or parts if part.weight])


def joint(parts: tuple[Part, ...]) -> tuple[float, float]:
    """The chance that all survivors of ``parts`` fall, and the weight of the worlds of all of them."""
    excluded, weight = 1.0, 0.0
    for part in parts:
        weight = weight * part.excluded + excluded * part.weight
        excluded *= part.excluded
    return excluded, weight
