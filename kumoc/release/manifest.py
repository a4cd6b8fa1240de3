"""The manifest: what was built from what, in the form of ``schemas/manifest.schema.json``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kumoc import __version__
from kumoc.benchmark import Benchmark, Size
from kumoc.release.canary import canary
from kumoc.release.fresh import Freshness, commitment
from kumoc.release.plan import Plan
from kumoc.tables import TABLES_VERSION, Tables, to_json

MANIFEST_VERSION = "1.1.0"
MANIFEST_NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One Parquet file of a release; ``path`` is relative to the release.

    ``exact_rows`` are those in which all is known; ``widest_bracket`` is the largest distance, in actions, between
    the bounds of an expectation, over all rows and both players. ``tried`` counts the sets of truths and actions whose
    expectation was worked out to find rows in the size's band of difficulty; 0 where it has none. All three are of the
    game view, and 0 in others. ``edition`` is the label of one, empty for the size's own.
    """

    path: str
    view: str
    size: str
    edition: str
    domain: str
    split: str
    rows: int
    exact_rows: int
    widest_bracket: float
    tried: int
    rows_sha256: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class OtherFile:
    """Any other file of a release, such as its card; the manifest itself is none of these."""

    path: str
    bytes: int
    sha256: str


def config_name(size: str, edition: str) -> str:
    """What an edition of a size is called: ``easy`` for its own, ``easy-table-zh`` for another."""
    return f"{size}-{edition}" if edition else size


def other_files(release: Path, files: Sequence[DataFile]) -> tuple[OtherFile, ...]:
    """What stands in the folder ``release`` besides ``files`` and the manifest, by path. Raises OSError."""
    known = {MANIFEST_NAME, *(file.path for file in files)}
    paths = sorted(path.relative_to(release).as_posix() for path in release.rglob("*") if path.is_file())
    contents = ((path, (release / path).read_bytes()) for path in paths if path not in known)
    return tuple(OtherFile(path, len(content), hashlib.sha256(content).hexdigest()) for path, content in contents)


def inputs(plan: Plan) -> dict[str, Any]:
    """All that the rows of a release depend on: equal inputs, equal rows."""
    return {
        "kumoc": __version__,
        # what the rows of a private split derive from is as secret as its key
        "seed": None if plan.fresh and plan.fresh.key_sha256 else plan.benchmark.seed,
        "fresh": plan.fresh and _fresh(plan.fresh),
        "views": list(plan.benchmark.views),
        "languages": list(plan.benchmark.languages),
        "templates": plan.templates_sha256,
        "sizes": [_size(size) for size in plan.benchmark.sizes],
        "domains": [_domain(tables) for tables in plan.tables],
    } | ({"rewritten": asdict(plan.rewriting)} if plan.rewriting else {})


def manifest(plan: Plan, files: Sequence[DataFile], others: Sequence[OtherFile] = ()) -> dict[str, Any]:
    """The whole manifest of a release that holds ``files`` and, besides, ``others``."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "tables_version": TABLES_VERSION,
        "benchmark": _benchmark(plan.benchmark),
        "canary": canary(plan.benchmark.name, plan.release),
        "inputs": inputs(plan),
        "rows": sum(file.rows for file in files),
        "rows_sha256": total_digest(files),
        "commitment": release_commitment(plan, files),
        "files": [
            {
                "path": file.path,
                "view": file.view,
                "size": file.size,
                "edition": file.edition,
                "domain": file.domain,
                "split": file.split,
                "rows": file.rows,
                "exact_rows": file.exact_rows,
                "widest_bracket": file.widest_bracket,
                "tried": file.tried,
                "rows_sha256": file.rows_sha256,
                "bytes": file.bytes,
                "sha256": file.sha256,
            }
            for file in files
        ],
        "other_files": [{"path": file.path, "bytes": file.bytes, "sha256": file.sha256} for file in others],
    }


def release_commitment(plan: Plan, files: Sequence[DataFile]) -> str | None:
    """What a private split is committed to by (:func:`kumoc.release.fresh.commitment`); None for one that is not."""
    key = plan.fresh and plan.fresh.key_sha256
    return commitment(key, total_digest(files)) if key else None


def total_digest(files: Sequence[DataFile]) -> str:
    """One digest for all rows of a release, made of those of its files in their order."""
    return hashlib.sha256("".join(f"{file.rows_sha256}\n" for file in files).encode()).hexdigest()


def changed_inputs(release: Path, plan: Plan) -> list[str]:
    """What differs between an existing release and what ``plan`` would build; empty if nothing does."""
    try:
        built = json.loads((release / MANIFEST_NAME).read_text(encoding="utf-8"))
        before = parts(built["benchmark"], built["inputs"])
        listed = [*built["files"], *built["other_files"]]
        damaged = [file["path"] for file in listed if not _is_there(release, file)]
    except (OSError, ValueError, KeyError, TypeError):
        return ["its manifest can't be read"]
    after = parts(_benchmark(plan.benchmark), inputs(plan))
    return damaged + [name for name in {**before, **after} if before.get(name) != after.get(name)]


def parts(benchmark: Mapping[str, Any], built_from: Mapping[str, Any]) -> dict[str, Any]:
    """What a release is made of, each part under the name that people know it by."""
    domains = {f"domain {domain['name']}": domain for domain in built_from["domains"]}
    settings = {
        name: built_from[name] for name in ("kumoc", "seed", "fresh", "views", "languages", "templates", "sizes")
    }
    settings["rewritten"] = built_from.get("rewritten")
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
        "changes": benchmark.changes,
    }


def _fresh(fresh: Freshness) -> dict[str, Any]:
    return {
        "declared_seed": fresh.declared_seed,
        "label": fresh.label,
        "key_sha256": fresh.key_sha256,
        "disjoint_from": [release.rows_sha256 for release in fresh.disjoint_from],
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
        "disjoint": size.disjoint,
        "books": [{"style": book.style, "words": book.words} for book in size.books],
        "variants": list(map(str, size.variants)),
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
