"""Small random domains for tests of generation, and helpers to look at what was generated."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import combinations, pairwise, product
from typing import Any

from kumoc.generate import Instance
from kumoc.generate.draw import Draws
from kumoc.generate.instance import Game
from kumoc.tables import Action, Noun, Outcome, Range, Scale, Tables, Truth


def make_tables(game: Game, truths: int, measured: Iterable[int] = ()) -> Tables:
    """A domain whose actions rule out the masks of ``game``; those at positions ``measured`` are measured."""
    measured = set(measured)
    return Tables(
        domain="sample",
        title="Sample",
        topic="Testing",
        goal="find the truth",
        version="1.0.0",
        truth_noun=Noun("truth", "truths"),
        action_noun=Noun("action", "actions"),
        truths=tuple(Truth(f"truth {i}") for i in range(truths)),
        actions=tuple(_action(i, masks, i in measured) for i, masks in enumerate(game)),
    )


def _action(number: int, masks: Sequence[int], measured: bool) -> Action:
    name = f"action {number}"
    if not measured:
        return Action(name, tuple(Outcome(f"label {i}", mask) for i, mask in enumerate(masks)))
    edges = [Decimal("0.5") * i for i in range(len(masks) + 1)]
    ranges = [Range(low, high, high == edges[-1]) for low, high in pairwise(edges)]
    outcomes = tuple(Outcome(span, mask) for span, mask in zip(ranges, masks, strict=True))
    return Action(name, outcomes, scale=Scale(edges[0], edges[-1], 1, "cm"))


def random_game(seed: int, truths: int, actions: int, density: float = 0.3) -> Game:
    """``actions`` of two to four outcomes; some outcome keeps each truth, as in every compiled domain."""
    draws = Draws(seed)
    game = []
    for _ in range(actions):
        outcomes = 2 + draws.below(3)
        masks = [0] * outcomes
        for truth in range(truths):
            spared = draws.below(outcomes)
            for i in range(outcomes):
                if i != spared and draws.below(1000) < 1000 * density:
                    masks[i] |= 1 << truth
        game.append(tuple(masks))
    return tuple(game)


def random_tables(seed: int, truths: int, actions: int, density: float = 0.3) -> Tables:
    """A random domain; every third action is measured."""
    return make_tables(random_game(seed, truths, actions, density), truths, range(0, actions, 3))


def row(instance: Instance, mode: str) -> dict[str, Any]:
    """What is exported of ``instance``, as far as the proof reads it."""
    tables = instance.tables
    seen = []
    for position, observation in zip(instance.actions, instance.observations, strict=True):
        action = tables.actions[position]
        label = action.outcomes[observation.outcome].key if action.scale is None else None
        value = None if observation.value is None else float(observation.value)
        text = label if action.scale is None else f"{value:.{action.scale.decimals}f} {action.scale.unit}".rstrip()
        seen.append({"action": action.name, "label": label, "value": value, "text": text})
    truths = [tables.truths[i].name for i in instance.truths]
    return {
        "mode": mode,
        "truths": truths,
        "actions": [tables.actions[i].name for i in instance.actions],
        "valid_truths": [truths[i] for i in instance.valid],
        "observations": seen,
    }


def working(actions: Game, valid: int, invalid: int) -> list[tuple[int, ...]]:
    """Every assignment of one outcome to each action that excludes all of ``invalid`` and none of ``valid``."""
    found = []
    for picked in product(*(range(len(masks)) for masks in actions)):
        excluded = 0
        for masks, i in zip(actions, picked, strict=True):
            excluded |= masks[i]
        if not excluded & valid and not invalid & ~excluded:
            found.append(picked)
    return found


def subsets(mask: int, size: int) -> list[int]:
    """The sets of ``size`` bits of ``mask``."""
    bits = [1 << i for i in range(mask.bit_length()) if mask >> i & 1]
    return [sum(chosen) for chosen in combinations(bits, size)]


def chi_square(observed: Sequence[float], expected: Sequence[float]) -> float:
    """Pearson's statistic; for ``k`` cells of known totals it has ``k - 1`` degrees of freedom."""
    return sum((seen - mean) ** 2 / mean for seen, mean in zip(observed, expected, strict=True))
