"""Releases to tamper with: small ones, and a hand that forges every digest so that only proofs find what it changed."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from kumoc.compiler import compile_paths
from kumoc.play.baselines import SAMPLE, Baselines
from kumoc.release import Wish, build, plan_benchmarks
from kumoc.release.card import card
from kumoc.release.difficulty import DIFFICULTY_NAME, Histogram, difficulty_svg
from kumoc.release.manifest import OtherFile, config_name
from kumoc.release.manifest import manifest as manifest_of
from kumoc.release.parquet import read, rows_digest, write
from kumoc.release.verify.sources import data_files, plan_of
from kumoc.tables import from_json, to_json
from kumoc.views import VIEW_COLUMNS
from tests.command import DOMAINS

Row = dict[str, Any]

TEXT = """
benchmark mini version "1.2.0" {
  title   "Mini"
  license "cc-by-4.0"
  domains tea
  VIEWS
  seed    3
  size small  { truths 3  actions 4  validation 2  test 3 }
  size banded { truths 3  actions 4  difficulty 1.7..2.0  test 2 }
  size apart  { truths 2  actions 3  validation 2  test 2  disjoint truths }
  size quick  { truths 4  actions 4  work 5  mode paper  test 2 }
}
"""


def small_release(out: Path, *, views: str = "", wish: Wish | None = None, narrow: bool = False) -> Path:
    """A release of four sizes, ``narrow`` of the first alone; ``views`` are the others than that of the game."""
    source = out / "mini.kumo"
    source.write_text(TEXT.replace("VIEWS", f"views game, {views}" if views else ""), encoding="utf-8")
    compilation = compile_paths([source, DOMAINS / "tea.kumo"])
    assert not compilation.has_errors, compilation.diagnostics
    (plan,) = plan_benchmarks(compilation, wish or Wish())
    if narrow:
        plan = replace(plan, benchmark=replace(plan.benchmark, sizes=plan.benchmark.sizes[:1]))
    return build(plan, out).path


class Forgery:
    """A release that is changed at will; :meth:`seal` makes its digests, names, card and manifest fit again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))

    def entry(self, name: str) -> dict[str, Any]:
        """The manifest's entry of the first file whose path begins with ``name``."""
        return next(entry for entry in self.manifest["files"] if entry["path"].startswith(name))

    def rows(self, name: str, change: Callable[[list[Row]], object]) -> dict[str, Any]:
        """Write the rows of a file anew, changed."""
        entry = self.entry(name)
        rows = read(self.folder / entry["path"])
        changed = change(rows)
        self.write(entry, changed if isinstance(changed, list) else rows)
        return entry

    def write(self, entry: dict[str, Any], rows: list[Row]) -> None:
        (self.folder / entry["path"]).unlink()
        digest = rows_digest(rows)
        config = config_name(entry["size"], entry["edition"])
        entry["path"] = f"{entry['view']}-{config}/{entry['domain']}/{entry['split']}-{digest[:12]}.parquet"
        write(self.folder / entry["path"], rows, VIEW_COLUMNS[entry["view"]])
        entry |= {"rows": len(rows), "rows_sha256": digest}
        self.measure(entry)

    def measure(self, entry: dict[str, Any]) -> None:
        """Give an entry the digest of its file."""
        content = (self.folder / entry["path"]).read_bytes()
        entry |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    def tables(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Change the tables, and the digest of them among the inputs."""
        path = self.folder / "tables" / "tea.json"
        data = json.loads(path.read_text(encoding="utf-8"))
        change(data)
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        text = json.dumps(to_json(from_json(data)), ensure_ascii=False, sort_keys=True)
        self.manifest["inputs"]["domains"][0] |= {
            "version": data["version"],
            "truths": len(data["truths"]),
            "actions": len(data["actions"]),
            "tables_sha256": hashlib.sha256(text.encode()).hexdigest(),
        }

    def seal(self, *, program: str | None = None) -> None:
        """Write card and manifest as the builder would; ``program`` is the version that it says it is."""
        tables = from_json(json.loads((self.folder / "tables" / "tea.json").read_text(encoding="utf-8")))
        plan = plan_of(self.manifest, {"tea": tables})
        seed = self.manifest["inputs"]["seed"]
        plan = replace(plan, benchmark=replace(plan.benchmark, seed=seed or 0))
        files = data_files(self.manifest)
        (self.folder / "README.md").write_text(card(plan, files, self._played()), encoding="utf-8")
        self._draw()
        for other in self.manifest["other_files"]:
            self.measure(other)
        others = [OtherFile(**other) for other in self.manifest["other_files"]]
        self.manifest = manifest_of(plan, files, others)
        if program:
            self.manifest["inputs"]["kumoc"] = program
        self.save()

    def _played(self) -> Baselines:
        """How the project's players play the rows as they are now, if they can be played."""
        baselines = Baselines()
        try:
            for entry in self.manifest["files"]:
                if entry["view"] == "game":
                    for row in read(self.folder / entry["path"])[:SAMPLE]:
                        baselines.add(row)
        except (ArithmeticError, AttributeError, ValueError, TypeError, LookupError):
            return Baselines()
        return baselines

    def _draw(self) -> None:
        """Draw the plot of the rows as they are now, if they can be drawn."""
        histograms: dict[str, Histogram] = {}
        try:
            for entry in self.manifest["files"]:
                if entry["view"] == "game":
                    histogram = histograms.setdefault(entry["size"], Histogram())
                    for row in read(self.folder / entry["path"]):
                        histogram.add(row)
            (self.folder / DIFFICULTY_NAME).write_text(difficulty_svg(histograms), encoding="utf-8")
        except (ArithmeticError, ValueError, TypeError, LookupError):
            return

    def save(self) -> None:
        """Write the manifest as it stands."""
        text = json.dumps(self.manifest, ensure_ascii=False, indent=1) + "\n"
        (self.folder / "manifest.json").write_text(text, encoding="utf-8")
