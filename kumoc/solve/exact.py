"""The exact player: Bayes-optimal in the real game, where the observations together leave exactly the valid truths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kumoc.generate.instance import Game
from kumoc.solve.parts import Part, Parts, joint, possible
from kumoc.solve.player import Player
from kumoc.solve.reductions import ALL, Reductions
from kumoc.solve.search import Move, Node
from kumoc.solve.worlds import leftovers

_OVER = Node(0.0, solved=True)


class _Several(Node):
    """A state whose valid truth can be in any of two or more parts."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Part, ...]) -> None:
        super().__init__(1.0, solved=False)
        self.parts = parts


class ExactPlayer(Player):
    """Needs the fewest actions on average among all players who never name a truth that might be invalid."""

    def __init__(
        self,
        n_truths: int,
        outcomes: Game,
        valid: int = 1,
        *,
        work: int | None = None,
        reductions: Reductions = ALL,
    ) -> None:
        """See :class:`kumoc.solve.player.Player`. Raises ValueError if no world is possible."""
        if valid > 1:
            # sets of valid truths reach across parts
            reductions = replace(reductions, parts=False)
        super().__init__(n_truths, outcomes, valid, work=work, reductions=reductions)
        self._several: dict[tuple[int, ...], Node] = {}
        prior = self._prior()
        if not prior:
            raise ValueError(
                f"no world is possible: no set of outcomes excludes all but {valid} of the {n_truths} truths"
            )
        self._parts = Parts(self._scopes, prior, valid, reductions, self._work)

    def _prior(self) -> dict[int, float]:
        """Per possible set of valid truths, the reciprocal of its chance, but for a factor that all have in common."""
        root = self._scopes.at(self.truths)
        self._scopes.build(root)
        left = [leftovers(scope.survivors, self.outcomes, self.valid, self._work) for scope in root.parts]
        standing = [chances for chances in left if not chances.get(0)]
        if self.valid == 1 and len(standing) > 1:
            return {}
        return {
            world: (chances.get(0) or 1.0) / chance
            for chances in standing or left
            for world, chance in chances.items()
            if world.bit_count() == self.valid
        }

    def known(self, survivors: int, remaining: int) -> int:
        """The truths that lie in every world still possible; none if no world is."""
        parts = possible(self._here(survivors, remaining))
        return parts[0].named if len(parts) == 1 else 0

    def chances(self, survivors: int, remaining: int, action: int) -> tuple[float, ...]:
        """In proportion to the weights of the worlds that show each outcome; all 0 if no world is possible."""
        rest = remaining & ~(1 << action)
        weights = [joint(self._here(survivors & ~mask, rest))[1] for mask in self.outcomes[action]]
        total = sum(weights) or 1.0
        return tuple(weight / total for weight in weights)

    def _here(self, survivors: int, remaining: int) -> tuple[Part, ...]:
        return self._parts.of(self._scopes.at(survivors), remaining)

    def _node(self, survivors: int, remaining: int) -> Node:
        parts = possible(self._here(survivors, remaining))
        return self._state(parts) if parts else _OVER

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

    def _moves_here(self, survivors: int, remaining: int, node: Node) -> list[Move]:  # noqa: ARG002
        return self._moves(possible(self._here(survivors, remaining)), alike=False)

    def moves(self, node: Node) -> list[Move]:
        """The classes of each part; of parts that behave alike, those of one."""
        if isinstance(node, Part):
            return self._moves((node,), alike=False)
        assert isinstance(node, _Several)
        return self._moves(node.parts, alike=True)

    def _moves(self, parts: tuple[Part, ...], *, alike: bool) -> list[Move]:
        moves = []
        seen: set[int] = set()
        for i, part in enumerate(parts):
            if alike and part.key in seen:
                continue
            seen.add(part.key)
            others = parts[:i] + parts[i + 1 :]
            odds = sum([other.weight / other.excluded for other in others])
            total = part.weight + part.excluded * odds
            for group, effects in self._parts.effects(part):
                bound = 1.0
                children = []
                for share, left, excluded, weight in effects:
                    child_weight = weight + excluded * odds
                    if child_weight:
                        # one part that cannot fall holds the valid truths
                        child = self._state(others + left if excluded and others else left)
                        if child.bound:
                            chance = share * child_weight / total
                            bound += chance * child.bound
                            children.append((chance, child))
                moves.append(Move(bound, group.actions, children))
        return moves

    def children(self, node: Node, move: Move) -> Sequence[tuple[float, Node]]:  # noqa: ARG002
        """Every move comes with its children."""
        assert move.children is not None
        return move.children
