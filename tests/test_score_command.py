"""``kumoc score`` and ``kumoc bench-players`` as people meet them: tables, plots and the report."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from matplotlib.backends.backend_agg import FigureCanvasAgg

from kumoc.cli import cli
from kumoc.cli.bench_players_command import _table
from kumoc.evaluate.graphs import communities, domain_graph, graph_plot
from kumoc.evaluate.plays import read_plays
from kumoc.evaluate.plots import image, plots
from kumoc.evaluate.report import report
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.suite import TABLES
from kumoc.evaluate.tables import Column, Interval, Table, to_csv, to_latex
from kumoc.play.baselines import Baselines, figures
from kumoc.release import load
from kumoc.release.load import identify
from kumoc.release.schemas import validator
from tests.command import kumoc
from tests.plays import POCKET, games, pocket_rows, write
from tests.sample import make_tables

runner = CliRunner()


def run(*arguments: object) -> Result:
    """The command in this process, where the libraries that it takes are loaded already."""
    return runner.invoke(cli, [str(argument) for argument in arguments], env={"COLUMNS": None})


PNG = b"\x89PNG\r\n\x1a\n"
EVIL = "<b>&$x_1$ model</b>"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    trajectories = games(pocket_rows(), {"able": 9, EVIL: 5}, trials=3, domains=("north", "south"))
    return write(tmp_path_factory.mktemp("plays") / "plays.jsonl", trajectories)


# ---- kumoc score


def test_tables_say_the_same_in_every_format(file: Path) -> None:
    arguments = ("score", file, "--table", "scores", "--resamples", 50, "--convention", "paper")
    text, data, lines, latex = (run(*arguments, "--format", format_) for format_ in ("text", "json", "csv", "latex"))
    assert [text.exit_code, data.exit_code, lines.exit_code, latex.exit_code] == [0] * 4
    found = json.loads(data.stdout)
    (table,) = found["tables"]
    assert found["convention"] == "paper" and len(table["rows"]) == 6
    parsed = list(csv.DictReader(lines.stdout.splitlines()))
    for row, flat in zip(table["rows"], parsed, strict=True):
        assert flat["model"] == row["model"] and float(flat["success"]) == row["success"]
        assert [float(flat["success_bootstrap_low"]), float(flat["success_bootstrap_high"])] == row["success_bootstrap"]
        assert f"{row['success']:.4f}" in text.stdout and f"{row['relative']:.4f}" in latex.stdout
    assert EVIL in text.stdout and r"<b>\&\$x\_1\$ model</b>" in latex.stdout
    assert "paper's convention" in text.stdout and r"\toprule" in latex.stdout


def test_the_same_command_gives_the_same_figures(file: Path) -> None:
    arguments = ("score", file, "--table", "all", "--format", "json", "--resamples", 20)
    first, second = kumoc(*arguments, PYTHONHASHSEED="1"), kumoc(*arguments, PYTHONHASHSEED="2")
    assert first.returncode == 0 and first.stdout == second.stdout
    names = [table["name"] for table in json.loads(first.stdout)["tables"]]
    assert names == list(TABLES)[:-1] and list(TABLES)[-1] == "correlation"


def test_plots_and_report_are_written(file: Path, tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("model,quiz\nable,2\n")
    result = run(
        *("score", file, "--plots", tmp_path / "plots", "--report", tmp_path / "report.html", "--release", POCKET),
        *("--scores", tmp_path / "scores.csv", "--resamples", 20),
    )
    assert result.exit_code == 0, result.stderr
    drawn = {path.name: path.read_bytes()[:8] for path in (tmp_path / "plots").iterdir()}
    assert drawn == {
        f"{name}.png": PNG
        for name in ("success_actions", "bars", "heatmap_success", "heatmap_relative", "actions", "graph_minerals")
    }
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for name in TABLES:
        assert TABLE_TITLES[name] in page
    for option in ("--plots", tmp_path / "plots"), ("--report", tmp_path / "report.html"):
        again = run("score", file, *option, "--resamples", 10)
        assert again.exit_code == 1 and "exists already" in again.stderr and not again.stdout
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    over = run("score", file, "--report", tmp_path / "report.html", "--resamples", 10, "--overwrite")
    assert over.exit_code == 0 and (tmp_path / "report.html").read_text(encoding="utf-8") != page


TABLE_TITLES = {
    "scores": "Success and relative action count",
    "conduct": "How models play",
    "passes": "Pass over trials",
    "pairs": "Models compared in pairs",
    "errors": "Parse errors",
    "signatures": "Graph signature and correctness",
    "correlation": "Correlation with other scores",
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "csv", "--table", "all"), "one table"),
        (("--table", "correlation"), "scores from elsewhere"),
        (("--scores", POCKET / "README.md"), "model"),
        (("--scores", next(POCKET.rglob("*.parquet"))), "is not UTF-8"),
        (("--release", POCKET.parent, "--report", "never.html"), "no release"),
        (("--release", POCKET), "--plots or --report"),
    ],
)
def test_what_can_not_be_done_is_said(file: Path, arguments: Sequence[object], message: str) -> None:
    result = run("score", file, *arguments, "--resamples", 10)
    assert result.exit_code == 1 and message in result.stderr and "Traceback" not in result.stderr
    assert not Path("never.html").exists()


def test_a_file_of_another_form_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("{}\n")
    result = run("score", tmp_path / "x.jsonl")
    assert result.exit_code == 1 and "x.jsonl:1: 'trajectory_version' is a required property" in result.stderr


def test_without_the_libraries_it_is_said_what_to_install(file: Path) -> None:
    code = f"import sys; sys.modules['numpy'] = None; sys.argv = ['kumoc', 'score', {str(file)!r}]\n" + (
        "from kumoc.cli import main\nmain()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1 and "kumoc[evaluate]" in result.stderr and "Traceback" not in result.stderr


def test_graphs_alone_take_networkx(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kumoc.evaluate.graphs")
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert run("score", file, "--report", tmp_path / "report.html", "--resamples", 10).exit_code == 0


# ---- how tables are written


TABLE = Table(
    "t",
    "Title_1",
    (Column("a", "a%", "text"), Column("b", "b", "interval", 1), Column("c", "c", decimals=2), Column("d", "d")),
    (("x~y\\", Interval(-0.5, 1.25), 1234.5, 7), ("-", None, float("nan"), None)),
    ("b: 95% intervals",),
)


def test_csv_and_latex_are_escaped_and_leave_out_what_is_not_known() -> None:
    assert list(csv.reader(to_csv(TABLE).splitlines())) == [
        ["a", "b_low", "b_high", "c", "d"],
        ["x~y\\", "-0.5", "1.25", "1234.5", "7"],
        ["-", "", "", "", ""],
    ]
    lines = to_latex(TABLE).splitlines()
    assert lines.index(r"\end{tabular}") + 1 == lines.index(r"\par\footnotesize b: 95\% intervals")
    assert r"\caption{Title\_1.}" in lines and r"a\% & b & c & d \\" in lines
    assert r"x\textasciitilde{}y\textbackslash{} & [-0.5, 1.2] & 1,234.50 & 7 \\" in lines
    assert r"- & - & - & - \\" in lines and r"\begin{tabular}{lrrr}" in lines


# ---- plots and report


class Page(HTMLParser):
    """What an HTML page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "td":
            self.cells.append(data)


