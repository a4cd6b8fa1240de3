"""The plan that a release says it was built by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Any

from kumoc.benchmark import Benchmark, Book, Mode, Size, Variant
from kumoc.release.fresh import Freshness, Published
from kumoc.release.manifest import DataFile, OtherFile
from kumoc.release.plan import Job, Plan, Rewriting
from kumoc.tables import Tables

Place = tuple[str, str, str]
"""A size, a domain and a split, by name."""


def plan_of(manifest: Mapping[str, Any], tables: Mapping[str, Tables]) -> Plan:
    """The plan behind a manifest, as far as the ``tables`` of its domains are there.

    The seed of a private split is not known: it is 0 here.
    """
    inputs = manifest["inputs"]
    settings = manifest["benchmark"] | {
        "domains": tuple(domain["name"] for domain in inputs["domains"]),
        "seed": inputs["seed"] or 0,
        "sizes": tuple(size_of(entry) for entry in inputs["sizes"]),
        "views": tuple(inputs["views"]),
        "languages": tuple(inputs["languages"]),
    }
    fresh = _freshness(inputs["fresh"])
    return Plan(
        Benchmark(**settings),
        tuple(tables.values()),
        fresh=fresh,
        templates_sha256=inputs["templates"],
        rewriting=Rewriting(**inputs["rewritten"]) if "rewritten" in inputs else None,
    )


def jobs_of(plan: Plan, *, secret: bool) -> dict[Place, Job]:
    """The jobs of a plan; with a ``secret`` seed it is not known which truths each split of a disjoint size draws from.

    Raises BuildError where a disjoint size can't be.
    """
    if not secret:
        return {(job.size.name, job.tables.domain, job.split): job for job in plan.jobs()}
    return {
        (size.name, tables.domain, split): Job(
            size, tables, split, count, tables, size.editions(plan.benchmark.languages)
        )
        for size in plan.benchmark.sizes
        for tables in plan.tables
        for split, count in size.splits
        if count
    }


def data_files(manifest: Mapping[str, Any]) -> tuple[DataFile, ...]:
    """The Parquet files that a manifest names."""
    return tuple(DataFile(**entry) for entry in manifest["files"])


def other_files(manifest: Mapping[str, Any]) -> tuple[OtherFile, ...]:
    """The other files that a manifest names."""
    return tuple(OtherFile(**entry) for entry in manifest["other_files"])


def size_of(entry: Mapping[str, Any]) -> Size:
    """The size that a manifest describes."""
    band = entry["difficulty"]
    settings = {
        **entry,
        "mode": Mode(entry["mode"]),
        "books": tuple(Book(**book) for book in entry["books"]),
        "variants": tuple(map(Variant, entry["variants"])),
        "splits": tuple((split["name"], split["rows"]) for split in entry["splits"]),
        "difficulty": None if band is None else (Decimal(repr(band[0])), Decimal(repr(band[1]))),
    }
    return Size(**{field.name: settings[field.name] for field in fields(Size) if field.name in settings})


def _freshness(fresh: Mapping[str, Any] | None) -> Freshness | None:
    if fresh is None:
        return None
    others = tuple(Published(Path(), digest) for digest in fresh["disjoint_from"])
    return Freshness(fresh["declared_seed"], fresh["label"], fresh["key_sha256"], others)
