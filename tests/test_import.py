"""What the importer repairs, what it leaves, and that both are told: on small sources, one fault each."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.diagnostics import Source
from kumoc.interop.kumo_import import Imported, import_domain
from kumoc.language import Compilation, compile_sources
from kumoc.tables import Action, Range, Tables

TRUTHS = ["Quartz", "Calcite", "Pyrite", "Galena"]
PLAIN = {"type": "str", "states": {"yes": ["Quartz"], "no": ["Calcite"]}}


def source(
    *tables: tuple[str, dict[str, Any]], truths: list[str] | None = None, actions: list[str] | None = None
) -> str:
    names = [name for name, _ in tables]
    return json.dumps(
        {
            "domain": "RockEnv",
            "truths": TRUTHS if truths is None else truths,
            "actions": names if actions is None else actions,
            "outcomes": dict(tables),
        },
        indent=1,
    )


def measured(*states: tuple[Any, list[str]], kind: Any = "float") -> dict[str, Any]:
    return {"type": kind, "states": [{"state": state, "rules_out": names} for state, names in states]}


def imported(*tables: tuple[str, dict[str, Any]], **lists: list[str]) -> Imported:
    result = import_domain(source(*tables, **lists), "RockEnv.json")
    for note in (*result.repairs, *result.problems):
        assert note.line > 0
        assert note.place
    comments = " ".join(line.strip("# ") for line in result.text.splitlines() if line.lstrip().startswith("#"))
    for repair in result.repairs:
        assert f"Repaired: {repair.wrong}; {repair.done}." in comments
    for problem in result.problems:
        assert f"Not repaired: {problem.wrong}; {problem.why}." in comments
    assert comments.count("Repaired: ") == len(result.repairs)
    assert comments.count("Not repaired: ") == len(result.problems)
    return result


def compilation(result: Imported) -> Compilation:
    return compile_sources([Source("rock.kumo", result.text)])


def compiled(result: Imported) -> Tables:
    found = compilation(result)
    assert not found.has_errors, (found.diagnostics, result.text)
    (tables,) = found.tables
    return tables


def errors(result: Imported) -> list[tuple[str, str]]:
    """Each error's rule and the line of the text that it points at."""
    lines = result.text.splitlines()
    return [
        (d.rule.name, lines[d.place.source.position(d.place.span.start)[0] - 1].strip())
        for d in compilation(result).diagnostics
        if d.is_error and d.place.span
    ]


def excluded(tables: Tables, action: Action) -> dict[str, list[str]]:
    """What each outcome of an action rules out, by label or by range."""
    return {
        key(outcome.key): [truth.name for i, truth in enumerate(tables.truths) if outcome.excludes >> i & 1]
        for outcome in action.outcomes
    }


def key(outcome: str | Range) -> str:
    return outcome if isinstance(outcome, str) else f"{outcome.low:f}..{outcome.high:f}"


def kinds(result: Imported) -> list[str]:
    return [repair.kind for repair in result.repairs]


def only_action(result: Imported) -> dict[str, list[str]]:
    tables = compiled(result)
    return excluded(tables, tables.actions[0])


# ---- nothing to repair


def test_a_sound_domain_is_written_as_a_person_would() -> None:
    result = imported(
        ("Acid drop", {"type": "str", "states": {"fizzes": ["Quartz", "Pyrite", "Galena"], "nothing to see": []}}),
        ("Density", measured(([1, 2.5], ["Galena"]), ([2.5, 8], ["Quartz", "Calcite"]))),
        truths=[*TRUTHS, "Fool's gold", "Iron_ore", "domain", "two words"],
    )
    assert result.problems == ()
    assert kinds(result) == ["half-open"]
    assert result.identifier == "rock"
    assert (
        result.text
        == """\
# Imported from KUMO's RockEnv.
# KUMO is licensed under Apache-2.0 by its authors, those of arXiv 2504.02810.
# Faults repaired: 1. Each is told by a comment above what it touched.
domain rock "Rock" {
  topic   "Rock"
  goal    "find out which truth holds"
  version "1.0.0"

  truths "truth" "truths" { Quartz, Calcite, Pyrite, Galena, "Fool's gold", Iron_ore, "domain", "two words" }

  actions "action" "actions" {
    "Acid drop" {
      "fizzes"         rules out Quartz, Pyrite, Galena
      "nothing to see" rules out nothing
    }

    # Repaired: its ranges shared ends (2.5); a shared end is in the upper range alone.
    "Density" number 1..8 {
      1..2.5 rules out Galena
      2.5..8 rules out Quartz, Calcite
    }
  }
}
"""
    )
    assert len(compiled(result).truths) == 8


