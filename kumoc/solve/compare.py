"""What each action of a trajectory cost against the best one, as a player sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kumoc.solve.player import Player
from kumoc.tables import members


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a trajectory; everything is as the player sees it, and counted in actions.

    ``before`` and ``after`` are the truths that no outcome seen so far rules out. ``value`` is the expected number of
    further actions with best play, ``optimal`` the actions that achieve it (none where no further action is needed),
    ``expected`` the same number if ``action`` is taken now and play is best from then on, and ``further`` what is
    still expected once ``outcome`` has been seen.
    """

    action: int
    outcome: int
    repeated: bool
    before: tuple[int, ...]
    after: tuple[int, ...]
    value: float
    optimal: tuple[int, ...]
    expected: float
    further: float

    @property
    def is_optimal(self) -> bool:
        """Whether no action would have been better."""
        return self.action in self.optimal

    @property
    def regret(self) -> float:
        """What ``action`` costs more than the best one, on average over what may be seen; never negative."""
        return max(0.0, self.expected - self.value)

    @property
    def luck(self) -> float:
        """What ``outcome`` costs more than outcomes of ``action`` do on average; negative when it was a good one."""
        return 1 + self.further - self.expected


@dataclass(frozen=True, slots=True)
class Comparison:
    """A trajectory against best play: ``len(steps) + further == expected + regret + luck``.

    ``expected`` is the expected number of actions at the start and ``further`` at the end; ``known`` are the truths
    that the player can be sure of then, none while it needs further actions.
    """

    steps: tuple[Step, ...]
    expected: float
    further: float
    known: tuple[int, ...]

    @property
    def regret(self) -> float:
        """How many actions the choices cost, in all."""
        return sum(step.regret for step in self.steps)

    @property
    def luck(self) -> float:
        """How many actions chance cost, in all: 0 on average, negative when it was kind."""
        return sum(step.luck for step in self.steps)


def expected_after(player: Player, survivors: int, remaining: int, action: int) -> float:
    """The expected number of actions if ``action`` is taken now, itself included, and play is best from then on.

    ``1 + sum over outcomes o of P(o) V(survivors - E(action, o), remaining - action)``, with the chances and the values
    of ``player``: a survivor that can't be valid makes no outcome likelier. An action that does not remain shows what
    it has shown before: it costs 1 and changes nothing. Raises OutOfWorkError beyond the player's limit.
    """
    rest = remaining & ~(1 << action)
    if rest == remaining:
        return 1 + player.state_value(survivors, remaining)
    chances = player.chances(survivors, remaining, action)
    return 1 + sum(
        chance * player.state_value(survivors & ~mask, rest)
        for chance, mask in zip(chances, player.outcomes[action], strict=True)
        if chance > 0
    )


def compare(player: Player, actions: Sequence[int], observed: Sequence[int]) -> Comparison:
    """The trajectory ``actions``, where action ``a`` shows its outcome ``observed[a]``, against best play.

    Actions may be repeated, and may go on after the answer is known. ``observed`` has an outcome for every action of
    the game, and they must be possible together. Raises ValueError for an action that is not in the game, and
    OutOfWorkError beyond the player's limit.
    """
    survivors, remaining = player.truths, player.actions
    expected = player.state_value(survivors, remaining)
    steps: list[Step] = []
    for action in actions:
        if not 0 <= action < len(player.outcomes):
            raise ValueError(f"there is no action {action} among the {len(player.outcomes)} of the game")
        step = _step(player, survivors, remaining, action, observed[action])
        steps.append(step)
        survivors = sum(1 << truth for truth in step.after)
        remaining &= ~(1 << action)
    further = steps[-1].further if steps else expected
    return Comparison(tuple(steps), expected, further, player.known(survivors, remaining))


def _step(player: Player, survivors: int, remaining: int, action: int, outcome: int) -> Step:
    left = survivors & ~player.outcomes[action][outcome]
    rest = remaining & ~(1 << action)
    return Step(
        action=action,
        outcome=outcome,
        repeated=rest == remaining,
        before=tuple(members(survivors)),
        after=tuple(members(left)),
        value=player.state_value(survivors, remaining),
        optimal=player.optimal_actions(survivors, remaining),
        expected=expected_after(player, survivors, remaining, action),
        further=player.state_value(left, rest),
    )
