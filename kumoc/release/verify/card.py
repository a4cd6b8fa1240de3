"""The card: whether its YAML makes the loader find exactly the files that the manifest names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, TypeGuard

import yaml

from kumoc.release.folder import Folder, UnreadableError, first_line
from kumoc.release.manifest import config_name
from kumoc.release.verify.manifest import CARD_NAME, Manifest, rows_digest_of
from kumoc.release.verify.report import Log

_FENCE = "---\n"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, ten times as fast, is in most builds of the library."""


def check_card(folder: Folder, manifest: Manifest, log: Log, *, meant: str | None) -> None:
    """Log what is wrong with the card; ``meant`` is what this version of kumoc would write, if it is known."""
    try:
        text = folder.text(CARD_NAME)
        head = _head(text)
    except UnreadableError as error:
        # that it is missing, or no file, was found when its bytes were digested
        if log.is_clean(CARD_NAME):
            log.add(CARD_NAME, str(error))
        return
    found = [*_configurations(head, manifest), *_info(head, manifest)]
    found += [
        f"it does not mention the {what} {value}"
        for what, value in (("digest of the rows", manifest["rows_sha256"]), ("canary", manifest["canary"]))
        if value not in text
    ]
    if not found and meant is not None and text != meant:
        lines = enumerate(zip_longest(text.split("\n"), meant.split("\n")), start=1)
        number, (line, _) = next((number, pair) for number, pair in lines if pair[0] != pair[1])
        found = [f"line {number} is not what kumoc writes: {(line or '')[:100]!r}"]
    log.add(CARD_NAME, found)


def _head(text: str) -> Mapping[str, Any]:
    end = text.find(f"\n{_FENCE}", len(_FENCE))
    if not text.startswith(_FENCE) or end < 0:
        raise UnreadableError("it has no YAML between two lines of three hyphens at its beginning")
    try:
        # the safe loader makes plain data only; a document without aliases can't grow as it is read
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text[len(_FENCE) : end], _LOADER)):
            raise UnreadableError("its YAML has aliases")
        head = yaml.load(text[len(_FENCE) : end], _LOADER)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableError(f"its YAML can't be read: {first_line(error)}") from error
    if not isinstance(head, dict):
        raise UnreadableError("its YAML is no mapping")
    return head


def _configurations(head: Mapping[str, Any], manifest: Manifest) -> Iterator[str]:
    """Where configurations do not hold the files of one view and size, of all domains or of one."""
    meant = _meant(manifest)
    configs = _by_name(head.get("configs"))
    yield from (f"configs: there is no '{name}'" for name in meant if name not in configs)
    for name, config in configs.items():
        if name not in meant:
            yield f"configs: there is nothing to be in '{name}'"
            continue
        files = meant[name]
        splits: dict[str, list[str]] = {entry["split"]: [] for entry in files}
        for entry in files:
            splits[entry["split"]].append(entry["path"])
        listed = config.get("data_files")
        said = [(part.get("split"), part.get("path")) for part in listed] if _is_mappings(listed) else None
        if said != list(splits.items()):
            yield f"configs, {name}: data_files are not the files of the manifest"
        if config.get("description") != f"sha256:{rows_digest_of(files)}":
            yield f"configs, {name}: description is not the digest of its rows"
        if str(config.get("version")) != manifest["benchmark"]["version"]:
            yield f"configs, {name}: version is not that of the benchmark"


def _info(head: Mapping[str, Any], manifest: Manifest) -> Iterator[str]:
    meant = _meant(manifest)
    info = _by_name(head.get("dataset_info"))
    yield from (f"dataset_info: there is no '{name}'" for name in meant if name not in info)
    for name, entry in info.items():
        counts: dict[str, int] = {}
        for file in meant.get(name, ()):
            counts[file["split"]] = counts.get(file["split"], 0) + file["rows"]
        listed = entry.get("splits")
        said = [(part.get("name"), part.get("num_examples")) for part in listed] if _is_mappings(listed) else None
        if said != list(counts.items()):
            yield f"dataset_info, {name}: the splits do not have the manifest's numbers of rows"


def _meant(manifest: Manifest) -> dict[str, list[Mapping[str, Any]]]:
    """The files of each configuration, by its name."""
    configs: dict[str, list[Mapping[str, Any]]] = {}
    for entry in manifest["files"]:
        name = config_name(entry["size"], entry["edition"])
        name = name if entry["view"] == "game" else f"{entry['view']}-{name}"
        for config in (name, f"{name}-{entry['domain']}"):
            configs.setdefault(config, []).append(entry)
    return configs


def _by_name(entries: object) -> dict[str, Mapping[str, Any]]:
    if not _is_mappings(entries):
        return {}
    return {str(entry.get("config_name")): entry for entry in entries}


def _is_mappings(entries: object) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries)