def test_sets_are_written_the_short_way() -> None:
    result = imported(
        ("Look", {"type": "str", "states": {"a": TRUTHS[:3], "b": TRUTHS[3:], "c": []}}),
        ("Taste", {"type": "str", "states": {"all": TRUTHS, "none": []}}),
    )
    assert '"a" rules out all but Galena\n' in result.text
    assert '"b" rules out Galena\n' in result.text
    assert '"all"  rules out all\n' in result.text
    assert only_action(result) == {"a": TRUTHS[:3], "b": TRUTHS[3:], "c": []}


def test_truths_of_one_family_become_a_group_where_that_helps() -> None:
    family = ["Cirrus fibratus", "Cirrus uncinus", "Cirrus floccus"]
    others = [f"Stratus {word}" for word in ("opacus", "fractus")] + [f"Rock {n}" for n in "abcdefgh"]
    tables = [
        (f"Look {n}", {"type": "str", "states": {"a": [*family, others[n]], "b": [others[0], others[n + 1]]}})
        for n in range(1, 4)
    ]
    result = imported(*tables, truths=[*others, *family])
    assert 'group cirrus = "Cirrus fibratus", "Cirrus uncinus", "Cirrus floccus"\n' in result.text
    assert '"a" rules out cirrus, "Stratus fractus"\n' in result.text
    assert "group rock" not in result.text
    assert excluded(compiled(result), compiled(result).actions[0])["a"] == ["Stratus fractus", *family]
    assert "group" not in imported(*tables, truths=[*others, *family, "Cirrus"]).text


def test_long_lists_wrap_below_the_line_width() -> None:
    truths = [f"Rock {chr(65 + n // 26)}{chr(65 + n % 26)} specimen" for n in range(60)]
    result = imported(("Look", {"type": "str", "states": {"a": truths[:25], "b": truths[30:58:2]}}), truths=truths)
    assert max(map(len, result.text.splitlines())) <= 120
    assert only_action(result) == {"a": truths[:25], "b": truths[30:58:2]}


@pytest.mark.parametrize(
    ("name", "identifier", "title"),
    [
        ("MineralEnv", "mineral", "Mineral"),
        ("TimeTravelEnv", "time_travel", "Time travel"),
        ("OSKernelEnv", "os_kernel", "OS kernel"),
        ("machine_learning_data", "machine_learning", "Machine learning"),
        ("Café lore", "cafe_lore", "Café lore"),
        ("2DArtEnv", "domain_2_d_art", "2 d art"),
        ("AllEnv", "domain_all", "All"),
        ('say "hi"\n}', "say_hi", "say 'hi' }"),
        ("矿物", "imported", "矿物"),
    ],
)
def test_the_domain_gets_an_identifier_and_a_title(name: str, identifier: str, title: str) -> None:
    text = json.dumps({"domain": name, "truths": TRUTHS, "actions": ["Look"], "outcomes": {"Look": PLAIN}})
    result = import_domain(text, "x.json")
    assert result.identifier == identifier
    assert compiled(result).title == title


# ---- ranges


def test_ranges_out_of_order_and_reversed_are_put_right() -> None:
    result = imported(("Age", measured(([3000, 1500], ["Quartz"]), ([500, 1500], ["Pyrite"]), ([500, 0], []))))
    assert only_action(result) == {"0..500": [], "500..1500": ["Pyrite"], "1500..3000": ["Quartz"]}
    assert kinds(result) == ["order", "half-open", "reversed", "reversed"]
    assert result.repairs[2].place == 'action "Age", range 0..500'


def test_a_gap_is_closed_by_a_range_that_rules_out_nothing() -> None:
    result = imported(("Score", measured(([70, 100], ["Quartz"]), ([0, 69], ["Pyrite"]))))
    assert only_action(result) == {"0..69": ["Pyrite"], "69..70": [], "70..100": ["Quartz"]}
    assert kinds(result) == ["order", "gap"]
    above = result.text.splitlines()[result.text.splitlines().index("      69..70  rules out nothing") - 1]
    assert above.strip() == "# Repaired: the source leaves 69..70 out; a range that rules out nothing was added."


