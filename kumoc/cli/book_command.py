"""``kumoc book``."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.benchmark import STYLES
from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.asking import model_named, timed
from kumoc.cli.choosing import choosing, chosen_row
from kumoc.cli.progress import progress_of_rows
from kumoc.cli.rows import Choice, InputError
from kumoc.cli.show import plural, show_error
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.book import Report
    from kumoc.generate.instance import Instance


@click.group("book")
def command() -> None:
    """Check knowledge books, and have models rewrite them.

    \b
    Example:
      kumoc book check book.md --instance dist/pocket/1.0.0 --row 3
      kumoc book rewrite dist/pocket/1.0.0 --model openai/gpt-5-mini
    """


@command.command("check")
@click.argument("book", metavar="BOOK")
@click.option("--instance", "source", metavar="ROW", required=True, help="Where the row is: as for `kumoc solve`.")
@choosing
@click.option("--style", type=click.Choice(STYLES), help="The style to read it in (default: the one that fits).")
@click.option("--language", metavar="CODE", help="The language to read it in (default: the one that fits).")
@click.option("--model", metavar="NAME", help="Asked about text that is in none of the styles, by Inspect's name.")
@click.option("--json", "as_json", is_flag=True, help="Write it all as JSON.")
def check(
    book: str, source: str, style: str | None, language: str | None, model: str | None, as_json: bool, choice: Choice
) -> int:
    """Say of each rule whether a book states it.

    BOOK is a text file, or - for the standard input. The instance is a row of a release folder, a .parquet file of its
    game view, or a .json or .jsonl file. Each rule is stated, missing, contradicted, added or ambiguous, with the
    sentences that say so. Text in one of the styles is read by the project's own reader. Other text takes a model,
    which says action by action what the text rules out and does not see what it should; what it gives no usable
    answer on is undecided, and what it gives none on unanswered. The exit code is 1 if anything is not stated.

    \b
    Example:
      kumoc book check book.md --instance dist/pocket/1.0.0 --row 3
      kumoc book check - --instance row.json --model openai/gpt-5-mini < book.txt
    """
    if book == source == "-":
        raise click.UsageError("BOOK and the row can't both be read from the standard input")
    text = _text(book)
    chosen = chosen_row(source, choice)
    from kumoc.book import LANGUAGES  # noqa: PLC0415 - loaded only where it is used
    from kumoc.views.read import RowError  # noqa: PLC0415
    from kumoc.views.restore import restore_alone  # noqa: PLC0415

    if language is not None and language not in LANGUAGES:
        raise click.UsageError(f"there are no books in '{language}': choose from {', '.join(LANGUAGES)}")
    try:
        instance = restore_alone(chosen.row)
    except RowError as error:
        raise InputError(chosen.where, str(error), "no book is right for such an instance: build it again") from error
    found = _report(instance, text, (style,) if style else STYLES, language or "", model, book)
    click.echo(json.dumps(_to_json(found), ensure_ascii=False, indent=2) if as_json else _to_text(found))
    return 0 if found.ok else EXIT_BAD_INPUT


def _text(book: str) -> str:
    try:
        data = sys.stdin.buffer.read() if book == "-" else Path(book).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(book, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise InputError(book, f"is not UTF-8 text (byte {error.start + 1})") from error


def _report(
    instance: Instance, text: str, styles: tuple[str, ...], language: str, model: str | None, place: str
) -> Report:
    from kumoc.book import UnreadableBook, report  # noqa: PLC0415

    try:
        found = report(instance, text, styles, language)
    except UnreadableBook as error:
        if model is None:
            help_ = "give --model to have a model read text in other words"
            kind = f"is no book of the style '{styles[0]}'" if len(styles) == 1 else "is in none of the styles"
            raise InputError(place, f"{kind}: {error}", help_) from error
    else:
        if model is None or "ambiguous" not in found.count():
            return found
    return _judged(instance, text, model)


def _to_text(found: Report) -> str:
    lines = [f"read as {found.by}: {', '.join(f'{count} {kind}' for kind, count in found.count().items())}"]
    for finding in found.findings:
        lines.append(f"  {finding.kind:12}  {finding}")
        lines += [f"                | {sentence}" for sentence in finding.sentences]
    return "\n".join(map(printable, lines))


def _to_json(found: Report) -> dict[str, Any]:
    findings = [asdict(finding) for finding in found.findings]
    return {"ok": found.ok, "by": found.by, "counts": found.count(), "findings": findings}


def _judged(instance: Instance, text: str, model: str) -> Report:
    import asyncio  # noqa: PLC0415 - loaded only where it is used

    from kumoc.rewrite import judge  # noqa: PLC0415

    found, _ = asyncio.run(judge(instance, text, model_named(model), model))
    return found


class _Version(click.ParamType[str]):
    name = "X.Y.Z"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){2}", str(value), re.ASCII):
            self.fail(f"'{value}' is not of the form X.Y.Z, such as 1.1.0", param, ctx)
        return str(value)


@command.command("rewrite")
@click.argument("release", metavar="RELEASE", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--model", metavar="NAME", required=True, help="What writes the books, by Inspect's name of a model.")
@click.option("--judge", metavar="NAME", help="What reads them (default: the same model).")
@click.option("--tries", type=click.IntRange(1), default=3, help="Times that a book is written at most (default: 3).")
@click.option("--version", type=_Version(), help="Of the new release (default: the next minor version).")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Where it goes (default: beside RELEASE)."
)
@click.option("--keep-unanswered", is_flag=True, help="Let rows on which a model gives no answer keep their guides.")
@click.option("--connections", type=click.IntRange(1), default=4, help="Rows at work at a time (default: 4).")
@timed
def rewrite(
    release: Path,
    version: str | None,
    out: Path | None,
    timeout: float,
    model: str,
    judge: str | None,
    keep_unanswered: bool,
    **bounds: int,
) -> int:
    """Have a language model rewrite the guides of a release.

    Each guide is written anew in richer language. A judge, which does not see what a book should say, reads it action
    by action; what it read is compared with the tables, and the writer told what is wrong, until nothing is or the
    tries are over. Then the guide is kept, as it is wherever the judge gives no usable answer. The result is a release
    of another version; what was asked and answered for is in a log beside it, and a run that was interrupted, or had no
    answer on some rows, goes on from there when the same command is given again.

    \b
    Example:
      kumoc book rewrite dist/pocket/1.0.0 --model openai/gpt-5-mini
      kumoc book rewrite dist/pocket/1.0.0 --model vllm/local --judge anthropic/claude-haiku-4-5 --version 1.1.0
    """
    from kumoc.release import BuildError  # noqa: PLC0415 - loaded only where it is used
    from kumoc.rewrite import Settings, rewrite_release  # noqa: PLC0415

    settings = Settings(model, judge or model, **bounds)
    talkers = model_named(settings.writer, timeout), model_named(settings.judge, timeout)
    try:
        with progress_of_rows("rewriting") as on_row:
            written = rewrite_release(
                release, talkers, settings, version=version, out=out, keep_unanswered=keep_unanswered, on_row=on_row
            )
    except BuildError as error:
        show_error(str(error), error.help, error.details)
        return EXIT_BAD_INPUT
    click.echo(f"{plural(written.books, 'book')} rewritten, {plural(written.kept, 'guide')} kept")
    click.echo(f"  in   {written.path.as_posix()}\n  log  {written.log.as_posix()}")
    return 0
