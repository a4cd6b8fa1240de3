"""The simulator, held to a second simple one, and the players that come with the project."""

import json
from collections import Counter
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kumoc.play import (
    Act,
    End,
    Fault,
    Kind,
    Move,
    Name,
    Simulator,
    State,
    TextAgent,
    Unread,
    exact_player,
    first_action,
    greedy,
    opening,
    paper_player,
    play,
    random_action,
    record,
    signature,
    to_line,
    told,
)
from kumoc.release import load
from kumoc.release.schemas import validator
from kumoc.views.read import RowError
from tests.command import ROOT

ROWS = list(load(ROOT / "dist" / "pocket" / "1.0.0"))
PLAYERS = (random_action(), first_action(), greedy(), exact_player(), paper_player())


def row(size: str) -> dict[str, Any]:
    return next(row for row in ROWS if row["size"] == size)


# ---- the state machine


@dataclass
class Plain:
    """The same game, played on names and sets, straight from the columns of a row."""

    row: dict[str, Any]
    limit: int
    refusals: int
    log: list[tuple[str, str | None, bool, bool]] = field(default_factory=list)
    over: str | None = None
    success: bool = False

    def __post_init__(self) -> None:
        self.left = set(self.row["truths"])
        self.taken: set[str] = set()

    def outcomes(self, action: str) -> list[set[str]]:
        return [set(rule["rules_out"]) for rule in self.row["rules"] if rule["action"] == action]

    def ruled_out(self, action: str) -> set[str]:
        seen = next(seen for seen in self.row["observations"] if seen["action"] == action)
        for rule in self.row["rules"]:
            if rule["action"] == action and (
                rule["label"] == seen["label"] if seen["value"] is None else rule["low"] < seen["value"] < rule["high"]
            ):
                return set(rule["rules_out"])
        raise AssertionError(action)

    def step(self, move: Move) -> None:
        match move:
            case Act(position):
                action = self.row["actions"][position]
                again = action in self.taken
                useful = len(self.left) > len(self.row["valid_truths"]) and any(
                    out & self.left for out in self.outcomes(action)
                )
                self.log.append(("act", action, again, again or not useful))
                self.left -= self.ruled_out(action)
                self.taken.add(action)
            case Name(position):
                truth = self.row["truths"][position]
                self.log.append(("name", truth, False, truth not in self.left))
                self.over = "named"
                self.success = truth in self.row["valid_truths"]
            case Unread():
                self.log.append(("refuse", None, False, False))
                if [kind for kind, *_ in self.log].count("refuse") > self.refusals:
                    self.over = "refused"
        if self.over is None and len(self.log) >= self.limit:
            self.over = "limit"


moves = st.one_of(
    *[st.builds(Act, st.integers(0, 5))] * 5,
    st.builds(Name, st.integers(0, 2)),
    st.builds(Unread, st.sampled_from([Fault.UNKNOWN, Fault.MISSING])),
)


def test_a_game_goes_as_a_simple_one_on_names_and_sets() -> None:
    ends: Counter[str] = Counter()

    @settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(ROWS), st.lists(moves, max_size=30), st.integers(1, 12), st.integers(0, 3))
    def check(row: dict[str, Any], moves: list[Move], limit: int, refusals: int) -> None:
        simulator = Simulator.of(row, limit=limit, refusals=refusals)
        plain, state = Plain(row, limit, refusals), simulator.start()
        for move in moves:
            state = simulator.step(state, move)
            plain.step(move)
            assert (state.end and state.end.value) == plain.over
            if state.end:
                break
        assert [
            (event.kind.value, event.name, event.repeated, event.wasted or event.ruled_out) for event in state.events
        ] == plain.log
        assert state.success == plain.success
        assert {name for i, name in enumerate(row["truths"]) if state.survivors >> i & 1} == plain.left
        assert {name for i, name in enumerate(row["actions"]) if not state.remaining >> i & 1} == plain.taken
        ends[str(state.end and state.end.value)] += 1
        ends["won"] += state.success
        ends["several valid"] += row["size"] == "pairs"
        ends["repeated"] += any(event.repeated for event in state.events)
        ends["wasted otherwise"] += any(event.wasted and not event.repeated for event in state.events)
        ends["named what was ruled out"] += any(event.ruled_out for event in state.events)

    check()
    assert min(ends.values()) > 3 and len(ends) == 9, ends