def test_of_an_overlap_only_what_all_ranges_rule_out_is_kept() -> None:
    result = imported(
        ("Load", measured(([0, 6], ["Quartz", "Pyrite"]), ([4, 10], ["Pyrite", "Galena"]), ([5, 6], ["Galena"])))
    )
    assert only_action(result) == {
        "0..4": ["Quartz", "Pyrite"],
        "4..5": ["Pyrite"],
        "5..6": [],
        "6..10": ["Pyrite", "Galena"],
    }
    assert kinds(result) == ["overlap", "overlap"]


def test_whole_numbers_lie_strictly_inside_their_ranges() -> None:
    states = (([0, 4], ["Quartz"]), ([5, 8], []), ([11, 12], ["Pyrite"]))
    result = imported(("Moves", measured(*states, kind="int")))
    assert only_action(result) == {"-0.5..4.5": ["Quartz"], "4.5..8.5": [], "8.5..10.5": [], "10.5..12.5": ["Pyrite"]}
    assert kinds(result) == ["whole-numbers", "gap"]
    (action,) = compiled(result).actions
    assert action.scale
    assert action.scale.decimals == 0


def test_single_whole_numbers_are_ranges_too() -> None:
    result = imported(("Islands", measured((1, ["Quartz"]), (2, []), ([3, 9], ["Pyrite"]), kind="int")))
    assert list(only_action(result)) == ["0.5..1.5", "1.5..2.5", "2.5..9.5"]
    assert kinds(result) == ["whole-numbers"]


def test_a_whole_number_in_two_ranges_rules_out_what_both_do() -> None:
    result = imported(("Moves", measured(([0, 4], ["Quartz"]), ([4, 8], ["Pyrite"]), kind="int")))
    assert only_action(result) == {"-0.5..3.5": ["Quartz"], "3.5..4.5": [], "4.5..8.5": ["Pyrite"]}


def test_numbers_are_written_plainly() -> None:
    result = imported(("Mass", measured(([1e-6, 0.1 + 0.2], ["Quartz"]), ([0.3, 1e5], ["Pyrite"]))))
    assert "number 0.000001..100000 {" in result.text
    assert list(only_action(result)) == ["0.000001..0.3", "0.3..100000"]


def test_an_empty_range_is_left_to_a_person() -> None:
    result = imported(("Age", measured(([0, 5], ["Quartz"]), ([5, 5], []), ([5, 9], ["Pyrite"]))))
    assert [problem.kind for problem in result.problems] == ["empty-range"]
    assert errors(result) == [("empty-range", "5..5 rules out nothing")]


@pytest.mark.parametrize("no_end", ["Infinity", "null", "1e999"])
def test_a_range_without_an_end_is_left_to_a_person(no_end: str) -> None:
    text = source(("Age", measured(([0, 5], ["Quartz"]), ([5, "?"], ["Pyrite"])))).replace('"?"', no_end)
    result = import_domain(text, "RockEnv.json")
    assert [problem.kind for problem in result.problems] == ["unbounded-range"]
    assert errors(result) == [("empty-range", "5..5 rules out Pyrite")]


NUMBERS = st.integers(-6, 6).map(lambda n: n / 2)
RANGES = st.lists(
    st.tuples(NUMBERS, NUMBERS, st.sets(st.sampled_from(TRUTHS))).filter(lambda each: each[0] != each[1]),
    min_size=1,
    max_size=6,
)


def test_every_number_rules_out_what_all_its_ranges_in_the_source_do() -> None:
    """Against a reading of the source that knows nothing of boundaries: number by number."""
    sound = 0

    @settings(max_examples=150, deadline=None)
    @given(RANGES)
    def holds(ranges: list[tuple[float, float, set[str]]]) -> None:
        nonlocal sound
        result = imported(("Age", measured(*([[low, high], sorted(names)] for low, high, names in ranges))))
        if result.problems:
            assert [problem.kind for problem in result.problems] == ["one-outcome"]
            assert [rule for rule, _ in errors(result)] == ["too-few-outcomes"]
            return
        sound += 1
        (action,) = compiled(result).actions
        always = set.intersection(*(names for _, _, names in ranges)) if len(ranges) > 1 else set()
        for number in (Decimal(n) / 4 for n in range(-11, 12, 2)):
            holding = [names for low, high, names in ranges if min(low, high) < number < max(low, high)]
            expected = set.intersection(*holding) - always if holding else set()
            matching = [outcome for outcome in action.outcomes if holds_number(outcome.key, number)]
            assert action.scale
            if action.scale.low < number < action.scale.high:
                (outcome,) = matching
                assert {name for i, name in enumerate(TRUTHS) if outcome.excludes >> i & 1} == expected
            else:
                assert not holding

    holds()
    assert sound > 60


