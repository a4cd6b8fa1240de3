"""Files of trajectories as columns: what scoring needs of them and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json
from numpy.typing import NDArray

from kumoc.play import Fault, Signature
from kumoc.play.trajectory import FORGIVEN, TRAJECTORY_VERSION
from kumoc.release.schemas import sentences, validator
from kumoc.views.game import PUBLISHED_EXTRA_STEPS

KINDS = tuple(str(kind) for kind in Fault)
"""Kinds of parse errors, in the order of their codes."""

ELSEWHERE = "no release"
"""What stands for the release of an instance that is from none."""

_FORGIVEN = np.array([Fault(kind) in FORGIVEN for kind in KINDS])
_NOTHING = "no trajectories are in it"
_BLOCK = 8 * 2**20
"""Bytes read at a time, and the most that a line may have."""

_MAJOR = TRAJECTORY_VERSION.split(".")[0] + "."
_NAMES = ("model", "size", "domain", "instance_id")
_RELEASE = ("name", "version", "rows_sha256")
_NUMBERS = {
    "trial": pa.int64(),
    "actions": pa.int32(),
    "actions_taken": pa.int32(),
    "repeated": pa.int32(),
    "success": pa.bool_(),
    "strict_success": pa.bool_(),
}
_PERHAPS = {
    "wasted": pa.int32(),
    "tokens": pa.int64(),
    "exact_expected_actions": pa.float64(),
    "exact_trajectory_length": pa.int32(),
    "paper_trajectory_length": pa.int32(),
    "optimal_action_cnt": pa.int32(),
}
_LEAST = {"actions": 1, "optimal_action_cnt": PUBLISHED_EXTRA_STEPS}
"""What a number is at least, if not 0."""

_DEGREES = pa.list_(pa.int32())
_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("trajectory_version", *_NAMES)]
    + list(_NUMBERS.items())
    + list(_PERHAPS.items())
    + [
        ("release", pa.struct([(name, pa.string()) for name in _RELEASE])),
        ("parse_errors", pa.list_(pa.struct([("kind", pa.string())]))),
        ("signature", pa.struct([("truths", _DEGREES), ("actions", _DEGREES)])),
    ]
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class PlaysError(ValueError):
    """A file that holds no trajectories: where, and what is wrong."""

    def __init__(self, place: str, wrong: str, help_: str = "") -> None:
        """All three are for people."""
        super().__init__(f"{place}: {wrong}")
        self.place = place
        self.wrong = wrong
        self.help = help_


@dataclass(frozen=True, slots=True)
class Plays:
    """Trajectories as columns: one entry each, in the order read.

    ``names`` has the distinct values of ``model``, ``size``, ``domain`` and ``instance_id`` in order of appearance, and
    those of ``release`` in words: name, version and the beginning of its digest, or :data:`ELSEWHERE`. ``codes`` has,
    for each trajectory, positions among them. ``numbers`` are the other columns, not-a-number where the value is not
    known. Parse errors are pairs of ``fault_play``, a trajectory, and ``fault_kind``, a position in :data:`KINDS`.
    ``signatures`` are those of instances, by code.
    """

    names: dict[str, tuple[str, ...]]
    codes: dict[str, Ints]
    numbers: dict[str, Floats]
    fault_play: Ints
    fault_kind: Ints
    signatures: tuple[Signature | None, ...]

    def __len__(self) -> int:
        """How many trajectories there are."""
        return len(self.codes["model"])

    def errors(self, *, strict: bool) -> Floats:
        """Parse errors of each trajectory, read strictly or leniently."""
        counted = self.fault_play if strict else self.fault_play[~_FORGIVEN[self.fault_kind]]
        return np.bincount(counted, minlength=len(self)).astype(np.float64)


@dataclass(slots=True)
class _Coder:
    """Numbers the distinct texts of a column in order of appearance."""

    known: dict[str, int] = field(default_factory=dict)

    def codes(self, column: pa.Array) -> Ints:
        encoded = column.dictionary_encode()
        table = [self.known.setdefault(text, len(self.known)) for text in encoded.dictionary.to_pylist()]
        codes: Ints = np.array(table, dtype=np.int64)[encoded.indices.to_numpy()]
        return codes


def read_plays(paths: Sequence[Path]) -> Plays:
    """The trajectories in files of one JSON object a line (``schemas/trajectory.schema.json``).

    Files are read block by block. Raises PlaysError for a file of another form, for a trajectory that is there twice
    (by model, size, instance and trial), and if there is none; OSError for one that can't be read.
    """
    columns = _Columns()
    for path in paths:
        before = columns.count
        try:
            for batch in _batches(path):
                columns.add(batch)
        except pa.ArrowInvalid as error:
            raise _explained(path, columns.count - before, str(error)) from error
    if not columns.count:
        raise PlaysError(", ".join(map(str, paths)), _NOTHING)
    plays = columns.plays()
    _refuse_repeated(plays)
    return plays


class _Columns:
    """Columns as far as files have been read."""

    def __init__(self) -> None:
        self.count = 0
        self._coders = {name: _Coder() for name in (*_NAMES, "release")}
        self._parts: dict[str, list[NDArray[Any]]] = {}
        self._signatures: list[Signature | None] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Add some lines. Raises ArrowInvalid for what no schema of Arrow rules out."""
        texts = {**{name: batch[name] for name in _NAMES}, "release": _releases(batch["release"])}
        codes = {name: coder.codes(texts[name]) for name, coder in self._coders.items()}
        self._keep_signatures(codes["instance_id"], batch["signature"])
        play, kind = _faults(batch["parse_errors"])
        numbers = {name: _floats(batch[name]) for name in (*_NUMBERS, *_PERHAPS)}
        for name, values in {**codes, **numbers, "fault_play": play + self.count, "fault_kind": kind}.items():
            self._parts.setdefault(name, []).append(values)
        self.count += batch.num_rows

    def plays(self) -> Plays:
        """All that was added."""
        joined = {name: np.concatenate(part) for name, part in self._parts.items()}
        return Plays(
            names={name: tuple(coder.known) for name, coder in self._coders.items()},
            codes={name: joined[name] for name in self._coders},
            numbers={name: joined[name] for name in (*_NUMBERS, *_PERHAPS)},
            fault_play=joined["fault_play"],
            fault_kind=joined["fault_kind"],
            signatures=tuple(self._signatures),
        )

    def _keep_signatures(self, instances: Ints, column: pa.Array) -> None:
        """Keep of each instance the first signature that is known: not all files have one."""
        self._signatures += [None] * (int(instances.max(initial=-1)) + 1 - len(self._signatures))
        there = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))
        known, first = np.unique(instances[there], return_index=True)
        fresh = [i for i, code in enumerate(known.tolist()) if self._signatures[code] is None]
        for code, degrees in zip(known[fresh], column.take(pa.array(there[first[fresh]])).to_pylist(), strict=True):
            if None in degrees.values():
                raise pa.ArrowInvalid("half of a signature is missing")
            self._signatures[code] = Signature(tuple(degrees["truths"]), tuple(degrees["actions"]))


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    reading = pa.json.ReadOptions(block_size=_BLOCK)
    parsing = pa.json.ParseOptions(explicit_schema=_SCHEMA, unexpected_field_behavior="ignore")
    if not path.stat().st_size:
        return
    with path.open("rb") as file, pa.json.open_json(file, reading, parsing) as reader:
        for batch in reader:
            _check(batch)
            yield batch


