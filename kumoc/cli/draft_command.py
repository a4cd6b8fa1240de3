"""``kumoc draft``."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc import __version__
from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.asking import model_named, timed
from kumoc.cli.inputs import check_free
from kumoc.cli.names import position
from kumoc.cli.progress import waiting
from kumoc.cli.rows import InputError, parsed, read_text
from kumoc.cli.show import count, plural, render, show_error
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.draft import Draft, Proposal, Round

_RECORD = ".draft.json"
_FAILED = (".failed.txt", ".failed.json")
_BESIDE = (_RECORD, *_FAILED)
"""Ends of the names of what is written beside a domain, or in its place."""


@click.command("draft")
@click.argument("proposals", metavar="PROPOSAL", type=click.Path(path_type=Path))
@click.option("--name", help="Which proposal of the file (default: the only one).")
@click.option("--truths", type=click.IntRange(2), default=50, help="Truths, at least (default: 50).")
@click.option("--actions", type=click.IntRange(1), default=30, help="Actions, at least (default: 30).")
@click.option("--rounds", type=click.IntRange(1), default=3, help="Times that the model writes at most (default: 3).")
@click.option("--model", metavar="NAME", required=True, help="What writes it, by Inspect's name of a model.")
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write (default: NAME.kumo here)."
)
@timed
@click.option("--overwrite", is_flag=True, help="Replace files that exist.")
def command(
    *, proposals: Path, name: str | None, model: str, out: Path | None, timeout: float, overwrite: bool, **wanted: int
) -> int:
    """Have a language model write a domain, until it compiles.

    PROPOSAL is a file that `kumoc propose` wrote, or one with a single proposal. The model writes a .kumo file and is
    told what the compiler says of it, in the words of `kumoc check`, and whether there are too few truths or actions;
    warnings are told too while there are rounds left. The file is written once it has no errors, in the style of
    `kumoc fmt`, and beside it a record of how it came about. If there is none in the last round, the exit code is 1,
    and the last text is in NAME.failed.txt, with its record. What a model writes is compiled, and never run.

    \b
    Example:
      kumoc draft food.json --name cheese --model openai/gpt-5-mini
      kumoc draft cheese.json --truths 20 --actions 12 --rounds 5 --model vllm/local -o domains/cheese.kumo
    """
    from kumoc.draft import Wanted, draft  # noqa: PLC0415 - loaded only where it is used

    proposal = _chosen(proposals, name)
    out = out or Path(f"{proposal['name']}.kumo")
    if out.suffix != ".kumo":
        raise InputError(str(out), "is not the name of a .kumo file", f"write to {out.with_suffix('.kumo')}")
    for each in (out, *map(out.with_suffix, _BESIDE)):
        check_free(each, overwrite=overwrite)
    out.parent.mkdir(parents=True, exist_ok=True)  # what can't be written is known before a model is paid
    asked = Wanted(**wanted)
    settings = {**asdict(asked), "timeout": timeout}
    record = {"kumoc": __version__, "model": model, "settings": settings, "proposal": proposal}
    so_far: list[Draft] = []

    def on_round(made: Draft) -> None:
        so_far.append(made)
        _show_round(made.rounds[-1])

    try:
        with waiting(f"asking {printable(model)}") as on_trouble:
            made = asyncio.run(draft(proposal, asked, model_named(model, timeout, on_trouble), on_round))
    except BaseException:
        if so_far:
            click.echo(_leave(out, so_far[-1], record | _course(so_far[-1], "interrupted")), err=True)
        raise
    if made.sound:
        return _save(out, made, record | _course(made, "sound"))
    return _fail(out, made, record | _course(made, "failed"))


def _chosen(path: Path, name: str | None) -> Proposal:
    """The proposal that is meant. Raises InputError."""
    from kumoc.draft import ProposalError, read_proposals  # noqa: PLC0415

    help_ = "give a file that `kumoc propose` wrote"
    try:
        proposals = read_proposals(parsed(read_text(path), str(path), help_))
    except ProposalError as error:
        raise InputError(str(path), f"holds no proposal: {error}", help_) from error
    names = [proposal["name"] for proposal in proposals]
    if name is None and len(names) > 1:
        raise InputError(str(path), f"has {len(names)} proposals", f"choose one with --name: {', '.join(names)}")
    return proposals[0 if name is None else position(name, names, "proposal", str(path))]


def _show_round(done: Round) -> None:
    told = [*done.problems]
    if done.messages or not told:
        told.append(f"{plural(done.errors, 'error')}, {plural(done.warnings, 'warning')}")
    click.echo(f"the model wrote: {printable(' '.join(told))}", err=True)


def _course(made: Draft, outcome: str) -> dict[str, Any]:
    """What the record says of the rounds and their ``outcome``."""
    rounds = [asdict(each) | {"tokens": _tokens([each])} for each in made.rounds]
    return {"outcome": outcome, "rounds": rounds, "tokens": _tokens(made.rounds)}


def _tokens(rounds: tuple[Round, ...] | list[Round]) -> dict[str, int]:
    return {"read": sum(each.tokens[0] for each in rounds), "written": sum(each.tokens[1] for each in rounds)}


def _save(out: Path, made: Draft, record: dict[str, Any]) -> int:
    from kumoc.compiler import compile_paths  # noqa: PLC0415
    from kumoc.files import write_text  # noqa: PLC0415

    beside = out.with_suffix(_RECORD)
    write_text(beside, _as_json(record))
    write_text(out, made.text)
    for stale in map(out.with_suffix, _FAILED):
        stale.unlink(missing_ok=True)
    compilation = compile_paths([out])
    click.echo(render(compilation.diagnostics, "text"), nl=False)
    click.echo(count(compilation))
    click.echo(f"wrote {out} in {plural(len(made.rounds), 'round')}; its record is {beside}")
    return 0


def _leave(out: Path, made: Draft, record: dict[str, Any]) -> str:
    """Keep what was written last where nobody takes it for a domain, and its record; say where they are."""
    from kumoc.files import write_text  # noqa: PLC0415

    text, beside = map(out.with_suffix, _FAILED)
    text.unlink(missing_ok=True)
    if made.text:
        write_text(text, "\n".join(map(printable, made.text.split("\n"))))
    write_text(beside, _as_json(record))
    kept = f"the last text is in {text}, and " if made.text else ""
    return f"{kept}what was said of each in {beside}"


def _fail(out: Path, made: Draft, record: dict[str, Any]) -> int:
    """Show what is wrong with what was written last."""
    where = _leave(out, made, record)
    last = made.rounds[-1]
    click.echo(f"{last.messages}\n" if last.messages else "", nl=False)
    message = f"no sound domain came of {plural(len(made.rounds), 'round')}: {out} was not written"
    show_error(message, where, last.problems)
    return EXIT_BAD_INPUT


def _as_json(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=2) + "\n"
