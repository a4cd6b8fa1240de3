"""The chat and steps views: legal and optimal play, told truly, in rows that loaders and trainers read as they are."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.reference import exact_values
from kumoc import book
from kumoc.benchmark import VIEWS, Benchmark, Edition, Mode, Size
from kumoc.compiler import compile_paths
from kumoc.edition import show
from kumoc.generate import CannotGenerateError, generate
from kumoc.generate.instance import Instance
from kumoc.release import Plan
from kumoc.release.manifest import inputs
from kumoc.release.parquet import read, write
from kumoc.release.schemas import validator
from kumoc.solve import ExactPlayer
from kumoc.tables import Outcome, Tables, Truth
from kumoc.views import VIEW_COLUMNS, VIEW_SCHEMAS, answered, chat_row, game_row, steps_rows, view_rows
from kumoc.views.play import Play, exact_play, paper_play
from kumoc.views.read import RowError, bare_game
from tests.command import DOMAINS
from tests.sample import random_tables

Row = dict[str, Any]

AMPLE = 2_000_000


def made(instance: Instance, size: Size, work: int) -> Row:
    text = book.render(instance)
    exact, paper = exact_play(instance, work), paper_play(instance, work)
    return game_row(show(instance, Edition()), size.name, size.mode, text, exact, paper, "the canary")


def game_rows(tables: Tables, size: Size, count: int, work: int = AMPLE) -> Iterator[Row]:
    for seed in range(count):
        with suppress(CannotGenerateError):
            instance = generate(tables, size, seed)
            yield made(instance, size, work)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Labels and measured values; one valid truth and several; fair and paper's mode, giveaways among them."""
    (tea,) = compile_paths([DOMAINS / "tea.kumo"]).tables
    (minerals,) = compile_paths([DOMAINS / "minerals.kumo"]).tables
    giving = random_tables(1, 5, 6)
    found = [
        *game_rows(tea, Size("small", 3, 4), 8),
        *game_rows(minerals, Size("easy", 4, 6), 8),
        *game_rows(minerals, Size("pairs", 4, 8, valid=2), 2),
        *game_rows(giving, Size("paper", 3, 4, mode=Mode.PAPER, giveaways=True), 12),
        *(row for seed in range(12) for row in game_rows(random_tables(seed, 7, 9), Size("dense", 4, 6), 2)),
        *(row for seed in range(12) for row in game_rows(random_tables(seed, 6, 9), Size("two", 4, 7, valid=2), 1)),
    ]
    counts = Counter(row["size"] for row in found)
    assert len(found) >= 60 and len(counts) == 6
    assert any(row["exact_trajectory"] == [] for row in found)
    assert any(seen["value"] is not None for row in found for seen in row["observations"])
    return found


def masks(row: Row) -> tuple[tuple[int, ...], ...]:
    """Per action, what each of its outcomes rules out, from the rules of a row."""
    return tuple(
        tuple(
            sum(1 << row["truths"].index(name) for name in rule["rules_out"])
            for rule in row["rules"]
            if rule["action"] == action
        )
        for action in row["actions"]
    )


def ruled_out(row: Row, action: str) -> set[str]:
    """What the outcome that is seen rules out."""
    (seen,) = [seen for seen in row["observations"] if seen["action"] == action]
    (rule,) = [rule for rule in row["rules"] if rule["action"] == action and shows(rule, seen)]
    return set(rule["rules_out"])


def shows(rule: Row, seen: Row) -> bool:
    if seen["label"] is not None:
        return bool(rule["label"] == seen["label"])
    return rule["low"] is not None and bool(rule["low"] < seen["value"] < rule["high"])


