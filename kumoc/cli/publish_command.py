"""``kumoc publish``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.cli import EXIT_BAD_INPUT
from kumoc.cli.show import plural, show_error

if TYPE_CHECKING:
    from kumoc.release.publish import Parcel


@click.command("publish")
@click.argument("release", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("repository", metavar="REPO")
@click.option("--execute", is_flag=True, help="Send it; without this nothing is sent.")
@click.option(
    "--private/--public", default=None, help="Who may see a repository that is made for it (default: everyone)."
)
def command(release: Path, repository: str, execute: bool, private: bool | None) -> int:
    """Send a release to the Hugging Face Hub.

    DIR is a release that `kumoc build` made, REPO a dataset repository there, OWNER/NAME, which is made if there is
    none. Every file is first compared with the manifest. The version becomes a tag, and a tag that exists is never
    moved. Log in with `hf auth login` before, or set HF_TOKEN. Without --execute this says what would be sent, and
    uses no network.

    \b
    Example:
      kumoc publish dist/pocket/1.0.0 me/pocket
      kumoc publish dist/pocket/1.0.0 me/pocket --private --execute
    """
    from kumoc.release import BuildError  # noqa: PLC0415 - loaded only where it is used
    from kumoc.release.publish import pack, send  # noqa: PLC0415

    try:
        parcel = pack(release, repository)
        if parcel.secret and private is None:
            help_ = "say --private, or --public to reveal it"
            raise BuildError(f"{release} is a private split", help_)
        click.echo(_contents(parcel, private=bool(private)))
        if not execute:
            click.echo("nothing was sent: add --execute to send it")
            return 0
        click.echo(f"sent: {send(parcel, private=bool(private))}")
    except BuildError as error:
        show_error(str(error), error.help)
        return EXIT_BAD_INPUT
    return 0


def _contents(parcel: Parcel, *, private: bool) -> str:
    width = max(len(f"{size:,}") for _, size in parcel.files)
    total = sum(size for _, size in parcel.files)
    return "\n".join(
        (
            f"{parcel.title}, to the dataset {parcel.repository} (if new: {'private' if private else 'public'})",
            *(f"  {size:{width},}  {path}" for path, size in parcel.files),
            f"  {plural(len(parcel.files), 'file')}, {plural(total, 'byte')}, under the tag {parcel.tag}",
        )
    )