def test_the_report_needs_nothing_else_and_shows_names_as_text(file: Path) -> None:
    plays, settings = read_plays([file]), Settings(resamples=20)
    tables = [TABLES["scores"](plays, settings)]
    page = Page(report(plays, tables, plots(plays, settings), settings))
    assert EVIL in page.cells and "b" not in page.tags and "script" not in page.tags and "link" not in page.tags
    assert len(page.sources) == 5 and all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)


def test_equal_plays_give_equal_plots(file: Path) -> None:
    first, second = (plots(read_plays([file]), Settings(resamples=20))[-1] for _ in range(2))
    assert image(first.figure, "svg") == image(second.figure, "svg")


def test_plots_bear_plays_of_which_little_is_known(tmp_path: Path, file: Path) -> None:
    line = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    unknown = {name: None for name in line if name.endswith("_length") or name.startswith(("exact", "optimal"))}
    lost = {"success": False, "strict_success": False, "end": "limit", "named": None}
    plays = read_plays([write(tmp_path / "x.jsonl", [line | unknown | lost])])
    for name in ("scores", "conduct", "passes", "pairs", "errors", "signatures"):
        TABLES[name](plays, Settings(resamples=10))
    assert all(image(plot.figure)[:8] == PNG for plot in plots(plays, Settings(resamples=10)))


@pytest.mark.parametrize("count", [1, 3, 14])
def test_plots_have_room_for_long_names_and_tell_many_models_apart(tmp_path: Path, count: int) -> None:
    models = {f"together/meta-llama/Llama-3.1-8B-Instruct-Turbo-2026-{number:02}": 7 for number in range(count)}
    plays = read_plays([write(tmp_path / "x.jsonl", games(pocket_rows()[:8], models, trials=1))])
    for plot in plots(plays, Settings(resamples=10)):
        figure = plot.figure
        FigureCanvasAgg(figure).draw()
        whole, drawn = figure.bbox, [axes for axes in figure.axes if axes.get_xlabel() or axes.get_xticklabels()]
        labels = [label for axes in drawn for label in (*axes.get_xticklabels(), *axes.get_yticklabels())]
        boxes = [label.get_window_extent() for label in labels if label.get_text() in models]
        legends = [legend.get_window_extent() for legend in figure.legends]
        for box in (*boxes, *legends):
            assert box.x0 >= whole.x0 and box.y0 >= whole.y0 and box.x1 <= whole.x1 and box.y1 <= whole.y1, plot.name
        for legend in legends:
            assert not any(legend.overlaps(axes.bbox) for axes in drawn), plot.name
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other), plot.name
        assert all(axes.get_legend() is None for axes in drawn)
        lines = [line for legend in figure.legends for line in legend.legend_handles if line.get_label() in models]
        looks = {(line.get_color(), line.get_marker(), line.get_fillstyle()) for line in lines}
        assert len(looks) == len(lines) == (count if plot.name in ("success_actions", "actions") else 0)
        assert len(boxes) % count == 0 and (boxes or lines)