def sure(row: Row, survivors: Sequence[str], remaining: Sequence[str]) -> list[str]:
    """The truths that are valid in every world that fits what was seen and the guarantee, world by world."""
    game = masks(row)
    actions = [game[row["actions"].index(name)] for name in remaining]
    left = [row["truths"].index(name) for name in survivors]
    known = set(left)
    for world in combinations(left, len(row["valid_truths"])):
        valid = sum(1 << i for i in world)
        excluded = {0}
        for outcomes in actions:
            excluded = {before | mask for before in excluded for mask in outcomes if not mask & valid}
        if any(all(each >> i & 1 for i in left if i not in world) for each in excluded):
            known &= set(world)
    return [row["truths"][i] for i in sorted(known)]


# ---- both


def test_every_row_has_the_columns_and_the_form_of_its_view(rows: list[Row]) -> None:
    assert tuple(VIEW_COLUMNS) == tuple(VIEW_SCHEMAS) == VIEWS
    for view in VIEWS:
        found = [each for row in rows for each in view_rows(view, row)]
        assert len(found) >= len(rows)
        for each in found:
            assert list(each) == list(VIEW_COLUMNS[view])
            validator(VIEW_SCHEMAS[view]).validate(each)
            assert each["canary"] == "the canary"


def test_the_schemas_refuse_what_is_no_row(rows: list[Row]) -> None:
    chat = chat_row(rows[0])
    first, *_, last = steps_rows(rows[0])
    assert chat is not None
    wrong = [
        ("chat", chat | {"messages": chat["messages"][1:]}),
        ("chat", chat | {"messages": [*chat["messages"][:2], {"role": "tool", "content": "x"}]}),
        ("chat", {key: value for key, value in chat.items() if key != "canary"}),
        ("steps", first | {"optimal_actions": []}),
        ("steps", first | {"expected_actions": None}),
        ("steps", first | {"action": None}),
        ("steps", last | {"names": []}),
        ("steps", last | {"completion": []}),
    ]
    for view, row in wrong:
        assert not validator(view).is_valid(row)


def test_a_view_is_chosen_by_its_name(rows: list[Row]) -> None:
    assert view_rows("game", rows[0]) == [rows[0]]
    assert view_rows("chat", rows[0]) == [chat_row(rows[0])]
    assert view_rows("steps", rows[0]) == steps_rows(rows[0])
    with pytest.raises(ValueError, match="no view 'talk'"):
        view_rows("talk", rows[0])


def test_steps_are_the_turns_of_the_chat(rows: list[Row]) -> None:
    for row in rows:
        chat, steps = chat_row(row), steps_rows(row)
        assert chat is not None and [each["step"] for each in steps] == list(range(len(steps)))
        for each in steps:
            turns = each["prompt"] + each["completion"]
            assert turns == chat["messages"][: len(turns)]
        assert steps[-1]["prompt"] + steps[-1]["completion"] == chat["messages"]


# ---- the chat view


