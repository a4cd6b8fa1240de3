"""The manifest: whether it is one, agrees with itself, and names every file that is there and no other."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kumoc.benchmark import GAME, VIEWS
from kumoc.release.canary import canary
from kumoc.release.difficulty import DIFFICULTY_NAME
from kumoc.release.folder import Folder, UnreadableError, parse_json
from kumoc.release.fresh import commitment, release_name
from kumoc.release.intact import listed_files
from kumoc.release.manifest import MANIFEST_NAME, config_name
from kumoc.release.verify.form import faults
from kumoc.release.verify.report import Log
from kumoc.release.verify.sources import size_of

CARD_NAME = "README.md"

Manifest = dict[str, Any]


def read_manifest(folder: Folder, log: Log) -> Manifest | None:
    """The manifest of a release, or None, and then it is logged why, if nothing can be told by it."""
    log.look_at(MANIFEST_NAME)
    try:
        text = folder.text(MANIFEST_NAME)
        data = parse_json(text)
    except UnreadableError as error:
        log.add(MANIFEST_NAME, str(error))
        return None
    log.add(MANIFEST_NAME, faults(data, "manifest"))
    if not log.is_clean(MANIFEST_NAME):
        return None
    manifest: Manifest = data
    if text != json.dumps(manifest, ensure_ascii=False, indent=1) + "\n":
        log.add(MANIFEST_NAME, "its JSON is not written as kumoc writes it")
    return manifest


def check_manifest(manifest: Manifest, log: Log) -> None:
    """Log what in a manifest contradicts the rest of it."""
    log.add(MANIFEST_NAME, _names(manifest))
    log.add(MANIFEST_NAME, _files(manifest))
    log.add(MANIFEST_NAME, _digests(manifest))


def check_files(folder: Folder, manifest: Manifest, log: Log) -> None:
    """Log files that are missing, are not what the manifest says byte for byte, or are not in it."""
    entries = {entry["path"]: entry for entry in listed_files(manifest)}
    for path, entry in entries.items():
        log.look_at(path)
        try:
            sha256, size = folder.sha256(path)
        except UnreadableError as error:
            log.add(path, str(error))
            continue
        if size != entry["bytes"]:
            log.add(path, f"it has {size:,} bytes, and the manifest says {entry['bytes']:,}")
        if sha256 != entry["sha256"]:
            log.add(path, f"its bytes have the digest {sha256}, and the manifest says {entry['sha256']}")
    try:
        for path in folder.files():
            if path not in entries and path != MANIFEST_NAME:
                log.add(path, "the manifest does not name it")
    except UnreadableError as error:
        log.add(MANIFEST_NAME, str(error))


def _names(manifest: Manifest) -> Iterator[str]:
    inputs, benchmark = manifest["inputs"], manifest["benchmark"]
    if inputs["views"] != [view for view in VIEWS if view in {GAME, *inputs["views"]}]:
        yield "inputs.views: they are not views in their order, that of the game among them"
    for kind in ("sizes", "domains"):
        yield from _repeated(f"inputs.{kind}", [entry["name"] for entry in inputs[kind]])
    for size in inputs["sizes"]:
        yield from _repeated(f"inputs.sizes, {size['name']}", [split["name"] for split in size["splits"]])
        if size["name"] in VIEWS:
            yield f"inputs.sizes: '{size['name']}' names a view"
        if size["valid"] >= size["truths"]:
            yield f"inputs.sizes, {size['name']}: not all truths can be valid"
    fresh = inputs["fresh"] or {"label": None, "key_sha256": None}
    if (inputs["seed"] is None) != (fresh["key_sha256"] is not None):
        yield "inputs.seed: it is null in a private split, and nowhere else"
    meant = canary(benchmark["name"], release_name(benchmark["version"], fresh["label"]))
    if manifest["canary"] != meant:
        yield f"canary: it is '{manifest['canary']}', and that of this benchmark and version is '{meant}'"


def _files(manifest: Manifest) -> Iterator[str]:
    """Whether the files are those that the inputs ask for, named and placed as they must be."""
    files, inputs = manifest["files"], manifest["inputs"]
    yield from _repeated("files", [entry["path"] for entry in [*files, *manifest["other_files"]]])
    for entry in files:
        meant = (
            f"{entry['view']}-{config_name(entry['size'], entry['edition'])}/{entry['domain']}/"
            f"{entry['split']}-{entry['rows_sha256'][:12]}.parquet"
        )
        if entry["path"] != meant:
            yield f"files: the path '{entry['path']}' should be '{meant}'"
    asked = {
        (size["name"], domain["name"], split["name"]): split["rows"]
        for size in inputs["sizes"]
        for domain in inputs["domains"]
        for split in size["splits"]
        if split["rows"]
    }
    editions = {
        size.name: [edition.label for edition in size.editions(tuple(inputs["languages"]))]
        for size in map(size_of, inputs["sizes"])
    }
    meant_places = [
        (view, size, edition, domain, split)
        for size, domain, split in asked
        for edition in editions[size]
        for view in inputs["views"]
    ]
    places = [(entry["view"], entry["size"], entry["edition"], entry["domain"], entry["split"]) for entry in files]
    # of a view that is derived there is no file where no row comes of the instances
    missing = [place for place in meant_places if place not in places and place[0] == GAME]
    yield from (f"files: there is none for {_named(place)}" for place in missing)
    yield from (f"files: the inputs ask for none for {_named(place)}" for place in places if place not in meant_places)
    if places != [place for place in meant_places if place in places] and set(places) <= set(meant_places):
        yield "files: they are not in the order of sizes, domains, splits, editions and views"
    yield from (f"files: '{entry['path']}' has no rows" for entry in files if not entry["rows"])
    for entry in files:
        rows = asked.get((entry["size"], entry["domain"], entry["split"]))
        if entry["view"] == GAME and rows is not None and rows != entry["rows"]:
            yield f"files: '{entry['path']}' has {entry['rows']:,} rows, and the inputs ask for {rows:,}"
    banded = {size["name"] for size in inputs["sizes"] if size["difficulty"]}
    for entry in files:
        if entry["view"] == GAME and entry["size"] in banded:
            if entry["tried"] < entry["rows"]:
                yield f"files: '{entry['path']}' has more rows than the {entry['tried']:,} candidates that were tried"
        elif entry["tried"]:
            yield f"files: '{entry['path']}' has no band of difficulty for which {entry['tried']:,} could be tried"
    others = [CARD_NAME, DIFFICULTY_NAME, *(f"tables/{domain['name']}.json" for domain in inputs["domains"])]
    named = [entry["path"] for entry in manifest["other_files"]]
    yield from (f"other_files: there is no '{path}'" for path in others if path not in named)
    yield from (f"other_files: '{path}' is no part of a release" for path in named if path not in others)


def _digests(manifest: Manifest) -> Iterator[str]:
    files = manifest["files"]
    rows = sum(entry["rows"] for entry in files)
    if manifest["rows"] != rows:
        yield f"rows: it says {manifest['rows']:,}, and the files have {rows:,}"
    digest = rows_digest_of(files)
    if manifest["rows_sha256"] != digest:
        yield f"rows_sha256: it is {manifest['rows_sha256']}, and that of the files is {digest}"
    key = (manifest["inputs"]["fresh"] or {}).get("key_sha256")
    meant = commitment(key, manifest["rows_sha256"]) if key else None
    if manifest["commitment"] != meant:
        yield f"commitment: it is {manifest['commitment']}, and the one to this key and these rows is {meant}"


def rows_digest_of(files: Sequence[Mapping[str, Any]]) -> str:
    """The digest of the rows of several files."""
    return hashlib.sha256("".join(f"{entry['rows_sha256']}\n" for entry in files).encode()).hexdigest()


def _repeated(where: str, names: Iterable[str]) -> Iterator[str]:
    yield from (f"{where}: '{name}' is there {times} times" for name, times in Counter(names).items() if times > 1)


def _named(place: tuple[str, ...]) -> str:
    view, size, edition, domain, split = place
    return f"view '{view}', size '{config_name(size, edition)}', domain '{domain}', split '{split}'"
