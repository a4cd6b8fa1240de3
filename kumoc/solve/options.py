"""What there is to do in the paper's game: where each class of a scope's actions leads, and what it costs at least."""

from __future__ import annotations

from operator import itemgetter

from kumoc.solve.reductions import Reductions
from kumoc.solve.relaxed import Relaxation
from kumoc.solve.scope import ActionClass, Scope, Scopes

Leads = list[tuple[float, Scope, list[float]]]
"""Where an action leads but for what ends the game: each scope after its chance and before what the relaxed game costs
there, by the number of actions."""

Bounded = list[tuple[float, int, Leads]]
"""Classes (masks of actions) after lower bounds of their costs, ascending, and before where they lead."""

_FIRST = itemgetter(0)


class Options:
    """What the classes of a scope do: those of ``waiting`` show nothing; with each of the others comes where it leads.

    ``waits`` is the mask of all actions of ``waiting``. ``bounded`` has answers of :meth:`OptionTable.bounded`.
    """

    __slots__ = ("bounded", "others", "waiting", "waits")

    def __init__(self, waiting: list[ActionClass], others: list[tuple[ActionClass, Leads]]) -> None:
        """See the class."""
        self.waiting = waiting
        self.waits = sum([group.actions for group in waiting])
        self.others = others
        self.bounded: dict[tuple[int, int], Bounded] = {}


class OptionTable:
    """The options of each scope of one game, worked out when first asked for and kept with the scope."""

    def __init__(self, valid: int, scopes: Scopes, relaxation: Relaxation, reductions: Reductions) -> None:
        """The game is over once no more than ``valid`` truths survive."""
        self._valid = valid
        self._scopes = scopes
        self._relaxation = relaxation
        self._reductions = reductions

    def at(self, scope: Scope) -> Options:
        """The options of a built ``scope``."""
        options: Options | None = scope.options
        if options is None:
            waiting = []
            others = []
            for group in scope.classes or ():
                if self._reductions.waiting and {*group.excluded} == {0, scope.survivors}:
                    waiting.append(group)
                else:
                    others.append((group, self.leads(scope, group)))
            options = scope.options = Options(waiting, others)
        return options

    def leads(self, scope: Scope, group: ActionClass) -> Leads:
        """Where ``group``, a class of ``scope``, leads: chances are in proportion to the numbers of survivors left."""
        sizes: list[int] = []
        left: list[int] = []
        total = 0
        last = -1
        for mask in group.excluded:
            kept = scope.survivors ^ mask
            size = kept.bit_count()
            total += size
            if kept == last:
                sizes[-1] += size
            elif size > self._valid:
                sizes.append(size)
                left.append(kept)
                if self._reductions.outcomes:
                    last = kept
        return [
            (size / total, self._scopes.at(kept, scope), self._relaxation.values(kept))
            for size, kept in zip(sizes, left, strict=True)
        ]

    def bounded(self, scope: Scope, remaining: int, patience: int) -> Bounded:
        """The classes that show something, by what they cost if what follows costs as in the relaxed game.

        ``patience`` is the least number of ``remaining`` actions that can exclude some one survivor. An action takes
        one from it only where a survivor stays that it could exclude and no more than ``patience`` can: a critical one.
        """
        critical = 0
        for cover, truths in scope.covers:
            if (remaining & cover).bit_count() == patience:
                critical |= truths
        known = self.at(scope).bounded
        bounded = known.get((patience, critical))
        if bounded is None:
            bounded = known[patience, critical] = self._bounded(scope, patience, critical)
        return bounded

    def _bounded(self, scope: Scope, patience: int, critical: int) -> Bounded:
        bounded = []
        for group, leads in self.at(scope).others:
            bound = 1.0
            if self._reductions.relaxation:
                lost = group.excludable & critical
                for chance, after, values in leads:
                    k = patience - 1 if lost & after.survivors else patience
                    if k >= len(values):
                        self._relaxation.fill(after.survivors, k)
                    bound += chance * values[k]
            bounded.append((bound, group.actions, leads))
        bounded.sort(key=_FIRST)
        return bounded