def test_a_conversation_is_legal_play_to_a_valid_truth(rows: list[Row]) -> None:
    for row in rows:
        chat = chat_row(row)
        assert chat is not None
        system, opening, *turns = chat["messages"]
        assert (system["role"], opening["role"]) == ("system", "user")
        assert system["content"].startswith(row["knowledge_book"].rstrip("\n"))
        assert [turn["role"] for turn in turns] == ["assistant", "user"] * (len(turns) // 2) + ["assistant"]
        *taken, named = [answered(turn["content"]) for turn in turns[::2]]
        assert taken == row["exact_trajectory"] and len(taken) == row["exact_trajectory_length"]
        assert len(set(taken)) == len(taken) and set(taken) <= set(row["actions"])
        assert named in row["valid_truths"]
        texts = {seen["action"]: seen["text"] for seen in row["observations"]}
        for action, turn in zip(taken, turns[1::2], strict=True):
            assert turn["content"] == f'The outcome of "{action}" is "{texts[str(action)]}".'


PROGRESS = re.compile(r"Ruled out: (?:nothing new|(.+?))\. Left: (.+?)\.(?: If (.+) were not valid, .*)?")


def test_what_the_player_says_on_the_way_is_true(rows: list[Row]) -> None:
    concluded = 0
    for row in rows:
        chat = chat_row(row)
        assert chat is not None
        before = list(row["truths"])
        replies = [turn["content"] for turn in chat["messages"][2::2]]
        for number, reply in enumerate(replies[1:]):
            said = PROGRESS.fullmatch(reply.split("\n")[0])
            assert said is not None
            gone = ruled_out(row, row["exact_trajectory"][number])
            assert listed(said[1]) == [name for name in before if name in gone]
            before = [name for name in before if name not in gone]
            assert listed(said[2]) == before
            if said[3]:
                assert number == len(replies) - 2 and len(before) > len(row["valid_truths"])
        remaining = [name for name in row["actions"] if name not in row["exact_trajectory"]]
        first_sure = sure(row, before, remaining)[0]
        assert answered(replies[-1]) == first_sure
        by_guarantee = f'If "{first_sure}" were not valid, ' in replies[-1]
        assert by_guarantee == (len(before) > len(row["valid_truths"]))
        concluded += by_guarantee
        if len(replies) > 1:
            assert "\n" not in replies[0]
    assert concluded >= 5


def listed(names: str | None) -> list[str]:
    found: list[str] = json.loads(f"[{names or ''}]")
    return found


def test_the_table_holds_all_the_rules_and_nothing_more(rows: list[Row]) -> None:
    for row in rows:
        chat = chat_row(row, system="table")
        told = chat_row(row)
        assert chat is not None and told is not None and chat["messages"][1:] == told["messages"][1:]
        content = chat["messages"][0]["content"]
        (line,) = [line for line in content.split("\n") if line.startswith("{")]
        table = json.loads(line)
        assert list(table) == ["truths", "actions"]
        assert table["truths"] == row["truths"] and list(table["actions"]) == row["actions"]
        for action, outcomes in table["actions"].items():
            rules = [rule for rule in row["rules"] if rule["action"] == action]
            assert list(outcomes.values()) == [rule["rules_out"] for rule in rules]
            assert list(outcomes) == [rule["label"] or in_words(rule) for rule in rules]
        count = len(row["valid_truths"])
        assert f"exactly {count} {'is' if count == 1 else 'are'} valid" in content


def in_words(rule: Row) -> str:
    return f"{rule['low']:g} to {rule['high']:g} {rule['unit']}".rstrip()


# ---- the steps view


def test_steps_are_optimal_by_a_second_implementation(rows: list[Row]) -> None:
    compared = 0
    for row in rows:
        values = exact_values(len(row["truths"]), masks(row), len(row["valid_truths"]))
        seen: list[str] = []
        survivors = list(row["truths"])
        for step in steps_rows(row):
            assert [past["action"] for past in step["history"]] == seen == row["exact_trajectory"][: step["step"]]
            assert step["survivors"] == survivors
            assert step["remaining_actions"] == [name for name in row["actions"] if name not in seen]
            state = (
                sum(1 << row["truths"].index(name) for name in survivors),
                frozenset(row["actions"].index(name) for name in step["remaining_actions"]),
            )
            by_action = values(*state)
            best = min(by_action.values(), default=0.0)
            assert step["expected_actions"] == pytest.approx(best, abs=1e-9)
            optimal = [row["actions"][i] for i, value in by_action.items() if value <= best + 1e-9]
            assert step["optimal_actions"] == optimal
            if optimal:
                assert step["action"] == optimal[0] and step["names"] == []
                assert answered(step["completion"][0]["content"]) == optimal[0]
                seen.append(step["action"])
                survivors = [name for name in survivors if name not in ruled_out(row, step["action"])]
            else:
                assert step["action"] is None
                assert step["names"] == sure(row, survivors, step["remaining_actions"])
                assert set(step["names"]) <= set(row["valid_truths"])
                assert answered(step["completion"][0]["content"]) == step["names"][0]
            compared += 1
    assert compared >= 150


def test_values_agree_with_those_of_the_instance(rows: list[Row]) -> None:
    for row in rows:
        first, *_, last = [*steps_rows(row), *steps_rows(row)]
        assert first["expected_actions"] == row["exact_expected_actions"]
        assert first["optimal_actions"] == row["exact_optimal_actions"]
        assert (last["step"], last["expected_actions"]) == (row["exact_trajectory_length"], 0)


def test_what_was_seen_is_what_the_player_is_shown(rows: list[Row]) -> None:
    for row in rows:
        texts = {seen["action"]: seen["text"] for seen in row["observations"]}
        for step in steps_rows(row):
            assert all(past["text"] == texts[past["action"]] for past in step["history"])
            assert step["prompt"][-1]["role"] == "user"


# ---- what is not known


@pytest.mark.parametrize("work", [1, 20, 150])
def test_rows_that_are_not_exact_have_no_chat_and_no_steps(work: int) -> None:
    (minerals,) = compile_paths([DOMAINS / "minerals.kumo"]).tables
    size = Size("some", 6, 9)
    inexact = 0
    for row, known in zip(game_rows(minerals, size, 12, work), game_rows(minerals, size, 12), strict=True):
        if row["exact_optimal_actions"] is None:
            inexact += 1
            assert chat_row(row) is None and steps_rows(row) == []
        else:
            assert chat_row(row) == chat_row(known) and steps_rows(row) == steps_rows(known)
    assert inexact >= 1 or work == 150


@pytest.mark.parametrize("work", [1, 5, 20, 150])
def test_a_player_with_little_work_leaves_out_and_claims_nothing_wrong(rows: list[Row], work: int) -> None:
    left_out = 0
    for row in rows:
        bare = bare_game(row)
        player = ExactPlayer(len(bare.truths), bare.game, len(bare.valid), work=work)
        steps, chat = steps_rows(row, player), chat_row(row, player)
        left_out += not steps
        assert steps in ([], steps_rows(row)) and chat in (None, chat_row(row))
    assert left_out >= 5 and (left_out < len(rows) / 2) == (work == 150)


def test_rows_that_contradict_themselves_are_refused(rows: list[Row]) -> None:
    row = next(row for row in rows if row["exact_trajectory_length"] >= 2)
    with pytest.raises(RowError, match="ends before"):
        chat_row(row | {"exact_trajectory": row["exact_trajectory"][:1]})
    poor = next(name for name in row["actions"] if name not in row["exact_optimal_actions"])
    rest = [name for name in row["actions"] if name != poor]
    with pytest.raises(RowError, match="not optimal"):
        steps_rows(row | {"exact_trajectory": [poor, *rest]})


# ---- any name


PIECES = st.sampled_from(
    [
        "<ANSWER>",
        "</ANSWER>",
        "<ANSWER> x </ANSWER>",
        "{",
        "}",
        "{{ x }}",
        "{% x %}",
        '"',
        "\\",
        "\n",
        " ",
        "'",
        "[INST]",
    ]
)
NASTY = st.lists(PIECES | st.text(min_size=1, max_size=3), min_size=1, max_size=4).map("".join).map(str.strip)
NAMES = st.lists(NASTY.filter(bool), min_size=40, max_size=40, unique=True)


@cache
def plain() -> tuple[Instance, Play, Play]:
    instance = generate(random_tables(1, 6, 6), Size("s", 4, 5), 0)
    return instance, exact_play(instance, AMPLE), paper_play(instance, AMPLE)


def odd_row(names: Sequence[str]) -> Row:
    """The row of an instance in which all that has a name has one of ``names``."""
    instance, exact, paper = plain()
    instance = replace(instance, tables=renamed(instance.tables, names))
    return game_row(show(instance, Edition()), "s", Mode.FAIR, "\n".join(names), exact, paper, "the canary")


def renamed(tables: Tables, names: Sequence[str]) -> Tables:
    """The same domain with other names for truths, actions and labels, and one for its unit."""
    fresh = iter(names)
    actions = [
        replace(
            action,
            name=next(fresh),
            scale=action.scale and replace(action.scale, unit=names[-1]),
            outcomes=tuple(
                Outcome(next(fresh), outcome.excludes) if isinstance(outcome.key, str) else outcome
                for outcome in action.outcomes
            ),
        )
        for action in tables.actions
    ]
    return replace(tables, truths=tuple(Truth(next(fresh)) for _ in tables.truths), actions=tuple(actions))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NAMES)
