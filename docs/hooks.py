"""What mkdocs does besides: pages of which the program itself is the source."""

from collections.abc import Iterator
from typing import Any

import click

from kumoc.cli import cli
from kumoc.diagnostics import RULES
from kumoc.diagnostics.definition import page_name

RULES_INDEX = "diagnostics/README.md"
COMMANDS = "commands.md"
WIDTH = 100


def on_config(config: Any) -> None:
    """Put the page of each rule of the compiler below their index, in the order of their codes."""
    for section in config.nav:
        for title, page in section.items():
            if page == RULES_INDEX:
                section[title] = [RULES_INDEX, *(f"diagnostics/{page_name(rule)}" for rule in RULES.values())]


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Put the help of every command behind what the page of the commands says."""
    if page.file.src_uri != COMMANDS:
        return markdown
    return "\n\n".join([markdown, *_helps(cli, click.Context(cli, info_name="kumoc", max_content_width=WIDTH))])


def _helps(command: click.Command, context: click.Context) -> Iterator[str]:
    """A heading with the help of ``command``, and then those of the commands in it."""
    context.terminal_width = WIDTH
    yield f"{'#' * (context.command_path.count(' ') + 2)} {context.command_path}"
    yield f"```text\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _helps(inner, click.Context(inner, info_name=name, parent=context, max_content_width=WIDTH))
