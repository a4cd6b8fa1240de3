"""What mkdocs does besides: pages of which the program itself is the source."""

from collections.abc import Iterator
from typing import Any

import click

from kumoc.cli import cli
from kumoc.diagnostics import RULES
from kumoc.diagnostics.definition import page_name

RULES_INDEX = "diagnostics/README.md"
COMMANDS = "commands.md"
WIDTH = 80
"""Columns of a help, as many as a page has room for."""


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
    return "\n\n".join([markdown, *_helps(cli, "kumoc", None)])


def _helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    """A heading with the help of ``command``, and then those of the commands in it."""
    context = click.Context(command, parent, name, terminal_width=WIDTH, **command.context_settings)
    yield f"{'#' * (context.command_path.count(' ') + 2)} {context.command_path}"
    yield f"```text\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _helps(found, inner, context)
