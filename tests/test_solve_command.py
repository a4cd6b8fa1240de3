"""``kumoc solve`` as people meet it, and the comparison of a trajectory with the optimum against brute force."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kumoc import cli
from kumoc.release import load
from kumoc.solve import ExactPlayer, PaperPlayer, compare, expected_after
from kumoc.views.read import RowError, bare_game
from tests.command import ROOT, kumoc
from tests.test_solve_players import all_worlds, random_games

GOLDEN = ROOT / "dist" / "pocket" / "1.0.0"


@pytest.fixture
def run(monkeypatch, capsys):
    """The command in this process: exit code, standard output, standard error."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["kumoc", "solve", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        return (exit_.value.code, *capsys.readouterr())

    return call


def piped(*arguments, data=b"", **environment):
    """The real command, its input and output in bytes."""
    command = [sys.executable, "-m", "kumoc", "solve", *map(str, arguments)]
    return subprocess.run(
        command, input=data, capture_output=True, check=False, cwd=ROOT, env=os.environ | environment, timeout=60
    )


def rule(action, label, *rules_out, low=None, high=None, closed=None):
    unit = None if low is None else "g"
    names = {"low": low, "high": high, "closed": closed, "unit": unit}
    return {"action": action, "label": label, "rules_out": list(rules_out)} | names


def shown(action, label, value=None):
    return {"action": action, "label": label, "value": value, "text": label or f"{value} g"}


def cheese(**changes):
    """Four truths; "Weigh it" is measured; Feta is valid."""
    row = {
        "truths": ["Brie", "Cheddar", "Feta", "Stilton"],
        "actions": ["Cut it, then look", "Weigh it", "Smell it"],
        "valid_truths": ["Feta"],
        "rules": [
            rule("Cut it, then look", "it oozes", "Cheddar", "Feta"),
            rule("Cut it, then look", "it crumbles", "Brie", "Cheddar"),
            rule("Weigh it", None, "Feta", "Stilton", low=0, high=2.5, closed=False),
            rule("Weigh it", None, "Brie", "Stilton", low=2.5, high=8, closed=True),
            rule("Smell it", "strong", "Feta", "Cheddar"),
            rule("Smell it", "mild", "Stilton"),
        ],
        "observations": [
            shown("Cut it, then look", "it crumbles"),
            shown("Weigh it", None, 4.5),
            shown("Smell it", "mild"),
        ],
    }
    return row | changes


@pytest.fixture
def cheese_file(tmp_path):
    path = tmp_path / "cheese.json"
    path.write_text(json.dumps(cheese()))
    return path


# What an action costs


def exact_oracle(n_truths, game, valid):
    """Values by brute force over worlds: of (what was seen), and of taking an action there."""
    worlds = all_worlds(n_truths, game, valid)

    def possible(seen):
        return [w for w in worlds if all(o is None or w[1][a] == o for a, o in enumerate(seen))]

    @cache
    def value(seen):
        named = -1
        for kept, _, _ in possible(seen):
            named &= kept
        return 0 if named else min(taking(seen, a) for a, o in enumerate(seen) if o is None)

    def taking(seen, action):
        if seen[action] is not None:
            return 1 + value(seen)
        here = possible(seen)
        total = sum(p for _, _, p in here)
        after = [(p, (*seen[:action], shows[action], *seen[action + 1 :])) for _, shows, p in here]
        return 1 + sum(p * value(then) for p, then in after) / total

    return worlds, value, taking


