"""What is written in the picture of a domain, and told of it in words."""

from __future__ import annotations

from dataclasses import dataclass

from kumoc.survey.kinship import NEAREST, Kinship
from kumoc.survey.structure import Structure
from kumoc.tables import Noun

GIVEAWAY, ALIKE, IDLE = "◆", "≡", "∅"
"""Marks before the names of truths that nothing rules out, truths that nothing tells apart, and useless actions."""

NAME_LENGTH = 44
"""Letters of a name that are shown; the rest is cut."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Words:
    """All that is written in a picture.

    ``lines`` stand under the ``title``; ``labels`` are the names of truths and ``headings`` those of actions, by
    position, each after its mark if it has one; ``keys`` pair what is drawn with what it means; ``caption`` is that of
    the bars.
    """

    title: str
    lines: tuple[str, ...]
    labels: tuple[str, ...]
    headings: tuple[str, ...]
    keys: tuple[tuple[str, str], ...]
    caption: str


def words_of(structure: Structure, kin: Kinship) -> Words:
    """The words for the picture of a domain."""
    tables = structure.tables
    return Words(
        title=tables.title or tables.domain,
        lines=(_counts(structure, kin), *_findings(structure)),
        labels=_labels(structure),
        headings=_headings(structure),
        keys=_keys(structure),
        caption=f"pairs of {tables.truth_noun.many}\nthat it tells apart",
    )


def letters(number: int) -> str:
    """What a community is called: A to Z, then AA, AB and so on."""
    return (letters(number // 26 - 1) if number > 25 else "") + _LETTERS[number % 26]


def _labels(structure: Structure) -> tuple[str, ...]:
    """The names of the truths, each after its mark if it has one; equal numbers stand by truths that are alike."""
    number = {truth: i for i, group in enumerate(structure.inseparable, start=1) for truth in group}
    marks = {truth: f"{ALIKE}{i} " for truth, i in number.items()} | dict.fromkeys(structure.giveaways, f"{GIVEAWAY} ")
    return tuple(marks.get(i, "") + _shown(truth.name) for i, truth in enumerate(structure.tables.truths))


def _headings(structure: Structure) -> tuple[str, ...]:
    """The names of the actions, each after its mark if it has one."""
    return tuple(
        (f"{IDLE} " if i in structure.idle else "") + _shown(action.name)
        for i, action in enumerate(structure.tables.actions)
    )


def _counts(structure: Structure, kin: Kinship) -> str:
    tables = structure.tables
    parts = Noun("community", "communities"), Noun("outcome", "outcomes")
    truths = f"{_count(len(tables.truths), tables.truth_noun)} in {_count(len(kin.communities), parts[0])}"
    outcomes = sum(len(action.outcomes) for action in tables.actions)
    return f"{truths}, {_count(len(tables.actions), tables.action_noun)} with {_count(outcomes, parts[1])}."


def _count(number: int, noun: Noun) -> str:
    return f"{number} {noun.one if number == 1 else noun.many}"


def _findings(structure: Structure) -> tuple[str, ...]:
    """What keeps truths from being listed together, or that nothing does, in sentences."""
    one, many = structure.tables.truth_noun.one, structure.tables.truth_noun.many
    alike = sum(map(len, structure.inseparable))
    found = (
        (len(structure.giveaways), f"{GIVEAWAY} {many} that nothing can rule out: {len(structure.giveaways)}."),
        (alike, f"{ALIKE} {many} that nothing tells from some other: {alike}."),
        (
            len(structure.shadowed),
            f"pairs of {many} of which nothing rules out just the one: {len(structure.shadowed)}.",
        ),
    )
    return tuple(words for number, words in found if number) or (
        f"Any {one} can be ruled out, and told from any other.",
    )


def _keys(structure: Structure) -> tuple[tuple[str, str], ...]:
    """What the legend explains: what is drawn, and what it means."""
    tables = structure.tables
    one, many, act = tables.truth_noun.one, tables.truth_noun.many, tables.action_noun.one
    keys = [
        (
            "slots",
            f"each {act} is a block of its outcomes, in their order: "
            f"filled leaves the {one} standing, empty rules it out",
        ),
        ("strip", f"a community of {many} that are hard to tell apart (Louvain); like stands by like"),
        (
            "arc",
            f"joins each {one} with those {NEAREST} that the fewest {tables.action_noun.many} tell it from; "
            "the thicker, the fewer",
        ),
    ]
    if structure.inseparable:
        keys.append(("alike", f"{ALIKE} with one number: no {act} tells them apart, so that no fair game lists both"))
    if structure.shadowed:
        keys.append(("shadowed", "whatever rules out one of the two rules out the other: no fair game lists both"))
    if structure.giveaways:
        keys.append(("", f"{GIVEAWAY} nothing rules it out: where it is listed, it must be the answer"))
    if structure.idle:
        keys.append(("", f"{IDLE} never rules anything out"))
    return tuple(keys)


def _shown(name: str) -> str:
    """A name as far as there is room for it."""
    return name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 1]}…"
