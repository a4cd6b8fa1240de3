"""The rows that a command works on: chosen from a release, a Parquet file, a JSON file or the standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.cli.show import near, show_error

if TYPE_CHECKING:
    import pyarrow as pa
    from jsonschema import Draft202012Validator

    from kumoc.play import Release

NEEDED = ("truths", "actions", "valid_truths", "observations", "rules")
"""The columns of a row that its game is made of."""
NAMING = ("instance_id", "domain", "size")
"""The columns that say which row it is; a row can do without them."""

_SOURCES = "give a release folder, or a .parquet, .json or .jsonl file"


class InputError(click.ClickException):
    """Something about what was given is wrong: where, what, and what to do."""

    def __init__(self, place: str, wrong: str, help_: str = "") -> None:
        """Say all three."""
        super().__init__(f"{place}: {wrong}")
        self.help = help_

    def show(self, file: Any = None) -> None:  # noqa: ARG002
        """On the standard error."""
        show_error(self.message, self.help)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which row: by its position from 0, by its ``instance_id``, or the first; of a release, among which rows."""

    row: int | None = None
    id: str | None = None
    size: str | None = None
    domain: str | None = None
    split: str | None = None
    edition: str | None = None

    @property
    def narrowing(self) -> dict[str, str]:
        """What a row of a release has to match."""
        wanted = {"size": self.size, "domain": self.domain, "split": self.split, "edition": self.edition}
        return {name: value for name, value in wanted.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A row, valid as far as its columns of interest go, and the place it comes from."""

    row: dict[str, Any]
    place: str
    index: int
    total: int

    @property
    def where(self) -> str:
        """The place and the row, for a message."""
        return f"{self.place}, row {self.index}"


@dataclass(frozen=True, slots=True)
class _Rows:
    """All rows there are to choose from, and the columns that a chosen one must have."""

    all: pa.Table | Sequence[Any]
    place: str
    needed: Sequence[str]

    def ids(self) -> list[Any]:
        if isinstance(self.all, Sequence):
            return [row.get("instance_id") if isinstance(row, dict) else None for row in self.all]
        return self.all["instance_id"].to_pylist() if "instance_id" in self.all.column_names else []

    def at(self, index: int) -> Chosen:
        row = self.all[index] if isinstance(self.all, Sequence) else self.all.slice(index, 1).to_pylist()[0]
        return _valid(Chosen(row, self.place, index, len(self.all)), self.needed)


def choose(source: str, choice: Choice, needed: Sequence[str] = NEEDED) -> Chosen:
    """The row that is meant, with the columns ``needed``. Raises InputError."""
    rows = _read(source, choice, needed)
    return rows.at(_index(rows.ids() if choice.id else [], len(rows.all), rows.place, choice))


def draw(source: str, choice: Choice, needed: Sequence[str], count: int, seed: int) -> tuple[Chosen, ...]:
    """``count`` of the rows, or all if there are fewer, in a random order: all of it follows from the seed.

    Raises InputError, also if there are no rows.
    """
    from kumoc.generate.draw import Draws, derive  # noqa: PLC0415 - loaded only where it is used

    rows = _read(source, choice, needed)
    if not len(rows.all):
        raise InputError(rows.place, "there are no rows")
    positions = Draws(derive("rows to play", seed)).choose(len(rows.all), count)
    return tuple(map(rows.at, positions))


def _read(source: str, choice: Choice, needed: Sequence[str]) -> _Rows:
    path = Path(source)
    release = source != "-" and path.is_dir()
    if choice.narrowing and not release:
        raise InputError(source, f"--{next(iter(choice.narrowing))} chooses among the rows of a release folder")
    place = "standard input" if source == "-" else source
    try:
        if release or path.suffix == ".parquet":
            paths = _games(path, choice) if release else [path]
            return _Rows(_parquet(paths, dict.fromkeys((*needed, *NAMING))), place, needed)
        return _Rows(_json_rows(source, place), place, needed)
    except OSError as error:
        raise InputError(error.filename or place, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise InputError(place, f"is not UTF-8 text (byte {error.start + 1})", _SOURCES) from error


def _index(ids: Sequence[Any], total: int, place: str, choice: Choice) -> int:
    if choice.id is not None:
        if choice.id not in ids:
            known = [id_ for id_ in ids if isinstance(id_, str)]
            raise InputError(place, f"no row has the id '{choice.id}'", near(choice.id, known))
        return ids.index(choice.id)
    if not total:
        raise InputError(place, "there are no rows")
    if (choice.row or 0) >= total:
        raise InputError(place, f"there is no row {choice.row}", f"rows are counted from 0: the last is {total - 1}")
    return choice.row or 0


def release_of(source: str) -> Release | None:
    """What the release in the folder ``source`` is; None if that is no folder. Raises InputError."""
    from kumoc.release.load import identify  # noqa: PLC0415 - loaded only where it is used

    if source == "-" or not Path(source).is_dir():
        return None
    with _reading_manifest(Path(source)):
        return identify(source)


def _games(folder: Path, choice: Choice) -> list[Path]:
    from kumoc.release.manifest import MANIFEST_NAME  # noqa: PLC0415

    with _reading_manifest(folder):
        files = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))["files"]
        games = [file for file in files if file["view"] == "game"]
        wanted = {"edition": ""} | choice.narrowing
        paths = [folder / file["path"] for file in games if wanted.items() <= file.items()]
    if not paths:
        which = " and ".join(f"{name} '{value}'" for name, value in choice.narrowing.items())
        raise InputError(str(folder), f"has no games{f' of {which}' if which else ''}", _offer(games, choice))
    return paths


@contextmanager
def _reading_manifest(folder: Path) -> Iterator[None]:
    """What is said if there is no manifest, or what is there is none."""
    from kumoc.release.manifest import MANIFEST_NAME  # noqa: PLC0415

    try:
        yield
    except FileNotFoundError:
        inside = sorted(path.parent for path in folder.glob(f"**/{MANIFEST_NAME}"))
        help_ = f"did you mean {inside[-1]}?" if inside else "name a folder that `kumoc build` wrote"
        raise InputError(str(folder), f"is no release: there is no {MANIFEST_NAME} in it", help_) from None
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError) as error:
        raise InputError(str(folder / MANIFEST_NAME), "is no manifest of a release", "build it again") from error


def _offer(games: Sequence[Mapping[str, Any]], choice: Choice) -> str:
    offers = []
    for name, value in choice.narrowing.items():
        known = list(dict.fromkeys(str(file[name]) for file in games))
        if value not in known:
            offers.append(f"its {name}s: {', '.join(filter(None, known)) or 'none'}")
    return "; ".join(offers)


def _parquet(paths: Sequence[Path], columns: Collection[str]) -> pa.Table:
    """The ``columns`` of all files as far as they have them, none of them yet made into Python objects."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    tables = []
    for path in paths:
        with path.open("rb"):
            pass  # what the system says of a missing or locked file is clearer than what Arrow does
        try:
            with pq.ParquetFile(path) as file:
                names = file.schema_arrow.names
                tables.append(file.read(columns=[name for name in columns if name in names]))
        except (pa.ArrowException, OSError, ValueError) as error:
            help_ = "build or download it again"
            raise InputError(str(path), f"can't be read as Parquet: {_first_line(error)}", help_) from error
    try:
        return pa.concat_tables(tables)
    except pa.ArrowException as error:
        raise InputError(str(paths[0].parent), f"files of different form: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _json_rows(source: str, place: str) -> Sequence[Any]:
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    text = data.decode("utf-8-sig")
    if source.endswith(".jsonl"):
        return json_lines(text, place)
    found = parsed(text, place)
    return found if isinstance(found, list) else [found]


def read_text(path: Path) -> str:
    """The text of a file. Raises InputError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(str(path), error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise InputError(str(path), f"is not UTF-8 text (byte {error.start + 1})") from error


def json_lines(text: str, place: str, help_: str = _SOURCES) -> list[Any]:
    """What stands in the lines of ``text`` that are not empty. Raises InputError, with ``help_`` as what to do."""
    lines = enumerate(text.split("\n"), start=1)
    return [parsed(line, f"{place}:{number}", help_) for number, line in lines if line.strip()]


def parsed(text: str, place: str, help_: str = _SOURCES) -> Any:
    """What the JSON ``text`` of ``place`` says. Raises InputError, with ``help_`` as what to do."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = place if error.lineno == 1 else f"{place}:{error.lineno}"
        if error.msg == "Extra data":
            help_ = "one row a line is read from a file named .jsonl"
        raise InputError(where, f"is not JSON: {error.msg} (column {error.colno})", help_) from error
    except (ValueError, RecursionError) as error:
        raise InputError(place, f"is not JSON that can be read: {_first_line(error)}") from error


def _valid(chosen: Chosen, needed: Sequence[str]) -> Chosen:
    """``chosen``, if the form of its columns is that of the schema."""
    from kumoc.release.schemas import sentences  # noqa: PLC0415 - loaded only where it is used

    for message in sentences(_validator(needed), chosen.row):
        help_ = "a row of the game view is needed: see docs/dataset.md for its columns"
        raise InputError(chosen.where, message, help_)
    return chosen


def _validator(needed: Sequence[str]) -> Draft202012Validator:
    """For the columns of interest alone: what else a row holds does not matter here."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    from kumoc.release.schemas import validator  # noqa: PLC0415

    whole: Any = validator("instance").schema
    properties = {name: whole["properties"][name] for name in (*needed, *NAMING)}
    return Draft202012Validator({"type": "object", "properties": properties, "required": list(needed)})