def test_each_step_costs_what_brute_force_says():
    seen_games = optimal = repeated = late = 0
    for valid, seed in ((1, 5), (2, 6)):
        draw = random.Random(seed)
        for game in random_games(seed, 60, 4, 4, 3):
            worlds, value, taking = exact_oracle(4, game, valid)
            if not worlds:
                continue
            player = ExactPlayer(4, game, valid)
            actions = [draw.randrange(4) for _ in range(draw.randint(1, 5))]
            mean_cost = mean_regret = mean_luck = 0.0
            for _, shows, p in worlds:
                comparison = compare(player, actions, shows)
                seen = (None,) * 4
                for step in comparison.steps:
                    assert step.value == pytest.approx(float(value(seen)), abs=1e-9)
                    assert step.expected == pytest.approx(float(taking(seen, step.action)), abs=1e-9)
                    assert step.repeated == (seen[step.action] is not None)
                    assert step.is_optimal == (value(seen) > 0 and taking(seen, step.action) == value(seen))
                    assert step.regret >= 0 and (step.regret < 1e-9) == step.is_optimal
                    seen = (*seen[: step.action], step.outcome, *seen[step.action + 1 :])
                    optimal += step.is_optimal
                    repeated += step.repeated
                    late += not step.optimal
                assert comparison.further == pytest.approx(float(value(seen)), abs=1e-9)
                assert bool(comparison.known) == (value(seen) == 0)
                cost = len(actions) + comparison.further
                assert cost == pytest.approx(comparison.expected + comparison.regret + comparison.luck, abs=1e-9)
                mean_cost += float(p) * cost
                mean_regret += float(p) * comparison.regret
                mean_luck += float(p) * comparison.luck
            assert mean_luck == pytest.approx(0, abs=1e-9)
            assert mean_cost == pytest.approx(player.value + mean_regret, abs=1e-9)
            seen_games += 1
    assert seen_games >= 40 and min(optimal, repeated, late) >= 40, (seen_games, optimal, repeated, late)


def test_the_papers_player_is_compared_on_its_own_terms():
    def value(survivors, rest):
        excluded = 0
        for action in rest:
            for mask in game[action]:
                excluded |= mask
        if survivors.bit_count() <= 1 or survivors & ~excluded:
            return 0
        return min(taking(survivors, rest, action) for action in rest)

    def taking(survivors, rest, action):
        left = [survivors & ~mask for mask in game[action]]
        total = sum(after.bit_count() for after in left) or 1
        others = tuple(a for a in rest if a != action)
        return 1 + sum(after.bit_count() * value(after, others) for after in left) / total

    positive = 0
    for game in random_games(8, 60, 4, 4, 3):
        player = PaperPlayer(4, game)
        for action in range(4):
            found = expected_after(player, 0b1111, 0b1111, action)
            assert found == pytest.approx(taking(0b1111, (0, 1, 2, 3), action), abs=1e-9)
            positive += found > 1
    assert positive >= 40


def test_best_play_has_no_regret_and_ends_with_the_answer():
    for row in load(GOLDEN):
        bare = bare_game(row)
        player = ExactPlayer(len(bare.truths), bare.game, len(bare.valid))
        comparison = compare(player, player.trajectory(bare.observed), bare.observed)
        assert comparison.regret == pytest.approx(0, abs=1e-9)
        assert set(comparison.known) & set(bare.valid)


def test_an_action_that_is_not_in_the_game_is_refused():
    with pytest.raises(ValueError, match="no action 3"):
        compare(ExactPlayer(2, ((1, 2),)), [3], [0])
    with pytest.raises(ValueError, match="no action -1"):
        compare(ExactPlayer(2, ((1, 2),)), [-1], [0])


# Rows


def test_a_row_is_read_back():
    bare = bare_game(cheese())
    assert bare.game == ((0b0110, 0b0011), (0b1100, 0b1001), (0b0110, 0b1000))
    assert bare.observed == (1, 1, 1) and bare.valid == (2,)
    assert bare.outcomes[1] == ("0 to 2.5 g", "2.5 to 8 g")


def test_values_fall_into_one_range_up_to_its_ends():
    for value, outcome in ((2.5, 1), (8, 1), (2.6, 1)):
        row = cheese()
        row["observations"][1] = shown("Weigh it", None, value)
        assert bare_game(row).observed[1] == outcome


