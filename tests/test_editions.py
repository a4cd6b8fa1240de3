"""Editions: the same instances in other books, languages and variants, built, loaded and verified."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kumoc.benchmark import STYLES, Book, Edition, Size, Variant
from kumoc.book import check, render
from kumoc.compiler import compile_paths
from kumoc.edition import show
from kumoc.generate import generate
from kumoc.language.names import mentions
from kumoc.release import BuildError, Wish, build, load, plan_benchmarks
from kumoc.release.parquet import read
from kumoc.release.verify import verify
from kumoc.tables import Truth
from kumoc.translation import languages, translated, untranslated
from kumoc.views import answered
from tests.command import DOMAINS, kumoc
from tests.test_book import METALS

BENCHMARK = """
benchmark shelf version "1.0.0" {
  domains minerals
  languages en, zh
  views game, chat, steps
  seed 5
  size easy { truths 3  actions 4  test 2
    books guide, prose, long 1500 words
    variants original, anonymous, counterfactual
  }
  size plain { truths 4  actions 5  test 2 }
}
"""
COMPILED = compile_paths([DOMAINS])
MINERALS = next(tables for tables in COMPILED.tables if tables.domain == "minerals")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("shelf")
    (place / "shelf.kumo").write_text(BENCHMARK, encoding="utf-8")
    for name in ("minerals.kumo", "zh/minerals.kumo"):
        (place / name).parent.mkdir(exist_ok=True)
        shutil.copy(DOMAINS / name, place / name)
    return place


@pytest.fixture(scope="module")
def release(folder: Path) -> Path:
    (plan,) = plan_benchmarks(compile_paths([folder]), Wish())
    return build(plan, folder / "dist").path


def editions(release: Path, size: str = "easy", view: str = "game") -> dict[str, list[dict[str, Any]]]:
    files = json.loads((release / "manifest.json").read_text(encoding="utf-8"))["files"]
    wanted = [file for file in files if (file["size"], file["view"]) == (size, view)]
    return {file["edition"]: list(read(release / file["path"])) for file in wanted}


# ---- a release


def test_each_instance_is_in_each_edition(release: Path) -> None:
    found = editions(release)
    assert len(found) == 3 * 2 * 3
    assert list(found)[:4] == ["", "anonymous", "counterfactual", "zh"]
    assert {"prose-zh-anonymous", "long1500-counterfactual"} <= found.keys()
    assert list(editions(release, "plain")) == ["", "zh"]
    for rows in found.values():
        assert [row["instance_id"] for row in rows] == [row["instance_id"] for row in found[""]]
        assert [row["seed"] for row in rows] == [row["seed"] for row in found[""]]
        for row, first in zip(rows, found[""], strict=True):
            for column in ("exact_expected_actions", "paper_expected_actions", "exact_trajectory_length"):
                assert row[column] == first[column]
    assert len({row["knowledge_book"] for rows in found.values() for row in rows}) == 18 * 2


def test_what_is_renamed_leads_back_to_the_first_edition(release: Path) -> None:
    found = editions(release)
    for label, rows in found.items():
        for row, first in zip(rows, found[""], strict=True):
            truths = {each["shown"]: each["name"] for each in row["renamed"] if each["kind"] == "truth"}
            actions = {each["shown"]: each["name"] for each in row["renamed"] if each["kind"] == "action"}
            assert [truths.get(name, name) for name in row["truths"]] == first["truths"]
            assert [actions.get(name, name) for name in row["actions"]] == first["actions"]
            assert [truths.get(name, name) for name in row["valid_truths"]] == first["valid_truths"]
            assert truths.get(row["ground_truth"], row["ground_truth"]) == first["ground_truth"]
            for rule, meant in zip(row["rules"], first["rules"], strict=True):
                assert [truths.get(name, name) for name in rule["rules_out"]] == meant["rules_out"]
            assert (row["renamed"] == []) == (row["language"] == "en" and row["variant"] == "original")
            assert row["variant"] in label or row["variant"] == "original"


def test_a_release_of_many_editions_is_verified(release: Path) -> None:
    report = verify(release)
    assert report.findings == ()
    assert report.notes == ()


def test_a_row_of_another_instance_or_with_other_names_is_found(release: Path, tmp_path: Path) -> None:
    from tests.forgery import Forgery  # noqa: PLC0415 - it builds a release of its own

    shutil.copytree(release, tmp_path / "release")
    forgery = Forgery(tmp_path / "release")
    entry = next(file for file in forgery.manifest["files"] if file["edition"] == "counterfactual")

    def swapped(rows: list[dict[str, Any]]) -> None:
        rows[0]["renamed"][0]["name"], rows[0]["renamed"][1]["name"] = (
            rows[0]["renamed"][1]["name"],
            rows[0]["renamed"][0]["name"],
        )
        rows[0], rows[1] = rows[1], rows[0]

    rows = list(read(forgery.folder / entry["path"]))
    swapped(rows)
    forgery.write(entry, rows)
    forgery.save()
    said = [finding.what for finding in verify(forgery.folder).findings if finding.file == entry["path"]]
    assert any("it is another instance than the size's own edition has here" in what for what in said)
    assert any(what.startswith(("knowledge_book", "renamed", "truths", "Not fair", "No observation")) for what in said)


def test_rows_are_loaded_by_edition(release: Path) -> None:
    assert {row["variant"] for row in load(release, "easy")} == {"original"}
    assert {row["language"] for row in load(release, "easy", edition="prose-zh")} == {"zh"}
    assert {row["style"] for row in load(release, edition="long1500")} == {"long"}


def test_the_card_names_every_edition(release: Path) -> None:
    card = (release / "README.md").read_text(encoding="utf-8")
    for name in ("easy", "easy-zh", "easy-prose-zh-anonymous", "easy-long1500-minerals", "chat-easy-zh"):
        assert f"config_name: {name}\n" in card
        assert f"| `{name}` |" in card
    assert card.count("default: true") == 1
    assert "language:\n- en\n- zh\n" in card


def test_conversations_are_in_the_language_and_names_of_the_row(release: Path) -> None:
    for label, rows in editions(release, view="chat").items():
        for row, game in zip(rows, editions(release)[label], strict=True):
            last = row["messages"][-1]["content"]
            assert answered(last) == game["ground_truth"]
            assert row["messages"][1]["content"] == {"en": "Begin.", "zh": "开始。"}[row["language"]]
            assert (row["style"], row["language"], row["variant"]) == (game["style"], game["language"], game["variant"])
            if row["language"] == "zh" and row["variant"] != "anonymous":
                said = "".join(message["content"] for message in row["messages"][2:])
                assert not any(f'"{name}"' in said for name in (truth.name for truth in MINERALS.truths))
    steps = editions(release, view="steps")["zh"]
    assert all("已排除：" in row["completion"][0]["content"] for row in steps if row["step"])


# ---- languages


@pytest.mark.parametrize("domain", ["minerals", "medical"])
def test_the_domains_are_whole_in_chinese(domain: str) -> None:
    tables = next(tables for tables in COMPILED.tables if tables.domain == domain)
    assert languages(tables) == ("en", "zh")
    assert list(untranslated(tables, "zh")) == []
    chinese = translated(tables, "zh")
    names = {truth.name for truth in chinese.truths}
    size = Size("s", 6, 8)
    for seed in range(2):
        instance = replace(generate(tables, size, seed), tables=chinese)
        for style in STYLES:
            book = render(instance, style, language="zh", words=2000)
            assert check(instance, book, style, "zh") == []
            assert not any(mentions(book, truth.name) for truth in tables.truths if truth.name not in names)
    labels = [outcome.key for action in chinese.actions for outcome in action.outcomes if isinstance(outcome.key, str)]
    told = [(label, truth.name) for label in labels for truth in chinese.truths if mentions(label, truth.name)]
    assert told == []


def test_a_build_in_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(BuildError, match="there are no books in 'fr', which 'minerals' would be shown in"):
        plan_benchmarks(replace(COMPILED, benchmarks=(), tables=(MINERALS,)), Wish(languages=("fr",)))
    with pytest.raises(BuildError, match="'tea' is not given in 'zh'"):
        tea = next(tables for tables in COMPILED.tables if tables.domain == "tea")
        plan_benchmarks(
            replace(COMPILED, benchmarks=(), tables=(tea,)), Wish(languages=("zh",), sizes=(Size("s", 2, 2),))
        )
    (chinese,) = MINERALS.translations
    lacking = replace(MINERALS, translations=(replace(chinese, truths=(Truth(""), *chinese.truths[1:])),))
    with pytest.raises(BuildError, match="'minerals' in 'zh' lacks the truth 'Gold'"):
        plan_benchmarks(replace(COMPILED, benchmarks=(), tables=(lacking,)), Wish(languages=("en", "zh")))


def test_a_release_that_is_not_in_chinese_says_nothing_of_it() -> None:
    (plan,) = plan_benchmarks(replace(COMPILED, benchmarks=(), tables=(MINERALS,)), Wish())
    assert plan.tables[0].translations == ()


# ---- variants


def shown(variant: Variant, count: int = 5) -> Iterator[Any]:
    for seed in range(count):
        instance = generate(MINERALS, Size("s", 5, 7, valid=1 + seed % 2), seed)
        yield show(instance, Edition(Book("long", 100_000), ("en", "zh")[seed % 2], variant))


def test_an_anonymous_book_names_and_describes_nothing() -> None:
    codes: Counter[str] = Counter()
    for each in shown(Variant.ANONYMOUS):
        tables = each.instance.tables
        book = render(each.instance, "long", language=tables.language, words=100_000)
        own = translated(MINERALS, tables.language)
        secrets = [*(truth.name for truth in own.truths), *(action.name for action in own.actions)]
        secrets += [entry.description for entry in (*own.truths, *own.actions) if entry.description]
        secrets += [o.key for a in own.actions for o in a.outcomes if isinstance(o.key, str) and len(o.key) > 5]
        secrets += [action.scale.unit for action in own.actions if action.scale and len(action.scale.unit) > 1]
        assert [secret for secret in secrets if secret in book] == []
        assert each.instance.game == each.original.game
        assert len({truth.name for truth in tables.truths}) == len(tables.truths)
        codes.update(tables.truths[i].name for i in each.instance.truths[:1])
    assert len(codes) >= 2, "codes do not go by the place in the list"


def test_a_counterfactual_book_gives_each_truth_the_name_of_another() -> None:
    circles = set()
    for each in shown(Variant.COUNTERFACTUAL):
        own = translated(MINERALS, each.instance.tables.language)
        names = [each.instance.tables.truths[i].name for i in each.instance.truths]
        real = [own.truths[i].name for i in each.instance.truths]
        assert sorted(names) == sorted(real)
        assert all(name != other for name, other in zip(names, real, strict=True))
        assert all(
            truth.name != other.name for truth, other in zip(each.instance.tables.truths, own.truths, strict=True)
        )
        book = render(each.instance, "long", language=own.language, words=100_000)
        descriptions = [entry.description for entry in (*own.truths, *own.actions) if entry.description]
        assert [description for description in descriptions if description in book] == []
        assert each.instance.game == each.original.game
        circles.add(tuple(real.index(name) for name in names))
    assert len(circles) >= 3


def test_outcomes_and_actions_that_tell_a_truth_have_codes() -> None:
    first = replace(METALS.actions[0], name="Ask for tin")
    telling = replace(
        METALS.actions[3],
        outcomes=(replace(METALS.actions[3].outcomes[0], key="it cries like Tin"), METALS.actions[3].outcomes[1]),
    )
    tables = replace(METALS, actions=(first, *METALS.actions[1:3], telling, *METALS.actions[4:]))
    instance = generate(tables, Size("s", 4, 4), 1)
    named = show(instance, Edition(variant=Variant.COUNTERFACTUAL)).instance.tables
    assert named.actions[0].name == "A1"
    assert [outcome.key for outcome in named.actions[0].outcomes] == ["reddish", "yellow", "white or grey"]
    assert (named.actions[3].name, [outcome.key for outcome in named.actions[3].outcomes]) == ("Bend it", ["O1", "O2"])


def test_names_do_not_depend_on_what_else_there_is() -> None:
    instance = generate(MINERALS, Size("s", 4, 5), 3)
    one, other = (
        show(replace(instance, tables=replace(MINERALS, title=title)), Edition(variant=Variant.ANONYMOUS))
        for title in "ab"
    )
    assert one.renamed == other.renamed


# ---- declarations, the command line, templates


def test_a_domain_named_like_an_edition_is_refused() -> None:
    zh = replace(MINERALS, domain="zh")
    with pytest.raises(BuildError, match="the configuration 'easy-zh' would be a domain's and an edition's"):
        plan_benchmarks(replace(COMPILED, benchmarks=(), tables=(zh,)), Wish(languages=("en", "zh")))


def test_the_command_line_asks_for_editions(folder: Path, tmp_path: Path) -> None:
    wishes = ("--book", "table", "--book", "long=1500", "--language", "zh", "--variant", "anonymous")
    result = kumoc("build", folder, "--out", tmp_path, "--count", "1", *wishes)
    assert result.returncode == 0, result.stderr
    assert "  also     easy-long1500, plain-long1500\n" in result.stdout
    rows = list(load(tmp_path / "shelf" / "1.0.0", "easy"))
    assert [(row["style"], row["language"], row["variant"]) for row in rows] == [("table", "zh", "anonymous")]
    assert verify(tmp_path / "shelf" / "1.0.0").findings == ()
    for wrong in ("long", "prose=40", "letter", "long=0"):
        assert kumoc("build", folder, "--book", wrong).returncode != 0


def test_templates_of_a_benchmark_are_used_if_they_can_be_read(tmp_path: Path) -> None:
    shutil.copy(DOMAINS / "minerals.kumo", tmp_path)
    benchmark = (
        'benchmark own version "1.0.0" { domains minerals  templates "mine"  size s { truths 3 actions 4 test 1 } }'
    )
    (tmp_path / "own.kumo").write_text(benchmark, encoding="utf-8")
    compiled = compile_paths([tmp_path])
    with pytest.raises(BuildError, match="there is no template of a book in"):
        plan_benchmarks(compiled, Wish())
    (tmp_path / "mine" / "en").mkdir(parents=True)
    template = tmp_path / "mine" / "en" / "guide.md.j2"
    parts = ('{% include "en/_opening.md.j2" %}', "## The {{ truths }}", '{% include "en/_truths.md.j2" %}')
    text = "\n".join((*parts, "## The {{ actions }}", '{% include "en/_actions.md.j2" %}'))
    template.write_text(text, encoding="utf-8")
    built = build(plan_benchmarks(compiled, Wish())[0], tmp_path / "dist")
    (row,) = load(built.path)
    assert "\n\n\n" not in row["knowledge_book"].partition("## The")[2][:40]
    report = verify(built.path)
    assert report.findings == ()
    assert report.notes == ("books by templates of its own: they were read and proved, but not written again",)
    lost = template.with_name("guid.md.j2")
    lost.write_text(text, encoding="utf-8")
    with pytest.raises(BuildError, match=r"no book asks for the template en/guid\.md\.j2"):
        plan_benchmarks(compiled, Wish())
    template.write_text('{% include "en/guid.md.j2" %}', encoding="utf-8")
    plan_benchmarks(compiled, Wish())
    lost.unlink()
    for wrong, said in (
        (text.replace("## The {{ truths }}", "## Some {{ truths }}"), 'line 23 is "## Some minerals"'),
        ("{{ ''.__class__.__mro__ }}", "is unsafe"),
        ("{{ nonsense }}", "'nonsense' is undefined"),
        ("{% if %}", "can't be used"),
        ("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "recursion depth"),
        ("{{ 'x' | center(10 ** 15) }}", "MemoryError"),
        ("{{ 10 ** 10 ** 10 ** 10 }}", "reckons with numbers"),
    ):
        template.write_text(wrong, encoding="utf-8")
        with pytest.raises(BuildError) as raised:
            build(plan_benchmarks(compiled, Wish())[0], tmp_path / "other")
        assert "the benchmark's templates for en/guide.md.j2" in str(raised.value)
        assert said.split(" is ")[-1] in str(raised.value)
