"""``kumoc propose``."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import click

from kumoc import __version__
from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.asking import model_named, timed
from kumoc.cli.inputs import check_free
from kumoc.cli.progress import waiting
from kumoc.cli.rows import InputError
from kumoc.cli.show import plural, show_error
from kumoc.diagnostics.text import printable


@click.command("propose")
@click.option("--topic", metavar="TEXT", required=True, help="What the domains are to be about.")
@click.option("-n", "number", type=click.IntRange(1, 100), default=5, help="How many domains (default: 5).")
@click.option("--model", metavar="NAME", required=True, help="What proposes them, by Inspect's name of a model.")
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write (default: the output)."
)
@click.option("--tries", type=click.IntRange(1), default=3, help="Times that the model is asked at most (default: 3).")
@timed
@click.option("--overwrite", is_flag=True, help="Replace a file that exists.")
def command(topic: str, number: int, model: str, out: Path | None, tries: int, timeout: float, overwrite: bool) -> int:
    """Have a language model propose domains.

    Each proposal has a name, a title, a goal, and what its truths and actions are, with examples: JSON as
    schemas/proposals.schema.json says, and what `kumoc draft` reads. What is of no use in an answer is asked for again,
    with what was wrong. If there are fewer proposals in the end than were asked for, the exit code is 1.

    \b
    Example:
      kumoc propose --topic "food and drink" -n 5 --model openai/gpt-5-mini -o food.json
      kumoc draft food.json --name cheese --model openai/gpt-5-mini
    """
    from kumoc.draft import propose  # noqa: PLC0415 - loaded only where it is used
    from kumoc.models.answers import unshown  # noqa: PLC0415

    if not topic.strip():
        raise InputError("--topic", "is empty", "say in words what the domains are to be about")
    if character := unshown(topic):
        raise InputError("--topic", f"holds U+{ord(character):04X}, which is none of a text", "write it without that")
    if out is not None:
        check_free(out, overwrite=overwrite)
        out.parent.mkdir(parents=True, exist_ok=True)  # what can't be written is known before a model is paid
    with waiting(f"asking {printable(model)}") as on_trouble:
        found = asyncio.run(propose(topic, number, model_named(model, timeout, on_trouble), tries))
    if found.proposals:
        read, written = found.tokens
        tokens = {"read": read, "written": written}
        _write(
            out, {"kumoc": __version__, "topic": topic, "model": model, "tokens": tokens, "proposals": found.proposals}
        )
    if len(found.proposals) == number:
        return 0
    message = f"{model} gave {plural(len(found.proposals), 'proposal')} of use, and {number} were asked for"
    show_error(message, "ask again, or another model", found.problems)
    return EXIT_BAD_INPUT


def _write(out: Path | None, content: dict[str, Any]) -> None:
    from kumoc.files import write_text  # noqa: PLC0415

    text = json.dumps(content, ensure_ascii=False, indent=2)
    if out is None:
        click.echo(text)
        return
    write_text(out, f"{text}\n")
    click.echo(f"{out}: {plural(len(content['proposals']), 'proposal')}")
    for proposal in content["proposals"]:
        click.echo(f"  {proposal['name']:20}  {proposal['goal']}")