def _check(batch: pa.RecordBatch) -> None:
    """Raises ArrowInvalid for what would spoil figures."""
    if any(batch[name].null_count for name in ("trajectory_version", *_NAMES, *_NUMBERS, "parse_errors")):
        raise pa.ArrowInvalid("something is missing")
    if not _all(pc.starts_with(batch["trajectory_version"], _MAJOR)):
        raise pa.ArrowInvalid("a trajectory is of another version")
    for name, kind in {**_NUMBERS, **_PERHAPS}.items():
        if kind != pa.bool_() and not _all(pc.greater_equal(batch[name], _LEAST.get(name, 0))):
            raise pa.ArrowInvalid(f"{name} is too small")


def _all(column: pa.Array) -> bool:
    """Whether all that is known is true."""
    return bool(pc.all(column, min_count=0).as_py())


def _explained(path: Path, read: int, otherwise: str) -> PlaysError:
    """What keeps ``path`` from being read, found line by line: the fast reader does not say where.

    It is not in the first lines, as many as trajectories were ``read``.
    """
    help_ = "`kumoc import-trajectories` makes trajectories of KUMO's published plays and of Inspect's logs"
    blank = not read
    with path.open("rb") as file:
        for number, line in islice(enumerate(file, start=1), read, None):
            blank = blank and not line.strip()
            place = f"{path}:{number}"
            try:
                value = json.loads(line, parse_constant=_refuse_constant) if line.strip() else None
            except UnicodeDecodeError:
                return PlaysError(place, "is not UTF-8 text", f"trajectories are lines of JSON; {help_}")
            except (ValueError, RecursionError) as error:
                return PlaysError(place, f"is not JSON: {error}", help_)
            version = value.get("trajectory_version") if isinstance(value, dict) else None
            if isinstance(version, str) and not version.startswith(_MAJOR):
                wrong = f"is a trajectory of version {version}, and not of {TRAJECTORY_VERSION}"
                return PlaysError(place, wrong, "another version of kumoc reads it")
            for message in sentences(validator("trajectory"), value) if line.strip() else ():
                return PlaysError(place, message, help_)
            if len(line) >= _BLOCK:
                return PlaysError(place, f"has more than {_BLOCK:,} bytes")
    return PlaysError(str(path), _NOTHING if blank else f"can't be read: {otherwise}", help_)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"it has no {name}")


