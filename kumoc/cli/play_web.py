"""The page that ``kumoc play --web`` writes, and the options of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from kumoc.cli.inputs import check_free
from kumoc.cli.playable import origin, played_columns, simulator_of
from kumoc.cli.rows import Choice, draw, read_text, release_of
from kumoc.cli.show import plural
from kumoc.diagnostics.text import printable
from kumoc.files import write_text

_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]+)?")
_COUNT = 10


class _WebAddress(click.ParamType[str]):
    name = "URL"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            parts = urlsplit(str(value))
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc):
            self.fail(f"'{value}' is no web address such as https://example.org/answers", param, ctx)
        return str(value)


class _Completion(_WebAddress):
    name = "URL|CODE"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(value, param, ctx) if ":" in str(value) else str(value)


_OPTIONS = (
    click.option("--web", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT", help="Write a page to OUT."),
    click.option("--overwrite", is_flag=True, default=None, help="Of a page: replace a file that exists."),
    click.option("--count", type=click.IntRange(1), metavar="N", help=f"Of a page: games (default: {_COUNT})."),
    click.option("--seed", type=click.IntRange(0), metavar="N", help="Of a page: draws games and order (default: 0)."),
    click.option(
        "--consent", type=click.Path(dir_okay=False, path_type=Path), help="Of a page: a text on what is recorded."
    ),
    click.option(
        "--survivors", type=click.Choice(("asked", "shown", "hidden")), help="Of a page: what is left (default: asked)."
    ),
    click.option("--no-feedback", is_flag=True, default=None, help="Of a page: don't tell how a game went."),
    click.option("--post", type=_WebAddress(), help="Of a page: where trajectories are sent."),
    click.option("--completion", type=_Completion(), help="Of a page: what a person gets in the end."),
)


@dataclass(frozen=True, slots=True)
class PageWish:
    """A page that is wished for, as the options of these names say."""

    web: Path
    overwrite: bool = False
    count: int = _COUNT
    seed: int = 0
    consent: Path | None = None
    survivors: str = "asked"
    no_feedback: bool = False
    post: str | None = None
    completion: str | None = None


def paging(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a :class:`PageWish`, which it gets as ``wish``: None without ``--web``."""

    @wraps(command)
    def packed(**options: Any) -> Any:
        given = {name: options.pop(name) for name in PageWish.__slots__}
        given = {name: value for name, value in given.items() if value is not None}
        if given and "web" not in given:
            raise click.UsageError(f"--{next(iter(given)).replace('_', '-')} is of a page: give --web OUT too")
        return command(wish=PageWish(**given) if given else None, **options)

    for option in reversed(_OPTIONS):
        packed = option(packed)
    return packed


def write_page(source: str, choice: Choice, wish: PageWish, model: str) -> None:
    """Write the page. Raises InputError."""
    from kumoc.play.page import Settings, Survivors, page  # noqa: PLC0415 - loaded only where it is used

    check_free(wish.web, overwrite=wish.overwrite)
    settings = Settings(
        model=model,
        consent=() if wish.consent is None else _paragraphs(read_text(wish.consent)),
        survivors=Survivors(wish.survivors),
        feedback=not wish.no_feedback,
        post=wish.post,
        completion=wish.completion,
    )
    drawn = draw(source, choice, (*played_columns(), "canary"), wish.count, wish.seed)
    simulators = [simulator_of(chosen) for chosen in drawn]
    write_text(wish.web, page(simulators, settings, release_of(source), origin(choice)))
    click.echo(f"{printable(str(wish.web))}: {plural(len(drawn), 'game')}")
    if len(drawn) < wish.count:
        click.echo(f"note: there are no more than {plural(len(drawn), 'row')}", err=True)


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(paragraph.strip() for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip())
