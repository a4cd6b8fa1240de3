"""`kumoc book check`: what a book from anywhere says of each rule."""

import json
from pathlib import Path
from typing import Any

import pytest

from kumoc.benchmark import STYLES, Size
from kumoc.book import UnreadableBook, render, report
from kumoc.generate import generate
from kumoc.release import load
from kumoc.views.restore import restore_alone
from tests.command import ROOT, kumoc
from tests.sample import random_tables

POCKET = ROOT / "dist" / "pocket" / "1.0.0"
ROW = next(iter(load(POCKET)))
BOOK = ROW["knowledge_book"]
RULE = next(line for line in BOOK.splitlines() if line.startswith("- If"))


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


def test_an_entry_that_ends_too_early_gives_its_rules_to_no_other() -> None:
    lone = '- If the outcome is "glows", rule out "Orpiment" and "Almandine".\n'
    assert lone in BOOK
    assert kinds(BOOK.replace(lone, "")) == {"stated": 18, "missing": 1, "ambiguous": 1}


def test_text_of_no_style_is_not_read() -> None:
    with pytest.raises(UnreadableBook):
        kinds("Albite never leaps.")


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
