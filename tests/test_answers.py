"""Answers in the texts of models: what is read, what is forgiven, and what is wrong with the rest."""

import unicodedata
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kumoc.play import Act, Fault, Move, Name, Unread, read_answer

ACTIONS = (
    "Streak plate",
    "C-Reactive Protein (CRP)",
    "Thyroid Tests (TSH, T3, T4)",
    "Analyze Tempo",
    "Rh: typing",
    "Café au lait",
)
TRUTHS = ("Quartz", "Fool's gold", "Vitamin B12 def.", "Rh+", "Rh-", "Quartz vein")


def read(text: str) -> Move:
    return read_answer(text, ACTIONS, TRUTHS)


def answer(said: str) -> Move:
    return read(f"I think so.\n<ANSWER> {said} </ANSWER>")


@pytest.mark.parametrize("said", ["Streak plate", "  Streak plate\n", "\tStreak plate"])
def test_a_name_to_the_letter_has_no_fault(said: str) -> None:
    assert read(f"<ANSWER>{said}</ANSWER>") == Act(0)


def test_truths_and_actions_are_told_apart() -> None:
    assert [answer(name) for name in (*ACTIONS, *TRUTHS)] == [
        *(Act(i) for i in range(len(ACTIONS))),
        *(Name(i) for i in range(len(TRUTHS))),
    ]


def test_the_last_answer_counts() -> None:
    assert read("<ANSWER> Quartz </ANSWER> or rather <ANSWER> Rh+ </ANSWER>, yes.") == Name(3)
    assert read("Not <ANSWER> but <ANSWER> Quartz </ANSWER>") == Name(0)
    assert read("<ANSWER> Quartz </ANSWER> <ANSWER> nonsense </ANSWER>") == Unread(Fault.UNKNOWN, "nonsense")


@pytest.mark.parametrize(
    "said",
    [
        "streak PLATE",
        "Streak  plate",
        "Streak plate.",
        '"Streak plate"',
        "“Streak plate”",
        "'Streak plate.'",
        "**Streak plate**",
        "`Streak plate`",
        "[Streak plate]",
        "Action: Streak plate",
        "Next action: 'Streak plate'.",
        "1. Streak plate",
        "- Streak plate",
        "I choose Streak plate",
        "Perform Streak plate.",
        "I will perform the action Streak plate",
        "Ｓtreak plate",
        "Streak\N{NO-BREAK SPACE}plate",
    ],
)
def test_what_is_forgiven(said: str) -> None:
    assert answer(said) == Act(0, Fault.SPELLING, said)


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("C‑Reactive Protein (CRP)", Act(1)),
        ("c-reactive protein (crp).", Act(1)),
        ("Fool’s gold", Name(1)),
        ("Vitamin B12 def", Name(2)),
        ("Diagnosis: vitamin b12 def.", Name(2)),
        ("RH: TYPING", Act(4)),
        ("Action: Rh: typing", Act(4)),
        ("analyze tempo", Act(3)),
        (unicodedata.normalize("NFD", "Café au lait"), Act(5)),
        ("quartz", Name(0)),
        ("quartz vein", Name(5)),
    ],
)
def test_names_keep_what_belongs_to_them(said: str, move: Act | Name) -> None:
    found = answer(said)
    assert isinstance(found, type(move)) and found.fault is Fault.SPELLING
    assert (found.action if isinstance(found, Act) else found.truth) == (
        move.action if isinstance(move, Act) else move.truth
    )


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("", Unread(Fault.MISSING)),
        ("I take the Streak plate.", Unread(Fault.MISSING)),
        ("Quartz </ANSWER>", Unread(Fault.MISSING)),
        ("<ANSWER> Quartz", Unread(Fault.UNCLOSED)),
        ("</ANSWER> <ANSWER>", Unread(Fault.UNCLOSED)),
        ("<ANSWER> Rh+ </ANSWER> as <ANSWER> tells you", Name(3)),
        ("<ANSWER> Rh+ </ANSWER></ANSWER>", Name(3)),
        ("<ANSWER>  </ANSWER>", Unread(Fault.EMPTY, "")),
        ("<ANSWER> Gold </ANSWER>", Unread(Fault.UNKNOWN, "Gold")),
        ("<ANSWER> not Quartz </ANSWER>", Unread(Fault.UNKNOWN, "not Quartz")),
        ("<ANSWER> Quartz and Rh+ </ANSWER>", Unread(Fault.UNKNOWN, "Quartz and Rh+")),
        ("<ANSWER> Rh </ANSWER>", Unread(Fault.UNKNOWN, "Rh")),
        ("<ANSWER> ... </ANSWER>", Unread(Fault.UNKNOWN, "...")),
        ("<answer>Quartz</answer>", Name(0, Fault.MARKS, "Quartz")),
        ("< Answer >quartz</ANSWER>", Name(0, Fault.MARKS, "quartz")),
        ("<ANSWER> Rh+ </ANSWER> <answer>Quartz</answer>", Name(0, Fault.MARKS, "Quartz")),
    ],
)
def test_marks_and_faults(text: str, move: Move) -> None:
    assert read(text) == move


