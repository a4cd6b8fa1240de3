"""The card and its plot: what people see of a release first."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kumoc.release.difficulty import Histogram, difficulty_svg, difficulty_table
from kumoc.release.parquet import read
from tests.command import DOMAINS, kumoc

SVG = "{http://www.w3.org/2000/svg}"
KNOWN, BRACKET = "#2f6db3", "#eda94b"
BENCHMARK = """
benchmark tasting version "1.1.0" {
  title   "Tasting"
  changes "More tea; see [the list](https://example.org) | and <b>cups</b>."
  domains tea, minerals
  size small { truths 3  actions 4  test 6  validation 2 }
  size hasty { truths 5  actions 7  test 6  work 1 }
}
"""

counts = st.dictionaries(st.integers(0, 400), st.integers(1, 10**6), max_size=8)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("card")
    benchmark = BENCHMARK.replace("domains tea, minerals", "domains minerals")
    (place / "tasting.kumo").write_text(benchmark, encoding="utf-8")
    result = kumoc("build", "tasting.kumo", DOMAINS / "minerals.kumo", cwd=place)
    assert result.returncode == 0, result.stderr
    return place / "dist" / "tasting" / "1.1.0"


def bars(svg: str) -> list[tuple[str, float, float, float, float]]:
    """(colour, x, y, width, height) of all bars."""
    found = []
    for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect"):
        if rect.get("fill") in (KNOWN, BRACKET) and rect.get("height") != "10":
            x, y, width, height = (float(rect.get(name, "nan")) for name in ("x", "y", "width", "height"))
            found.append((str(rect.get("fill")), x, y, width, height))
    return found


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


# ---- the plot


def test_rows_are_counted_in_tenths_and_brackets_at_their_middle() -> None:
    histogram = Histogram()
    for lower, upper in ((1, 1), (1.1, 1.1), (1.199999999, 1.199999999), (0.3, 0.3), (1.0, 1.5), (2.0, 2.000000001)):
        histogram.add({"exact_lower_bound": lower, "exact_upper_bound": upper})
    assert histogram.known == {10: 1, 11: 2, 3: 1}
    assert histogram.brackets == {12: 1, 20: 1}
    assert len(histogram) == 6


@given(counts, counts, st.text(alphabet="abc_", min_size=1, max_size=20))
def test_every_count_is_a_bar_of_its_height_inside_the_picture(
    known: dict[int, int], brackets: dict[int, int], name: str
) -> None:
    histogram = Histogram()
    histogram.known.update(known)
    histogram.brackets.update(brackets)
    svg = difficulty_svg({name: histogram, "none": Histogram()})
    again = Histogram()
    again.brackets.update(dict(reversed(brackets.items())))
    again.known.update(dict(reversed(known.items())))
    assert svg == difficulty_svg({name: again})
    drawn = bars(svg)
    assert sum(colour == KNOWN for colour, *_ in drawn) == len(known)
    assert sum(colour == BRACKET for colour, *_ in drawn) == len(brackets)
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for _, x, y, wide, high in drawn:
        assert x >= 56 and x + wide <= width - 15 and wide > 0
        assert y >= 51.9 and y + high <= height - 51.9
    if known and not brackets:
        most = max(known.values())
        heights = [high for *_, high in drawn]
        assert heights == [pytest.approx(96 * known[at] / most, abs=0.01) for at in sorted(known)]
    shown = f"{len(histogram):,} instance"
    assert (f"{name} ({shown}{'s' if len(histogram) > 1 else ''})" in texts(svg)) == bool(known or brackets)


def test_axes_are_labelled_and_a_legend_is_there_where_it_is_needed() -> None:
    svg = difficulty_svg({"easy": Histogram(), "hard": _histogram({13: 4, 25: 1200})})
    assert {"1", "2", "3", "0", "1,200", "instances", "hard (1,204 instances)"} <= set(texts(svg))
    assert any("expected number of actions" in text for text in texts(svg))
    assert not any("bounds" in text or "easy" in text for text in texts(svg))
    both = _histogram({13: 4})
    both.brackets[14] = 2
    assert any("bounds" in text for text in texts(difficulty_svg({"hard": both})))


@given(st.lists(counts, min_size=1, max_size=3))
def test_a_table_counts_everything_in_few_lines(columns: list[dict[int, int]]) -> None:
    histograms = {f"column{i}": _histogram(column) for i, column in enumerate(columns)}
    if not any(columns):
        return
    head, *lines = difficulty_table(histograms)
    shown = [column for column in columns if column]
    assert len(head.split()) == 1 + len(shown) and 1 <= len(lines) <= 20
    numbers = [[float(word.replace(",", "")) for word in line.split() if word[0] not in "t#"] for line in lines]
    for i, column in enumerate(shown, start=2):
        assert sum(line[i] for line in numbers) == sum(column.values())
    edges = [(line[0], line[1]) for line in numbers]
    assert all(one[1] == two[0] for one, two in pairwise(edges))
    for low, high, *found in numbers:
        within = [sum(n for at, n in column.items() if low * 10 - 0.5 < at < high * 10 - 0.5) for column in shown]
        assert found == within
    bars = [line.count("#") for line in lines]
    totals = [sum(line[2:]) for line in numbers]
    assert max(bars) == 30 and all((bar > 0) == (total > 0) for bar, total in zip(bars, totals, strict=True))


def test_a_name_can_not_break_out_of_the_picture() -> None:
    svg = difficulty_svg({"<script>&": _histogram({1: 1})})
    assert "<script>" not in svg and "<script>& (1 instance)" in texts(svg)


def _histogram(known: dict[int, int]) -> Histogram:
    histogram = Histogram()
    histogram.known.update(known)
    return histogram


# ---- the card


def test_the_plot_of_a_release_counts_its_rows(release: Path) -> None:
    svg = (release / "difficulty.svg").read_text(encoding="utf-8")
    histograms = {"small": Histogram(), "hasty": Histogram()}
    for path in sorted(release.rglob("*.parquet")):
        for row in read(path):
            histograms[row["size"]].add(row)
    assert len(histograms["small"]) == 8 and len(histograms["hasty"]) == 6 and histograms["hasty"].brackets
    assert svg == difficulty_svg(histograms)
    card = (release / "README.md").read_text(encoding="utf-8")
    assert re.search(r"!\[[^]]+\]\(difficulty\.svg\)", card)


def test_changes_are_in_the_card_where_they_are_declared(release: Path, tmp_path: Path) -> None:
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "## Changes" in card and "version 1.1.0" in card and "More tea; see" in card
    assert yaml.safe_load(card.split("---\n")[1])["pretty_name"] == "Tasting"
    assert kumoc("build", DOMAINS / "tea.kumo", "--size", "s=3,4", "--count", "1", cwd=tmp_path).returncode == 0
    plain = (tmp_path / "dist" / "tea" / "1.0.0" / "README.md").read_text(encoding="utf-8")
    assert "Changes" not in plain and "private" not in plain