def test_communities_are_parts_that_hang_together() -> None:
    # two actions for truths 0 to 2, two for 3 to 5, and one that can exclude 2 and 3
    tables = make_tables(((1, 6), (3, 4), (8, 48), (24, 32), (4, 8)), 6)
    graph = domain_graph(tables)
    assert sorted(graph.edges) == [
        *((truth, action) for truth in (0, 1) for action in (6, 7)), (2, 6), (2, 7), (2, 10),
        (3, 8), (3, 9), (3, 10), (4, 8), (4, 9), (5, 8), (5, 9),
    ]  # fmt: skip
    assert communities(graph, 2**70)
    found = communities(graph, 3)
    assert sorted(node for community in found for node in community) == list(range(11))
    parts = [set(community) for community in found]
    assert any({0, 1, 6, 7} <= part for part in parts) and any({4, 5, 8, 9} <= part for part in parts)
    assert not any({0, 5} <= part for part in parts)
    assert image(graph_plot(tables, 2**70).figure)[:8] == PNG
    assert image(graph_plot(tables, 3).figure, "svg") == image(graph_plot(tables, 3).figure, "svg")


# ---- kumoc bench-players


def test_the_players_of_a_release_are_those_of_its_card(tmp_path: Path) -> None:
    result = run("bench-players", POCKET, "--format", "json", "-o", tmp_path / "players.jsonl")
    assert result.exit_code == 0, result.stderr
    rows = json.loads(result.stdout)["tables"][0]["rows"]
    card = (POCKET / "README.md").read_text(encoding="utf-8")
    told = re.findall(
        r"^\| `(\w+)` \| ([\w-]+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([-\d.]+) \| ([-\d.]+) \|$", card, re.M
    )
    assert [list(line) for line in told] == [
        [row["size"], row["player"], str(row["games"])]
        + [f"{row[key]:.2f}" for key in ("success", "actions", "relative", "relative_paper")]
        for row in rows
    ]
    assert len(told) == 15
    lines = (tmp_path / "players.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    validator("trajectory").validate(first)
    assert len(lines) == 5 * 20 and first["release"]["rows_sha256"] == identify(POCKET).rows_sha256
    scored = run("score", tmp_path / "players.jsonl", "--format", "csv", "--resamples", 10)
    by_player = {(row["size"], row["model"]): row for row in csv.DictReader(scored.stdout.splitlines())}
    for row in rows:
        assert float(by_player[row["size"], row["player"]]["relative"]) == pytest.approx(row["relative"])
    again = run("bench-players", POCKET, "-o", tmp_path / "players.jsonl")
    assert again.exit_code == 1 and "exists already" in again.stderr


def test_optimal_players_that_solve_anew_play_as_their_rows_say() -> None:
    recorded, solved = Baselines(), Baselines(work=100_000)
    for row in load(POCKET):
        recorded.add(row)
        solved.add(row)
    assert recorded.tallies == solved.tallies


def test_a_row_without_an_optimal_trajectory_is_played_by_the_others() -> None:
    baselines = Baselines()
    played = baselines.add(pocket_rows()[0] | {"exact_trajectory": None, "optimal_action_cnt": None})
    assert [game.model for game in played] == ["random", "first-action", "greedy", "paper"]
    told: dict[str, Any] = figures(baselines.tallies["easy"]["paper"])
    assert told["relative_paper"] is None and told["relative"] is not None
    baselines.add(pocket_rows()[1])
    notes = " ".join(_table(baselines).notes)
    assert "exact has 1 of 2 games of easy" in notes and "paper has" not in notes


def test_sizes_and_samples_are_chosen() -> None:
    result = run("bench-players", POCKET, "--size", "easy", "--sample", 2, "--format", "csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["size"] for row in rows] == ["easy"] * 5 and {row["games"] for row in rows} == {"4"}
    split = run("bench-players", POCKET, "--size", "easy", "--split", "validation", "--format", "json")
    (table,) = json.loads(split.stdout)["tables"]
    assert {row["games"] for row in table["rows"]} == {len(list(load(POCKET, "easy", split="validation")))}
    unknown = run("bench-players", POCKET, "--split", "train")
    assert unknown.exit_code == 1 and "its splits: validation, test" in unknown.stderr
    wrong = run("bench-players", POCKET, "--size", "huge")
    assert wrong.exit_code == 1 and "its sizes: easy, pairs, paper" in wrong.stderr
    none = run("bench-players", POCKET.parent)
    assert none.exit_code == 1 and "is no release" in none.stderr
