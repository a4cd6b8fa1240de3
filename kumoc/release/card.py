"""The dataset card: a README whose YAML head makes ``load_dataset`` work, and whose text says what the rows are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from kumoc import __version__
from kumoc.benchmark import SPLITS
from kumoc.release.manifest import DataFile, total_digest
from kumoc.release.plan import Plan
from kumoc.views.game import GAME_COLUMNS


def card(plan: Plan, files: Sequence[DataFile]) -> str:
    """The card of a release that holds ``files``."""
    configs = tuple(_configs(plan, files))
    head = yaml.safe_dump(_head(plan, configs), sort_keys=False, allow_unicode=True, width=110)
    return _template().render(
        head=head,
        plan=plan,
        benchmark=plan.benchmark,
        configs=configs,
        columns=GAME_COLUMNS,
        digest=total_digest(files),
        kumoc=__version__,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("kumoc.release"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("card.md.j2")


def _head(plan: Plan, configs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    head: dict[str, Any] = {"pretty_name": plan.benchmark.title}
    if plan.benchmark.license:
        head["license"] = plan.benchmark.license
    rows = sum(config["rows"] for config in configs if config["domain"] is None)
    return head | {
        "language": ["en"],
        "task_categories": ["question-answering"],
        "tags": ["reasoning", "kumoc", "deduction-game"],
        "size_categories": [_size_category(rows)],
        "configs": [config["yaml"] for config in configs],
        "dataset_info": [
            {
                "config_name": config["name"],
                "splits": [
                    {"name": split, "num_bytes": config["bytes"][split], "num_examples": count}
                    for split, count in config["splits"].items()
                ],
            }
            for config in configs
        ],
    }


def _configs(plan: Plan, files: Sequence[DataFile]) -> Iterator[dict[str, Any]]:
    """For each size one configuration with all domains, the first being the default, then one for each domain."""
    for size in plan.benchmark.sizes:
        of_size = [file for file in files if file.size == size.name]
        if of_size:
            yield _config(plan, size.name, None, of_size, default=size is plan.benchmark.sizes[0])
        for tables in plan.tables:
            of_domain = [file for file in of_size if file.domain == tables.domain]
            if of_domain:
                yield _config(plan, size.name, tables.domain, of_domain)


def _config(
    plan: Plan, size: str, domain: str | None, files: Sequence[DataFile], *, default: bool = False
) -> dict[str, Any]:
    name = size if domain is None else f"{size}-{domain}"
    splits = [split for split in SPLITS if any(file.split == split for file in files)]
    config: dict[str, Any] = {
        "config_name": name,
        # the loader caches by what stands here, not by what the files hold: version and digest keep old rows away
        "version": plan.benchmark.version,
        "description": f"sha256:{total_digest(files)}",
        "data_files": [
            {"split": split, "path": [file.path for file in files if file.split == split]} for split in splits
        ],
    }
    if default:
        config["default"] = True
    counts = {split: sum(file.rows for file in files if file.split == split) for split in splits}
    sizes = {split: sum(file.bytes for file in files if file.split == split) for split in splits}
    return {
        "name": name,
        "size": size,
        "domain": domain,
        "splits": counts,
        "bytes": sizes,
        "rows": sum(counts.values()),
        "exact_rows": sum(file.exact_rows for file in files),
        "widest_bracket": max(file.widest_bracket for file in files),
        "yaml": config,
    }


def _size_category(rows: int) -> str:
    for limit, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if rows < limit:
            return name
    return "1M<n<10M"