def _floats(column: pa.Array) -> Floats:
    numbers = pc.cast(column, pa.float64()) if column.type != pa.float64() else column
    values: Floats = pc.fill_null(numbers, float("nan")).to_numpy()
    return values


def _releases(column: pa.Array) -> pa.Array:
    """The name of each release, its version and the beginning of its digest."""
    name, version, digest = (pc.struct_field(column, field) for field in _RELEASE)
    text = pc.binary_join_element_wise(name, version, pc.utf8_slice_codeunits(digest, 0, 8), " ")
    return pc.fill_null(text, ELSEWHERE)


def _faults(column: pa.Array) -> tuple[Ints, Ints]:
    play = pc.list_parent_indices(column).to_numpy().astype(np.int64)
    found = pc.index_in(pc.struct_field(pc.list_flatten(column), "kind"), value_set=pa.array(KINDS))
    if found.null_count:
        raise pa.ArrowInvalid("a kind of parse error is not known")
    return play, found.to_numpy().astype(np.int64)


def _refuse_repeated(plays: Plays) -> None:
    columns = [plays.codes[name] for name in ("model", "size", "instance_id")] + [plays.numbers["trial"]]
    order = np.lexsort(columns)
    same = np.all([column[order][1:] == column[order][:-1] for column in columns], axis=0)
    if same.any():
        at = order[int(np.argmax(same))]
        model, instance = (plays.names[name][plays.codes[name][at]] for name in ("model", "instance_id"))
        what = f"{model} has played trial {int(plays.numbers['trial'][at])} of {instance} twice"
        help_ = (
            "give each trajectory once, and trials of one model different numbers; "
            "settings of one model are told apart by names: `kumoc import-trajectories --model NAME`"
        )
        raise PlaysError("the files", what, help_)
