"""Commands of kumoc in the documentation, and whether they are such as kumoc takes."""

import re
import shlex
from collections.abc import Iterator

import click

from kumoc.cli import cli
from tests.kumo_blocks import blocks

_PROGRAMS = {"kumoc", ".venv/bin/kumoc"}
_NO_CALLS = ("kumoc COMMAND", "kumoc canary", "kumoc private split")
"""What code says besides."""
_CODE = re.compile(r"(?<!`)`(kumoc [^`]+)`(?!`)")


def commands(document: str) -> Iterator[str]:
    """Each call of kumoc in consoles and inline code, without what the shell makes of it."""
    for block in blocks(document):
        if block.info == "console":
            for line in block.text.replace("\\\n", " ").splitlines():
                yield from _calls(line.removeprefix("$ "))
    yield from (" ".join(code.split()) for code in _CODE.findall(document) if not code.startswith(_NO_CALLS))


def _calls(line: str) -> Iterator[str]:
    lexer = shlex.shlex(line, posix=False, punctuation_chars="|&;")
    lexer.whitespace_split = True
    call: list[str] = []
    try:
        words = [*lexer, ";"]
    except ValueError:  # what a command prints may have a quote in it
        return
    for word in words:
        if set(word) <= set("|&;"):
            if call and call[0] in _PROGRAMS:
                yield " ".join(["kumoc", *call[1:]])
            call = []
        else:
            call.append(word)


def complaint(call: str) -> str:
    """What kumoc has against ``call``: an unknown command, option or choice, too many arguments; empty if nothing."""
    command: click.Command = cli
    words = shlex.split(call)[1:]
    context = click.Context(cli, info_name="kumoc")
    try:
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            found = command.get_command(context, words[0])
            if found is None:
                return f"there is no command {words[0]!r}"
            command, words = found, words[1:]
            context = click.Context(command, info_name=command.name, parent=context)
        values, rest, _ = command.make_parser(context).parse_args(words)
        for parameter in command.params:
            if isinstance(parameter.type, click.Choice | click.IntRange):
                for value in _flat(values.get(parameter.name or "")):
                    parameter.type.convert(value, parameter, context)
    except click.UsageError as error:
        return error.format_message()
    return f"too many arguments: {rest}" if rest else ""


def _flat(value: object) -> list[str]:
    """The texts among what an option was given."""
    values = value if isinstance(value, list | tuple) else [value]
    return [each for each in values if isinstance(each, str)]
