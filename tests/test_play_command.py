"""``kumoc play`` in the terminal: line by line through a pipe, and on a full screen."""

from __future__ import annotations

import asyncio
import base64
import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from kumoc import cli
from kumoc.cli.play_screen import Board
from kumoc.play import Act, End, Kind, Name, Simulator, record, to_json
from kumoc.release import load
from kumoc.release.schemas import validator
from tests.command import KUMOC, ROOT

POCKET = ROOT / "dist" / "pocket" / "1.0.0"
ROW = next(iter(load(POCKET)))
ACTIONS, TRUTHS = ROW["actions"], ROW["truths"]
WRONG = next(name for name in TRUTHS if name not in ROW["valid_truths"])


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The command in this process, its standard input being a pipe: exit code, standard output, standard error."""

    def call(text: str | bytes, *options: object, source: Path = POCKET) -> tuple[Any, str, str]:
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data), encoding="utf-8"))
        monkeypatch.setattr(sys, "argv", ["kumoc", "play", str(source), *map(str, options)])
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        return (exit_.value.code, *capsys.readouterr())

    return call


def plays(path: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for play in found:
        validator("trajectory").validate(play)
    return found


# ---- line by line


def test_a_script_plays_through_a_pipe() -> None:
    command = [*KUMOC, "play", str(POCKET)]
    done = subprocess.run(
        command, input=f"{ACTIONS[0]}\n{WRONG}\n", capture_output=True, text=True, check=False, cwd=ROOT, timeout=60
    )
    assert done.returncode == 0 and f"Wrong: {WRONG} is not valid." in done.stdout and "\x1b" not in done.stdout
    assert done.stderr.startswith("note: this is the first of 20 rows")


def test_names_on_the_standard_input_make_a_game(run: Any, tmp_path: Path) -> None:
    lines = (f"  {ACTIONS[0].upper()} ", "", "?", ACTIONS[1], ACTIONS[0], ROW["ground_truth"], "never read")
    code, out, err = run("\n".join(lines), "--row", 0, "--save", tmp_path / "plays.jsonl", "--as", "me")
    assert (code, err) == (0, "")
    assert ROW["knowledge_book"].rstrip() in out and "\x1b" not in out
    bare = Simulator.of(ROW).bare
    assert out.count(f'The outcome of "{ACTIONS[0]}" is "{bare.seen[0]}".') == 2
    left = [name for i, name in enumerate(TRUTHS) if not bare.game[0][bare.observed[0]] >> i & 1]
    assert f"Left: {', '.join(left)}." in out
    assert f"Right: {ROW['ground_truth']} is valid." in out
    # the optimum: both players, and what each action cost
    assert f"{ROW['exact_expected_actions']:.3f}" in out and f"{len(ROW['paper_trajectory'])}: " in out
    assert "against the exact player" in out and "taken before" in out and "3 taken + " in out

    simulator = Simulator.of(ROW)
    state = simulator.start()
    for move in (Act(0), Act(1), Act(0), Name(bare.valid[0])):
        state = simulator.step(state, move)
    (play,) = plays(tmp_path / "plays.jsonl")
    assert play.pop("release")["name"] == "pocket"
    assert play == {name: value for name, value in to_json(record(simulator, state, "me")).items() if name != "release"}


def test_an_edition_is_played_and_recorded(run: Any, tmp_path: Path) -> None:
    shutil.copytree(POCKET, tmp_path / "release")
    place = tmp_path / "release" / "manifest.json"
    manifest = json.loads(place.read_text("utf-8"))
    manifest["files"] += [file | {"edition": "table"} for file in manifest["files"]]
    place.write_text(json.dumps(manifest))
    code, _, err = run(TRUTHS[0], "--edition", "tabel", source=tmp_path / "release")
    assert code == 1 and "its editions: table" in err
    options = ("--edition", "table", "--row", 0, "--save", tmp_path / "plays.jsonl")
    assert run(TRUTHS[0], *options, source=tmp_path / "release")[0] == 0
    assert plays(tmp_path / "plays.jsonl")[0]["origin"] == {"edition": "table"}
    assert content_origin(run, tmp_path, "--edition", "table") == {"edition": "table"}


def content_origin(run: Any, place: Path, *options: object) -> Any:
    """What the trajectories of a page say of where they come from before it is played."""
    assert run("", "--web", place / "page.html", *options, source=place / "release")[0] == 0
    block = (place / "page.html").read_text("utf-8").split('type="text/plain">', 1)[1].split("<", 1)[0]
    return json.loads(base64.b64decode(block))["games"][0]["record"]["origin"]


def test_trials_are_counted_in_the_file_that_plays_are_added_to(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "plays.jsonl"
    games = (("--row", 0), ("--row", 0), ("--row", 1), ("--row", 0, "--as", "me"), ("--row", 0))
    for options in games:
        row = list(load(POCKET))[int(str(options[1]))]
        assert run(row["truths"][0], "--save", file, *options)[0] == 0
    assert [(play["model"], play["trial"]) for play in plays(file)] == [
        ("person", 0), ("person", 1), ("person", 0), ("me", 0), ("person", 2),
    ]  # fmt: skip
    file.write_text("".join(file.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
    assert run(TRUTHS[0], "--save", file, "--row", 0)[0] == 0
    assert plays(file)[-1]["trial"] == 3, "a trial that was taken out is not given again"


def test_a_wrong_truth_and_one_that_was_ruled_out_are_told_apart(run: Any) -> None:
    bare = Simulator.of(ROW).bare
    assert f"Wrong: {WRONG} is not valid." in run(WRONG)[1]
    ruling = next(i for i, masks in enumerate(bare.game) if masks[bare.observed[i]] >> TRUTHS.index(WRONG) & 1)
    assert f"Wrong: {WRONG} was ruled out" in run(f"{ACTIONS[ruling]}\n{WRONG}")[1]


def test_a_game_without_end_has_a_limit(run: Any) -> None:
    code, out, err = run(f"{ACTIONS[0]}\n" * 60)
    assert code == 0 and "No turn is left, and no truth was named." in out, err


def test_too_little_work_leaves_out_what_actions_cost(run: Any) -> None:
    code, out, err = run(f"{ACTIONS[0]}\n{TRUTHS[0]}", "--work", 0)
    assert code == 0 and "against the exact player" not in out and "there is no comparison: raise --work" in err


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("", (), "standard input: ends before a truth is named"),
        (ACTIONS[0], (), "standard input: ends before a truth is named"),
        ("Hnad magnet", (), f"did you mean '{ACTIONS[0]}'?"),
        ("\x1b[2J", (), "there is no name '\ufffd[2J'"),
        (b"\xff\n", (), "standard input: is not UTF-8 text"),
        (TRUTHS[0], ("--save", "nowhere/plays.jsonl"), "nowhere: is no folder"),
        (TRUTHS[0], ("--save", "odd.jsonl"), "odd.jsonl:3: is not JSON"),
        (TRUTHS[0], ("--save", "cut.jsonl"), "cut.jsonl: does not end in a line break"),
        (TRUTHS[0], ("--save", "rows.jsonl"), "rows.jsonl: holds something else than trajectories"),
        (TRUTHS[0], ("--as", ""), "--as needs a name"),
        (TRUTHS[0], ("--row", "1", "--id", "x"), "give one of them"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_saved(
    run: Any, text: str | bytes, options: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = '{"trial": 0}'
    files = {"odd.jsonl": "{}\n[]\nhm\n", "cut.jsonl": f"{play}\n{play}", "rows.jsonl": f'{play}\n{{"seed": 1}}\n'}
    for name, inside in files.items():
        (tmp_path / name).write_text(inside)
    monkeypatch.chdir(tmp_path)
    code, _, err = run(text, "--save", "plays.jsonl", *options)
    assert code == 1 and said in err and "Traceback" not in err and "\x1b" not in err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files


def test_rows_that_cannot_be_played_are_refused(run: Any, tmp_path: Path) -> None:
    row = {name: ROW[name] for name in ROW if name != "knowledge_book"}
    cases = ((row, "'knowledge_book' is a required property"), (ROW | {"valid_truths": TRUTHS[:2]}, "valid are"))
    for broken, said in cases:
        (tmp_path / "row.json").write_text(json.dumps(broken))
        code, _, err = run(TRUTHS[0], source=tmp_path / "row.json")
        assert code == 1 and said in err
    code, _, err = run(json.dumps(ROW), source=Path("-"))
    assert code == 1 and "is what the player writes to" in err


def test_names_from_anywhere_are_shown_and_never_obeyed(run: Any, tmp_path: Path) -> None:
    evil = "[red]\x1b[31m\x9b2J:smile:"
    text = json.dumps(ROW).replace(json.dumps(ACTIONS[0])[1:-1], json.dumps(evil)[1:-1])
    (tmp_path / "evil.json").write_text(text)
    code, out, err = run(f"{evil}\n{TRUTHS[0]}", source=tmp_path / "evil.json")
    assert code == 0 and not {"\x1b", "\x9b"} & set(out + err)
    assert 'The outcome of "[red]\ufffd[31m' in out.replace("\\u001b", "\ufffd").replace("\\u009b", "\ufffd")


# ---- in a terminal


class Terminal:
    """The real command in a terminal of 100 columns."""

    def __init__(self, *arguments: object, **environment: str) -> None:
        self.side, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.process = subprocess.Popen(
            [*KUMOC, "play", *map(str, arguments)],
            stdin=other, stdout=other, stderr=other, cwd=ROOT, close_fds=True, start_new_session=True,
            env=os.environ | {"TERM": "xterm-256color"} | environment,
        )  # fmt: skip
        os.close(other)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Read until ``text`` has been shown since this was called last."""
        limit = time.monotonic() + 30
        while text not in self.seen and time.monotonic() < limit and self._read():
            pass
        assert text in self.seen, self.seen
        self.seen = self.seen.split(text, 1)[1]

    def press(self, keys: str) -> None:
        os.write(self.side, keys.encode())

    def end(self) -> tuple[int, str]:
        """The exit code, and what else was shown."""
        while self._read():
            pass
        os.close(self.side)
        return self.process.wait(30), self.seen

    def _read(self) -> bool:
        try:
            data = os.read(self.side, 65536)
        except OSError:  # the command has ended
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)


