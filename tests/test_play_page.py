"""The page that people play on: what it is made of, and how it behaves in a real browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import html5lib
import numpy as np
import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from kumoc import cli
from kumoc.evaluate.plays import read_plays
from kumoc.play import Act, Move, Name, Release, Simulator, record, to_json
from kumoc.play.page import Settings, Survivors, page
from kumoc.release import load
from kumoc.release.schemas import validator
from tests.browser import browser, complaints
from tests.command import ROOT

POCKET = ROOT / "dist" / "pocket" / "1.0.0"
ROWS = list(load(POCKET))
RELEASE = Release("pocket", "1.0.0", "0" * 64)
SCRIPTS = sorted((ROOT / "kumoc" / "play" / "templates").glob("*.js"))
MEASURED = ("response_ms", "paused_ms", "survivors_shown")
PAIRS = next(row for row in ROWS if row["size"] == "pairs")


def made(rows: Sequence[dict[str, Any]], **settings: Any) -> str:
    return page([Simulator.of(row) for row in rows], Settings(**settings), RELEASE)


def content(text: str) -> dict[str, Any]:
    block = re.search(r'<script id="content" type="text/plain">(.*?)</script>', text)
    assert block
    found: dict[str, Any] = json.loads(base64.b64decode(block[1]))
    return found


def renamed(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The row with other names in all places, the book's included."""
    text = json.dumps(row)
    for name, other in names.items():
        text = text.replace(json.dumps(name)[1:-1], json.dumps(other)[1:-1])
    found: dict[str, Any] = json.loads(text)
    return found


# ---- what it is made of


def test_the_page_is_valid_html_with_names_or_without() -> None:
    hostile = Settings(consent=('<b>"bold"</b> & more',), post="https://example.org/a?b=c", completion="<A&B>")
    for text in (made(ROWS[:2]), page([Simulator.of(ROWS[0])], hostile), made(ROWS[:1], survivors=Survivors.HIDDEN)):
        html5lib.HTMLParser(strict=True).parse(text)
        ids = re.findall(r'\bid="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        for name in re.findall(r'(?:for|aria-labelledby)="([^"]+)"', text):
            assert name in ids


def test_scripts_speak_of_elements_that_are_there() -> None:
    ids = set(re.findall(r'\bid="([^"]+)"', made(ROWS[:1])))
    asked = {name for script in SCRIPTS for name in re.findall(r'(?:\$|\bon)\("([^"]+)"', script.read_text("utf-8"))}
    assert len(asked) > 20 and asked <= ids


def test_what_is_played_is_in_the_block_alone() -> None:
    text = made(ROWS)
    games = content(text)["games"]
    for game, row in zip(games, ROWS, strict=True):
        words = [cell for part in game["book"] for cells in part["rows"] for cell in cells]
        assert words == [re.sub("^(#+|-) ", "", line) for line in row["knowledge_book"].splitlines() if line]
    assert [game["record"]["instance_id"] for game in games] == [row["instance_id"] for row in ROWS]
    shell = text.replace(re.search(r'type="text/plain">(.*?)<', text)[1], "")  # type: ignore[index]
    for row in ROWS:
        assert not any(re.search(rf"\b{re.escape(name)}\b", shell) for name in (*row["truths"], *row["actions"]))
        assert not any(seen["text"] in shell for seen in row["observations"])
        assert row["canary"] in shell


