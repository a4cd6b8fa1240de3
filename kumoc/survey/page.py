"""The picture of a domain as a page of HTML that needs nothing else: it says more of what a pointer is over."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup

from kumoc.survey.kinship import NEAREST, Kinship
from kumoc.survey.picture import Picture, colour
from kumoc.survey.structure import Structure
from kumoc.survey.words import letters
from kumoc.tables import Action, Outcome, Range
from kumoc.templating import template


def page(structure: Structure, kin: Kinship, picture: Picture) -> str:
    """The page; without its script it still shows the picture, and under it all there is to say."""
    svg = picture.file("svg").decode("utf-8")
    script = (Path(__file__).parent / "templates" / "domain.js").read_text(encoding="utf-8")
    digest = b64encode(sha256(script.encode()).digest()).decode("ascii")
    return template("kumoc.survey", "domain.html.j2", escaped=True).render(
        tables=structure.tables,
        place=picture.place,
        # what stands before the root belongs to files alone; the library has escaped all texts
        picture=Markup(svg[svg.index("<svg") :]),
        truths=tuple(_truths(structure, kin, picture)),
        actions=tuple(_actions(structure, kin, picture)),
        # the style of the picture is written into its elements
        policy=f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:",
        script=Markup(script),
    )


def _truths(structure: Structure, kin: Kinship, picture: Picture) -> Iterator[dict[str, Any]]:
    """What is said of each truth, in the order of the picture."""
    tables = structure.tables
    community = {truth: i for i, part in enumerate(kin.communities) for truth in part}
    twins = {truth: group for group in structure.inseparable for truth in group}
    for truth in kin.truths:
        yield {
            "number": truth,
            "truth": tables.truths[truth],
            "top": picture.place.rows[truth],
            "community": letters(community[truth]),
            "colour": colour(community[truth]),
            "reached": structure.reached[truth],
            "nearest": [
                (
                    tables.truths[other].name,
                    [tables.actions[action].name for action in structure.telling_apart(truth, other)],
                )
                for other in structure.nearest(truth)[:NEAREST]
            ],
            "near": [other for pair in kin.near if truth in pair for other in pair if other != truth],
            "twins": [tables.truths[other].name for other in twins.get(truth, ()) if other != truth],
            "giveaway": truth in structure.giveaways,
        }


def _actions(structure: Structure, kin: Kinship, picture: Picture) -> Iterator[dict[str, Any]]:
    """What is said of each action, in the order of the picture."""
    count = len(structure.tables.truths)
    for number in kin.actions:
        action = structure.tables.actions[number]
        left, right = picture.place.blocks[number]
        yield {
            "number": number,
            "action": action,
            "left": left,
            "right": right,
            "telling": structure.telling[number],
            "idle": number in structure.idle,
            "outcomes": [
                {
                    "text": _words(action, outcome),
                    "left": count - outcome.excludes.bit_count(),
                    "out": f"{outcome.excludes:x}",
                }
                for outcome in action.outcomes
            ],
        }


def _words(action: Action, outcome: Outcome) -> str:
    """An outcome as people read it: its label, or its range with the unit."""
    if not isinstance(outcome.key, Range):
        return outcome.key
    unit = action.scale.unit if action.scale else ""
    return f"{outcome.key.low:f} to {outcome.key.high:f} {unit}".rstrip()