CUT = shown("Cut it, then look", "it crumbles")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"valid_truths": ["Gouda"]}, "'Gouda' is not listed"),
        ({"valid_truths": ["Brie"]}, "the observations leave 'Feta', but valid are 'Brie'"),
        ({"rules": [rule("Taste it", "salty")]}, "'Taste it', which is not listed"),
        ({"rules": [rule("Smell it", "mild", "Gouda")]}, "fits 0|'Gouda' is not listed"),
        ({"rules": []}, "fits 0 of its outcomes"),
        ({"rules": cheese()["rules"] + [rule("Smell it", "mild")]}, "fits 2 of its outcomes"),
        ({"observations": [CUT]}, "not one for each"),
        ({"observations": [CUT, CUT, CUT]}, "not one for each"),
        ({"observations": [CUT, shown("Weigh it", None, 9), shown("Smell it", "mild")]}, "'Weigh it' fits 0"),
        ({"observations": [CUT, shown("Weigh it", None, float("nan")), shown("Smell it", "mild")]}, "fits 0"),
        ({"observations": [CUT, shown("Weigh it", None, 4), shown("Smell it", None, 4)]}, "'Smell it' fits 0"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(changes, said):
    with pytest.raises(RowError, match=said):
        bare_game(cheese(**changes))


# The command


def test_the_golden_release_is_solved_in_plain_text():
    result = kumoc("solve", GOLDEN, "--size", "easy", FORCE_COLOR="1")
    row = next(load(GOLDEN, "easy"))
    assert result.returncode == 0
    assert "\x1b" not in result.stdout + result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 100
    for name in (row["instance_id"], *row["truths"], *row["actions"], *(seen["text"] for seen in row["observations"])):
        assert name in result.stdout
    assert "note: this is the first of 12 rows" in result.stderr
    assert "How the exact player plays" in result.stdout and "trajectory" not in result.stdout


def test_json_agrees_with_the_rows_own_columns(run):
    rows = list(load(GOLDEN))
    for index in (0, len(rows) - 6, len(rows) - 1):
        row = rows[index]
        code, out, err = run(GOLDEN, "--id", row["instance_id"], "--json")
        found = json.loads(out)
        assert code == 0 and err == ""
        assert found["instance"]["instance_id"] == row["instance_id"]
        for player in ("exact", "paper"):
            assert found["players"][player]["expected_actions"] == row[f"{player}_expected_actions"]
            assert found["players"][player]["optimal_actions"] == row[f"{player}_optimal_actions"]
            assert found["players"][player]["trajectory"] == row[f"{player}_trajectory"]
        assert found["tree"]["action"] == row["exact_trajectory"][0]
        assert found["comparison"] is None
        assert mean_actions(found["tree"]) == pytest.approx(row["exact_expected_actions"], abs=1e-7)


def mean_actions(tree):
    if "named" in tree:
        return 0
    assert sum(branch["probability"] for branch in tree["branches"]) == pytest.approx(1, abs=1e-7)
    return 1 + sum(branch["probability"] * mean_actions(branch["then"]) for branch in tree["branches"])


def test_a_trajectory_is_compared_step_by_step(run, cheese_file):
    arguments = ("-a", " smell  IT", "-a", "smell it", "-a", "cut it, then look", "-a", "weigh it")
    code, out, _ = run(cheese_file, *arguments, "--json")
    found = json.loads(out)["comparison"]
    assert code == 0
    assert [step["action"] for step in found["steps"]] == ["Smell it", "Smell it", "Cut it, then look", "Weigh it"]
    assert [len(step["survivors_after"]) for step in found["steps"]] == [3, 3, 1, 1]
    assert [step["repeated"] for step in found["steps"]] == [False, True, False, False]
    assert found["steps"][1]["regret"] == found["steps"][3]["regret"] == 1
    assert found["known_truths"] == ["Feta"]
    account = found["expected_actions"] + found["regret"] + found["luck"]
    assert found["actions"] + found["further_expected_actions"] == pytest.approx(account, abs=1e-7)

    code, text, _ = run(cheese_file, *arguments, "--player", "paper")
    assert code == 0
    assert "against the paper player" in text and "taken before" in text and "the answer was known" in text
    assert "After 4 actions the answer is known: Feta" in text and "4 taken + 0.000 to go" in text
    assert "is not known" in run(cheese_file, "-a", "smell it")[1]


def test_the_tree_is_folded_at_a_depth(run):
    def size(tree):
        return 1 + sum(size(branch["then"]) for branch in tree.get("branches", ()))

    release = (GOLDEN, "--size", "easy", "--split", "test")
    deep = 0
    for row in range(3):
        whole = json.loads(run(*release, "--row", row, "--json")[1])["tree"]
        folded = json.loads(run(*release, "--row", row, "--json", "--depth", "1")[1])["tree"]
        hidden = sum(branch["then"].get("folded_states", 0) for branch in folded["branches"])
        assert size(folded) + hidden == size(whole)
        plain = run(*release, "--row", row, "--depth", "1")[1]
        assert (f"{hidden} states folded away: --depth all" in plain) == (hidden > 0)
        assert "folded" not in run(*release, "--row", row, "--depth", "all")[1]
        assert "1 taken" not in plain
        deep += hidden > 0
    assert deep


def test_rows_come_from_json_lines_parquet_and_standard_input(run, tmp_path):
    rows = [cheese(instance_id=f"cheese-{i:016x}", domain="cheese") for i in range(3)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8-sig")
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "rows.parquet")
    for name in ("rows.jsonl", "rows.json", "rows.parquet"):
        for choice in (("--row", "2"), ("--id", "cheese-0000000000000002")):
            code, out, err = run(tmp_path / name, *choice, "--json")
            assert (code, err) == (0, "")
            assert json.loads(out)["instance"]["instance_id"] == "cheese-0000000000000002"
    result = piped("-", data=json.dumps(rows[0]).encode())
    assert result.returncode == 0 and "Weigh it" in result.stdout.decode()


def test_a_limit_on_work_gives_bounds(run):
    release = (GOLDEN, "--size", "easy", "--row", "0", "--work", "0", "-a", next(load(GOLDEN, "easy"))["actions"][0])
    code, out, err = run(*release)
    assert code == 0 and " to 6.000" in out and "not found" in out, err
    assert "note: with at most 0 states a question there is no tree and no comparison" in err
    found = json.loads(run(*release, "--json")[1])
    assert found["tree"] is None and found["comparison"] is None
    for plays in found["players"].values():
        assert plays["lower_bound"] < plays["upper_bound"] and plays["expected_actions"] is None


def test_names_from_anywhere_are_shown_and_never_obeyed(run, tmp_path):
    evil = {"Feta": "[red]Feta[/red] \x1b[31m\x9b2J\ud800:smile:", "Smell it": "\u202e[link=x]\nSmell"}
    text = json.dumps(cheese())
    for name, worse in evil.items():
        text = text.replace(json.dumps(name), json.dumps(worse))
    (tmp_path / "evil.json").write_text(text)
    for options in ((), ("-a", evil["Smell it"]), ("-a", "weigh"), ("-a", "zzz")):
        _, out, err = run(tmp_path / "evil.json", *options)
        assert not {"\x1b", "\x9b", "\u202e", "\ud800"} & set(out + err)
    assert "[red]Feta[/red] \ufffd[31m" in run(tmp_path / "evil.json")[1]
    assert run(tmp_path / "evil.json", "--json")[1].isascii()
    (tmp_path / "evil.json").write_text(text.replace('"mild"', '"a\\u001b["', 1))
    code, _, err = run(tmp_path / "evil.json")
    assert code == 1 and "fits 0" in err and "\x1b" not in err


def test_a_terminal_without_the_characters_is_no_bug():
    result = piped(GOLDEN, "--row", "0", PYTHONIOENCODING="latin-1")
    assert result.returncode == 0 and b" ? " in result.stdout


def damaged(folder, name, data):
    (folder / name).write_bytes(data)
    return folder / name


def test_what_cannot_be_read_is_told_with_its_place_and_a_way_out(run, tmp_path):
    parquet = next(GOLDEN.glob("game-easy/*/*.parquet")).read_bytes()
    missing = {name: value for name, value in cheese().items() if name != "rules"}
    wrong = json.dumps(cheese(truths=["Brie", 5])).encode()
    two_rows = (json.dumps(cheese()) + "\n" + json.dumps(cheese())).encode()
    footer = int.from_bytes(parquet[-8:-4], "little") + 8
    blanked = parquet[:4] + bytes(len(parquet) - 4 - footer) + parquet[-footer:]
    (tmp_path / "empty").mkdir()
    (tmp_path / "release").mkdir()
    damaged(tmp_path, "release/manifest.json", b'{"files": [{"view": "game", "edition": "", "path": "gone.parquet"}]}')
    (tmp_path / "odd").mkdir()
    damaged(tmp_path, "odd/manifest.json", b'{"files": 3}')
    cheeses = damaged(tmp_path, "cheese.json", json.dumps(cheese()).encode())
    cases = [
        ((tmp_path / "nothing.json",), "No such file"),
        ((tmp_path / "empty",), "is no release"),
        ((GOLDEN.parent,), f"did you mean {GOLDEN}?"),
        ((tmp_path / "release",), "gone.parquet: No such file"),
        ((tmp_path / "odd",), "is no manifest"),
        ((GOLDEN, "--size", "eazy"), "its sizes: easy, pairs, paper"),
        ((GOLDEN, "--row", "1000"), "rows are counted from 0: the last is"),
        ((GOLDEN, "--id", "nobody"), "no row has the id 'nobody'"),
        ((GOLDEN, "--id", next(load(GOLDEN))["instance_id"][:-1]), "did you mean '"),
        ((GOLDEN, "--row", "1", "--id", "x"), "give one of them"),
        ((GOLDEN, "--depth", "deep"), "neither a number nor 'all'"),
        ((cheeses, "--split", "test"), "chooses among the rows of a release"),
        ((cheeses, "-a", "wiegh it"), "did you mean 'Weigh it'?"),
        ((cheeses, "-a", "??"), "its actions: Cut it, then look, Weigh it, Smell it"),
        ((damaged(tmp_path, "a.json", b"[]"),), "there are no rows"),
        ((damaged(tmp_path, "b.json", b"{"),), "is not JSON"),
        ((damaged(tmp_path, "c.json", two_rows),), "from a file named .jsonl"),
        ((damaged(tmp_path, "d.json", b"\xff"),), "is not UTF-8"),
        ((damaged(tmp_path, "e.json", b"[" * 100_000),), "is not JSON"),
        ((damaged(tmp_path, "f.json", b"3"),), "3 is not of type 'object'"),
        ((damaged(tmp_path, "g.json", json.dumps(missing).encode()),), "'rules' is a required property"),
        ((damaged(tmp_path, "h.json", wrong),), "truths.1: 5 is not of type 'string'"),
        ((damaged(tmp_path, "i.jsonl", json.dumps(cheese()).encode() + b"\n{]"),), "i.jsonl:2: is not JSON"),
        ((damaged(tmp_path, "j.json", json.dumps(cheese(rules=[])).encode()),), "fits 0 of its outcomes"),
        ((damaged(tmp_path, "k.parquet", b"PAR1"),), "can't be read as Parquet"),
        ((damaged(tmp_path, "l.parquet", parquet[:2000]),), "can't be read as Parquet"),
        ((damaged(tmp_path, "m.parquet", blanked),), "can't be read as Parquet"),
    ]
    for arguments, said in cases:
        code, out, err = run(*arguments)
        assert (code, out) == (1, ""), (arguments, err)
        assert said in err and "Traceback" not in err, err


def test_names_that_differ_in_case_alone_must_be_exact(run, tmp_path):
    text = json.dumps(cheese()).replace("Weigh it", "smell IT")
    (tmp_path / "twins.json").write_text(text)
    assert run(tmp_path / "twins.json", "-a", "smell IT")[0] == 0
    code, _, err = run(tmp_path / "twins.json", "-a", "SMELL it")
    assert code == 1 and "2 actions could be 'SMELL it'" in err
