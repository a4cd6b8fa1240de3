"""The picture of a domain: what it says, that it says it every time, and that its page works in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest
from click.testing import CliRunner, Result
from matplotlib.backends.backend_agg import FigureCanvasAgg
from selenium.webdriver import Chrome
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By

from kumoc.benchmark import Mode, Size
from kumoc.cli.graph_command import command
from kumoc.compiler import compile_paths
from kumoc.generate import generate
from kumoc.survey.kinship import kinship
from kumoc.survey.layout import Layout
from kumoc.survey.picture import picture
from kumoc.survey.structure import Structure
from kumoc.survey.words import words_of
from kumoc.tables import Tables
from tests.browser import browser, complaints
from tests.command import DOMAINS, kumoc
from tests.sample import make_tables, random_tables

PNG = b"\x89PNG\r\n\x1a\n"
NASTY = "Fool's <script>alert(1)</script> & $x^2$"

ODD = """
domain odd "Odd <b>coins</b> & $x$" {
  truths "coin" "coins" {
    Gold, Brass, Bronze, "Fool's <script>alert(1)</script> & $x^2$", Tin, Zinc, "铜钱" "A </script> coin.", Stone
  }
  actions "test" "tests" {
    "Acid & <i>base</i>" {
      "no change"   rules out Brass, Bronze, Zinc
      "turns green" rules out Gold, Tin
    }
    "Magnet" {
      "sticks" rules out Brass, Bronze, Gold
      "no"     rules out "Fool's <script>alert(1)</script> & $x^2$", Tin
      "maybe"  rules out "铜钱", Zinc, Tin
    }
    "Toss" {
      "heads" rules out nothing
      "tails" rules out nothing
    }
  }
}
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A domain with all that a picture marks, in names that would do harm if they were taken for markup."""
    path = tmp_path_factory.mktemp("odd") / "odd.kumo"
    path.write_text(ODD, encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    """``kumoc graph ARGUMENTS`` in this process."""
    return CliRunner().invoke(command, [*map(str, arguments)])


def compiled(path: Path) -> Tables:
    (tables,) = compile_paths([path]).tables
    return tables


def named(tables: Tables, *names: str) -> tuple[int, ...]:
    every = [truth.name for truth in tables.truths]
    return tuple(every.index(name) for name in names)


def test_what_is_marked_is_what_the_compiler_warns_of(odd: Path) -> None:
    structure = Structure(compiled(odd))
    warned = {(each.rule.name, each.message) for each in compile_paths([odd]).diagnostics}
    assert structure.giveaways == named(structure.tables, "Stone")
    assert structure.inseparable == (named(structure.tables, "Brass", "Bronze"),)
    assert [structure.tables.actions[i].name for i in structure.idle] == ["Toss"]
    assert {name for name, _ in warned} == {"never-excluded", "inseparable-truths", "never-excludes"}
    assert len(warned) == 3


def test_marks_agree_with_the_tables_read_outcome_by_outcome() -> None:
    giveaways = alike = shadowed = 0
    for seed in range(120):
        tables = random_tables(seed, 6, 3, density=0.2 + seed % 3 / 5)
        structure = Structure(tables)
        seen = [
            frozenset(
                (a, o)
                for a, each in enumerate(tables.actions)
                for o, out in enumerate(each.outcomes)
                if out.excludes >> t & 1
            )
            for t in range(6)
        ]
        assert structure.giveaways == tuple(t for t in range(6) if not seen[t])
        groups = {cells: tuple(t for t in range(6) if seen[t] == cells) for cells in seen if cells}
        assert set(structure.inseparable) == {group for group in groups.values() if len(group) > 1}
        pairs = {(t, u) for t in range(6) for u in range(6) if seen[u] and seen[u] < seen[t]}
        assert set(structure.shadowed) == pairs
        for (one, other), number in structure.apart.items():
            assert number == len({a for a, _ in seen[one] ^ seen[other]}) == len(structure.telling_apart(one, other))
        giveaways += len(structure.giveaways)
        alike += len(structure.inseparable)
        shadowed += len(pairs)
    assert min(giveaways, alike, shadowed) >= 20, (giveaways, alike, shadowed)


def test_families_are_communities() -> None:
    # two families of four, whose members two of the actions tell apart, and the families six
    families = tuple((0b00001111, 0b11110000) for _ in range(6))
    tables = make_tables((*families, (0b01010101, 0b10101010), (0b00110011, 0b11001100)), 8)
    kin = kinship(Structure(tables))
    assert sorted(map(sorted, kin.communities)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert sorted(kin.truths) == list(range(8)) and sorted(kin.actions) == list(range(8))
    assert all((one < 4) == (other < 4) for one, other in kin.near)


@pytest.mark.parametrize("name", ["chemical", "medical"])
def test_names_stand_clear_of_each_other(name: str) -> None:
    structure = Structure(compiled(DOMAINS / f"{name}.kumo"))
    drawn = picture(structure, kinship(structure))
    renderer = FigureCanvasAgg(drawn.figure).get_renderer()
    boxes = [
        text.get_window_extent(renderer)
        for text in drawn.figure.axes[0].texts
        if text.get_text() in {truth.name for truth in structure.tables.truths}
    ]
    assert len(boxes) == len(structure.tables.truths)
    boxes.sort(key=lambda box: box.y0)
    assert all(lower.y1 <= upper.y0 + 1 for lower, upper in pairwise(boxes))
    whole = drawn.figure.bbox
    for text in drawn.figure.axes[0].texts:
        box = text.get_window_extent(renderer)
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= whole.x1 and box.y1 <= whole.y1, text.get_text()
    place: Layout = drawn.place
    assert all(left < right for left, right in place.blocks) and place.right < place.width


def test_names_are_letters_in_svg(odd: Path, tmp_path: Path) -> None:
    assert run(odd, "-o", tmp_path / "odd.svg").exit_code == 0
    root = ElementTree.parse(tmp_path / "odd.svg").getroot()
    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {NASTY, "铜钱", "◆ Stone", "≡1 Brass", "Acid & <i>base</i>", "∅ Toss"} <= texts


def test_the_same_domain_gives_the_same_bytes(odd: Path, tmp_path: Path) -> None:
    there, here = tmp_path / "there.html", tmp_path / "here.html"
    result = kumoc("graph", odd, "-o", there, PYTHONHASHSEED="77")
    assert result.returncode == 0 and result.stderr == f"drew {there}\n"
    assert run(odd, "-o", here).exit_code == 0 and here.read_bytes() == there.read_bytes()
    for name in ("a.png", "b.png"):
        assert run(odd, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(PNG)


def test_words_tell_the_same(odd: Path) -> None:
    result = run(odd)
    assert result.exit_code == 0, result.stderr
    assert "◆ Stone" in result.stdout and "≡1 Brass" in result.stdout and "≡1 Bronze" in result.stdout
    assert re.search(r"Brass and Bronze +0 +-", result.stdout)
    assert re.search(r"Toss +2 +0%", result.stdout)
    assert "<script>" in result.stdout  # a terminal shows it as it is


def test_truths_that_are_alike_are_said_to_be_in_no_fair_game(odd: Path) -> None:
    tables = compiled(odd)
    paper = Size("s", 4, 3, 2, mode=Mode.PAPER, giveaways=True)
    names = [[tables.truths[truth].name for truth in generate(tables, paper, seed).truths] for seed in range(20)]
    assert any("Brass" in each and "Bronze" in each for each in names)
    structure = Structure(tables)
    told = " ".join(text for _, text in words_of(structure, kinship(structure)).keys)
    assert told.count("no fair game lists both") == told.count("lists both") == 2


def test_domains_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Tea tasting" in run("tea").stdout
    both = tmp_path / "both"
    both.mkdir()
    (both / "tea.kumo").write_text((DOMAINS / "tea.kumo").read_text(encoding="utf-8"), encoding="utf-8")
    (both / "odd.kumo").write_text(ODD, encoding="utf-8")
    several = run(both)
    assert several.exit_code == 1 and "2 domains, not one" in several.stderr and "--domain" in several.stderr
    assert "Tea tasting" in run(both, "--domain", "Tea").stdout
    monkeypatch.chdir(tmp_path)
    Path("minerals.kumo").write_text(ODD, encoding="utf-8")
    assert "coins" in run("minerals").stdout and "coins" in run("minerals", "--domain", "odd").stdout
    assert "Tea tasting" in run("both/tea").stdout


def test_bad_input_is_said_and_leaves_nothing(odd: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.kumo").write_text("domain wrong { }", encoding="utf-8")
    (tmp_path / "there.svg").write_text("mine", encoding="utf-8")
    for arguments, said in (
        (("tee",), "did you mean 'tea'?"),
        ((tmp_path / "none.kumo",), "can't read this file"),
        ((tmp_path / "wrong.kumo", "-o", tmp_path / "new.svg"), "missing-declaration"),
        ((odd, "-o", tmp_path / "new.gif"), "is no kind of picture"),
        ((odd, "-o", tmp_path / "there.svg"), "exists already"),
        ((odd, "--domain", "even"), "there is no domain 'even'"),
    ):
        result = run(*arguments)
        assert result.exit_code == 1 and said in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.svg", "wrong.kumo"]
    assert (tmp_path / "there.svg").read_text(encoding="utf-8") == "mine"


@pytest.fixture(scope="module")
def page(odd: Path) -> Path:
    file = odd.with_suffix(".html")
    assert run(odd, "-o", file).exit_code == 0
    return file


def test_the_page_needs_nothing_else_and_takes_no_name_for_markup(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    root = html5lib.parse(text, namespaceHTMLElements=False)
    assert len(list(root.iter("script"))) == 1
    assert not [each for each in root.iter() if each.tag in {"b", "i", "img", "iframe"}]
    assert not [each for each in root.iter("link") if each.get("href") != "data:,"]
    (policy,) = (each.get("content") for each in root.iter("meta") if each.get("http-equiv"))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    shown = "".join(root.itertext())
    assert NASTY in shown and "A </script> coin." in shown


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browser(tmp_path_factory.mktemp("downloads")) as opened:
        yield opened


def test_a_pointer_over_the_picture_is_told_more(chrome: Chrome, page: Path) -> None:
    chrome.get(page.as_uri())
    tip = chrome.find_element(By.ID, "tip")
    assert not tip.is_displayed()
    assert tip_over(chrome, "Bronze", "Magnet", 1)[0].startswith("Bronze")
    assert "Nothing tells it from Brass." in tip.text and "Magnet" in tip.text
    outcomes = tip.find_elements(By.CSS_SELECTOR, ".action li")
    assert [each.get_attribute("class") for each in outcomes] == ["falls", "stands here", "stands"]
    tip_over(chrome, NASTY, "Acid & <i>base</i>", 0)
    assert NASTY in tip.text
    assert len(chrome.find_elements(By.CSS_SELECTOR, "#marks rect")) > 2
    move(chrome, 5, 5)
    assert not tip.is_displayed()
    assert complaints(chrome) == []


def tip_over(chrome: Chrome, truth: str, action: str, slot: int) -> list[str]:
    """Move the pointer to an outcome of ``action`` in the row of ``truth``; the lines that are shown then."""
    x, y = chrome.execute_script(
        """const [truth, action, slot] = arguments, picture = document.getElementById("picture");
        const of = (kind, name) => [...document.querySelectorAll("article." + kind)].find(
            (each) => each.querySelector("h3").textContent.includes(name)).dataset;
        const { width, height, row, slot: wide } = picture.dataset, box = picture.getBoundingClientRect();
        const left = Number(of("action", action).left) + (slot + 0.5) * wide;
        const top = Number(of("truth", truth).top) + row / 2;
        return [box.left + (left / width) * box.width, box.top + (top / height) * box.height];""",
        truth,
        action,
        slot,
    )
    move(chrome, x, y)
    return chrome.find_element(By.ID, "tip").text.splitlines()


def move(chrome: Chrome, x: float, y: float) -> None:
    actions = ActionBuilder(chrome)
    actions.pointer_action.move_to_location(round(x), round(y))
    actions.perform()
