"""The game in one step as a task of lm-evaluation-harness: a YAML file, and the rows that it names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kumoc import __version__
from kumoc.files import write_text
from kumoc.harness.onestep import question
from kumoc.harness.selection import Selection
from kumoc.views.read import bare_game
from kumoc.views.turns import System

VERSION = 1
"""Version of the task: it rises when figures of an older run would not compare with those of a new one."""

LAST_ANSWER = r"(?s).*<ANSWER>(.*?)</ANSWER>"
"""The last answer of a text, as a strict reading finds it."""

NO_ANSWER = ""
"""What stands in place of an answer that is not there: no truth is called so."""

MAX_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Exported:
    """A task by its name, its two files, and its number of rows."""

    task: str
    config: Path
    data: Path
    rows: int


def export(selection: Selection, out: Path, system: System = "book") -> Iterator[Exported]:
    """Write one task for each size in ``selection`` to the folder ``out``, replacing what is there.

    The YAML file names its data by an absolute path, since the harness takes relative ones from where it is run. The
    data's name has a digest of its content, so that no cache of an older export is read. Raises OSError.
    """
    release = selection.release
    for size in dict.fromkeys(row["size"] for row in selection.rows):
        rows = [_row(row, system) for row in selection.rows if row["size"] == size]
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        task = f"kumoc_{release.name}_{size}"
        digest = hashlib.sha256(lines.encode()).hexdigest()
        exported = Exported(task, out / f"{task}.yaml", out / f"{task}-{digest[:12]}.jsonl", len(rows))
        write_text(exported.data, lines)
        config = _config(task, exported.data, {**_origin(selection), "size": size, "system": system})
        write_text(exported.config, yaml.safe_dump(config, allow_unicode=True, sort_keys=False))
        yield exported


def _row(row: Mapping[str, Any], system: System) -> dict[str, Any]:
    return {
        "instance_id": row["instance_id"],
        "domain": row["domain"],
        "size": row["size"],
        "prompt": question(row, bare_game(row), system),
        "valid_truths": row["valid_truths"],
        "canary": row["canary"],
    }


def _origin(selection: Selection) -> dict[str, Any]:
    release = selection.release
    return {
        "version": VERSION,
        "kumoc": __version__,
        "release": release.name,
        "release_version": release.version,
        "rows_sha256": release.rows_sha256,
    }


def _config(task: str, data: Path, metadata: dict[str, Any]) -> dict[str, Any]:
    """The task, under the names of the harness's ``TaskConfig``."""
    last_answer = {"function": "regex", "regex_pattern": LAST_ANSWER, "group_select": -1, "fallback": NO_ANSWER}
    return {
        "task": task,
        "tag": "kumoc",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data.absolute())}},
        "output_type": "generate_until",
        "test_split": "test",
        "doc_to_text": "prompt",
        "doc_to_target": "valid_truths",
        "num_fewshot": 0,
        "generation_kwargs": {"until": [], "do_sample": False, "temperature": 0, "max_gen_toks": MAX_TOKENS},
        "filter_list": [{"name": "last-answer", "filter": [last_answer, {"function": "take_first"}]}],
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        "metadata": metadata,
    }