def test_a_repeated_action_shows_the_same_and_costs_as_much() -> None:
    simulator = Simulator.of(row("easy"))
    state = simulator.start()
    for _ in range(3):
        state = simulator.step(state, Act(1))
    assert [event.seen for event in state.events] == [simulator.bare.seen[1]] * 3
    assert [event.repeated for event in state.events] == [False, True, True] and state.actions == 3


def test_each_of_several_valid_truths_wins() -> None:
    simulator = Simulator.of(row("pairs"))
    assert simulator.puzzle.valid == 2
    won = [simulator.step(simulator.start(), Name(i)).success for i in range(len(simulator.bare.truths))]
    assert [i for i, success in enumerate(won) if success] == list(simulator.bare.valid)


def test_nothing_happens_after_the_end_or_outside_the_lists() -> None:
    simulator = Simulator.of(row("easy"))
    over = simulator.step(simulator.start(), Unread(Fault.MISSING))
    assert over.end is End.REFUSED and not over.success
    with pytest.raises(ValueError, match="over"):
        simulator.step(over, Act(0))
    for move in (Act(99), Act(-1), Name(99), Name(-1)):
        with pytest.raises(ValueError, match="nothing at"):
            simulator.step(simulator.start(), move)
    with pytest.raises(ValueError, match="0 turns"):
        Simulator.of(row("easy"), limit=0)
    with pytest.raises(ValueError, match="not over"):
        record(simulator, simulator.start(), "nobody")


def test_a_row_that_contradicts_itself_is_not_played() -> None:
    broken = row("easy") | {"valid_truths": row("easy")["truths"][:2]}
    with pytest.raises(RowError, match="valid are"):
        Simulator.of(broken)


def test_the_player_is_shown_nothing_that_is_hidden() -> None:
    one = row("easy")
    hidden = Simulator.of(one).puzzle
    truth = next(name for name in one["truths"] if name not in one["valid_truths"])
    assert one["knowledge_book"].rstrip() in hidden.text
    fields = {name: getattr(hidden, name) for name in hidden.__slots__}
    assert set(fields) == {
        "instance_id", "domain", "size", "truths", "actions", "valid", "game", "text", "language",
    }  # fmt: skip
    assert truth in hidden.truths and fields["valid"] == 1


# ---- players


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
def test_the_projects_players_name_a_valid_truth_without_a_fault(player: Any) -> None:
    for each in ROWS:
        state = play(Simulator.of(each), player)
        assert state.end is End.NAMED and state.success
        assert not any(event.repeated or event.fault for event in state.events)


def test_optimal_players_play_as_their_rows_say() -> None:
    for player, column in ((exact_player(), "exact_trajectory"), (paper_player(), "paper_trajectory")):
        for each in ROWS:
            events = play(Simulator.of(each), player).events
            assert [event.name for event in events if event.kind is Kind.ACT] == each[column]


def test_with_too_little_work_optimal_players_play_greedily() -> None:
    for each in ROWS:
        simulator = Simulator.of(each)
        assert play(simulator, exact_player(work=0)) == play(simulator, greedy())


def test_players_are_as_good_as_they_should_be() -> None:
    needed = {player.name: mean(play(Simulator.of(each), player).actions for each in ROWS) for player in PLAYERS}
    assert needed["exact"] <= needed["greedy"] < needed["first-action"]
    assert needed["exact"] < needed["random"]


