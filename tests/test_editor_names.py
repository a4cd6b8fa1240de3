"""Which names stand where, and giving them others."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumoc.diagnostics import Source, edited
from kumoc.editor.project import ProjectFile, places
from kumoc.editor.rename import CannotRenameError, rename
from kumoc.editor.symbols import Kind, Symbol, at
from kumoc.language import compile_sources
from kumoc.tables import Tables, to_json
from tests.command import DOMAINS

ORES = """\
# Ores, and what "Galena" is.
domain ores "Ores" {
  property hardness : number 1..10
  property streak   : one of black, "brick red", green
  property magnetic : yes or no
  group sulfides = Pyrite, "Fool's gold", Galena
  group soft     = all but sulfides, "Magnetite"
  truths "ore" "ores" {
    Magnetite     { hardness 5.5..6.5  streak black               magnetic yes }  "Galena is softer."
    "Fool's gold" { hardness 6         streak green or "black"    magnetic no }
    Pyrite        { hardness 6.5       streak "brick red"         magnetic any }
    Galena        { hardness 2.5       streak black               magnetic no }
    Talc          { hardness 1         streak green               magnetic no }
  }
  actions "test" "tests" {
    "Streak plate" observes streak
    Magnet observes magnetic as "pulls", "does not"
    Picks measures hardness cut at 3, 6
    "Blowpipe" {
      "smells" rules out soft, Galena
      "Galena-like" rules out all but Galena, soft
    }
  }
}
"""
MINT = """\
benchmark mint version "1.0.0" {
  domains ores
  size easy { truths 3  actions 2 }
}
"""


TRANSLATED = """\
translation ores de "Erze" {
  truths "Erz" "Erze" {
    Galena "Bleiglanz" "Galena, auf Deutsch."
    "Talc" "Talk"
  }
  actions "Probe" "Proben" {
    "Picks" "Ritzen"
  }
}
"""


def files(**texts: str) -> dict[str, ProjectFile]:
    return {name: ProjectFile(Source(name, text)) for name, text in texts.items()}


def named(text: str, marked: str, number: int = 0) -> Symbol:
    """What is named where ``marked`` stands, at the ``|`` in it."""
    (file,) = files(x=text).values()
    start = -1
    for _ in range(number + 1):
        start = text.index(marked.replace("|", ""), start + 1)
    found = at(file.names, start + max(marked.find("|"), 0))
    assert found is not None
    return found.symbol


def tables_of(*texts: str) -> tuple[Tables, ...]:
    compilation = compile_sources([Source(str(i), text) for i, text in enumerate(texts)])
    assert not compilation.has_errors, compilation.diagnostics
    return compilation.tables


@pytest.mark.parametrize(
    ("marked", "kind", "name", "times"),
    [
        ("|Magnetite", Kind.TRUTH, "Magnetite", 2),
        ("Fool|'s", Kind.TRUTH, "Fool's gold", 2),
        ("group |soft", Kind.GROUP, "soft", 3),
        ("soft|,", Kind.GROUP, "soft", 3),
        ("observes |streak", Kind.PROPERTY, "streak", 7),
        ("brick", Kind.VALUE, "brick red", 2),
        ("magnetic |yes", Kind.VALUE, "yes", 2),
        ("Pic|ks", Kind.ACTION, "Picks", 1),
        ("domain o|res", Kind.DOMAIN, "ores", 1),
    ],
)
def test_a_name_is_found_wherever_it_means_the_same(marked: str, kind: Kind, name: str, times: int) -> None:
    symbol = named(ORES, marked)
    assert (symbol.kind, symbol.name) == (kind, name)
    (found,) = places(files(x=ORES), symbol).values()
    assert len(found) == times
    assert sum(each.defines for each in found) == 1
    assert {ORES[each.span.start : each.span.end].strip('"') for each in found} == {name}


def test_every_place_of_the_projects_own_domains_says_the_name_that_stands_there() -> None:
    seen = 0
    for path in sorted(DOMAINS.rglob("*.kumo")):
        text = path.read_text(encoding="utf-8")
        for each in ProjectFile(Source(path.name, text)).names:
            written = text[each.span.start : each.span.end]
            assert written.strip('"') == each.symbol.name and written.startswith('"') == each.quoted
            seen += 1
    assert seen > 5_000


def test_names_in_comments_texts_and_labels_are_left_alone() -> None:
    edits = rename(files(x=ORES), "x", named(ORES, "|Galena   "), "Lead glance")
    after = edited(ORES, edits["x"])
    assert 'what "Galena" is' in after and '"Galena is softer."' in after and '"Galena-like"' in after
    assert len(edits["x"]) == 4


@pytest.mark.parametrize(
    ("marked", "wish", "written"),
    [
        ("|Galena   ", "Lead glance", ['"Lead glance"'] * 4),  # needs quotes
        ("|Galena   ", '"Lead"', ["Lead"] * 4),  # the quotes of the wish are not part of the name
        ("|Magnetite   ", "Lodestone", ['"Lodestone"', "Lodestone"]),  # each place keeps its own
        ('|"Fool', "Brass", ["Brass"] * 2),  # quotes that were needed are needed no more
        ("|Galena   ", "all", ['"all"'] * 4),  # words of the language
        ("|Galena   ", "size", ['"size"'] * 4),
        ("|Galena   ", "Gale\u0301na", ["Gal\u00e9na"] * 4),
        ("group |soft", "not hard", ['"not hard"'] * 3),
        ("observes |streak", "mark", ["mark"] * 7),
        ("|green", "sea green", ['"sea green"'] * 3),
    ],
)
def test_names_are_written_with_the_quotes_they_need(marked: str, wish: str, written: list[str]) -> None:
    edits = rename(files(x=ORES), "x", named(ORES, marked), wish)["x"]
    assert [edit.text for edit in edits] == written
    assert tables_of(edited(ORES, edits))[0] == renamed_in(tables_of(ORES)[0], named(ORES, marked).name, edits[0].text)


def renamed_in(tables: Tables, old: str, written: str) -> Tables:
    """The tables with another name for a truth, or another label that was a value."""
    new = written.strip('"')
    return replace(
        tables,
        truths=tuple(replace(truth, name=new if truth.name == old else truth.name) for truth in tables.truths),
        actions=tuple(
            replace(
                action,
                name=new if action.name == old else action.name,
                outcomes=tuple(replace(each, key=new if each.key == old else each.key) for each in action.outcomes),
            )
            for action in tables.actions
        ),
    )


def test_a_domain_is_renamed_in_every_file_that_names_it() -> None:
    both = files(ores=ORES, mint=MINT)
    edits = rename(both, "mint", named(MINT, "domains |ores"), "minerals")
    assert {name: len(made) for name, made in edits.items()} == {"ores": 1, "mint": 1}
    after = [edited(both[name].source.text, made) for name, made in edits.items()]
    assert [tables.domain for tables in tables_of(*after)] == ["minerals"]


def test_names_are_changed_in_translations_and_from_there() -> None:
    both = files(ores=ORES, german=TRANSLATED)
    for name in both:
        edits = rename(both, name, named(ORES, "|Talc  "), "Soap stone")
        assert {each: len(made) for each, made in edits.items()} == {"ores": 1, "german": 1}
        (tables,) = tables_of(*(edited(both[each].source.text, made) for each, made in edits.items()))
        (german,) = tables.translations
        assert (
            dict(zip((truth.name for truth in tables.truths), german.truths, strict=True))["Soap stone"].name == "Talk"
        )
    assert len(rename(both, "german", named(ORES, "domain |ores"), "rocks")) == 2
    edits = rename(both, "ores", named(ORES, "|Galena   "), "Lead glance")["german"]
    assert edited(TRANSLATED, edits) == TRANSLATED.replace('Galena "', '"Lead glance" "')


def test_another_file_with_a_domain_of_the_same_name_is_left_alone() -> None:
    both = files(ores=ORES, copy=ORES, mint=MINT)
    assert list(rename(both, "ores", named(ORES, "|Talc  "), "Steatite")) == ["ores"]
    assert list(rename(both, "ores", named(ORES, "domain |ores"), "minerals")) == ["ores", "mint"]


def test_a_truth_can_be_renamed_in_each_of_the_projects_domains() -> None:
    opened = files(**{str(path): path.read_text(encoding="utf-8") for path in sorted(DOMAINS.rglob("*.kumo"))})
    changed = 0
    for name, file in opened.items():
        truths = [each.symbol for each in file.names if each.symbol.kind is Kind.TRUTH]
        if file.domains:
            edits = rename(opened, name, truths[0], "Quite another")
            after = tables_of(*(edited(opened[each].source.text, made) for each, made in edits.items()))
            assert '"Quite another"' in json.dumps([to_json(tables) for tables in after])
            changed += len(edits)
    assert changed >= 9  # of two domains there are translations


@pytest.mark.parametrize(
    ("marked", "wish", "why"),
    [
        ("|Galena   ", "Pyrite", "the truth 'Pyrite' is declared twice"),
        ("|Galena   ", "pyrite", "differ only in case"),
        ("|Galena   ", "Picks", "both an action and a truth"),
        ("|Talc  ", "soft", "names a group and also a declared truth"),
        ("|Galena   ", "", "is empty"),
        ("|Galena   ", 'a "b"', "double quote"),
        ("group |soft", "Talc", "names a group and also a declared truth"),
        ("group |soft", "sulfides", "declared twice"),
        ("observes |streak", "hardness", "declared twice"),
        ("|green", "black", "the value 'black' is declared twice"),
        ("magnetic |yes", "true", "'true'"),
        ("domain |ores", "two ores", "can't name a domain"),
    ],
)
def test_names_that_would_clash_are_refused(marked: str, wish: str, why: str) -> None:
    with pytest.raises(CannotRenameError, match=why):
        rename(files(x=ORES), "x", named(ORES, marked), wish)


def test_a_name_that_would_be_read_as_a_description_is_refused() -> None:
    text = ORES.replace("\n    Talc          {", "  Talc {")
    tables_of(text)
    assert rename(files(x=text), "x", named(text, "|Talc"), "Steatite")
    with pytest.raises(CannotRenameError):
        rename(files(x=text), "x", named(text, "|Talc"), "Soap stone")


def test_a_name_that_also_stands_in_a_broken_part_is_refused() -> None:
    broken = ORES.replace('"smells" rules out', '"smells" rulez out Talc,')
    with pytest.raises(CannotRenameError, match="mend"):
        rename(files(x=broken), "x", named(broken, "|Talc  "), "Steatite")
    assert rename(files(x=broken), "x", named(broken, "group |sulfides"), "sulphides")


def test_errors_that_are_there_already_hinder_no_renaming() -> None:
    wrong = ORES.replace('Pyrite, "Fool\'s gold"', 'Pyrit, "Fool\'s gold"').replace('"smells"', '"smells Talc"')
    assert compile_sources([Source("x", wrong)]).has_errors
    assert len(rename(files(x=wrong), "x", named(wrong, "|Talc  "), "Soap stone")["x"]) == 1


SYMBOLS = sorted({each.symbol for each in files(x=ORES)["x"].names}, key=str)
WISHES = st.one_of(
    st.text(st.sampled_from("abAB é茶'-_ \"\\#{},.1"), min_size=1, max_size=6),
    st.sampled_from(["all", "nothing", "yes", "domain", "number", "any", "size", "Talc", "talc", "soft", "out"]),
)


def test_what_is_renamed_compiles_to_the_same_with_the_other_name() -> None:
    (before,) = tables_of(ORES)
    done, refused = [], []

    @settings(max_examples=100, deadline=None, derandomize=True, database=None)
    @given(symbol=st.sampled_from(SYMBOLS), wish=WISHES)
    def check(symbol: Symbol, wish: str) -> None:
        try:
            edits = rename(files(x=ORES), "x", symbol, wish)["x"]
        except CannotRenameError:
            refused.append(wish)
            return
        done.append(wish)
        (after,) = tables_of(edited(ORES, edits))
        name = edits[0].text.strip('"')
        if symbol.kind in (Kind.TRUTH, Kind.ACTION, Kind.VALUE):
            before_renamed = renamed_in(before, symbol.name, name)
            assert after == before_renamed
        elif symbol.kind is Kind.DOMAIN:
            assert after == replace(before, domain=name)
        else:
            assert after == before

    check()
    assert len(done) > 40 and len(refused) > 10