def test_no_name_can_break_a_conversation(names: list[str]) -> None:
    row = odd_row(names)
    for system in ("book", "table"):
        chat = chat_row(row, system=system)  # type: ignore[arg-type]
        assert chat is not None
        validator("chat").validate(chat)
        *taken, named = [answered(turn["content"]) for turn in chat["messages"][2::2]]
        assert taken == row["exact_trajectory"] and [named] == row["valid_truths"]
        assert all(turn["content"].count("\n") == 0 for turn in chat["messages"][3::2])
    for step in steps_rows(row):
        validator("steps").validate(step)
        assert answered(step["completion"][0]["content"]) == (step["action"] or step["names"][0])


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("<ANSWER> Streak plate </ANSWER>", "Streak plate"),
        ("<ANSWER>Streak plate</ANSWER>\n", "Streak plate"),
        ("It must be Quartz.\n<ANSWER> Quartz </ANSWER>", "Quartz"),
        ("<ANSWER> Quartz </ANSWER>, I think", None),
        ("Quartz", None),
        ("", None),
    ],
)
def test_answers_are_read_back(reply: str, name: str | None) -> None:
    assert answered(reply) == name


# ---- files


LOAD = """\
import datasets, json, sys
for file in sys.argv[1:]:
    rows = datasets.load_dataset("parquet", data_files=file, split="train")
    print(json.dumps([rows.to_list(), repr(rows.features)]))
"""


