"""``kumoc graph``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumoc.cli.domains import read_domain
from kumoc.cli.figures import grid
from kumoc.cli.inputs import check_free
from kumoc.cli.rows import InputError
from kumoc.diagnostics.text import printable

if TYPE_CHECKING:
    from kumoc.evaluate.tables import Table
    from kumoc.survey.kinship import Kinship
    from kumoc.survey.structure import Structure
    from kumoc.survey.words import Words

KINDS = ("svg", "png", "html")

CLOSEST = 10
"""Pairs of truths that are listed."""

NAMED = 5
"""Actions up to which those that tell a pair apart are named."""

_WIDE = 120
"""Characters of a line in a pipe."""


@click.command("graph")
@click.argument("source", metavar="DOMAIN")
@click.option("--domain", "name", metavar="NAME", help="Which domain, if there are several.")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw it to FILE: .svg, .png or .html.",
)
@click.option("--overwrite", is_flag=True, help="Replace a file that exists.")
def command(source: str, name: str | None, out: Path | None, overwrite: bool) -> None:
    """Draw a domain: which truths are alike, and what tells them apart.

    DOMAIN is a .kumo file, with or without that ending, or else the name of a domain of the folder domains/ (of those
    that come with kumoc, where there is none). Without -o it is told in words: communities of truths that are hard to
    tell apart, the pairs that the fewest actions tell apart, and how much each action tells. An .html page says more of
    what the pointer is over.

    \b
    Example:
      kumoc graph minerals
      kumoc graph chemical.kumo -o chemical.svg
      kumoc graph fields.kumo --domain music -o music.html
    """
    kind = out.suffix.lower().removeprefix(".") if out else ""
    if out:
        if kind not in KINDS:
            raise InputError(str(out), "is no kind of picture", f"end its name with .{', .'.join(KINDS)}")
        check_free(out, overwrite=overwrite)
    tables = read_domain(source, name).tables
    try:
        from kumoc.survey.kinship import kinship  # noqa: PLC0415 - loaded only where it is used
        from kumoc.survey.structure import Structure  # noqa: PLC0415
    except ImportError as error:
        raise InputError("kumoc graph", f"needs {error.name}", "pip install 'kumoc[evaluate]'") from error
    structure = Structure(tables)
    kin = kinship(structure)
    if out is None:
        click.echo("\n".join(_lines(structure, kin)))
    else:
        _draw(structure, kin, out, kind)
        click.echo(f"drew {out}", err=True)


def _draw(structure: Structure, kin: Kinship, out: Path, kind: str) -> None:
    from kumoc.files import write_bytes, write_text  # noqa: PLC0415
    from kumoc.survey.page import page  # noqa: PLC0415
    from kumoc.survey.picture import picture  # noqa: PLC0415

    drawn = picture(structure, kin)
    if kind == "html":
        write_text(out, page(structure, kin, drawn))
    else:
        write_bytes(out, drawn.file(kind))


def _lines(structure: Structure, kin: Kinship) -> Iterator[str]:
    """All there is to tell without a picture."""
    from kumoc.survey.words import words_of  # noqa: PLC0415

    words = words_of(structure, kin)
    yield printable(words.title)
    yield from (f"  {printable(line)}" for line in words.lines)
    for table in (_communities(structure, kin, words), _pairs(structure), _actions(structure)):
        yield ""
        yield from grid(table, _WIDE)


def _communities(structure: Structure, kin: Kinship, words: Words) -> Table:
    from kumoc.evaluate.tables import Column, Table  # noqa: PLC0415
    from kumoc.survey.words import letters  # noqa: PLC0415

    members = f"its {structure.tables.truth_noun.many}, like by like"
    columns = Column("community", "community", "text"), Column("truths", members, "text")
    rows = (
        (f"{letters(number)} ({len(community)})", ", ".join(words.labels[truth] for truth in community))
        for number, community in enumerate(kin.communities)
    )
    return Table("communities", "Communities", columns, tuple(rows))


def _pairs(structure: Structure) -> Table:
    """The pairs that the fewest actions tell apart."""
    from kumoc.evaluate.tables import Cell, Column, Table  # noqa: PLC0415

    tables = structure.tables
    columns = (
        Column("pair", "hardest to tell apart", "text"),
        Column("actions", tables.action_noun.many),
        Column("which", "which", "text"),
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in sorted(structure.apart, key=lambda each: (structure.apart[each], each))[:CLOSEST]:
        telling = [tables.actions[action].name for action in structure.telling_apart(*pair)]
        which = ", ".join(telling) if 0 < len(telling) <= NAMED else None
        rows.append((" and ".join(tables.truths[truth].name for truth in pair), len(telling), which))
    return Table("pairs", "Pairs", columns, tuple(rows))


def _actions(structure: Structure) -> Table:
    """How much each action tells."""
    from kumoc.evaluate.tables import Column, Table  # noqa: PLC0415

    tables = structure.tables
    columns = (
        Column("action", tables.action_noun.one, "text"),
        Column("outcomes", "outcomes"),
        Column("apart", f"pairs of {tables.truth_noun.many} told apart"),
    )
    rows = (
        (tables.actions[action].name, len(tables.actions[action].outcomes), f"{structure.telling[action]:.0%}")
        for action in sorted(range(len(tables.actions)), key=lambda each: (-structure.telling[each], each))
    )
    return Table("actions", "Actions", columns, tuple(rows))