def test_people_may_mend_a_name_that_is_not_known() -> None:
    terminal = Terminal(POCKET, "--row", 0, "--plain")
    terminal.wait_for("shows what is left): ")
    terminal.press("Hnad magnet\n")
    terminal.wait_for(f"did you mean '{ACTIONS[0]}'?")
    terminal.press(f"{ACTIONS[0].lower()}\n")
    terminal.wait_for(f'The outcome of "{ACTIONS[0]}"')
    terminal.press(f"{ROW['ground_truth']}\n")
    code, shown = terminal.end()
    assert code == 0 and "Right: " in shown


def test_the_full_screen_ends_in_the_result(tmp_path: Path) -> None:
    terminal = Terminal(POCKET, "--row", 0, "--save", tmp_path / "plays.jsonl")
    terminal.wait_for("Leave")
    terminal.press("\r")
    terminal.wait_for(Simulator.of(ROW).bare.seen[0])
    terminal.press("t\r")
    terminal.wait_for("This ends the game")
    terminal.press("y")
    code, shown = terminal.end()
    assert code == 0 and "against the exact player" in shown
    (play,) = plays(tmp_path / "plays.jsonl")
    assert [event["name"] for event in play["events"]] == [ACTIONS[0], TRUTHS[0]]


def test_leaving_the_screen_records_nothing(tmp_path: Path) -> None:
    terminal = Terminal(POCKET, "--row", 0, "--save", tmp_path / "plays.jsonl")
    terminal.wait_for("Leave")
    terminal.press("\x11")
    code, shown = terminal.end()
    assert code == 130 and "interrupted" in shown and not (tmp_path / "plays.jsonl").exists()