def test_datasets_reads_messages_as_they_were_written(rows: list[Row], tmp_path: Path) -> None:
    names = [f"</ANSWER>\n{{'\"{i}\"'}}" for i in range(40)]
    written = {
        view: [each for row in [*rows, odd_row(names)] for each in view_rows(view, row)] for view in ("chat", "steps")
    }
    for view, found in written.items():
        write(tmp_path / f"{view}.parquet", found, VIEW_COLUMNS[view])
        assert read(tmp_path / f"{view}.parquet") == found
    result = subprocess.run(
        [sys.executable, "-c", LOAD, *(str(tmp_path / f"{view}.parquet") for view in written)],
        capture_output=True,
        text=True,
        env=os.environ | {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"},
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    for found, line in zip(written.values(), result.stdout.splitlines(), strict=True):
        loaded, features = json.loads(line)
        assert loaded == found
        assert "List({'role': Value('string'), 'content': Value('string')})" in features


# ---- how views are asked for


BENCHMARK = """
benchmark tasting version "1.0.0" {{
  domains tea
  {views}
  size small {{ truths 3  actions 4 }}
}}
"""


@pytest.mark.parametrize(
    ("setting", "views"),
    [
        ("", ("game",)),
        ("views game", ("game",)),
        ("views chat", ("game", "chat")),
        ('views steps, "chat"', ("game", "chat", "steps")),
    ],
)
def test_a_benchmark_says_which_views_it_has(setting: str, views: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "tasting.kumo"
    file.write_text(BENCHMARK.format(views=setting), encoding="utf-8")
    compilation = compile_paths([DOMAINS / "tea.kumo", file])
    assert compilation.diagnostics == ()
    (benchmark,) = compilation.benchmarks
    assert benchmark.views == views
    plan = Plan(benchmark, compilation.tables)
    assert recorded(plan) == list(views)


def recorded(plan: Plan) -> Any:
    described: Mapping[str, Any] = inputs(plan)
    return described["views"]


def test_without_a_word_there_is_the_game_view_alone() -> None:
    assert Benchmark("b", "1.0.0", "B", "", (), 0, ()).views == ("game",)
