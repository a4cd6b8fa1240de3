"""``kumoc bench-players``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.benchmark import DEFAULT_WORK
from kumoc.cli.figures import FORMATS, write
from kumoc.cli.inputs import check_free
from kumoc.cli.rows import InputError

if TYPE_CHECKING:
    from kumoc.evaluate.tables import Table
    from kumoc.play import Baselines


@click.command("bench-players")
@click.argument("release", metavar="RELEASE", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--size", metavar="NAME", help="Rows of this size only.")
@click.option("--split", metavar="NAME", help="Rows of this split only.")
@click.option(
    "--sample", type=click.IntRange(1), metavar="N", help="Only the first N rows of each file (default: all)."
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the random player (default: 0).")
@click.option("--solve", is_flag=True, help="Let the optimal players work out their play anew.")
@click.option(
    "--work",
    type=click.IntRange(0),
    default=DEFAULT_WORK,
    metavar="N",
    help="With --solve: states a question may take.",
)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File for their trajectories, to score."
)
@click.option("--overwrite", is_flag=True, help="Replace a file that exists.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="How to write the table.")
def command(  # noqa: PLR0913 - one for each option
    *,
    release: Path,
    size: str | None,
    split: str | None,
    sample: int | None,
    seed: int,
    solve: bool,
    work: int,
    out: Path | None,
    overwrite: bool,
    format_: str,
) -> None:
    """Play a release with the players that every model is compared with.

    They are the random player, the first-action player, the greedy player and the two optimal ones. The latter play as
    the rows say they do, which `kumoc verify` proves; with --solve they find out by themselves, which may take long.
    The card of a release has the same table, of the first rows of each file.

    \b
    Example:
      kumoc bench-players dist/pocket/1.0.0
      kumoc bench-players dist/field_lab/1.0.0 --size easy -o players.jsonl
    """
    from kumoc.files import write_text  # noqa: PLC0415 - loaded only where it is used
    from kumoc.play import Baselines, to_line  # noqa: PLC0415
    from kumoc.release.folder import UnreadableError  # noqa: PLC0415
    from kumoc.release.load import identify  # noqa: PLC0415
    from kumoc.views.read import RowError  # noqa: PLC0415

    if out:
        check_free(out, overwrite=overwrite)
    paths = _paths(release, size, split)
    known = identify(release)
    baselines = Baselines(seed, work if solve else None)
    lines = (to_line(game) for row in _rows(release, paths, sample) for game in baselines.add(row, known))
    try:
        if out:
            write_text(out, lines)
        else:
            deque(lines, maxlen=0)
    except (RowError, UnreadableError) as error:
        raise InputError(str(release), str(error), "see what `kumoc verify` says of it") from error
    click.echo(write([_table(baselines)], format_, {"seed": seed}), nl=False)


def _paths(release: Path, size: str | None, split: str | None) -> list[str]:
    """The files of the game view, of one size and split or of all."""
    from kumoc.harness import game_files  # noqa: PLC0415
    from kumoc.release import BuildError  # noqa: PLC0415

    try:
        return [file["path"] for file in game_files(release, size, split=split)]
    except BuildError as error:
        raise InputError("RELEASE", str(error), error.help) from error


def _rows(release: Path, paths: list[str], sample: int | None) -> Iterator[dict[str, Any]]:
    """The first rows of each file, with a bar on a terminal."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import track  # noqa: PLC0415

    from kumoc.release.folder import Folder  # noqa: PLC0415

    console = Console(stderr=True)
    for path in track(paths, "playing", console=console, transient=True, disable=not console.is_terminal):
        with Folder(release).parquet(path) as file:
            yield from islice(file.rows(), sample)


def _table(baselines: Baselines) -> Table:
    from kumoc.evaluate.tables import Column, Table  # noqa: PLC0415
    from kumoc.play.baselines import figures  # noqa: PLC0415

    columns = (
        Column("size", "size", "text"),
        Column("player", "player", "text"),
        Column("games", "games"),
        Column("success", "success"),
        Column("actions", "actions"),
        Column("relative", "relative actions"),
        Column("relative_paper", "in KUMO's convention"),
    )
    rows = tuple(
        (size, player, *figures(tallies).values())
        for size, players in baselines.tallies.items()
        for player, tallies in players.items()
    )
    notes = (
        "means of the domains' means; actions and relative actions of successes only",
        "relative actions: actions over the exact player's expectation, less 1; in KUMO's convention: actions + 2 over "
        "its published optimal count, less 1",
        *_fewer(baselines),
    )
    return Table("players", "Players to compare with", columns, rows, notes)


def _fewer(baselines: Baselines) -> Iterator[str]:
    """Where an optimal player has not played all rows: figures of the others are of more."""
    for size, players in baselines.tallies.items():
        games = {player: sum(tally.games for tally in tallies.values()) for player, tallies in players.items()}
        most = max(games.values())
        for player, count in games.items():
            if count < most:
                yield f"{player} has {count:,} of {most:,} games of {size}: the other rows don't say how it plays"
