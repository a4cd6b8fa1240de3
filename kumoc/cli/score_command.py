"""``kumoc score``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.cli.figures import FORMATS, write
from kumoc.cli.inputs import check_free
from kumoc.cli.rows import InputError, read_text

if TYPE_CHECKING:
    from kumoc.evaluate.plays import Plays
    from kumoc.evaluate.plots import Plot
    from kumoc.evaluate.settings import Settings
    from kumoc.evaluate.tables import Table
    from kumoc.tables import Tables

_TABLES = ("scores", "conduct", "passes", "pairs", "errors", "signatures", "correlation")
_FIRST = ("scores", "conduct")
_KEYS = ("model", "size", "domain", "difficulty")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("score")
@click.argument("files", nargs=-1, required=True, metavar="FILE ...", type=_FILE)
@click.option(
    "--convention",
    type=click.Choice(("own", "paper")),
    default="own",
    help="How actions are counted: as they are (own, the default), or as in KUMO's published figures.",
)
@click.option("--by", type=click.Choice(_KEYS), multiple=True, help="What to split by, in that order; repeatable.")
@click.option(
    "--table",
    "tables",
    type=click.Choice((*_TABLES, "all")),
    multiple=True,
    help="What to tell; repeatable (default: scores and conduct, of CSV scores alone).",
)
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="How to write it.")
@click.option("--scores", type=_FILE, help="CSV with a column model and scores from elsewhere.")
@click.option("--plots", "folder", type=click.Path(file_okay=False, path_type=Path), help="Folder to draw plots in.")
@click.option("--report", "page", type=click.Path(dir_okay=False, path_type=Path), help="HTML page to write.")
@click.option(
    "--release",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A release whose domains are drawn as graphs.",
)
@click.option("--overwrite", is_flag=True, help="Replace a page and plots that exist.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of resamples and permutations (default: 0).")
@click.option("--resamples", type=click.IntRange(10), default=1_000, help="Resamples of a bootstrap (default: 1000).")
def command(  # noqa: PLR0913 - one for each option
    *,
    files: tuple[Path, ...],
    convention: str,
    tables: tuple[str, ...],
    format_: str,
    scores: Path | None,
    folder: Path | None,
    page: Path | None,
    release: Path | None,
    overwrite: bool,
    **wished: Any,
) -> None:
    """Say how well models play, from their trajectories.

    A FILE has one trajectory a line, as `kumoc import-trajectories` and `kumoc bench-players` write them. Models and
    sizes are always told apart; --by names what to split by first. Rates and means count each domain alike.

    \b
    Tables:
      scores       success rate and relative action count, with intervals
      conduct      strict success, parse errors, actions, waste, tokens
      passes       pass@k and pass^k over trials
      pairs        models compared on the same instances
      errors       parse errors by kind
      signatures   the graph signature of instances against correctness
      correlation  success against --scores from elsewhere

    \b
    Example:
      kumoc score mine.jsonl gpt-4o.jsonl --by domain
      kumoc score kumo.jsonl --convention paper --table pairs --format latex
      kumoc score mine.jsonl --plots plots/ --report report.html --release dist/field_lab/1.0.0
    """
    chosen = _chosen(tables, format_, correlate=scores is not None)
    if release and not (folder or page):
        raise InputError("--release", "is drawn as graphs", "say where with --plots or --report")
    for path in (*(folder.glob("*.png") if folder else ()), *((page,) if page else ())):
        check_free(path, overwrite=overwrite)
    domains = list(_domains(release)) if release else []
    try:
        from kumoc.evaluate.correlation import read_scores  # noqa: PLC0415 - loaded only where it is used
        from kumoc.evaluate.plays import PlaysError, read_plays  # noqa: PLC0415
        from kumoc.evaluate.settings import Settings  # noqa: PLC0415
        from kumoc.evaluate.suite import TABLES  # noqa: PLC0415
        from kumoc.play.metrics import Convention  # noqa: PLC0415
    except ImportError as error:
        raise InputError("kumoc score", f"needs {error.name}", "pip install 'kumoc[evaluate]'") from error
    try:
        others = read_scores(read_text(scores), str(scores)) if scores else {}
        settings = Settings(Convention(convention), scores=others, **wished)
        plays = read_plays(files)
    except PlaysError as error:
        raise InputError(error.place, error.wrong, error.help) from error
    shown = chosen if tables or not page else _all(correlate=bool(others))
    made = {name: TABLES[name](plays, settings) for name in dict.fromkeys((*chosen, *shown))}
    head = {"convention": convention, "seed": settings.seed, "resamples": settings.resamples}
    click.echo(write([made[name] for name in chosen], format_, head), nl=False)
    if folder or page:
        from kumoc.evaluate.plots import plots  # noqa: PLC0415

        drawn = [*plots(plays, settings), *_graphs(domains, settings.seed)]
        if folder:
            _save(drawn, folder)
        if page:
            _save_report(plays, [made[name] for name in shown], drawn, settings, page)


def _all(*, correlate: bool) -> tuple[str, ...]:
    return _TABLES if correlate else _TABLES[:-1]


def _chosen(tables: tuple[str, ...], format_: str, *, correlate: bool) -> tuple[str, ...]:
    """The names of the tables that are meant."""
    if "correlation" in tables and not correlate:
        raise InputError("--table correlation", "takes scores from elsewhere", "name a CSV file with --scores")
    if not tables:
        tables = _FIRST[:1] if format_ == "csv" else (*_FIRST, *(("correlation",) if correlate else ()))
    chosen = _all(correlate=correlate) if "all" in tables else tuple(dict.fromkeys(tables))
    if format_ == "csv" and len(chosen) > 1:
        raise InputError("--format csv", "holds one table", "choose which with --table")
    return chosen


def _graphs(domains: Sequence[Tables], seed: int) -> Iterator[Plot]:
    if domains:
        from kumoc.evaluate.graphs import graph_plot  # noqa: PLC0415

        yield from (graph_plot(domain, seed) for domain in domains)


def _save(drawn: Sequence[Plot], folder: Path) -> None:
    from kumoc.evaluate.plots import image  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    for plot in drawn:
        (folder / f"{plot.name}.png").write_bytes(image(plot.figure))
    click.echo(f"drew {len(drawn)} plots in {folder}", err=True)


def _save_report(plays: Plays, tables: Sequence[Table], drawn: Sequence[Plot], settings: Settings, page: Path) -> None:
    from kumoc.evaluate.report import report  # noqa: PLC0415
    from kumoc.files import write_text  # noqa: PLC0415

    write_text(page, report(plays, tables, drawn, settings))
    click.echo(f"wrote {page}", err=True)


def _domains(release: Path) -> Iterator[Tables]:
    """The compiled domains of a release."""
    from kumoc.release import BuildError  # noqa: PLC0415
    from kumoc.release.intact import read_intact  # noqa: PLC0415
    from kumoc.tables import from_json  # noqa: PLC0415

    try:
        names = [domain["name"] for domain in read_intact(release)["inputs"]["domains"]]
    except BuildError as error:
        raise InputError("--release", str(error), error.help) from error
    for name in names:
        yield from_json(json.loads(read_text(release / "tables" / f"{name}.json")))
