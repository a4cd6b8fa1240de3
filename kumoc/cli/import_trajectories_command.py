"""``kumoc import-trajectories``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.cli.inputs import check_free
from kumoc.cli.rows import InputError, read_text
from kumoc.cli.show import plural

if TYPE_CHECKING:
    from kumoc.interop import Corpus, SourceError
    from kumoc.interop.kumo_plays import Key

_PATH = click.Path(exists=True, path_type=Path)
_LOGS = (".eval", ".json")
"""What Inspect's logs end in; KUMO's files end in .jsonl."""


@click.command("import-trajectories")
@click.argument("files", nargs=-1, required=True, metavar="FILE ...", type=_PATH)
@click.option("--instances", type=_PATH, multiple=True, help="KUMO's instances: a file or a folder; repeatable.")
@click.option("--domains", type=_PATH, multiple=True, help="KUMO's domains, for signatures: a file or a folder.")
@click.option("--model", metavar="NAME", help="Who played, in place of what the files say.")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("trajectories.jsonl"),
    help="File to write to (default: trajectories.jsonl).",
)
@click.option("--overwrite", is_flag=True, help="Replace a file that exists.")
def command(
    *,
    files: tuple[Path, ...],
    instances: tuple[Path, ...],
    domains: tuple[Path, ...],
    model: str | None,
    out: Path,
    overwrite: bool,
) -> None:
    """Turn KUMO's published plays and Inspect's logs into trajectories.

    A FILE is a log of `inspect eval` (.eval, .json), or KUMO's plays, MODEL.SIZE.jsonl, which need the --instances that
    were played, DOMAIN.SIZE.jsonl. With the --domains of these, the signatures of instances are known too. A folder
    stands for all such files in it. One trajectory a line is written, in the form of schemas/trajectory.schema.json,
    for `kumoc score` to read. Of a run that broke off, what is there is taken, and it is said how much that is. Where
    one model has played in two ways, --model tells these apart.

    \b
    Example:
      kumoc import-trajectories logs/ -o mine.jsonl
      kumoc import-trajectories table.eval --model "gpt-4o, table" -o table.jsonl
      kumoc import-trajectories gpt-4o.easy.jsonl --instances instances/ --domains domains/ -o gpt-4o.jsonl
    """
    from kumoc.files import write_text  # noqa: PLC0415 - loaded only where it is used

    check_free(out, overwrite=overwrite)
    found = list({path.resolve(): path for path in _expand(files, (*_LOGS, ".jsonl"))}.values())
    logs = [path for path in found if path.suffix in _LOGS]
    plays = [path for path in found if path.suffix not in _LOGS]
    known = _known(instances, domains) if plays else None
    written = 0

    def lines() -> Iterator[str]:
        nonlocal written
        for line in chain(_from_logs(logs, model), *(_from_kumo(path, known, model) for path in plays if known)):
            written += 1
            yield line
        if not written:
            raise InputError(", ".join(map(str, files)), "no trajectories are in it")

    write_text(out, lines())
    click.echo(f"{plural(len(found), 'file')} -> {out}: {written:,} trajector{'y' if written == 1 else 'ies'}")


def _expand(paths: Sequence[Path], suffixes: tuple[str, ...]) -> Iterator[Path]:
    """The files among ``paths``, and those of these kinds in its folders, in order."""
    for path in paths:
        found = [path]
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.suffix in suffixes and file.is_file())
            if not found:
                raise InputError(str(path), f"holds no file that ends in {' or '.join(suffixes)}")
        elif path.suffix not in suffixes:
            raise InputError(str(path), f"does not end in {' or '.join(suffixes)}", "what a file holds goes by its end")
        yield from found


def _known(instances: Sequence[Path], domains: Sequence[Path]) -> Corpus:
    from kumoc.interop import SourceError, corpus, read_domain, read_instances  # noqa: PLC0415

    if not instances:
        help_ = "name the file or folder of the instances that were played with --instances"
        raise InputError("KUMO's plays", "do not say what was played", help_)
    found: dict[Key, Mapping[str, Any]] = {}
    tables = []
    for path in _expand(instances, (".jsonl",)):
        try:
            found |= read_instances(read_text(path), path.name)
        except SourceError as error:
            raise _source_error(path, error) from error
    for path in _expand(domains, (".json", ".py")):
        try:
            tables.append(read_domain(read_text(path), path.name))
        except SourceError as error:
            raise _source_error(path, error) from error
    return corpus(found, tables)


def _from_kumo(path: Path, known: Corpus, model: str | None) -> Iterator[str]:
    from kumoc.interop import SourceError, read_plays  # noqa: PLC0415
    from kumoc.play import to_line  # noqa: PLC0415

    try:
        yield from map(to_line, read_plays(read_text(path), path.name, known, model))
    except SourceError as error:
        raise _source_error(path, error) from error


def _from_logs(paths: Sequence[Path], model: str | None) -> Iterator[str]:
    from kumoc.interop import LogError, read_runs  # noqa: PLC0415

    try:
        for run in read_runs(paths):
            if run.one_step:
                click.echo(f"{run.path}: passed over: the game in one step leaves no trajectories", err=True)
                continue
            count = 0
            for trajectory in run.trajectories(model):
                count += 1
                yield json.dumps(trajectory, ensure_ascii=False) + "\n"
            if run.status != "success" or count < run.samples:
                click.echo(f"{run.path}: status {run.status}: {count:,} of {plural(run.samples, 'sample')}", err=True)
    except ImportError as error:
        raise InputError(str(paths[0]), "Inspect is needed to read its logs", "pip install 'kumoc[inspect]'") from error
    except LogError as error:
        raise InputError(str(error.path), str(error), "give logs of `inspect eval kumoc/game`") from error


def _source_error(path: Path, error: SourceError) -> InputError:
    return InputError(f"{path}:{error.line}", error.reason)
