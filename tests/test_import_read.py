"""What the importer reads: Python and JSON of KUMO's form, never run; and what it refuses, with a line."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.diagnostics import Source
from kumoc.interop.kumo_import import import_domain
from kumoc.interop.literals import SourceError
from kumoc.language import compile_sources
from kumoc.tables import Tables
from tests.command import printed

ROOT = Path(__file__).parent.parent

PYTHON = '''\
"""Minerals."""
Truths = {'Quartz', 'Pyrite', "Fool's gold", 'Calcite'}  # a set has no order
Actions: list = ['Look', 'Density', 'Charge']
Outcomes = {
    'Look': {'type': 'str', 'states': {
        'shiny ' 'and new': {'Quartz', 'Pyrite'},
        'dull': set(),
        'none of the rest': [x for x in Truths if x not in ['Quartz', 'Pyrite']],
        'some': [t for t in Truths if t in {"Fool's gold"}],
    }},
    'Density': {"type": "float", "states": {(1, 2.5): {'Quartz'}, (2.5, 8.0): {}}},
    'Charge': {"type": "float", "states": {(-4.0, -2.5): {'Quartz',}, (-2.5, +1e1): ()}},
}
'''


def compiled(text: str, filename: str) -> Tables:
    found = compile_sources([Source("x.kumo", import_domain(text, filename).text)])
    assert not found.has_errors, found.diagnostics
    (tables,) = found.tables
    return tables


def named(tables: Tables, action: int) -> list[list[str]]:
    return [
        [truth.name for i, truth in enumerate(tables.truths) if outcome.excludes >> i & 1]
        for outcome in tables.actions[action].outcomes
    ]


def refused(text: str, filename: str) -> SourceError:
    with pytest.raises(SourceError) as error:
        import_domain(text, filename)
    assert str(error.value) == f"line {error.value.line}: {error.value.reason}"
    return error.value


def test_python_of_literals() -> None:
    tables = compiled(PYTHON, "rock_data.py")
    assert tables.domain == "rock"
    assert [truth.name for truth in tables.truths] == ["Calcite", "Fool's gold", "Pyrite", "Quartz"]
    assert [action.name for action in tables.actions] == ["Look", "Density", "Charge"]
    assert tables.actions[0].outcomes[0].key == "shiny and new"
    assert named(tables, 0) == [["Pyrite", "Quartz"], [], ["Calcite", "Fool's gold"], ["Fool's gold"]]
    assert named(tables, 2) == [["Quartz"], []]
    scale = tables.actions[2].scale
    assert scale
    assert (scale.low, scale.high) == (-4, 10)


def test_json_and_python_give_the_same_text() -> None:
    states = {"a": ["Pyrite"], "b": []}
    outcomes = {"Look": {"type": "str", "states": states}}
    as_json = json.dumps({"domain": "rock", "truths": ["Pyrite", "Quartz"], "actions": ["Look"], "outcomes": outcomes})
    as_python = f"Truths = ['Pyrite', 'Quartz']\nActions = ['Look']\nOutcomes = {outcomes!r}"
    listed = [{"state": state, "rules_out": names} for state, names in states.items()]
    as_lists = as_json.replace(json.dumps(states), json.dumps(listed))
    assert as_lists != as_json
    texts = {
        import_domain(text, name).text for text, name in ((as_json, "x.json"), (as_lists, "x"), (as_python, "rock.py"))
    }
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("truths", "actions", "nouns"),
    [
        ("Truths", "Actions", ("truth", "truths", "action", "actions")),
        ("Diseases", "Diagnosis", ("disease", "diseases", "diagnostic test", "diagnostic tests")),
        ("Abilities", "Tests", ("ability", "abilities", "test", "tests")),
        ("Suspects", "FieldInquiries", ("suspect", "suspects", "field inquiry", "field inquiries")),
    ],
)
def test_the_lists_name_what_they_hold(truths: str, actions: str, nouns: tuple[str, ...]) -> None:
    body = "Outcomes = {'Look': {'type': 'str', 'states': {'a': {'A'}, 'b': {'B'}}}}"
    for lists in (f"{truths} = ['A', 'B']\n{actions} = ['Look']", f"{actions} = ('Look',)\n{truths} = ('A', 'B')"):
        tables = compiled(f"{lists}\n{body}\n", "x.py")
        noun = tables.truth_noun, tables.action_noun
        assert (noun[0].one, noun[0].many, noun[1].one, noun[1].many) == nouns
        assert [truth.name for truth in tables.truths] == ["A", "B"]


def test_what_a_filter_lists_is_looked_up_like_any_name() -> None:
    text = PYTHON.replace("['Quartz', 'Pyrite']]", "['quartz', 'Gold']]")
    result = import_domain(text, "x.py")
    assert [(repair.kind, repair.line) for repair in result.repairs][:2] == [("spelling", 8), ("unknown-truth", 8)]
    assert named(compiled(text, "x.py"), 0)[2] == ["Calcite", "Fool's gold", "Pyrite"]


def test_the_types_themselves_stand_for_their_names() -> None:
    text = PYTHON.replace("'type': 'str'", "'type': str").replace('"type": "float"', '"type": float')
    assert import_domain(text, "x.py").text == import_domain(PYTHON, "x.py").text


def test_infinity_is_read() -> None:
    text = PYTHON.replace("8.0", "float('inf')").replace("-4.0", "-float('inf')")
    assert [problem.kind for problem in import_domain(text, "x.py").problems] == ["unbounded-range"] * 2


def test_a_byte_order_mark_is_no_fault() -> None:
    assert import_domain("\ufeff" + PYTHON, "x.py").text == import_domain(PYTHON, "x.py").text


# ---- refused


TRAP = "__import__('os').environ.__setitem__('KUMOC_TRAP', 'sprung')"


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("import os", "an import"),
        ("from os import *", "an import"),
        (TRAP, "a call"),
        (f"x = {TRAP}", "a call"),
        (f"x = [{TRAP}]", "a call"),
        (f"x = {{{TRAP}: 1}}", "a call"),
        (f"x = {{**{TRAP}}}", "unpacked"),
        (f"x = [*{TRAP}]", "an unpacking"),
        (f"x = f'''{{{TRAP}}}'''", "an f-string"),
        (f"x = [x for x in {TRAP} if x in []]", "comprehensions"),
        (f"x = [x for x in Truths if x in {TRAP}]", "a call"),
        (f"x = [x for x in Truths if {TRAP}]", "comprehensions"),
        (f"x = [{TRAP} for x in Truths if x in []]", "comprehensions"),
        ("x = [x for x in Truths if x in [] if x in []]", "comprehensions"),
        ("x = [x for y in Truths for x in Truths if x in []]", "comprehensions"),
        ("x = [x for x in Truths if y in []]", "comprehensions"),
        ("x = [x for x in Truths if x in 'abc']", "comprehensions"),
        ("x = [x for x in Truths]", "comprehensions"),
        ("x = {x: 1 for x in Truths}", "a comprehension"),
        ("x = (x for x in Truths if x in [])", "a generator"),
        (f"x = lambda: {TRAP}", "a lambda"),
        (f"def x(y={TRAP}): pass", "a function"),
        (f"class X: x = {TRAP}", "a class"),
        (f"if {TRAP}: pass", "something else"),
        (f"x: {TRAP}", "something else"),
        (f"assert {TRAP}", "something else"),
        ("x = y", "a name"),
        ("x = y.z", "an attribute"),
        ("x = y[0]", "a subscript"),
        ("x = 10 ** 10 ** 10", "a computation"),
        ("x = 'a' * 10 ** 9", "a computation"),
        ("x = set(Truths)", "a call"),
        ("x = float(1)", "a call"),
        ("x = float('nan')", "a call"),
        ("x = (y := 1)", "an assignment inside"),
        ("x = b'bytes'", "something else"),
        ("x = 1j", "something else"),
        ("x = ...", "something else"),
        ("x = -'a'", "something else"),
        ("x = not 1", "something else"),
        ("x = y = 1", "something else"),
        ("Outcomes['x'] = {}", "something else"),
        ("x = [1", "not Python"),
        ("x = 1\0", "not Python"),
        ("x = '\ud800'", "not text"),
        ("x = " + "1" * 5000, "not Python"),
        ("x = " + "[" * 50 + "]" * 50, "nested"),
        ("x = " + "-" * 50 + "1", "nested"),
    ],
)
def test_python_that_is_no_literal_is_refused_and_never_run(line: str, word: str) -> None:
    error = refused(f"{PYTHON}{line}\n", "x.py")
    assert word in error.reason
    assert error.line in (PYTHON.count("\n") + 1, 1)
    assert error.line > 1 or word == "not text" or "\0" in line
    assert "KUMOC_TRAP" not in os.environ


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 100_000,
        "x = " + "-" * 100_000 + "1",
        "x = " + "1+" * 100_000 + "1",
        "x = a" + ".b" * 100_000,
        "x = a" + "[0]" * 100_000,
        "x = " + "not " * 100_000 + "1",
        "x = " + "2**" * 100_000 + "1",
        "x = " + "1 if 1 else " * 100_000 + "1",
        "if 1:\n pass\n" + "elif 1:\n pass\n" * 20_000,
    ],
)
def test_python_that_would_crash_a_parser_is_refused(text: str) -> None:
    assert refused(text, "x.py").line >= 1


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("", 1, "not JSON"),
        ("[1,\n2", 2, "','"),
        ('{"a":\n1,}', 2, "not JSON"),
        ('{"a"\n1}', 2, "':'"),
        ("{\n1: 2}", 2, "text in double quotes"),
        ('{\n"a": tru}', 2, "not JSON"),
        ('{"a": 1}\n\n{', 3, "follows"),
        ("{'a': 1}", 1, "not JSON"),
        ('{"a":\n"b\nc"}', 2, "not JSON"),
        ('{"a":\nNaN}', 2, "not a number"),
        ("[" * 100_000, 1, "nested"),
        ('{"a":' * 100_000, 1, "nested"),
        ("[\n" + "1" * 5000 + "]", 2, "digits"),
        ("[1]", 1, "must be a mapping"),
        ("{}", 1, "Outcomes"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int, word: str) -> None:
    error = refused(text, "x.json")
    assert word in error.reason
    assert error.line == line


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("Outcomes", "Results", 1, "no 'Outcomes'"),
        ("Truths = ", "Truths = [], ", 2, "must be text"),
        ("'Calcite'}", "7}", 2, "must be text"),
        ("Actions: list =", "Truths =", 3, "twice"),
        ("'states': {", "'stats': {", 5, "no 'states'"),
        ("'dull': set()", "'dull': 'Quartz'", 7, "list of names"),
        ("'dull': set()", "'dull': {'Quartz': 1}", 7, "list of names"),
        ("(1, 2.5)", "(1, 2.5, 3)", 11, "two numbers"),
        ("(1, 2.5)", "(1, 'x')", 11, "numbers"),
        ("for x in Truths if", "for x in Actions if", 8, "list of truths"),
        ("Truths = {", "Truths = 'x'\nOthers = {", 1, "can't be told"),
        ("{'Quartz'}, (2.5", "[[" * 9 + "]]" * 9 + ", (2.5", 11, "must be text"),
    ],
)
def test_what_is_no_domain_is_refused_with_its_line(old: str, new: str, line: int, word: str) -> None:
    assert old in PYTHON
    extra = "Third = []\n" if word == "can't be told" else ""
    error = refused(PYTHON.replace(old, new) + extra, "x.py")
    assert word in error.reason
    assert error.line == line


def test_more_names_and_outcomes_than_a_domain_can_have_are_refused() -> None:
    assert "10,000 names" in refused(PYTHON.replace("'Quartz',", "'Q'," * 10_001, 1), "x.py").reason
    states = ", ".join(f"({n}, {n + 1}): set()" for n in range(1_001))
    assert "1,000 outcomes" in refused(PYTHON.replace("(1, 2.5): {'Quartz'}", states), "x.py").reason


def test_no_damage_to_a_file_makes_anything_but_a_refusal() -> None:
    read = 0

    @settings(max_examples=200, deadline=None)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        nonlocal read
        text, name = data.draw(st.sampled_from(((PYTHON, "x.py"), (json.dumps(SMALL, indent=1), "x.json"))))
        for _ in range(data.draw(st.integers(1, 3))):
            start = data.draw(st.integers(0, len(text)))
            end = data.draw(st.integers(start, min(start + 9, len(text))))
            text = text[:start] + data.draw(st.text(alphabet="\"'\\{}[](),:=#\n x1-.e", max_size=3)) + text[end:]
        try:
            result = import_domain(text, name)
        except SourceError:
            return
        read += 1
        compile_sources([Source("x.kumo", result.text)])

    holds()
    assert read > 20


# ---- a large domain


def big_domain() -> dict[str, object]:
    """Sixty truths and forty actions: labels, scores with gaps, counts, a few faults of each kind."""
    chance = random.Random(7)
    truths = [f"{genus} {kind}" for genus in ("Cirrus", "Stratus", "Cumulus") for kind in KINDS]
    outcomes: dict[str, object] = {}
    for number in range(40):
        names = [sorted(chance.sample(truths, chance.choice((0, 3, 9, 50)))) for _ in range(3)]
        states: list[object] = [["first", "second", "third"], [[70, 100], [31, 69], [0, 30]], [0, [1, 4], [5, 9]]][
            number % 3
        ]
        kind = ("str", "float", "int")[number % 3]
        rows = [{"state": state, "rules_out": ruled_out} for state, ruled_out in zip(states, names, strict=True)]
        outcomes[f"Observation {number}"] = {"type": kind, "states": rows}
    return {"domain": "BigSkyEnv", "truths": truths, "actions": list(outcomes), "outcomes": outcomes}


KINDS = [f"{first}{last}" for first in ("alt", "frac", "nebul", "opac", "radi") for last in ("us", "um", "is", "ans")]
BIG = big_domain()
SMALL = {
    "domain": "RockEnv",
    "truths": ["Quartz", "Pyrite", "Calcite"],
    "actions": ["Look", "Density"],
    "outcomes": {
        "Look": {"type": "str", "states": {"a": ["Quartz"], "b": ["Pyrite"]}},
        "Density": {
            "type": "float",
            "states": [{"state": [1, 2.5], "rules_out": ["Quartz"]}, {"state": [2.5, 8], "rules_out": []}],
        },
    },
}


def test_a_large_domain_keeps_every_table() -> None:
    tables = compiled(json.dumps(BIG, indent=1), "BigSkyEnv.json")
    source = BIG["outcomes"]
    assert isinstance(source, dict)
    assert len(tables.truths) == 60
    assert [action.name for action in tables.actions] == list(source)
    for position, (action, table) in enumerate(zip(tables.actions, source.values(), strict=True)):
        rows = table["states"]
        always = set.intersection(*(set(row["rules_out"]) for row in rows))
        expected = [sorted(set(row["rules_out"]) - always) for row in rows]
        found = [sorted(names) for names in named(tables, position)]
        if table["type"] == "float":
            assert found == [expected[2], [], expected[1], [], expected[0]], action.name
        else:
            assert found == expected, action.name


def test_the_text_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    file = tmp_path / "rock_data.py"
    file.write_text(PYTHON, encoding="utf-8")
    script = (
        "import sys, pathlib; from kumoc.interop.kumo_import import import_domain\n"
        "print(import_domain(pathlib.Path(sys.argv[1]).read_text(), 'rock_data.py'))"
    )
    assert "domain" in printed(script, str(file))
