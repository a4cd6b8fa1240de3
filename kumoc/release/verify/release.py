"""Verify a whole release: the manifest, then what it names, then how it all fits together."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from kumoc import __version__
from kumoc.benchmark import GAME, VIEWS
from kumoc.generate import derive
from kumoc.generate.draw import Draws
from kumoc.release.card import card
from kumoc.release.difficulty import DIFFICULTY_NAME, difficulty_svg
from kumoc.release.errors import BuildError
from kumoc.release.folder import Folder, UnreadableError
from kumoc.release.manifest import MANIFEST_NAME
from kumoc.release.manifest import manifest as manifest_of
from kumoc.release.plan import Plan
from kumoc.release.verify.card import check_card
from kumoc.release.verify.data import Entry, Verifier
from kumoc.release.verify.manifest import Manifest, check_files, check_manifest, read_manifest
from kumoc.release.verify.report import Log, Report
from kumoc.release.verify.rows import Prover
from kumoc.release.verify.sources import data_files, jobs_of, other_files, plan_of
from kumoc.release.verify.tables import read_tables


def verify(
    release: str | os.PathLike[str],
    *,
    sample: int | None = None,
    seed: int = 0,
    on_row: Callable[[int], None] = lambda _: None,
) -> Report:
    """Verify the release in a folder.

    Every file is held to its digests, every row to its schema, its tables and all that is promised of an instance. Of
    all rows, or of ``sample`` rows that ``seed`` chooses, it is proved besides that their seeds rebuild them and that
    the players play as they say. ``on_row`` is called after each row of the game view, with how many there are to be.

    Raises OSError if the folder can't be looked into; whatever is wrong with what it holds is in the report.
    """
    folder = Folder(Path(release))
    next(folder.root.iterdir(), None)
    log = Log()
    manifest = read_manifest(folder, log)
    if manifest is None:
        return log.report("", "", "")
    check_manifest(manifest, log)
    check_files(folder, manifest, log)
    _verify_contents(folder, manifest, log, _Sample(manifest, sample, seed), on_row)
    return log.report(manifest["benchmark"]["name"], manifest["benchmark"]["version"], manifest["inputs"]["kumoc"])


class _Sample:
    """The rows of the game view, numbered as the manifest counts them, and which of them are to be recomputed."""

    def __init__(self, manifest: Manifest, size: int | None, seed: int) -> None:
        self.starts: list[int] = []
        self.total = 0
        for entry in _games(manifest):
            self.starts.append(self.total)
            self.total += entry["rows"]
        self._chosen = None if size is None or size >= self.total else _choose(self.total, size, seed)

    def __contains__(self, number: int) -> bool:
        return self._chosen is None or number in self._chosen


def _choose(total: int, size: int, seed: int) -> set[int]:
    """``size`` of ``total`` numbers, each selection equally likely, in memory for ``size`` (Floyd's algorithm)."""
    draws = Draws(derive("verify", seed))
    chosen: set[int] = set()
    for last in range(total - size, total):
        drawn = draws.below(last + 1)
        chosen.add(last if drawn in chosen else drawn)
    return chosen


def _games(manifest: Manifest) -> list[Entry]:
    return [entry for entry in manifest["files"] if entry["view"] == GAME]


def _verify_contents(
    folder: Folder, manifest: Manifest, log: Log, sample: _Sample, on_row: Callable[[int], None]
) -> None:
    inputs = manifest["inputs"]
    same_program = inputs["kumoc"] == __version__
    read = {entry["name"]: read_tables(folder, entry, log) for entry in inputs["domains"]}
    tables = {name: found for name, found in read.items() if found is not None}
    plan = plan_of(manifest, tables)
    whole = same_program and len(tables) == len(read) and log.is_clean(MANIFEST_NAME)
    if whole and manifest_of(plan, data_files(manifest), other_files(manifest)) != manifest:
        log.add(MANIFEST_NAME, "it is not what kumoc writes of these inputs and files")
    provers = _provers(plan, manifest, log, same_program=same_program)
    verifier = Verifier(folder, log, sample.__contains__, lambda: on_row(sample.total))
    _verify_rows(manifest, sample, verifier, provers)
    rewriting = plan.rewriting
    if rewriting and verifier.rewritten != rewriting.books:
        log.add(
            MANIFEST_NAME, f"inputs.rewritten: it says {rewriting.books:,} books, and {verifier.rewritten:,} rows are"
        )
    known = whole and not any(verifier.unsound.values())
    check_card(folder, manifest, log, meant=card(plan, data_files(manifest), verifier.baselines) if known else None)
    if known:
        _check_plot(folder, verifier, log)


def _verify_rows(
    manifest: Manifest, sample: _Sample, verifier: Verifier, provers: Mapping[tuple[str, str, str, str], Prover]
) -> None:
    """Verify the game view, then the views that are derived from those of its files that could be proved."""
    files = {(entry["view"], *_place(entry)): entry for entry in manifest["files"]}
    proved = []
    for entry, start in zip(_games(manifest), sample.starts, strict=True):
        place = _place(entry)
        if verifier.game(entry, start, provers.get(place)):
            proved.append((place, entry, start))
    for place, game, start in proved:
        for view in VIEWS:
            other = files.get((view, *place))
            if other and view != GAME:
                verifier.derived(other, start, game)
            elif view in manifest["inputs"]["views"] and view != GAME:
                verifier.absent(view, start, game)


def _place(entry: Entry) -> tuple[str, str, str, str]:
    """A size, the label of an edition, a domain and a split, by name."""
    return entry["size"], entry["edition"], entry["domain"], entry["split"]


def _check_plot(folder: Folder, verifier: Verifier, log: Log) -> None:
    """Log that the plot of the card is not that of the rows, all of which are sound."""
    if log.is_clean(DIFFICULTY_NAME):
        try:
            right = folder.text(DIFFICULTY_NAME) == difficulty_svg(verifier.histograms)
        except UnreadableError as error:
            log.add(DIFFICULTY_NAME, str(error))
            return
        if not right:
            log.add(DIFFICULTY_NAME, "it does not show the difficulty of the rows")


def _provers(
    plan: Plan, manifest: Manifest, log: Log, *, same_program: bool
) -> dict[tuple[str, str, str, str], Prover]:
    """What proves the rows of each place whose tables are there; notes say what it can't prove."""
    inputs = manifest["inputs"]
    secret = inputs["seed"] is None
    if not same_program:
        log.notes.append(
            f"built by kumoc {inputs['kumoc']}, and this is {__version__}: rows were proved, but not built again"
        )
    if secret:
        log.notes.append("a private split: that its seeds come from its key can't be proved without the key")
    if inputs["fresh"] and inputs["fresh"]["disjoint_from"]:
        log.notes.append("that it shares no instance with the releases it is disjoint from takes these releases")
    try:
        jobs = jobs_of(plan, secret=secret)
    except BuildError as error:
        log.add(MANIFEST_NAME, f"inputs.sizes: {error}")
        jobs = jobs_of(plan, secret=True)
    own_books = inputs["templates"] is None
    if not own_books:
        log.notes.append("books by templates of its own: they were read and proved, but not written again")
    rewriting = plan.rewriting
    if rewriting:
        log.notes.append(
            f"{rewriting.books:,} books were rewritten by {rewriting.writer}: all else of their rows was proved, but "
            f"for what these books say there is only the word of {rewriting.judge}"
        )
    return {
        (size, edition.label, domain, split): Prover(
            job,
            edition,
            inputs["seed"],
            manifest["canary"],
            same_program,
            secret and job.size.disjoint,
            own_books,
            rewriting is not None,
        )
        for (size, domain, split), job in jobs.items()
        for edition in job.editions
    }