def holds_number(outcome: str | Range, number: Decimal) -> bool:
    assert isinstance(outcome, Range)
    return outcome.low <= number < outcome.high


# ---- labels and types


@pytest.mark.parametrize("kind", ["float", "int", "", None, ["str"], "string"])
def test_a_wrong_type_gives_way_to_what_the_outcomes_are(kind: Any) -> None:
    labels = imported(("Look", {"type": kind, "states": {"yes": ["Quartz"], "no": []}}))
    assert kinds(labels) == ["type"]
    assert only_action(labels) == {"yes": ["Quartz"], "no": []}


@pytest.mark.parametrize("kind", ["str", "", None, "range"])
def test_ranges_are_ranges_whatever_the_type_says(kind: Any) -> None:
    ranges = imported(("Age", measured(([0, 5], ["Quartz"]), ([5, 9], []), kind=kind)))
    assert kinds(ranges) == ["type", "half-open"]
    assert only_action(ranges) == {"0..5": ["Quartz"], "5..9": []}


def test_numbers_among_labels_become_labels() -> None:
    result = imported(("Beat", measured(("seen", ["Quartz"]), ([0.0, 0.4], ["Pyrite"]), (7, []), kind="str")))
    assert only_action(result) == {"seen": ["Quartz"], "0 to 0.4": ["Pyrite"], "7": []}
    assert kinds(result) == ["mixed-outcomes"]


def test_fractions_that_stand_alone_are_labels() -> None:
    result = imported(("Ratio", measured((0.5, ["Quartz"]), (1.5, ["Pyrite"]))))
    assert only_action(result) == {"0.5": ["Quartz"], "1.5": ["Pyrite"]}
    assert kinds(result) == ["type"]


def test_labels_that_differ_in_case_or_spacing_are_one_that_rules_out_less() -> None:
    states = (("Not  seen", ["Quartz", "Pyrite"]), ("not seen", ["Pyrite"]), ("seen", ["Galena"]))
    result = imported(("Look", measured(*states, kind="str")))
    assert only_action(result) == {"Not seen": ["Pyrite"], "seen": ["Galena"]}
    assert kinds(result) == ["characters", "repeated-outcome"]


def test_labels_with_characters_that_names_cannot_hold() -> None:
    states = (('says "no"\n\tloudly', ["Quartz"]), ("a\\b\u200b", []), ("", ["Pyrite"]))
    result = imported(("Look\r\n# here", measured(*states, kind="str")))
    assert list(only_action(result)) == ["says 'no' loudly", "a/b", "(blank)"]
    assert kinds(result) == ["characters"] * 4
    assert compiled(result).actions[0].name == "Look # here"


def test_labels_may_differ_in_punctuation() -> None:
    result = imported(("Test", {"type": "str", "states": {"Rh+": ["Quartz"], "Rh-": ["Pyrite"]}}))
    assert list(only_action(result)) == ["Rh+", "Rh-"]
    assert not result.problems and not errors(result)


def test_names_are_kept_as_they_are() -> None:
    truths = ["CalciumCarbonate", "no_distinct_peaks", "Daubréelite", "HIV/AIDS", "R&B", "x²"]
    states = {"no_distinct_peaks (b)": ["HIV/AIDS"], "Mg²⁺": ["x²", "CalciumCarbonate"]}
    tables = compiled(imported(("UV-Vis", {"type": "str", "states": states}), truths=truths))
    assert [truth.name for truth in tables.truths] == truths
    assert excluded(tables, tables.actions[0])["Mg²⁺"] == ["CalciumCarbonate", "x²"]


def test_too_long_a_name_is_left_to_a_person() -> None:
    result = imported(("Look", PLAIN), truths=[*TRUTHS, "long " * 30])
    assert [problem.kind for problem in result.problems] == ["long-name"]
    assert [rule for rule, _ in errors(result)] == ["bad-name"]


# ---- truths


def test_truths_that_repeat_or_differ_in_case_are_one() -> None:
    truths = ["Low-income homes", "Quartz", "Low-Income  Homes", "Quartz"]
    states = {"a": ["Low-income homes"], "b": ["Low-Income  Homes", "Quartz"], "c": []}
    result = imported(("Look", {"type": "str", "states": states}), truths=truths)
    assert only_action(result) == {"a": ["Low-income homes"], "b": ["Low-income homes", "Quartz"], "c": []}
    assert kinds(result) == ["repeated-truth", "repeated-truth"]


