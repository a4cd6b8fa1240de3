"""The command line: the only place that prints and exits."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from importlib import import_module
from io import TextIOWrapper
from threading import Timer
from types import FrameType

import click

from kumoc import __version__

EXIT_BAD_INPUT = 1
EXIT_BUG = 2
EXIT_INTERRUPTED = 130

_COMMANDS = {
    "new": "Write a first domain to change into your own.",
    "check": "Check .kumo files and say what is wrong with them.",
    "watch": "Check .kumo files at each save, and build a preview.",
    "fmt": "Write .kumo files in the style of the language.",
    "build": "Build benchmarks into dataset releases.",
    "verify": "Prove that a release is what it says, whoever built it.",
    "diff": "Compare two releases, and say why they differ.",
    "publish": "Send a release to the Hugging Face Hub.",
    "book": "Check knowledge books, and have models rewrite them.",
    "solve": "Show how an instance is best played, and what a trajectory cost.",
    "play": "Play an instance, in the terminal or in a browser.",
    "bench-players": "Play a release with the players that models are compared with.",
    "export-harness": "Write tasks for lm-evaluation-harness.",
    "score": "Say how well models play, from their trajectories.",
    "import": "Turn KUMO's own domain files into .kumo files.",
    "import-trajectories": "Turn KUMO's published plays and Inspect's logs into trajectories.",
    "split": "Split a domain in two that share no truths and no actions.",
    "lsp": "Serve an editor: the language server of .kumo files.",
    "propose": "Have a language model propose domains.",
    "draft": "Have a language model write a domain, until it compiles.",
    "explain": "Explain a diagnostic by its code or name.",
}


class _Commands(click.Group):
    """Imports a command when it is used, so that `kumoc --help` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"kumoc.cli.{cmd_name.replace('-', '_')}_command")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="kumoc %(version)s")
def cli() -> None:
    """Compile what a field knows into proved reasoning benchmarks.

    \b
    Example:
      kumoc check domains/
      kumoc build domains/ --out dist/
      kumoc solve dist/pocket/1.0.0
    """


def main() -> None:
    """Run the command line; exit 0 when all is well, 1 for bad input, 2 for a bug of ours, 130 when interrupted."""
    signal.signal(signal.SIGTERM, _interrupt)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name that the terminal has no characters for is no bug
    try:
        code = cli(standalone_mode=False) or 0
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted: nothing was left half-written", err=True)
        code = EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = EXIT_BAD_INPUT
    except BrokenPipeError:
        # the reader of our output went away: nothing is wrong, and nothing more can be said
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        click.echo(f"error: {error.strerror or error}{where}", err=True)
        code = EXIT_BAD_INPUT
    except Exception as error:
        report_bug(error)
        code = EXIT_BUG
    sys.exit(code)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """A request to end is an interruption: what was begun is cleared away.

    Python drops what is raised while it destroys an object, so there the request is made again a little later.
    """
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            again = Timer(0.01, os.kill, (os.getpid(), number))
            again.daemon = True
            again.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def report_bug(error: Exception) -> None:
    """Say that something is wrong with kumoc itself, and how to report it."""
    click.echo(f"bug in kumoc {__version__}: {type(error).__name__}: {error}", err=True)
    if os.environ.get("KUMOC_DEBUG"):
        traceback.print_exception(error)
    else:
        click.echo("please report it, with the output of the same command under KUMOC_DEBUG=1", err=True)
