"""The games of a release that are to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kumoc.benchmark import GAME
from kumoc.play import Release
from kumoc.release import BuildError
from kumoc.release.intact import read_intact
from kumoc.release.load import identify
from kumoc.release.parquet import read

SPLIT = "test"
"""The split that models are evaluated on."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of the game view, the release that they are from, and how they were chosen.

    ``edition`` is the label of the edition that they are in, and ``domains`` is empty if all were wanted.
    """

    release: Release
    edition: str
    split: str
    domains: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]


def select(
    folder: Path, size: str | None = None, domains: Sequence[str] | None = None, split: str = SPLIT, edition: str = ""
) -> Selection:
    """The games of a split, of one size and some domains or of all, in the order of the release.

    They are in the edition of that label, each size's own unless one is given.

    Raises BuildError for a folder that is no release, for one in which a file is missing or has changed, and where no
    games are what is wanted.
    """
    files = game_files(folder, size, domains, split, edition)
    rows = tuple(row for file in files for row in read(folder / file["path"]))
    return Selection(identify(folder), edition, split, tuple(domains or ()), rows)


def game_files(
    folder: Path,
    size: str | None = None,
    domains: Sequence[str] | None = None,
    split: str | None = None,
    edition: str = "",
) -> list[Mapping[str, Any]]:
    """What the manifest says of each file of games of a size, domains and a split, or of all; raises as `select`."""
    manifest = read_intact(folder)
    games = [file for file in manifest["files"] if file["view"] == GAME]
    wanted = {
        "edition": (edition,),
        "split": None if split is None else (split,),
        "size": None if size is None else (size,),
        "domain": domains,
    }
    for name, values in wanted.items():
        known = list(dict.fromkeys(file[name] for file in games))
        for value in values or ():
            if value not in known:
                raise BuildError(f"{folder} has no {name} '{value}'", f"its {name}s: {', '.join(filter(None, known))}")
    files = [file for file in games if all(values is None or file[name] in values for name, values in wanted.items())]
    if not files:
        together = " and ".join(
            f"{name} '{', '.join(values)}'" for name, values in wanted.items() if values and any(values)
        )
        raise BuildError(f"{folder} has no games of {together}", _splits(games))
    return files


def _splits(games: Sequence[Mapping[str, Any]]) -> str:
    """Which splits there are of each size."""
    splits: dict[str, dict[str, None]] = {}
    for file in games:
        splits.setdefault(file["size"], {})[file["split"]] = None
    return "; ".join(f"splits of '{size}': {', '.join(names)}" for size, names in splits.items())
