"""What holds of many instances: of the domains ``medical`` and ``minerals``, generated as builds generate them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean

from docs.figures.svg import Drawing
from kumoc.benchmark import Mode, Size
from kumoc.compiler import compile_paths
from kumoc.generate import Instance, derive, generate
from kumoc.generate.outcomes import count as combinations
from kumoc.release.difficulty import BINS, Histogram
from kumoc.solve import Bounds, ExactPlayer, PaperPlayer
from kumoc.tables import Tables

DOMAINS = Path(__file__).parents[2] / "domains"
SEED = 1


@cache
def _tables(domain: str) -> Tables:
    (tables,) = compile_paths([DOMAINS / f"{domain}.kumo"]).tables
    return tables


def _instances(domain: str, size: Size, count: int) -> Iterator[Instance]:
    return (generate(_tables(domain), size, derive(SEED, domain, size.name, size.mode, i)) for i in range(count))


# ---- which truth is valid


def ranks(mode: Mode, count: int) -> list[float]:
    """How often the valid truth is the one that most, second most, ... combinations of outcomes single out."""
    size = Size("easy", truths=4, actions=6, mode=mode)
    all_truths = (1 << size.truths) - 1
    found = [0] * size.truths
    for instance in _instances("medical", size, count):
        ways = [combinations(instance.game, 1 << truth, all_truths ^ 1 << truth) for truth in range(size.truths)]
        (valid,) = instance.valid
        found[sorted(range(size.truths), key=lambda truth: (-ways[truth], truth)).index(valid)] += 1
    return [each / count for each in found]


def who_is_valid(count: int = 800) -> str:
    """Bars: the share of each rank, in instances chosen as in the paper and in fair ones."""
    drawing = Drawing(720, 286, "How often the truth that most combinations of outcomes single out is the valid one")
    shares = {"amber": ranks(Mode.PAPER, count), "blue": ranks(Mode.FAIR, count)}
    ground, height, left, right = 220, 480, 60, 700
    for tenths in range(5):
        y = ground - height * tenths / 10
        drawing.path(f"M{left} {y}H{right}", "line" if not tenths else "faint")
        drawing.text(left - 10, y + 4, f"{tenths * 10}%", "soft", "end")
    for rank, name in enumerate(("the most ways", "second", "third", "the fewest ways")):
        middle = left + 80 + rank * 160
        drawing.text(middle, ground + 22, name, "", "middle")
        for side, (kind, found) in enumerate(shares.items()):
            x = middle - 52 + side * 54
            drawing.rect(x, ground - height * found[rank], 50, height * found[rank], kind, 2)
            drawing.text(x + 25, ground - height * found[rank] - 7, f"{found[rank]:.0%}", "", "middle")
    quarter = ground - height / 4
    drawing.path(f"M{left} {quarter}H{right}", "line")
    drawing.path("M540 264h24")
    drawing.text(572, 269, "one in four")
    for kind, x, name in (("amber", 60, f"{count:,} instances as in the paper"), ("blue", 300, f"{count:,} fair ones")):
        drawing.rect(x, 258, 12, 12, kind, 2)
        drawing.text(x + 20, 269, name)
    return str(drawing)


# ---- how many actions it takes


SPREAD = (("minerals", 4, 6), ("minerals", 6, 9), ("medical", 4, 6), ("medical", 6, 9))


def spread(count: int = 100) -> str:
    """A histogram for each domain and size: the expected actions of the exact player, in tenths of an action."""
    left, right, panel, step = 60, 700, 64, 96
    first, last = 1, 4
    drawing = Drawing(720, 20 + step * len(SPREAD) + 34, "How many actions the instances of a size need")
    unit = (right - left) / (last - first)
    for i, (domain, truths, actions) in enumerate(SPREAD):
        histogram = Histogram()
        for instance in _instances(domain, Size(f"{truths}x{actions}", truths, actions), count):
            value = ExactPlayer(truths, instance.game).value
            histogram.count(Bounds(value, value))
        ground, most = 20 + i * step + panel + 16, max(histogram.known.values())
        drawing.text(right, ground - panel + 4, f"{domain}, {truths} truths and {actions} actions", "strong", "end")
        for at, number in sorted(histogram.known.items()):
            height = panel * number / most
            drawing.rect(left + (at / BINS - first) * unit, ground - height, unit / BINS - 2, height, "blue", 1)
        drawing.path(f"M{left} {ground}H{right}")
    for number in range(first, last + 1):
        drawing.text(left + (number - first) * unit, ground + 20, str(number), "soft", "middle")
    drawing.text((left + right) / 2, ground + 38, "expected number of actions of the exact player", "", "middle")
    return str(drawing)


# ---- the two players


def real_cost(paper: PaperPlayer, exact: ExactPlayer, survivors: int, remaining: int) -> float:
    """The actions that ``paper`` takes on average from a state on, where chances are what they really are."""
    actions = paper.optimal_actions(survivors, remaining)
    if not actions:
        return 0.0
    action, rest = actions[0], remaining & ~(1 << actions[0])
    chances = exact.chances(survivors, remaining, action)
    return 1 + sum(
        chance * real_cost(paper, exact, survivors & ~excluded, rest)
        for chance, excluded in zip(chances, exact.outcomes[action], strict=True)
        if chance > 0
    )


def costs(count: int) -> list[tuple[float, float]]:
    """For instances of ``medical``: the actions that the exact player needs on average, and the paper's."""
    found = []
    for instance in _instances("medical", Size("easy", truths=4, actions=6), count):
        game = len(instance.truths), instance.game
        exact, paper = ExactPlayer(*game), PaperPlayer(*game)
        found.append((exact.value, real_cost(paper, exact, exact.truths, exact.actions)))
    return found


def players(count: int = 200) -> str:
    """A dot for each instance: to the right what the exact player needs, upwards what the paper's does."""
    found = costs(count)
    left, ground, unit, first, last = 70, 400, 116, 1, 4
    side = unit * (last - first)
    drawing = Drawing(720, 450, "What the two players need in the same instances")
    for half in range(2 * (last - first) + 1):
        number, at = first + half / 2, half * unit / 2
        drawing.path(f"M{left} {ground - at}h{side}M{left + at} {ground}v-{side}", "faint")
        drawing.text(left - 10, ground - at + 4, f"{number:g}", "soft", "end")
        drawing.text(left + at, ground + 20, f"{number:g}", "soft", "middle")
    drawing.path(f"M{left} {ground}l{side} -{side}")
    for exact, paper in found:
        drawing.dot(left + (exact - first) * unit, ground - (paper - first) * unit, "blue")
    means = [mean(each) for each in zip(*found, strict=True)]
    drawing.dot(left + (means[0] - first) * unit, ground - (means[1] - first) * unit, "amber", 7)
    drawing.text(left + side / 2, ground + 42, "actions that the exact player needs", "", "middle")
    x = left + side + 40
    drawing.text(left - 30, ground - side - 22, "actions that the paper’s player needs")
    drawing.dot(x, 130, "blue")
    drawing.text(x + 14, 134, "an instance of 4 truths, 6 actions")
    drawing.dot(x, 156, "amber", 7)
    drawing.text(x + 14, 160, f"the mean of all {count}:")
    drawing.text(x + 14, 180, f"{means[0]:.2f} to {means[1]:.2f} actions")
    drawing.path(f"M{x - 8} 208l16 -16")
    drawing.text(x + 14, 204, "both alike: nobody can be below")
    return str(drawing)
