"""`kumoc book check`: what a book from anywhere says of each rule."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kumoc.benchmark import STYLES, Size
from kumoc.book import UnreadableBook, render, report
from kumoc.generate import generate
from kumoc.generate.instance import Instance
from kumoc.release import load
from kumoc.tables import Action, Noun, Tables, Truth
from kumoc.views.restore import restore_alone
from tests.command import ROOT, kumoc
from tests.sample import random_tables
from tests.test_book import METALS, instance_of

POCKET = ROOT / "dist" / "pocket" / "1.0.0"
ROW = next(iter(load(POCKET)))
BOOK = ROW["knowledge_book"]
RULE = next(line for line in BOOK.splitlines() if line.startswith("- If"))


def alone(instance: Instance) -> Instance:
    """``instance`` of tables that hold nothing that a row does not tell, as it is restored from a row."""
    tables = instance.tables

    def action(whole: Action) -> Action:
        outcomes = [
            replace(outcome, excludes=sum(1 << i for i, j in enumerate(instance.truths) if outcome.excludes >> j & 1))
            for outcome in whole.outcomes
        ]
        return replace(whole, description="", outcomes=tuple(outcomes))

    bare = Tables(
        *("", "", "", "", "", Noun("", ""), Noun("", "")),
        tuple(Truth(tables.truths[i].name) for i in instance.truths),
        tuple(action(tables.actions[i]) for i in instance.actions),
    )
    listed, chosen = range(len(instance.truths)), range(len(instance.actions))
    return replace(instance, tables=bare, truths=tuple(listed), actions=tuple(chosen))


def kinds(text: str) -> dict[str, int]:
    return report(restore_alone(ROW), text).count()


def test_a_rows_own_book_states_each_rule_whatever_its_style_and_language() -> None:
    checked = 0
    for seed in range(4):
        instance = generate(random_tables(seed, 8, 8), Size("small", 4, 6), seed)
        for style in STYLES:
            for language in ("en", "zh"):
                found = report(instance, render(instance, style, language=language, words=300))
                assert found.ok and found.by == f"{style}, {language}", found
                checked += 1
    assert checked == 40


def test_each_rule_that_a_row_has_is_told_with_its_sentence() -> None:
    found = report(restore_alone(ROW), BOOK)
    assert len(found.findings) == sum(bool(rule["rules_out"]) for rule in ROW["rules"])
    assert all(sentence in BOOK for finding in found.findings for sentence in finding.sentences)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda book: book.replace(RULE + "\n", ""), "missing"),
        (lambda book: book.replace(RULE, RULE.replace('"Albite", ', "")), "contradicted"),
        (lambda book: book.replace(RULE, f'{RULE}\n- If the outcome is "not drawn", rule out "Albite".'), "added"),
        (lambda book: book.replace(RULE, RULE.replace("rule out", "think of")), "ambiguous"),
    ],
)
def test_what_is_wrong_is_named(change: Any, kind: str) -> None:
    assert kind in kinds(change(BOOK))


IDLE = "\n### Crystal ball\n\nNo outcome of this workshop test rules out any metal listed above.\n"
ONE, TWO = "Exactly one of the metals listed below is", "Exactly 2 of the metals listed below are"
OF_TWO = ("Name the valid metal after", "Name one of the valid metals after")


@pytest.mark.parametrize(
    ("style", "change", "said"),
    [
        ("guide", lambda book: book.replace("g/cm3", "kg/m3"), 'numbers in "kg/m3" in the book and'),
        ("guide", lambda book: book + IDLE, 'adds the action "Crystal ball"'),
        ("guide", lambda book: book.replace('- "Lead"', '- "Lead": foo\n- "Lead"'), 'adds the truth "Lead"'),
        ("guide", lambda book: book.replace('- "Lead"\n', ""), 'leaves out the truth "Lead"'),
        ("guide", lambda book: book.replace(ONE, TWO).replace(*OF_TWO), 'is "2" in the book'),
        ("long", lambda book: book.replace("\n\n## The workshop", '\n- "Gold"\n\n## The workshop'), '"Gold"'),
        ("long", lambda book: book.replace("\n\n## All metals", '\n- "Ask"\n\n## All metals'), 'in play "Ask"'),
        ("long", lambda book: book.replace("\n\n## All metals", '\n- "Weigh it"\n\n## All metals'), '"Weigh it"'),
        ("long", lambda book: book.replace('- "Lead"', '- "Lead"\n- "Lead"', 1), 'in play "Lead"'),
        ("long", lambda book: book.replace('- "Lead"\n', "", 1), 'leaves out the truth in play "Lead"'),
    ],
)
def test_what_is_wrong_beside_the_rules_is_found_for_a_row_too(style: str, change: Any, said: str) -> None:
    whole = instance_of(METALS, (4, 0, 5), (1, 3))
    book, instance = render(whole, style, words=10_000), alone(whole)
    assert report(instance, book, (style,)).ok and change(book) != book
    wrong = [finding for finding in report(instance, change(book), (style,)).findings if finding.kind != "stated"]
    assert any(said in str(finding) for finding in wrong), wrong


LONE = '- If the outcome is "glows", rule out "Orpiment" and "Almandine".\n'


def test_an_entry_that_ends_too_early_gives_its_rules_to_no_other() -> None:
    assert LONE in BOOK
    assert kinds(BOOK.replace(LONE, "")) == {"stated": 18, "missing": 1, "ambiguous": 1}


def test_what_can_not_be_read_is_said_of_the_action_that_it_stands_under() -> None:
    entry = BOOK[: BOOK.index(LONE)].rpartition("### ")[2].partition("\n")[0]
    found = report(restore_alone(ROW), BOOK.replace(LONE, LONE.replace("rule out", "confirm")))
    assert {finding.action for finding in found.findings if finding.kind != "stated"} == {entry}
    assert any("its entry ends early" in str(finding) for finding in found.findings)
    assert not any(sentence.startswith("#") for finding in found.findings for sentence in finding.sentences)


@pytest.mark.parametrize("style", STYLES)
def test_a_book_that_is_cut_off_has_a_report(style: str) -> None:
    whole = instance_of(METALS, (4, 0, 5), (1, 3, 2, 4))
    instance = alone(whole)
    early = 0
    for language in ("en", "zh"):
        book = render(whole, style, language=language, words=10_000)
        rules = book.index("```json" if style == "symbolic" else "\n## ")
        stated = []
        for end in range(rules, len(book) - 1, 13):
            found = report(instance, book[:end], (style,), language)
            assert not found.ok and len(found.findings) >= 5, book[:end]
            early += any("the book ends early" in finding.note for finding in found.findings)
            stated.append(found.count().get("stated", 0))
        assert stated[0] == 0 and (stated[-1] >= 3 or style == "prose")  # of which the last paragraph is passed over
    assert early >= 10


def test_a_prose_book_tells_once_what_an_action_rules_out() -> None:
    whole = instance_of(METALS, (4, 0, 5), (1, 3, 2, 4))
    book = render(whole, "prose")
    nothing = 'No outcome of "Hold a magnet to it" rules out any metal listed above.'
    assert book.count(nothing) == 1
    for new, kind in (
        (f"{nothing} {nothing}", "ambiguous"),
        (nothing.replace("Hold a magnet to", "Bend"), "ambiguous"),
    ):
        assert kind in report(whole, book.replace(nothing, new), ("prose",)).count()


@pytest.mark.parametrize("text", ["", "\n", "Albite never leaps.", "### Albite", BOOK[: BOOK.index("\n## ") // 2]])
def test_text_of_no_style_is_not_read(text: str) -> None:
    with pytest.raises(UnreadableBook):
        kinds(text)


def test_the_command_exits_with_1_unless_all_is_stated(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    book.write_text(BOOK, encoding="utf-8")
    assert kumoc("book", "check", book, "--instance", POCKET, "--row", 0).returncode == 0
    (tmp_path / "row.json").write_text(json.dumps(ROW), encoding="utf-8")
    book.write_text(BOOK.replace(RULE + "\n", ""), encoding="utf-8")
    result = kumoc("book", "check", book, "--instance", tmp_path / "row.json", "--json")
    found = json.loads(result.stdout)
    assert result.returncode == 1 and not found["ok"] and found["counts"] == {"stated": 18, "missing": 1}
    book.write_text("Albite never leaps.", encoding="utf-8")
    result = kumoc("book", "check", book, "--instance", POCKET, "--row", 0)
    assert result.returncode == 1 and "--model" in result.stderr and "Traceback" not in result.stderr
    assert 'is in none of the styles: line 1 is "Albite never leaps." where "# ..." should be' in result.stderr
    result = kumoc("book", "check", book, "--instance", POCKET, "--row", 0, "--style", "table")
    assert "is no book of the style 'table'" in result.stderr