def test_without_textual_the_way_to_get_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "textual").mkdir()
    (tmp_path / "textual" / "__init__.py").write_text("raise ImportError")
    terminal = Terminal(POCKET, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    code, shown = terminal.end()
    assert code == 1 and "pip install 'kumoc[play]'" in shown and "--plain" in shown and "Traceback" not in shown


# ---- the full screen, without a terminal


def on_screen(steps: Callable[[Pilot[Any], Board], Any], row: dict[str, Any] = ROW, **size: int) -> Board:
    """The screen after ``steps``."""
    board = Board(Simulator.of(row), row["knowledge_book"])

    async def run() -> None:
        async with board.run_test(size=(size.get("width", 110), size.get("height", 36))) as pilot:
            await pilot.pause()
            await steps(pilot, board)

    asyncio.run(run())
    return board


def prompts(board: Board, name: str) -> list[str]:
    options = board.query_one(f"#{name}", OptionList)
    return [str(options.get_option_at_index(i).prompt) for i in range(options.option_count)]


def struck(board: Board) -> list[str]:
    options = board.query_one("#truths", OptionList)
    every = [options.get_option_at_index(i).prompt for i in range(options.option_count)]
    return [str(prompt) for prompt in every if "strike" in str(prompt.style)]  # type: ignore[union-attr]


def test_a_game_is_played_with_the_keyboard() -> None:
    bare = Simulator.of(ROW).bare

    async def steps(pilot: Pilot[Any], board: Board) -> None:
        assert prompts(board, "actions") == ACTIONS and prompts(board, "truths") == TRUTHS
        await pilot.press("down", "enter", "enter")  # the second does nothing
        assert board.state.actions == 1
        assert prompts(board, "actions")[1] == f"{ACTIONS[1]}\n  → {bare.seen[1]}"
        assert struck(board) == []
        await pilot.press("s")
        out = [name for i, name in enumerate(TRUTHS) if not board.state.survivors >> i & 1]
        assert out and struck(board) == out
        await pilot.press("s")
        assert struck(board) == []
        await pilot.press("t", "down", "enter", "n")
        assert board.state.end is None
        await pilot.press("enter", "y")

    state = on_screen(steps).return_value
    assert state is not None and state.end is End.NAMED
    assert [(event.kind, event.name) for event in state.events] == [(Kind.ACT, ACTIONS[1]), (Kind.NAME, TRUTHS[1])]


def test_a_game_is_played_with_the_mouse_in_a_narrow_terminal() -> None:
    async def steps(pilot: Pilot[Any], board: Board) -> None:
        book, actions = (board.query_one(f"#{name}").region for name in ("book", "actions"))
        assert book.bottom <= actions.y
        await pilot.click("#actions", offset=(4, 3))
        assert [event.name for event in board.state.events] == [ACTIONS[2]]
        await pilot.press("ctrl+q")

    assert on_screen(steps, width=50, height=40).return_value is None


def test_the_screen_shows_tables_and_code_of_a_book() -> None:
    book = '# T\n\n| [b]x | y |\n|---|---|\n| a\\|b | [i]c |\n\n```json\n{"- z":\n  1}\n```\n'

    async def steps(pilot: Pilot[Any], board: Board) -> None:
        await pilot.pause()
        plain = re.sub(r"&#160;", " ", re.sub(r"<[^>]+>", "", board.export_screenshot()))
        assert not [text for text in ("[b]x", "a|b", "[i]c", "{&quot;- z&quot;:", "  1}") if text not in plain]

    on_screen(steps, ROW | {"knowledge_book": book})


def test_the_screen_shows_books_and_names_to_the_letter() -> None:
    evil = "[red]x[/red] *a* [b](c) \x1b[2J"
    text = json.dumps(ROW).replace(json.dumps(ACTIONS[0])[1:-1], json.dumps(evil)[1:-1])

    async def steps(pilot: Pilot[Any], board: Board) -> None:
        await pilot.press("enter")
        await pilot.pause()
        shown = board.export_screenshot()
        assert "\x1b" not in shown
        plain = re.sub(r"&#160;", " ", re.sub(r"<[^>]+>", "", shown))
        assert "[red]x[/red] *a* [b](c) \ufffd[2J" in plain

    on_screen(steps, json.loads(text))
