"""The exact player: Bayes-optimal in the real game, where the observations together leave exactly the valid truths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, reduce
from operator import and_

from kumoc.generate.instance import Game
from kumoc.solve.floor import least_depth, outlook, witnessed
from kumoc.solve.parts import Effect, Part, Parts, joint, possible
from kumoc.solve.player import Player
from kumoc.solve.reductions import Reductions
from kumoc.solve.scope import ActionClass, Scopes
from kumoc.solve.search import Move, Node, Rules
from kumoc.solve.work import OutOfWorkError, Work
from kumoc.solve.worlds import leftovers
from kumoc.tables import members


class ExactPlayer(Player):
    """Needs the fewest actions on average among all players who never name a truth that might be invalid.

    Raises ValueError if no world is possible.
    """

    def _make_rules(self, reductions: Reductions) -> Rules:
        return _ExactRules(self.truths, self.outcomes, self.valid, reductions, self._work)


class _Several(Node):
    """A state whose valid truth can be in any of two or more parts."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Part, ...]) -> None:
        super().__init__(1.0, solved=False)
        self.parts = parts


class _PartMove(Move):
    """The actions of a class of one part."""

    __slots__ = ("group", "part")

    def __init__(
        self, part: Part, group: ActionClass, bound: float, children: Sequence[tuple[float, Node]] | None
    ) -> None:
        super().__init__(group.actions, bound, children)
        self.part = part
        self.group = group


