"""The dataset card: a README whose YAML head makes ``load_dataset`` work, and whose text says what the rows are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from kumoc import __version__
from kumoc.benchmark import GAME, SPLITS, Edition, Size
from kumoc.play.baselines import SAMPLE, Baselines, figures
from kumoc.release.band import band_in_words
from kumoc.release.canary import canary
from kumoc.release.difficulty import DIFFICULTY_NAME
from kumoc.release.manifest import DataFile, release_commitment, total_digest
from kumoc.release.plan import Plan
from kumoc.templating import template
from kumoc.views.game import GAME_COLUMNS


def card(plan: Plan, files: Sequence[DataFile], baselines: Baselines) -> str:
    """The card of a release that holds ``files`` and, beside them, the plot that the card shows.

    ``baselines`` are of the first :data:`kumoc.play.baselines.SAMPLE` rows of each file of the game view.
    """
    configs = tuple(_configs(plan, files))
    own_languages = list(dict.fromkeys(tables.language for tables in plan.tables))
    head = yaml.safe_dump(_head(plan, configs, own_languages), sort_keys=False, allow_unicode=True, width=110)
    return template("kumoc.release", "card.md.j2").render(
        head=head,
        plan=plan,
        benchmark=plan.benchmark,
        configs=configs,
        bands={size.name: band_in_words(size) for size in plan.benchmark.sizes if size.difficulty},
        own_languages=own_languages,
        columns=GAME_COLUMNS,
        digest=total_digest(files),
        commitment=release_commitment(plan, files),
        canary=canary(plan.benchmark.name, plan.release),
        plot=DIFFICULTY_NAME,
        baselines=baselines.tallies,
        figures=figures,
        sample=SAMPLE,
        kumoc=__version__,
    )


def _head(plan: Plan, configs: Sequence[dict[str, Any]], own_languages: list[str]) -> dict[str, Any]:
    head: dict[str, Any] = {"pretty_name": plan.benchmark.title}
    if plan.benchmark.license:
        head["license"] = plan.benchmark.license
    rows = sum(config["rows"] for config in configs if config["domain"] is None and config["view"] == GAME)
    return head | {
        "language": list(plan.benchmark.languages) or own_languages,
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
    """For each view, size and edition one configuration with all domains, the first of all being the default, then one
    a domain.
    """
    for view in plan.benchmark.views:
        for size in plan.benchmark.sizes:
            for edition in size.editions(plan.benchmark.languages):
                place = (view, size.name, edition.label)
                shown = [file for file in files if (file.view, file.size, file.edition) == place]
                if shown:
                    default = view == GAME and size is plan.benchmark.sizes[0] and not edition.label
                    yield _config(plan, size, edition, None, shown, default=default)
                for tables in plan.tables:
                    of_domain = [file for file in shown if file.domain == tables.domain]
                    if of_domain:
                        yield _config(plan, size, edition, tables.domain, of_domain)


def _config(
    plan: Plan, size: Size, edition: Edition, domain: str | None, files: Sequence[DataFile], *, default: bool = False
) -> dict[str, Any]:
    view = files[0].view
    name = "-".join([part for part in (view if view != GAME else None, size.name, edition.label, domain) if part])
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
        "view": view,
        "size": size,
        "edition": edition,
        "domain": domain,
        "splits": counts,
        "bytes": sizes,
        "rows": sum(counts.values()),
        "exact_rows": sum(file.exact_rows for file in files),
        "widest_bracket": max(file.widest_bracket for file in files),
        "tried": sum(file.tried for file in files),
        "yaml": config,
    }


def _size_category(rows: int) -> str:
    for limit, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if rows < limit:
            return name
    return "1M<n<10M"
