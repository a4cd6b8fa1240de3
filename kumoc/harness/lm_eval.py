"""The game in one step for lm-evaluation-harness: a task, its YAML file, and the rows that the file names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kumoc import __version__
from kumoc.harness.onestep import question
from kumoc.harness.selection import SPLIT, Selection
from kumoc.play import Release
from kumoc.views.read import bare_game
from kumoc.views.turns import System

VERSION = 1
"""Version of the task: it rises when figures of an older run would not compare with those of a new one."""

LAST_ANSWER = r"(?s)\A.*<ANSWER>((?:(?!<ANSWER>).)*?)</ANSWER>"
"""The last answer of a text, as a strict reading finds it, in time that grows with the text and no faster."""

NO_ANSWER = ""
"""What stands in place of an answer that is not there: no truth is called so."""

MAX_TOKENS = 4096
"""Tokens of a reply, at most."""


@dataclass(frozen=True, slots=True)
class HarnessTask:
    """A task by its name, and the texts of its two files: rows, one a line, and the YAML file that names their path."""

    name: str
    rows: int
    data: Path
    data_text: str
    config: Path
    config_text: str


def harness_tasks(selection: Selection, out: Path, system: System = "book") -> Iterator[HarnessTask]:
    """One task for each size in ``selection``, with its files in the folder ``out``; nothing is written.

    Its name has the release, the size, and whatever else is not as it is when nothing is chosen.

    The harness takes relative paths from where it is run: that of the rows is absolute. It has a digest of them, so
    that no cache of others is read.
    """
    release, edition, split = selection.release, selection.edition, selection.split
    settings = {"edition": edition, "split": split, "domains": list(selection.domains), "system": system}
    unlike = [
        edition,
        *([split] if split != SPLIT else []),
        *selection.domains,
        *([system] if system != "book" else []),
    ]
    for size in dict.fromkeys(row["size"] for row in selection.rows):
        rows = [_row(row, system) for row in selection.rows if row["size"] == size]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        name = "_".join(filter(None, ["kumoc", release.name, size, *unlike]))
        data = out.absolute() / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.jsonl"
        config = _config(name, data, _origin(release) | {"size": size} | settings)
        yaml_text = yaml.safe_dump(config, allow_unicode=True, sort_keys=False)
        yield HarnessTask(name, len(rows), data, text, out / f"{name}.yaml", yaml_text)


def _row(row: Mapping[str, Any], system: System) -> dict[str, Any]:
    return {
        "instance_id": row["instance_id"],
        "domain": row["domain"],
        "size": row["size"],
        "prompt": question(row, bare_game(row), system),
        "valid_truths": row["valid_truths"],
        "canary": row["canary"],
    }


def _origin(release: Release) -> dict[str, Any]:
    return {
        "version": VERSION,
        "kumoc": __version__,
        "release": release.name,
        "release_version": release.version,
        "rows_sha256": release.rows_sha256,
    }


def _config(name: str, data: Path, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The task, under the names of the harness's ``TaskConfig``."""
    last_answer = {"function": "regex", "regex_pattern": LAST_ANSWER, "group_select": -1, "fallback": NO_ANSWER}
    return {
        "task": name,
        "tag": "kumoc",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "output_type": "generate_until",
        "test_split": "test",
        "doc_to_text": "prompt",
        "doc_to_target": "valid_truths",
        "num_fewshot": 0,
        "generation_kwargs": {"until": [], "do_sample": False, "temperature": 0, "max_gen_toks": MAX_TOKENS},
        "filter_list": [{"name": "last-answer", "filter": [last_answer, {"function": "take_first"}]}],
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        "metadata": dict(metadata),
    }
