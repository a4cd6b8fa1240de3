"""``kumoc export-harness``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.cli.inputs import check_free
from kumoc.cli.rows import InputError
from kumoc.cli.show import plural

if TYPE_CHECKING:
    from kumoc.views.turns import System


@click.command("export-harness")
@click.argument("release", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Folder (default: here)."
)
@click.option("--size", help="Only instances of this size.")
@click.option("--domain", "domains", multiple=True, help="Only instances of this domain; repeatable.")
@click.option("--split", default="test", help="The split that they are in (default: test).")
@click.option("--edition", default="", help="The edition to show them in, such as table-zh (default: the size's own).")
@click.option(
    "--system", type=click.Choice(("book", "table")), default="book", help="What the player is given (default: book)."
)
@click.option("--overwrite", is_flag=True, help="Replace tasks that exist.")
def command(  # noqa: PLR0913 - one for each option
    *,
    release: Path,
    out: Path,
    size: str | None,
    domains: tuple[str, ...],
    split: str,
    edition: str,
    system: System,
    overwrite: bool,
) -> None:
    """Write tasks for lm-evaluation-harness.

    DIR is a release that `kumoc build` made. For each of its sizes a task is written: the game in one step, in which
    all outcomes are given and a truth is to be named. It asks what `inspect eval kumoc/onestep` asks, and reads
    answers to the letter.

    \b
    Example:
      kumoc export-harness dist/pocket/1.0.0 -o tasks/
      lm-eval run --tasks tasks/kumoc_pocket_easy.yaml --model hf --model_args pretrained=...
    """
    from kumoc.files import write_text  # noqa: PLC0415 - loaded only where it is used
    from kumoc.harness import harness_tasks, select  # noqa: PLC0415
    from kumoc.release import BuildError  # noqa: PLC0415

    try:
        tasks = tuple(harness_tasks(select(release, size, domains or None, split, edition), out, system))
    except BuildError as error:
        raise InputError("DIR", str(error), error.help) from error
    for task in tasks:
        check_free(task.config, overwrite=overwrite)
    for task in tasks:
        write_text(task.data, task.data_text)
        write_text(task.config, task.config_text)
        click.echo(f"{task.name}: {plural(task.rows, 'row')} -> {task.config}")