def test_random_play_depends_on_seed_instance_and_trial_alone() -> None:
    def games(seed: int, trial: int, rows: list[dict[str, Any]]) -> dict[str, State]:
        player = random_action(seed)
        return {each["instance_id"]: play(Simulator.of(each), player, trial) for each in rows}

    assert games(1, 0, ROWS) == games(1, 0, ROWS[::-1])
    assert games(1, 0, ROWS) != games(2, 0, ROWS)
    assert games(1, 0, ROWS) != games(1, 1, ROWS)


def test_the_greedy_player_takes_what_leaves_least() -> None:
    one = row("easy")
    first = play(Simulator.of(one), greedy()).events[0].name
    left = {
        name: [len(one["truths"]) - len(rule["rules_out"]) for rule in one["rules"] if rule["action"] == name]
        for name in one["actions"]
    }
    # sums of logarithms, weighted by what is left, as products of powers: no rounding
    least = {name: mean_log(sizes) for name, sizes in left.items()}
    assert least[first] == min(least.values())
    assert next(name for name in one["actions"] if least[name] == least[first]) == first


def mean_log(sizes: list[int]) -> float:
    product = 1
    for size in sizes:
        product *= size**size
    return float(product) ** (1 / sum(sizes))


def test_a_text_player_holds_a_conversation() -> None:
    one = row("easy")
    simulator = Simulator.of(one, refusals=1)
    heard: list[list[str]] = []
    script = iter(
        (
            "Hm.",
            f"<ANSWER> {one['actions'][2].upper()} </ANSWER>",
            f"<ANSWER> {one['actions'][2]} </ANSWER>",
            f"<ANSWER> {one['ground_truth']} </ANSWER>",
        )
    )

    def reply(messages: Any) -> str:
        heard.append([message["content"] for message in messages])
        return next(script)

    state = play(simulator, TextAgent("script", reply))
    assert state.success and state.actions == 2
    assert [event.fault for event in state.events] == [Fault.MISSING, Fault.SPELLING, None, None]
    assert heard[0] == [message["content"] for message in opening(simulator.puzzle)]
    assert heard[1][-2:] == ["Hm.", told(simulator.puzzle, state.events[0])] and "none of the actions" in heard[1][-1]
    assert heard[3] == [
        *heard[2],
        f"<ANSWER> {one['actions'][2]} </ANSWER>",
        f'The outcome of "{one["actions"][2]}" is "{simulator.bare.seen[2]}".',
    ]


# ---- trajectories


def test_trajectories_have_the_form_of_their_schema_and_count_what_happened() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(ROWS), st.lists(moves, min_size=8, max_size=8), st.integers(0, 2))
    def check(row: dict[str, Any], moves: list[Move], refusals: int) -> None:
        simulator = Simulator.of(row, limit=8, refusals=refusals)
        state = simulator.start()
        for move in moves:
            if state.end is None:
                state = simulator.step(state, move)
        line = to_line(record(simulator, state, "script", 3))
        found = json.loads(line)
        validator("trajectory").validate(found)
        assert line.count("\n") == 1 and line.endswith("\n")
        kinds = [event["kind"] for event in found["events"]]
        assert found["actions_taken"] == kinds.count("act") == state.actions
        assert found["trial"] == 3 and found["exact_expected_actions"] == row["exact_expected_actions"]
        assert found["success"] == (found["named"] in row["valid_truths"])
        assert len(found["parse_errors"]) == kinds.count("refuse")
        assert found["strict_success"] == (found["success"] and "refuse" not in kinds)
        seen[found["end"]] += 1
        seen["won"] += found["success"]

    check()
    assert min(seen.values()) >= 2 and len(seen) == 4, seen


def test_the_signature_counts_degrees() -> None:
    # two outcomes each: the first action excludes truths 0 and 1, the second 1 alone, the third nothing
    found = signature(3, ((0b001, 0b010), (0b010, 0b010), (0b000, 0b000)))
    assert (found.truths, found.actions) == ((0, 1, 2), (0, 1, 2))


def test_the_example_in_the_guide_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    guide = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
    example = guide.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(ROOT)
    exec(compile(example, "scoring.md", "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("True [") and json.loads(second)["actions_taken"] == 6
