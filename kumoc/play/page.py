"""A page on which people play in a browser: one file of HTML, without a server, that loads nothing from elsewhere."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from hashlib import sha256
from operator import or_
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from kumoc.play.layout import layout
from kumoc.play.moves import Name
from kumoc.play.simulator import Simulator
from kumoc.play.trajectory import Release, record, to_json
from kumoc.tables import members
from kumoc.templating import template

_SCRIPTS = ("page-game.js", "page-screen.js", "page-answers.js", "page-controls.js")
"""One module in parts."""


class Survivors(StrEnum):
    """Whether the page tells which truths are ruled out."""

    ASKED = "asked"
    """While the person wants it."""
    SHOWN = "shown"
    """At all times."""
    HIDDEN = "hidden"
    """Never."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a page runs.

    ``model`` is who plays, in the trajectories; ``consent`` the paragraphs of a text shown first, in place of the
    page's own; ``feedback``: after each game the person is told how it went. Trajectories are sent to the URL ``post``,
    if there is one. ``completion`` is given to the person in the end: a link if it is a URL, else a code.
    """

    model: str = "person"
    consent: tuple[str, ...] = ()
    survivors: Survivors = Survivors.ASKED
    feedback: bool = True
    post: str | None = None
    completion: str | None = None


def page(
    simulators: Sequence[Simulator],
    settings: Settings,
    release: Release | None = None,
    origin: Mapping[str, str] | None = None,
) -> str:
    """The page of these games, in their order; their rows must have the form of their schema.

    ``release`` and ``origin`` are for the trajectories.

    What is played is in one block of Base64: nothing in a name or book can break out of it, and no outcome can be read
    in the source by chance. Whoever decodes it reads them all.
    """
    content = _content(settings, [_game(simulator, settings.model, release, origin) for simulator in simulators])
    block = b64encode(json.dumps(content, separators=(",", ":")).encode("ascii")).decode("ascii")
    style = _text("page.css")
    script = "\n".join(map(_text, _SCRIPTS))
    return template("kumoc.play", "page.html.j2", escaped=True).render(
        settings=settings,
        games=len(simulators),
        canaries=sorted({simulator.row["canary"] for simulator in simulators}),
        policy=_policy(style, script, settings.post),
        post_host=settings.post and urlsplit(settings.post).hostname,
        style=Markup(style),
        script=Markup(script),
        content=block,
    )


def _text(name: str) -> str:
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def _content(settings: Settings, games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All that the script reads; ``id`` tells pages apart."""
    content = {
        "survivors": settings.survivors,
        "feedback": settings.feedback,
        "post": settings.post,
        "completion": settings.completion,
        "games": games,
    }
    return {"id": sha256(json.dumps(content).encode()).hexdigest()[:16], **content}


def _game(
    simulator: Simulator, model: str, release: Release | None, origin: Mapping[str, str] | None
) -> dict[str, Any]:
    """A game in positions and names. ``record`` is the trajectory of a game so short that it has nothing to count.

    The script replaces in it what its own game decides.
    """
    bare = simulator.bare
    shortest = simulator.step(simulator.start(), Name(0))
    return {
        "language": simulator.puzzle.language,
        "book": [{"shape": part.shape, "rows": part.rows} for part in layout(simulator.row["knowledge_book"])],
        "truths": bare.truths,
        "actions": [
            {
                "name": name,
                "seen": seen,
                "rules_out": list(members(masks[outcome])),
                "can_rule_out": list(members(reduce(or_, masks, 0))),
            }
            for name, seen, masks, outcome in zip(bare.actions, bare.seen, bare.game, bare.observed, strict=True)
        ],
        "limit": simulator.limit,
        "record": to_json(record(simulator, shortest, model, release=release, origin=origin)),
    }


def _policy(style: str, script: str, post: str | None) -> str:
    """The Content Security Policy: this script and this style alone, and no connection but to where answers go."""
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (script, style)]
    to = "'none'"
    if post is not None:
        parts = urlsplit(post)
        to = f"{parts.scheme}://{parts.netloc}"
    return (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; connect-src {to}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
