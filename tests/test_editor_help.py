"""What may be written next, what names and expressions come to, and the parts of a file."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.diagnostics import Source, Span
from kumoc.editor.completion import complete
from kumoc.editor.hints import hints
from kumoc.editor.hover import describe, rule_at
from kumoc.editor.outline import Part, folds, outline
from kumoc.editor.positions import Positions
from kumoc.editor.project import ProjectFile
from kumoc.language.compile import compile_file
from tests.command import DOMAINS
from tests.test_editor_names import MINT, ORES, TRANSLATED, named

TEA = (DOMAINS / "tea.kumo").read_text(encoding="utf-8")

DOMAIN_NODES = [domain.node for domain in compile_file(Source("x", ORES)).domains]


def proposed(before: str, after: str = "") -> set[str] | None:
    """What may be written between two texts, when ``ORES`` is what the file said a few keys ago."""
    text = before + after
    found = complete(text, len(before), DOMAIN_NODES)
    return None if found is None else {each.text for each in found.proposals}


def upto(marked: str) -> str:
    return ORES[: ORES.index(marked.replace("|", "")) + marked.index("|")]


TRUTHS = {"Magnetite", '"Fool\'s gold"', "Pyrite", "Galena", "Talc"}
SETS = TRUTHS | {"sulfides", "soft"}
PROPERTIES = {"hardness", "streak", "magnetic"}
IN_SIZE = {"truths", "actions", "valid", "train", "validation", "test"}


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", {"domain", "translation", "benchmark"}),
        (upto("group |soft"), set()),
        (upto("= |all but"), SETS | {"all", "nothing"}),
        (upto("all but |sulf"), SETS),
        (upto("sulfides, |"), SETS | {"all", "nothing"}),
        (upto("rules out |soft"), SETS | {"all", "nothing"}),
        (upto("rules |out"), {"out"}),
        (upto("hardness 5.5..6.5  |"), PROPERTIES | {"or"}),
        (upto("streak |black  "), {"black", '"brick red"', "green", "any"}),
        (upto("green or |"), {"black", '"brick red"', "green", "any"}),
        (upto("magnetic |yes"), {"yes", "no", "any"}),
        (upto("observes |streak"), {"streak", "magnetic"}),
        (upto("measures |hard"), {"hardness"}),
        (upto("cut |at"), {"at"}),
        (upto("Picks |meas"), {"observes", "measures", "number"}),
        (upto('Magnet observes magnetic |as "pulls"'), {"as"}),
        (upto("hardness : |number"), {"number", "one", "yes"}),
        (MINT.split("ores")[0], {"ores"}),
        (MINT.split("ores")[0] + "ores, ", {"ores"}),
        (MINT.split("  domains")[0] + "  views ", {"game", "chat", "steps"}),
        (MINT.split("  size")[0] + "  size a { truths 2  mode ", {"fair", "paper"}),
        (MINT.split("  size")[0] + "  size a { books ", {"guide", "table", "prose", "symbolic", "long"}),
        ("translation ", {"ores"}),
        ('translation ores de { truths "Erz" "Erze" { ', TRUTHS),
        (
            'translation ores de {\n  actions "Probe" "Proben" {\n    Picks "Ritzen"\n    ',
            {'"Streak plate"', "Magnet", "Picks", '"Blowpipe"'},
        ),
        ("translation ores de { outcomes { ", set()),
    ],
)
def test_what_may_be_written_next_is_what_the_grammar_takes_and_the_names_that_mean_something(
    before: str, expected: set[str]
) -> None:
    assert proposed(before) == expected


def test_a_size_may_go_on_with_all_its_settings() -> None:
    assert (proposed(MINT.split("  size")[0] + "  size a { truths 2 ") or set()) >= IN_SIZE


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ("rules out Gal", "", "Gal"),
        ("rules out Gal", "ena, soft\n", "Galena"),
        ('rules out "Fool', "", '"Fool'),
        ('rules out "Fool', "'s g\"\n", '"Fool\'s g"'),
        ("rules out soft, sulf", "", "sulf"),
    ],
)
def test_the_word_that_is_being_written_is_replaced(before: str, after: str, word: str) -> None:
    text = upto("rules out |soft").removesuffix("rules out ") + before
    found = complete(text + after, len(text), DOMAIN_NODES)
    assert found is not None
    assert (text + after)[found.span.start : found.span.end] == word
    texts = {each.text for each in found.proposals}
    assert texts >= SETS and ("all" in texts) == (not word.startswith('"'))


@pytest.mark.parametrize("marked", ['what "Gal|ena', "cut at 3|", '"Galena is s|ofter', '"Or|es"'])
def test_nothing_is_proposed_in_comments_numbers_and_texts(marked: str) -> None:
    assert not proposed(upto(marked), ORES[len(upto(marked)) :])


def test_faults_further_up_are_no_hindrance() -> None:
    broken = (
        upto("rules out |soft").replace("group soft     =", "group soft = = ,").replace("magnetic any }", "magnetic")
    )
    assert proposed(broken) == SETS | {"all", "nothing"}


def test_a_truth_is_described_by_its_facts_and_by_what_rules_it_out() -> None:
    said = describe(compile_file(Source("x", ORES)), named(ORES, '|"Fool\'s gold" {'))
    assert said.splitlines()[0] == "**Fool's gold**, a truth (ore)"
    assert '- streak: green or "black"' in said
    ruled_out = said.split("Ruled out by")[1].split("\n- ")[1:]
    assert ruled_out == ["Streak plate: brick red", "Magnet: pulls", "Picks: 1..3, 3..6", "Blowpipe: Galena-like"]


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("|Picks", "| 3..6 | Fool's gold, Pyrite, Galena, Talc |"),
        ("|Blowpipe", "| smells | Galena, Talc |"),
        ("group |soft", "Talc"),
        ("observes |streak", "Asked for by Streak plate"),
        ("observes |streak", 'property streak   : one of black, "brick red", green'),
        ('or "bl|ack', "Shown by Magnetite, Fool's gold, Galena"),
        ("domain |ores", "5 truths, 4 actions"),
    ],
)
def test_names_are_described(marked: str, said: str) -> None:
    assert said in describe(compile_file(Source("x", ORES)), named(ORES, marked))


def test_names_mean_nothing_in_markdown() -> None:
    text = ORES.replace("Talc ", '"<b>*Talc*|_"')
    said = describe(compile_file(Source("x", text)), named(text, "|Picks"))
    assert r"\<b\>\*Talc\*\|\_" in said and "<b>" not in said


@pytest.mark.parametrize("word", ["K606", "unused-name"])
def test_a_rule_is_known_by_its_code_and_name_in_a_comment(word: str) -> None:
    text = f"domain a {{  # see {word}, please\n"
    rule = rule_at(text, text.index(word) + 2)
    assert rule is not None and rule.code == "K606"
    assert rule_at(text, 3) is None
    assert rule_at(text.replace("#", " "), text.index(word)) is None


def test_hints_say_what_sets_and_derived_actions_come_to() -> None:
    compiled = compile_file(Source("x", ORES))
    shown = {
        ORES[: hint.offset].rpartition("\n")[2].strip(): hint.label for hint in hints(compiled, Span(0, len(ORES)))
    }
    assert shown == {
        'group soft     = all but sulfides, "Magnetite"': "= Talc",
        '"Streak plate" observes streak': "rules out 2 (black), 4 (brick red), 3 (green)",
        'Magnet observes magnetic as "pulls", "does not"': "rules out 3 (pulls), 1 (does not)",
        "Picks measures hardness cut at 3, 6": "rules out 3 (1..3), 4 (3..6), 2 (6..10)",
        '"smells" rules out soft, Galena': "= Galena, Talc",
        '"Galena-like" rules out all but Galena, soft': "= Magnetite, Fool's gold, Pyrite",
    }
    half = Span(0, ORES.index("actions"))
    assert [hint.label for hint in hints(compiled, half)] == ["= Talc"]


def test_the_outline_holds_every_declaration_and_entry() -> None:
    def names(parts: tuple[Part, ...]) -> list[object]:
        return [(part.kind, part.name, names(part.parts)) for part in parts]

    (domain, benchmark, translation) = names(outline(compile_file(Source("x", ORES + MINT + TRANSLATED)).file))
    assert domain == (
        "domain",
        "ores",
        [
            *(("property", name, []) for name in ("hardness", "streak", "magnetic")),
            *(("group", name, []) for name in ("sulfides", "soft")),
            (
                "truths",
                "truths",
                [("truth", name.strip('"'), []) for name in ("Magnetite", "Fool's gold", "Pyrite", "Galena", "Talc")],
            ),
            ("actions", "actions", [("action", name, []) for name in ("Streak plate", "Magnet", "Picks", "Blowpipe")]),
        ],
    )
    assert benchmark == ("benchmark", "mint", [("size", "easy", [])])
    worded = ("wordings", "truths", [("wording", "Galena", []), ("wording", "Talc", [])])
    assert translation == ("translation", "ores de", [worded, ("wordings", "actions", [("wording", "Picks", [])])])


def test_heads_lie_inside_their_extents_and_parts_inside_of_theirs() -> None:
    seen = 0

    def check(part: Part) -> None:
        nonlocal seen
        seen += 1
        assert part.extent.start <= part.head.start <= part.head.end <= part.extent.end
        for each in part.parts:
            assert part.extent.start <= each.extent.start <= each.extent.end <= part.extent.end
            check(each)

    for path in DOMAINS.glob("*.kumo"):
        for part in outline(compile_file(Source("x", path.read_text(encoding="utf-8"))).file):
            check(part)
    assert seen > 400


def test_blocks_and_comments_fold_and_closing_braces_stay_in_sight() -> None:
    text = "# One\n# two.\n" + ORES + "# alone\n"
    lines = text.split("\n")
    found = folds(Source("x", text), compile_file(Source("x", text)).file)
    shown = {(lines[fold.first].strip()[:7], lines[fold.last + 1].strip()[:1], fold.is_comment) for fold in found}
    assert shown == {
        ("# One", "d", True),
        ("domain ", "}", False),
        ("truths ", "}", False),
        ("actions", "}", False),
        ('"Blowpi', "}", False),
    }


@settings(max_examples=200, derandomize=True, database=None)
@given(
    text=st.text(st.sampled_from("ab é茶😋\u2028\x0c\t\n\r"), max_size=30),
    encoding=st.sampled_from(["utf-8", "utf-16", "utf-32"]),
)
def test_places_come_back_from_the_units_of_a_client(text: str, encoding: str) -> None:
    positions = Positions(text, encoding)
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = encoding if width == 1 else f"{encoding}-le"
    line, start = 0, 0
    for offset, character in enumerate(text):
        between = character == "\n" and text[offset - 1 : offset] == "\r"
        expected = (line, len(text[start:offset].encode(codec)) // width)
        if not between:
            assert positions.position(offset) == expected
            assert positions.offset(*expected) == offset
        if character == "\n" or (character == "\r" and text[offset + 1 : offset + 2] != "\n"):
            line, start = line + 1, offset + 1
    assert positions.offset(line + 5, 0) == len(text)


def test_every_stage_of_typing_is_borne() -> None:
    tried = 0
    for cut in range(0, len(TEA), 97):
        for text in (TEA[:cut], TEA[:cut] + TEA[cut + 9 :], TEA[:cut] + ' "x {\n' + TEA[cut:]):
            file = ProjectFile(Source("x", text))
            for each in file.names[:: 1 + len(file.names) // 3]:
                describe(file.compile(), each.symbol)
            hints(file.compile(), Span(0, len(text)))
            folds(file.source, file.compile().file)
            complete(text, min(cut, len(text)), [domain.node for domain in file.compile().domains])
            tried += 1
    assert tried > 70


def test_a_fault_in_one_line_leaves_the_names_of_all_others() -> None:
    file = ProjectFile(Source("x", ORES.replace("Picks measures hardness", "Picks measures hardness hardness")))
    whole = ProjectFile(Source("x", ORES))
    lost = {each.symbol.name for each in whole.names} - {each.symbol.name for each in file.names}
    assert lost == {"Picks"}
    assert len(whole.names) - len(file.names) == 2
