"""What all books begin with: the rules of the game."""

from __future__ import annotations

from collections.abc import Iterable

from kumoc.book.reader.forms import Forms
from kumoc.book.reader.page import Page
from kumoc.book.reader.rules import ActionEntry, Rules, TruthEntry


def read_opening(page: Page, forms: Forms, *, running: bool = False, in_play: bool = False) -> None:
    """Read up to where truths are listed.

    ``running``: sentences stand side by side and not one a line. ``in_play``: there are entries that are not.
    """
    page.sentence(forms.title)
    page.says(forms.topic)
    page.sentence(forms.goal)
    one, several = forms.valid_in_play if in_play else forms.valid
    single = page.says(one)
    if not single:
        page.sentence(several)
    page.sentence(forms.round)
    points = forms.points_in_play if in_play else forms.points
    running_text = forms.space.join([*points[:-1], forms.running_point])
    for point in [running_text] if running else [f"- {point}" for point in points]:
        page.sentence(point)
    if in_play:
        page.sentence(forms.others)
    page.sentence(forms.name[not single])


def told(
    page: Page,
    truths: Iterable[TruthEntry],
    actions: Iterable[ActionEntry],
    in_play: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
) -> Rules:
    """All that a book says that was read to its end."""
    said = page.said
    return Rules(
        title=said["title"],
        topic=said.get("topic", ""),
        goal=said["goal"],
        truth_noun=(said["truth"], said["truths"]),
        action_noun=(said["action"], said["actions"]),
        valid=int(said.get("valid", "1")),
        truths=tuple(truths),
        actions=tuple(actions),
        in_play=in_play,
    )