def test_nothing_else_may_run_or_be_loaded() -> None:
    text = made(ROWS[:1], post="https://example.org:8443/answers?key=1")
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', text)
    assert policy
    rules = dict(rule.split(" ", 1) for rule in policy[1].replace("&#39;", "'").split("; "))
    assert rules["default-src"] == "'none'" and rules["connect-src"] == "https://example.org:8443"
    for tag, name in (("style", "style-src"), ('script type="module"', "script-src")):
        inside = re.search(rf"<{tag}>(.*?)</{tag.split()[0]}>", text, re.S)
        assert inside
        digest = base64.b64encode(hashlib.sha256(inside[1].encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert "connect-src 'none'" in made(ROWS[:1]).replace("&#39;", "'")
    assert not re.findall(r'(?:src|href)="(?!data:)', text) and "url(" not in text and "@import" not in text


def test_names_and_books_cannot_break_out() -> None:
    evil = '</script><script>hacked=1</script><img src=x onerror="hacked=1">\ud800\u2028&amp;'
    text = made([renamed(ROWS[0], {ROWS[0]["truths"][0]: evil, ROWS[0]["actions"][0]: evil})])
    assert "hacked" not in text and text.encode()
    assert content(text)["games"][0]["truths"][0] == evil


# ---- the command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The command in this process: exit code, standard output, standard error."""

    def call(*arguments: object) -> tuple[Any, str, str]:
        monkeypatch.setattr(sys, "argv", ["kumoc", "play", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        return (exit_.value.code, *capsys.readouterr())

    return call


def test_the_command_draws_games_by_a_seed(run: Any, tmp_path: Path) -> None:
    def ids(*options: object) -> list[str]:
        code, out, err = run(POCKET, "--web", tmp_path / "page.html", "--overwrite", *options)
        games = content((tmp_path / "page.html").read_text("utf-8"))["games"]
        assert code == 0 and f"{len(games)} games" in out, err
        return [game["record"]["instance_id"] for game in games]

    first = ids("--size", "easy", "--count", 5)
    assert len(set(first)) == 5 and first == ids("--size", "easy", "--count", 5)
    assert set(first) <= {row["instance_id"] for row in ROWS if row["size"] == "easy"}
    assert first != ids("--size", "easy", "--count", 5, "--seed", 7)
    assert sorted(ids("--count", 1000, "--domain", "minerals")) == sorted(row["instance_id"] for row in ROWS)


def test_the_command_takes_its_options_to_the_page(run: Any, tmp_path: Path) -> None:
    (tmp_path / "consent.txt").write_text("You <may> stop.\n\n\nAsk us\nanything.\n", encoding="utf-8")
    place = tmp_path / "new" / "page.html"
    options = ("--consent", tmp_path / "consent.txt", "--survivors", "hidden", "--no-feedback", "--as", "crowd")
    addresses = ("--post", "https://example.org/answers", "--completion", "C0DE")
    assert run(POCKET, "--web", place, *options, *addresses)[0] == 0
    text = place.read_text("utf-8")
    found = content(text)
    code, _, err = run(POCKET, "--web", place)
    assert code == 1 and "exists already" in err and place.read_text("utf-8") == text
    assert "<p>You &lt;may&gt; stop.</p>\n<p>Ask us\nanything.</p>" in text
    assert (found["survivors"], found["feedback"], found["completion"]) == ("hidden", False, "C0DE")
    assert found["post"] == "https://example.org/answers"
    manifest = json.loads((POCKET / "manifest.json").read_text("utf-8"))
    for game in found["games"]:
        assert game["record"]["model"] == "crowd"
        assert game["record"]["release"]["rows_sha256"] == manifest["rows_sha256"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--count", "3"), "--count is of a page: give --web OUT too"),
        (("--no-feedback",), "--no-feedback is of a page"),
        (("--web", "OUT", "--row", "3"), "--row is for play in the terminal"),
        (("--web", "OUT", "--work", "0"), "--work is for play in the terminal"),
        (("--web", "OUT", "--post", "example.org"), "is no web address"),
        (("--web", "OUT", "--post", "https://a;b/"), "is no web address"),
        (("--web", "OUT", "--completion", "javascript:alert(1)"), "is no web address"),
        (("--web", "OUT", "--size", "eazy"), "its sizes: easy"),
        (("--web", "OUT", "--consent", "nowhere.txt"), "nowhere.txt: No such file"),
    ],
)
def test_a_page_that_cannot_be_made_is_not_written(
    run: Any, options: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(POCKET, *options)
    assert code == 1 and said in err
    assert not list(tmp_path.iterdir())


# ---- in a browser


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def chrome(downloads: Path) -> Iterator[Chrome]:
    with browser(downloads) as found:
        yield found


class Visitor:
    """A person before the page: what it sees, and where it clicks."""

    def __init__(self, chrome: Chrome, place: Path, text: str) -> None:
        self.chrome = chrome
        self.page = content(text)["id"]
        self.ids: dict[str, str] = {}
        self.place = place / "page.html"
        self.place.write_text(text, encoding="utf-8")

    def visit(self, **ids: str) -> None:
        self.ids = ids
        self.chrome.get(f"{self.place.as_uri()}?{urlencode(ids | {'other': 'x'})}")

    def click(self, selector: str) -> None:
        element = self.chrome.find_element(By.CSS_SELECTOR, selector)
        in_dialog = self.chrome.execute_script("return arguments[0].closest('dialog') !== null", element)
        element.click()
        if in_dialog:  # which tells the page that it was closed after this
            self.chrome.execute_async_script("setTimeout(arguments[0], 50)")

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.chrome).send_keys(key).perform()

    def text(self, selector: str) -> str:
        return self.chrome.find_element(By.CSS_SELECTOR, selector).text

    def texts(self, selector: str) -> list[str]:
        return [element.text for element in self.chrome.find_elements(By.CSS_SELECTOR, selector)]

    def move(self, move: Move) -> None:
        match move:
            case Act(at):
                self.click(f"#actions li:nth-child({at + 1}) button")
            case Name(at):
                self.click(f"#truths li:nth-child({at + 1}) button")
                self.click("#naming button[value=yes]")

    def name_right_away(self) -> None:
        self.move(Name(0))
        self.click("#next")

    def shows(self) -> list[str]:
        parts = self.chrome.find_elements(By.CSS_SELECTOR, "main > *")
        return [part.get_attribute("id") or "" for part in parts if part.is_displayed()]

    def kept(self) -> dict[str, Any]:
        """What the page keeps of this person in the browser."""
        key = json.dumps([self.page, self.ids], separators=(",", ":"), ensure_ascii=False)
        text = self.chrome.execute_script("return localStorage.getItem(arguments[0])", f"kumoc {key}")
        found: dict[str, Any] = json.loads(text)
        return found


@pytest.fixture
def visitor(chrome: Chrome, tmp_path: Path) -> Iterator[Any]:
    yield lambda text: Visitor(chrome, tmp_path, text)
    assert complaints(chrome) == []
    (tmp_path / "empty.html").touch()
    chrome.get((tmp_path / "empty.html").as_uri())  # files share what a browser keeps
    chrome.execute_script("localStorage.clear(); sessionStorage.clear()")


def random_game(simulator: Simulator, draw: Random) -> list[Move]:
    """Distinct actions, then perhaps a truth; enough of them that the game ends."""
    actions = draw.sample(range(len(simulator.bare.actions)), len(simulator.bare.actions))
    truth = Name(draw.randrange(len(simulator.bare.truths)))
    moves = [*map(Act, actions[: draw.randint(0, 5)]), truth]
    return moves[: simulator.limit]


def test_trajectories_are_those_of_the_simulator(visitor: Any, downloads: Path, tmp_path: Path) -> None:
    draw = Random(5)
    simulators = [Simulator.of(row, limit=draw.choice((3, 50))) for row in draw.sample(ROWS, 12)]
    games = [random_game(simulator, draw) for simulator in simulators]
    expected = []
    person = visitor(page(simulators, Settings(), RELEASE))
    person.visit()
    person.click("#begin")
    for simulator, moves in zip(simulators, games, strict=True):
        state = simulator.start()
        for move in moves:
            state = simulator.step(state, move)
            person.move(move)
            if state.end is None:
                assert person.texts(".seen")[-1:] and state.events[-1].seen in person.texts(".seen")
        expected.append(to_json(record(simulator, state, "person", release=RELEASE)))
        assert person.shows() == ["verdict"]
        assert ("Right" in person.text("#verdict-title")) == state.success
        person.click("#next")
    assert person.shows() == ["end"]
    person.click("#save")
    WebDriverWait(person.chrome, 10).until(lambda _: list(downloads.glob("trajectories-*.jsonl")))
    (file,) = downloads.glob("trajectories-*.jsonl")
    found = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert len({trajectory["trial"] for trajectory in found}) == 1 and found[0]["trial"] >= 0
    for game, (trajectory, simulated) in enumerate(zip(found, expected, strict=True), start=1):
        validator("trajectory").validate(trajectory)
        assert trajectory["origin"]["game"] == str(game)
        assert all(event.keys() >= set(MEASURED) for event in trajectory["events"])
        for event in trajectory["events"]:
            for name in MEASURED:
                del event[name]
        assert trajectory | {"origin": {}, "trial": 0} == simulated
    (tmp_path / "simulated.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in expected))
    scored, simulated = (read_plays([path]) for path in (file, tmp_path / "simulated.jsonl"))
    for name in simulated.numbers.keys() - {"trial"}:
        assert np.array_equal(scored.numbers[name], simulated.numbers[name], equal_nan=True)
    ends = [trajectory["end"] for trajectory in found]
    assert ends.count("limit") >= 2 and sum(trajectory["success"] for trajectory in found) >= 2
    assert sum(trajectory["wasted"] > 0 for trajectory in found) >= 2
    assert {"pairs", "easy"} <= {trajectory["size"] for trajectory in found}


# a clock that tests move, in place of the browser's
CLOCK = """
let now = Number(sessionStorage.getItem("now"));
performance.now = () => now;
window.pass = (ms) => { now += ms; sessionStorage.setItem("now", now); };
"""


@pytest.fixture
def clock(chrome: Chrome) -> Iterator[Any]:
    script = chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK})
    yield lambda ms: chrome.execute_script(f"pass({ms})")
    chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_a_reload_loses_nothing_and_pauses_are_not_counted(visitor: Any, clock: Any) -> None:
    person = visitor(made([PAIRS, *ROWS[:1]], post=None))
    person.visit(PROLIFIC_PID="p1")
    assert person.shows() == ["welcome"]
    person.click("#begin")
    clock(1000)
    person.click("#pause")
    clock(50)
    person.visit(PROLIFIC_PID="p1")  # while it is paused
    assert person.text("#paused-title") == "Paused"
    clock(5)
    person.click("#paused button")
    clock(200)
    person.move(Act(3))
    clock(30)
    person.visit(PROLIFIC_PID="p1")
    assert person.texts(".seen") == [Simulator.of(PAIRS).bare.seen[3]]
    clock(4)
    person.click("#survivors")
    person.move(Name(1))
    person.visit(PROLIFIC_PID="p1")
    assert person.shows() == ["verdict"]
    clock(7000)
    person.click("#next")
    clock(1)
    person.visit(PROLIFIC_PID="p2")
    assert person.shows() == ["welcome"]  # somebody else
    person.visit(PROLIFIC_PID="p1")
    assert person.text("#number") == "Game 2 of 2"
    person.name_right_away()
    first, second = person.kept()["records"]
    assert [[event[name] for name in MEASURED] for event in first["events"]] == [[1200, 55, False], [34, 0, True]]
    assert [[event[name] for name in MEASURED] for event in second["events"]] == [[1, 0, False]]
    person.visit(PROLIFIC_PID="p1")
    assert person.shows() == ["end"]
    person.click("#anew")
    person.click("#starting-anew button[value=yes]")
    assert person.shows() == ["welcome"] and person.kept()["records"] == []


def test_the_keyboard_alone_is_enough(visitor: Any) -> None:
    person = visitor(made([PAIRS]))
    person.visit()
    person.press(Keys.TAB, Keys.ENTER)
    assert person.shows() == ["game"]
    person.press("a", Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ENTER, Keys.ARROW_DOWN, Keys.ENTER, Keys.ENTER)
    assert [turn["at"] for turn in person.kept()["turns"]] == [6, 7]
    assert person.text("#said") == f"The outcome of {PAIRS['actions'][7]} is: {Simulator.of(PAIRS).bare.seen[7]}."
    assert person.text("#left") == ""
    person.press("s")
    simulator = Simulator.of(PAIRS)
    state = simulator.step(simulator.step(simulator.start(), Act(6)), Act(7))
    assert person.text("#left") == f"{state.survivors.bit_count()} of 4 left"
    out = [name for i, name in enumerate(PAIRS["truths"]) if not state.survivors >> i & 1]
    assert out and person.texts("#truths .out") == out
    person.press("p")
    person.press(Keys.ENTER, "b", Keys.PAGE_DOWN)
    person.press("t", Keys.ARROW_UP, Keys.ENTER, Keys.ESCAPE)
    assert person.shows() == ["game"]
    person.press("t", Keys.ARROW_UP, Keys.ENTER, Keys.ENTER)
    assert person.shows() == ["verdict"]
    person.press(Keys.TAB, Keys.ENTER)
    assert person.shows() == ["end"] and person.kept()["records"][0]["named"] == PAIRS["truths"][3]


def test_letters_are_no_keys_once_that_is_switched_off(visitor: Any) -> None:
    person = visitor(made([PAIRS]))
    person.visit()
    person.click("#begin")
    person.click("#keys")
    person.press("s", "p")
    assert person.text("#left") == "" and not person.kept()["paused"]


def test_what_is_left_can_be_hidden_or_shown_throughout(visitor: Any) -> None:
    for survivors, left in ((Survivors.SHOWN, "4 of 4 left"), (Survivors.HIDDEN, "")):
        person = visitor(made([PAIRS], survivors=survivors, feedback=False, completion="C0DE"))
        person.visit()
        person.click("#begin")
        assert not person.chrome.find_element(By.ID, "survivors").is_displayed()
        person.press("s")
        assert person.text("#left") == left
        person.move(Name(0))
        assert (person.text("#verdict-title"), person.text("#verdict-text")) == ("Game 1 is over", "")
        person.click("#next")
        assert person.text("#completion") == "Your completion code: C0DE"
        (event,) = person.kept()["records"][0]["events"]
        assert event["survivors_shown"] == bool(left)


class Collector:
    """A server to which answers are sent; while ``broken`` it refuses them."""

    def __init__(self) -> None:
        self.broken = True
        self.bodies: list[str] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
                self.send_response(500 if collector.broken else 204)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                if not collector.broken:
                    collector.bodies.append(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/answers?study=1"

    def received(self) -> list[dict[str, Any]]:
        return [json.loads(line) for body in self.bodies for line in body.splitlines()]


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector()
    yield found
    found.server.shutdown()
    found.server.server_close()


def test_trajectories_are_sent_once_and_again_when_that_failed(visitor: Any, collector: Collector) -> None:
    ids = {"PROLIFIC_PID": "5f3 & <b>", "STUDY_ID": "s1", "SESSION_ID": "é"}
    row = renamed(PAIRS, {PAIRS["truths"][0]: "Grün 石"})
    link = "https://app.prolific.com/submissions/complete?cc=C0DE"
    person = visitor(made([row, ROWS[0], ROWS[1]], post=collector.url, completion=link))
    person.visit(**ids)
    person.click("#begin")

    def sent(count: int, status: str) -> None:
        WebDriverWait(person.chrome, 10).until(lambda _: person.kept()["sent"] == count)
        WebDriverWait(person.chrome, 10).until(
            lambda _: status in person.chrome.find_element(By.ID, "sent").get_attribute("textContent")
        )

    person.name_right_away()
    sent(0, "could not be sent")
    assert any("500" in complaint["message"] for complaint in complaints(person.chrome))
    collector.broken = False
    person.name_right_away()
    sent(2, "has been sent")
    collector.broken = True
    person.name_right_away()
    sent(2, "could not be sent")
    complaints(person.chrome)
    collector.broken = False
    person.click("#send")
    sent(3, "has been sent")
    assert [body.count("\n") for body in collector.bodies] == [2, 1]
    received = collector.received()
    assert received == person.kept()["records"]
    assert received[0]["named"] == "Grün 石"
    for trajectory in received:
        validator("trajectory").validate(trajectory)
        assert {name: trajectory["origin"].get(name) for name in (*ids, "other")} == ids | {"other": None}
    assert person.chrome.find_element(By.CSS_SELECTOR, "#completion a").get_attribute("href") == link


STYLES = """# Title

- one
- two

| if the outcome is | rule out |
|---|---|
| "a\\|b\\\\" | "<i>" |

```json
{"name": "x",
  "y": "- | #"}
```
"""


def test_books_of_all_styles_are_laid_out(visitor: Any) -> None:
    person = visitor(made([PAIRS | {"knowledge_book": STYLES, "language": "zh"}]))
    person.visit()
    person.click("#begin")
    assert person.texts("#book h2") == ["Title"] and person.texts("#book li") == ["one", "two"]
    assert person.texts("#book th") == ["if the outcome is", "rule out"]
    assert person.texts("#book td") == ['"a|b\\"', '"<i>"']
    assert person.texts("#book pre") == ['{"name": "x",\n  "y": "- | #"}']
    assert person.chrome.find_element(By.ID, "book").get_attribute("lang") == "zh"


def test_names_and_books_are_shown_to_the_letter_and_never_obeyed(visitor: Any) -> None:
    evil = '</script><script>hacked=1</script><img src=x onerror="hacked=1">&amp;'
    row = renamed(PAIRS, {PAIRS["truths"][0]: evil, PAIRS["actions"][0]: f"{evil}*a*", PAIRS["actions"][1]: "[a](x)"})
    row["observations"] = [seen | {"text": f"<i>{seen['text']}</i>"} for seen in row["observations"]]
    person = visitor(made([row]))
    person.visit()
    person.click("#begin")
    person.move(Act(0))
    assert person.texts("#truths li")[0] == evil
    assert person.texts("#actions li")[:2] == [f"{evil}*a*\n<i>{Simulator.of(PAIRS).bare.seen[0]}</i>", "[a](x)"]
    lines = [line for line in row["knowledge_book"].splitlines() if line.strip()]
    parts = "h2, h3, h4, p, li"
    shown = person.chrome.execute_script(
        f"return [...document.querySelectorAll('#book :is({parts})')].map((part) => part.textContent)"
    )
    assert shown == [re.sub("^(#+|-) ", "", line) for line in lines]
    assert evil in " ".join(shown)
    person.move(Name(0))
    assert evil in person.text("#verdict-title")
    assert person.chrome.execute_script("return typeof hacked") == "undefined"


def test_nothing_is_asked_for_elsewhere_and_no_screen_is_too_wide(visitor: Any) -> None:
    person = visitor(made([PAIRS, renamed(ROWS[0], {ROWS[0]["truths"][0]: "A" * 200})]))
    fits = "return document.documentElement.scrollWidth <= innerWidth"
    try:
        for width in (320, 1400):
            size = {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": False}
            person.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            person.visit(SESSION_ID=str(width))
            assert person.chrome.execute_script(fits)
            person.click("#begin")
            for _ in range(2):
                assert person.chrome.execute_script(fits)
                beside = person.chrome.execute_script(
                    "return document.querySelector('.moves').getBoundingClientRect().top"
                    " < document.querySelector('#book').getBoundingClientRect().bottom"
                )
                assert beside == (width > 1000)
                person.move(Name(0))
                assert person.chrome.execute_script(fits)
                person.click("#next")
    finally:
        person.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert person.chrome.execute_script("return performance.getEntriesByType('resource').length") == 0