def test_truths_that_differ_in_punctuation_are_left_to_a_person() -> None:
    result = imported(("Look", {"type": "str", "states": {"a": ["C+"], "b": ["D"]}}), truths=["C", "C+", "D"])
    assert [problem.kind for problem in result.problems] == ["confusable-names"]
    assert ("confusable-names", '"C+"') in errors(result)


def test_names_that_are_no_truths_are_found_or_left_out() -> None:
    states = {"a": ["quartz", "Unobtainium", "Pyrite"], "b": ["Fools-gold"], "c": []}
    result = imported(("Look", {"type": "str", "states": states}), truths=[*TRUTHS, "Fool's gold"])
    assert only_action(result) == {"a": ["Quartz", "Pyrite"], "b": ["Fool's gold"], "c": []}
    assert kinds(result) == ["spelling", "unknown-truth", "spelling"]
    assert result.repairs[1].place == 'action "Look", outcome "a"'
    lines = source(("Look", {"type": "str", "states": states}), truths=[*TRUTHS, "Fool's gold"]).splitlines()
    assert "Unobtainium" in lines[result.repairs[1].line - 1]


def test_a_truth_that_every_outcome_excludes_is_freed_from_all_of_them() -> None:
    states = {"a": ["Quartz", "Pyrite"], "b": ["Quartz", "Galena"], "c": ["Quartz"]}
    result = imported(("Look", {"type": "str", "states": states}))
    assert only_action(result) == {"a": ["Pyrite"], "b": ["Galena"], "c": []}
    assert kinds(result) == ["always-excluded"]


def test_a_gap_does_not_hide_that_every_range_excludes_a_truth() -> None:
    result = imported(("Age", measured(([0, 4], ["Quartz", "Pyrite"]), ([5, 9], ["Quartz"]))))
    assert only_action(result) == {"0..4": ["Pyrite"], "4..5": [], "5..9": []}
    assert kinds(result) == ["always-excluded", "gap"]


# ---- actions


def test_an_action_with_the_name_of_a_truth_is_renamed() -> None:
    result = imported(("quartz", PLAIN), ("Look", PLAIN))
    assert [action.name for action in compiled(result).actions] == ["quartz (action)", "Look"]
    assert kinds(result) == ["truth-and-action"]


def test_an_action_is_not_renamed_to_a_name_that_is_taken() -> None:
    result = imported(("Quartz", PLAIN), ("Quartz action", PLAIN))
    assert [problem.kind for problem in result.problems] == ["truth-and-action"]
    assert ("truth-and-action", '"Quartz" {') in errors(result)


def test_actions_keep_the_order_of_their_list() -> None:
    result = imported(("A", PLAIN), ("B", PLAIN), ("C", PLAIN), actions=["C", "A", "c", "B"])
    assert [action.name for action in compiled(result).actions] == ["C", "A", "B"]
    assert kinds(result) == ["repeated-action"]


def test_actions_and_outcomes_that_do_not_find_each_other() -> None:
    tables = (("Extra", PLAIN), ("X ray test", PLAIN), ("streak Plate", PLAIN))
    result = imported(*tables, actions=["Streak plate", "Lost", "X-ray test"])
    assert [action.name for action in compiled(result).actions] == ["Streak plate", "X-ray test", "Extra"]
    assert sorted(kinds(result)) == ["no-outcomes", "spelling", "spelling", "unlisted-action"]


def test_outcomes_given_twice() -> None:
    text = source(("Look", PLAIN), ("Look again", PLAIN), actions=["Look"]).replace("Look again", "Look")
    assert kinds(import_domain(text, "x.json")) == ["repeated-action"]
    other = {"type": "str", "states": {"yes": ["Galena"], "no": []}}
    text = source(("Look", PLAIN), ("Look again", other), actions=["Look"]).replace("Look again", "Look")
    result = import_domain(text, "x.json")
    assert [problem.kind for problem in result.problems] == ["repeated-action"]
    assert errors(result) == [("repeated-name", '"Look" {')]


def test_a_single_outcome_is_left_to_a_person() -> None:
    result = imported(("Look", {"type": "str", "states": {"yes": ["Quartz"]}}))
    assert [problem.kind for problem in result.problems] == ["one-outcome"]
    assert ("too-few-outcomes", '"Look" {') in errors(result)
