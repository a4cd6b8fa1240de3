"""The manifest: what was built from what, in the form of ``schemas/manifest.schema.json``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kumoc import __version__
from kumoc.benchmark import Benchmark, Size
from kumoc.release.plan import Plan
from kumoc.tables import TABLES_VERSION, Tables, to_json

MANIFEST_VERSION = "1.0.0"
MANIFEST_NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One Parquet file of a release; ``path`` is relative to the release.

    ``exact_rows`` are those in which all is known; ``widest_bracket`` is the largest distance, in actions, between
    the bounds of an expectation, over all rows and both players.
    """

    path: str
    view: str
    size: str
    domain: str
    split: str
    rows: int
    exact_rows: int
    widest_bracket: float
    rows_sha256: str
    bytes: int
    sha256: str


def inputs(plan: Plan) -> dict[str, Any]:
    """All that the rows of a release depend on: equal inputs, equal rows."""
    return {
        "kumoc": __version__,
        "seed": plan.benchmark.seed,
        "sizes": [_size(size) for size in plan.benchmark.sizes],
        "domains": [_domain(tables) for tables in plan.tables],
    }


def manifest(plan: Plan, files: Sequence[DataFile]) -> dict[str, Any]:
    """The whole manifest of a release that holds ``files``."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "tables_version": TABLES_VERSION,
        "benchmark": _benchmark(plan.benchmark),
        "inputs": inputs(plan),
        "rows": sum(file.rows for file in files),
        "rows_sha256": total_digest(files),
        "files": [
            {
                "path": file.path,
                "view": file.view,
                "size": file.size,
                "domain": file.domain,
                "split": file.split,
                "rows": file.rows,
                "exact_rows": file.exact_rows,
                "widest_bracket": file.widest_bracket,
                "rows_sha256": file.rows_sha256,
                "bytes": file.bytes,
                "sha256": file.sha256,
            }
            for file in files
        ],
    }


def total_digest(files: Sequence[DataFile]) -> str:
    """One digest for all rows of a release, made of those of its files in their order."""
    return hashlib.sha256("".join(f"{file.rows_sha256}\n" for file in files).encode()).hexdigest()


def changed_inputs(release: Path, plan: Plan) -> list[str]:
    """What differs between an existing release and what ``plan`` would build; empty if nothing does."""
    try:
        built = json.loads((release / MANIFEST_NAME).read_text(encoding="utf-8"))
        before = _parts(built["benchmark"], built["inputs"])
        damaged = [file["path"] for file in built["files"] if not _is_there(release, file)]
    except (OSError, ValueError, KeyError, TypeError):
        return ["its manifest can't be read"]
    after = _parts(_benchmark(plan.benchmark), inputs(plan))
    return damaged + [name for name in {**before, **after} if before.get(name) != after.get(name)]


def _parts(benchmark: Mapping[str, Any], built_from: Mapping[str, Any]) -> dict[str, Any]:
    """What a release is made of, each part under the name that people know it by."""
    domains = {f"domain {domain['name']}": domain for domain in built_from["domains"]}
    settings = {name: built_from[name] for name in ("kumoc", "seed", "sizes")}
    return {**benchmark, **settings, **domains, "order of domains": list(domains)}


def _is_there(release: Path, file: Mapping[str, Any]) -> bool:
    path = release / file["path"]
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == str(file["sha256"])


def _benchmark(benchmark: Benchmark) -> dict[str, Any]:
    return {
        "name": benchmark.name,
        "version": benchmark.version,
        "title": benchmark.title,
        "license": benchmark.license,
    }


def _size(size: Size) -> dict[str, Any]:
    return {
        "name": size.name,
        "truths": size.truths,
        "actions": size.actions,
        "valid": size.valid,
        "mode": str(size.mode),
        "giveaways": size.giveaways,
        "difficulty": None if size.difficulty is None else [float(bound) for bound in size.difficulty],
        "work": size.work,
        "splits": [{"name": name, "rows": rows} for name, rows in size.splits],
    }


def _domain(tables: Tables) -> dict[str, Any]:
    text = json.dumps(to_json(tables), ensure_ascii=False, sort_keys=True)
    return {
        "name": tables.domain,
        "version": tables.version,
        "truths": len(tables.truths),
        "actions": len(tables.actions),
        "tables_sha256": hashlib.sha256(text.encode()).hexdigest(),
    }