class _ExactRules(Rules):
    def __init__(self, truths: int, game: Game, valid: int, reductions: Reductions, work: Work) -> None:
        self._truths = truths
        self._game = game
        self._valid = valid
        # sets of several valid truths reach across parts
        self._reductions = replace(reductions, parts=reductions.parts and valid == 1)
        self._work = work
        self._scopes = Scopes(truths, game, self._reductions, work)
        self._several: dict[tuple[int, ...], _Several] = {}
        self._effects: dict[Part, list[tuple[ActionClass, list[Effect]]]] = {}
        self._worlds: list[int] = []
        with suppress(OutOfWorkError):
            # raises ValueError now; if even the chances of the worlds take too much work, every question says so
            _ = self._parts

    @cached_property
    def _parts(self) -> Parts:
        prior = self._prior()
        if not prior:
            raise ValueError(
                f"no world is possible: no set of outcomes excludes all but {self._valid} of the "
                f"{self._truths.bit_count()} truths"
            )
        self._worlds = list(prior)
        return Parts(self._scopes, prior, self._valid, self._reductions, self._work)

    def _prior(self) -> dict[int, float]:
        """Per possible set of valid truths, the reciprocal of its chance, but for a factor that all have in common."""
        root = self._scopes.at(self._truths)
        self._scopes.build(root)
        left = [leftovers(part.survivors, self._game, self._valid, self._work) for part in root.parts]
        standing = [chances for chances in left if not chances.get(0)]
        if self._valid == 1 and len(standing) > 1:
            return {}
        return {
            world: (chances.get(0) or 1.0) / chance
            for chances in standing or left
            for world, chance in chances.items()
            if world.bit_count() == self._valid
        }

    def _parts_at(self, survivors: int, remaining: int) -> tuple[Part, ...]:
        return self._parts.of(self._scopes.at(survivors), remaining)

    def node(self, survivors: int, remaining: int) -> Node:
        """One node for all states whose parts behave alike."""
        parts = possible(self._parts_at(survivors, remaining))
        return self._state(parts) if parts else Node(0.0, solved=True)

    def _state(self, parts: tuple[Part, ...]) -> Node:
        """The state in which the valid truths can be in any of ``parts``."""
        if len(parts) == 1:
            return parts[0]
        key = tuple(sorted([part.key for part in parts]))
        known = self._several.get(key)
        if known is None:
            self._work.spend()
            known = self._several[key] = _Several(parts)
        return known

    def moves(self, node: Node) -> Iterator[Move]:
        """The classes of each part; of parts that behave alike, those of one."""
        if isinstance(node, Part):
            return iter(self._moves_of(node))
        alike = {part.key: part for part in reversed(_parts_of(node))}
        return iter(self._moves_among(_parts_of(node), tuple(alike.values())))

    def moves_at(self, survivors: int, remaining: int) -> list[Move]:
        """The classes of every part."""
        parts = possible(self._parts_at(survivors, remaining))
        return self._moves_of(parts[0]) if len(parts) == 1 else self._moves_among(parts, parts)

    def _moves_of(self, part: Part) -> list[Move]:
        """The moves when the valid truths are in ``part``."""
        return [self._move(part, group, effects, ()) for group, effects in self._parts.effects(part)]

    def _moves_among(self, parts: tuple[Part, ...], movable: tuple[Part, ...]) -> list[Move]:
        """The moves in the parts ``movable`` when the valid truth can be in any of ``parts``."""
        return [
            self._move(part, group, effects, tuple([other for other in parts if other is not part]))
            for part in movable
            for group, effects in self._effects_on(part)
        ]

    def _move(self, part: Part, group: ActionClass, effects: list[Effect], others: tuple[Part, ...]) -> Move:
        """``group`` on ``part`` when the valid truths can also be in any of ``others``."""
        odds = sum([other.weight / other.excluded for other in others])
        total = part.weight + part.excluded * odds
        bound = 1.0
        children = []
        for share, left, excluded, weight in effects:
            after = weight + excluded * odds
            if after:
                # if some part left cannot fall, the valid truth is there
                child = self._state(others + left if excluded else left)
                if child.bound:
                    chance = share * after / total
                    bound += chance * child.bound
                    children.append((chance, child))
        return _PartMove(part, group, bound, children)

    def _effects_on(self, part: Part) -> list[tuple[ActionClass, list[Effect]]]:
        known = self._effects.get(part)
        if known is None:
            known = self._effects[part] = list(self._parts.effects(part))
        return known

    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:
        """For prospects; other moves come with their children."""
        assert isinstance(move, _PartMove)
        others = tuple([other for other in _parts_of(node) if other is not move.part])
        effects = self._parts.effect(move.part.scope, move.group, move.part.remaining)
        return self._move(move.part, move.group, effects, others).children or ()

    def known(self, survivors: int, remaining: int) -> int:
        """The truths that lie in every world still possible; none if no world is."""
        parts = possible(self._parts_at(survivors, remaining))
        return parts[0].named if len(parts) == 1 else 0

    def chances(self, survivors: int, remaining: int, action: int) -> tuple[float, ...]:
        """In proportion to the weights of the worlds that show each outcome."""
        rest = remaining & ~(1 << action)
        weights = [joint(self._parts_at(survivors & ~mask, rest))[1] for mask in self._game[action]]
        total = sum(weights) or 1.0
        return tuple(weight / total for weight in weights)

    def size(self, node: Node) -> int:
        """The survivors of all parts that can hold the valid truths."""
        return sum([part.scope.survivors.bit_count() for part in _parts_of(node)])

    def prospects(self, node: Node) -> list[tuple[float, Move]]:
        """The remaining classes of all parts."""
        size = self.size(node)
        return [
            (
                outlook(part.scope.survivors, group.excluded, size - part.scope.survivors.bit_count()),
                _PartMove(part, group, 1.0, None),
            )
            for part in _parts_of(node)
            for group in part.scope.classes or ()
            if group.actions & part.remaining
        ]

    def actions_like(self, survivors: int, remaining: int, move: Move) -> int:
        """The members of the class, and those that do the same to a part that behaves alike."""
        assert isinstance(move, _PartMove)
        actions = 0
        for part in possible(self._parts_at(survivors, remaining)):
            if part.key == move.part.key:
                for group in part.scope.classes or ():
                    if group is move.group or (part is not move.part and _same(part, group, move.group)):
                        actions |= group.actions
        return actions & remaining

    def floor(self) -> float:
        """What the number of outcomes allows if no truth is likelier to be named than it is to be valid."""
        truths = list(members(self._truths))
        worlds = self._worlds
        if not worlds:
            windows = [[truths[i - j] for j in range(self._valid)] for i in range(len(truths))]
            worlds = witnessed(self._truths, self._game, [sum(1 << t for t in window) for window in windows])
            if self._valid > 1 and worlds:
                # these may be the least likely ones: all they show is that no truth is sure
                return float(not reduce(and_, worlds))
        if not worlds:
            return 0.0
        most = max([sum([world >> truth & 1 for world in worlds]) for truth in truths])
        return least_depth(most / len(worlds), self._game)

    def rest(self, node: Node) -> int:
        """The actions of all parts that can hold the valid truths."""
        return sum([part.remaining.bit_count() for part in _parts_of(node)])

    def rest_at(self, survivors: int, remaining: int) -> int:
        """The actions of all parts that can hold the valid truths."""
        actions = 0
        for part in possible(self._parts_at(survivors, remaining)):
            actions |= part.scope.actions
        return actions & remaining


def _parts_of(node: Node) -> tuple[Part, ...]:
    if isinstance(node, _Several):
        return node.parts
    return (node,) if isinstance(node, Part) else ()


def _same(part: Part, group: ActionClass, other: ActionClass) -> bool:
    """Whether ``group`` does to ``part``, a single truth, what ``other`` does to one that behaves alike."""
    if part.remaining.bit_count() == 1:
        return bool(group.actions & part.remaining)
    return group.excluded.count(0) * len(other.excluded) == other.excluded.count(0) * len(group.excluded)
