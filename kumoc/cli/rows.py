"""The row that a command works on: chosen from a release, a Parquet file, a JSON file or the standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumoc.cli.show import near, show_error

if TYPE_CHECKING:
    import pyarrow as pa
    from jsonschema import Draft202012Validator

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

    @property
    def narrowing(self) -> dict[str, str]:
        """What a row of a release has to match."""
        wanted = {"size": self.size, "domain": self.domain, "split": self.split}
        return {name: value for name, value in wanted.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A row, valid as far as the columns :data:`NEEDED` and :data:`NAMING` go, and the place it comes from."""

    row: dict[str, Any]
    place: str
    index: int
    total: int

    @property
    def where(self) -> str:
        """The place and the row, for a message."""
        return f"{self.place}, row {self.index}"


def choose(source: str, choice: Choice) -> Chosen:
    """The row that is meant. Raises InputError."""
    path = Path(source)
    release = source != "-" and path.is_dir()
    if choice.narrowing and not release:
        raise InputError(source, f"--{next(iter(choice.narrowing))} chooses among the rows of a release folder")
    place = "standard input" if source == "-" else source
    try:
        if release or path.suffix == ".parquet":
            return _from_table(_release(path, choice) if release else _parquet([path]), place, choice)
        return _from_list(_json_rows(source, place), place, choice)
    except OSError as error:
        raise InputError(error.filename or place, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise InputError(place, f"is not UTF-8 text (byte {error.start + 1})", _SOURCES) from error


def _from_table(table: pa.Table, place: str, choice: Choice) -> Chosen:
    ids = table["instance_id"].to_pylist() if choice.id and "instance_id" in table.column_names else []
    index = _index(ids, table.num_rows, place, choice)
    row: dict[str, Any] = table.slice(index, 1).to_pylist()[0]
    return _valid(Chosen(row, place, index, table.num_rows))


def _from_list(rows: Sequence[Any], place: str, choice: Choice) -> Chosen:
    ids = [row.get("instance_id") if isinstance(row, dict) else None for row in rows] if choice.id else []
    index = _index(ids, len(rows), place, choice)
    return _valid(Chosen(rows[index], place, index, len(rows)))


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


def _release(folder: Path, choice: Choice) -> pa.Table:
    from kumoc.release.manifest import MANIFEST_NAME  # noqa: PLC0415 - loaded only where it is used

    try:
        files = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))["files"]
        games = [file for file in files if file["view"] == "game" and not file["edition"]]
        paths = [folder / file["path"] for file in games if choice.narrowing.items() <= file.items()]
    except FileNotFoundError:
        inside = sorted(path.parent for path in folder.glob(f"**/{MANIFEST_NAME}"))
        help_ = f"did you mean {inside[-1]}?" if inside else "name a folder that `kumoc build` wrote"
        raise InputError(str(folder), f"is no release: there is no {MANIFEST_NAME} in it", help_) from None
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError) as error:
        raise InputError(str(folder / MANIFEST_NAME), "is no manifest of a release", "build it again") from error
    if not paths:
        wanted = " and ".join(f"{name} '{value}'" for name, value in choice.narrowing.items())
        raise InputError(str(folder), f"has no games{f' of {wanted}' if wanted else ''}", _offer(games, choice))
    return _parquet(paths)


def _offer(games: Sequence[Mapping[str, Any]], choice: Choice) -> str:
    offers = []
    for name, value in choice.narrowing.items():
        known = list(dict.fromkeys(str(file[name]) for file in games))
        if value not in known:
            offers.append(f"its {name}s: {', '.join(known)}")
    return "; ".join(offers)


def _parquet(paths: Sequence[Path]) -> pa.Table:
    """The columns of interest of all files, none of them yet made into Python objects."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    tables = []
    for path in paths:
        with path.open("rb"):
            pass  # what the system says of a missing or locked file is clearer than what Arrow does
        try:
            with pq.ParquetFile(path) as file:
                names = file.schema_arrow.names
                tables.append(file.read(columns=[name for name in (*NEEDED, *NAMING) if name in names]))
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
        lines = enumerate(text.split("\n"), start=1)
        return [_parsed(line, f"{place}:{number}") for number, line in lines if line.strip()]
    found = _parsed(text, place)
    return found if isinstance(found, list) else [found]


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = place if error.lineno == 1 else f"{place}:{error.lineno}"
        help_ = "one row a line is read from a file named .jsonl" if error.msg == "Extra data" else _SOURCES
        raise InputError(where, f"is not JSON: {error.msg} (column {error.colno})", help_) from error
    except (ValueError, RecursionError) as error:
        raise InputError(place, f"is not JSON that can be read: {_first_line(error)}") from error


def _valid(chosen: Chosen) -> Chosen:
    """``chosen``, if the form of its columns is that of the schema."""
    from kumoc.release.schemas import sentences  # noqa: PLC0415 - loaded only where it is used

    for message in sentences(_validator(), chosen.row):
        help_ = "a row of the game view is needed: see docs/dataset.md for its columns"
        raise InputError(chosen.where, message, help_)
    return chosen


def _validator() -> Draft202012Validator:
    """For the columns of interest alone: what else a row holds does not matter here."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    from kumoc.release.schemas import validator  # noqa: PLC0415

    whole: Any = validator("instance").schema
    properties = {name: whole["properties"][name] for name in (*NEEDED, *NAMING)}
    return Draft202012Validator({"type": "object", "properties": properties, "required": list(NEEDED)})