def test_two_names_that_could_be_meant_are_ambiguous() -> None:
    assert read_answer("<ANSWER> tin </ANSWER>", ("Tin", "TIN"), ("Lead",)) == Unread(Fault.AMBIGUOUS, "tin")
    assert read_answer("<ANSWER> TIN </ANSWER>", ("Tin", "TIN"), ("Lead",)) == Act(1)
    assert read_answer("<ANSWER> Tin </ANSWER>", ("Tin",), ("Tin",)) == Unread(Fault.AMBIGUOUS, "Tin")


def test_any_way_to_write_a_name_is_read_as_it_or_refused() -> None:
    seen: Counter[bool] = Counter()

    @settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        st.sampled_from((*ACTIONS, *TRUTHS)),
        st.sampled_from(("", " ", '"', "**", "“")),
        st.sampled_from(("", ".", '"', "**.", "”")),
        st.sampled_from((str, str.upper, str.lower, str.title)),
        st.sampled_from(("", "Action: ", "2) ", "who knows, ")),
    )
    def check(name, before, after, case, prefix) -> None:  # type: ignore[no-untyped-def]
        move = answer(f"{prefix}{before}{case(name)}{after}")
        position = (*ACTIONS, *TRUTHS).index(name)
        right = (
            isinstance(move, Act) and move.action == position,
            isinstance(move, Name) and move.truth == position - len(ACTIONS),
        )
        seen[any(right)] += 1
        assert any(right) or (prefix == "who knows, " and isinstance(move, Unread))

    check()
    assert seen[True] > 40 and seen[False] > 5


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet="<ANSWERanswer/> \nQuartzRh+.\"'", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    move = read(text)
    if not isinstance(move, Unread) and move.fault is None:
        assert "<ANSWER>" in text and "</ANSWER>" in text


@pytest.mark.parametrize(
    "said",
    ["-" * 1000, "-" * 100_000, "take a: " * 20, "take a: " * 50_000, "(" * 100 + ")" * 100, "'" * 100_000, "1." * 90],
)
def test_text_that_wraps_nothing_over_and_over_is_refused(said: str) -> None:
    assert answer(said) == Unread(Fault.UNKNOWN, said.strip())


def test_names_are_found_behind_several_labels_but_not_in_an_essay() -> None:
    assert answer("- Action: 2. take the action Streak plate.") == Act(
        0, Fault.SPELLING, "- Action: 2. take the action Streak plate."
    )
    assert answer("- " * 150 + "Streak plate") == Unread(Fault.UNKNOWN, "- " * 150 + "Streak plate")


@pytest.mark.parametrize("mark", ["<" + " " * 200_000 + "x", "< " * 100_000, "<answer" + " " * 200_000, "</" * 100_000])
def test_what_begins_as_a_mark_takes_no_longer_than_other_text(mark: str) -> None:
    """A search of every start for every end would take hours here."""
    assert read(f"<ANSWER> Quartz </ANSWER> {mark}") == Name(0)
