"""Books in every style and language: what they look like, that they are read back, and what they are refused for."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import jinja2
import pytest
from hypothesis import given, settings

from kumoc import benchmark, templating
from kumoc.book import LANGUAGES, UnreadableBook, check, read, render, verdicts, word_count
from kumoc.generate.instance import Instance
from tests.test_book import BAR, METALS, NAMES, QUICK, SENTENCES, instance_of, instances, stated
from tests.test_book_mutants import CUP, STYLES, TEAS

HOSTILE = ("{{ 7 * 7 }}", "<b>&amp;", "a | b", "`x`", "**y**", "[z](u)", "{'k': 1}", "# t", "{saw}", "%s")


def test_the_books_of_any_domain_are_read_back() -> None:
    seen: Counter[str] = Counter()

    @settings(QUICK, max_examples=60)
    @given(instances(NAMES, SENTENCES))
    def proved(instance: Instance) -> None:
        for style in STYLES:
            for language in ("en", "zh"):
                book = render(instance, style, language=language, words=400)
                assert check(instance, book, style, language) == []
                seen[style] += 1
                if style != "long":
                    rules = read(book, style, language)
                    assert replace(rules, actions=()) == replace(stated(instance), actions=())
                    assert [replace(entry, rules=()) for entry in rules.actions] == [
                        replace(entry, rules=()) for entry in stated(instance).actions
                    ]

    proved()
    assert min(seen[style] for style in STYLES) >= 120


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_name_passes_for_markup(style: str, language: str) -> None:
    truths = tuple(
        replace(truth, name=name, description=name) for truth, name in zip(METALS.truths, HOSTILE, strict=False)
    )
    actions = tuple(replace(action, name=name) for action, name in zip(METALS.actions, HOSTILE[::-1], strict=False))
    hostile = replace(BAR, tables=replace(METALS, truths=truths, actions=actions, title=HOSTILE[0]))
    book = render(hostile, style, language=language)
    assert check(hostile, book, style, language) == []
    assert "49" not in book
    assert {entry.name for entry in read(book, style, language).truths} == {truths[i].name for i in BAR.truths}


def test_a_sentence_of_prose_is_known_for_each_rule() -> None:
    book = render(BAR, "prose")
    rules = list(verdicts(BAR, read(book, "prose")))
    assert {rule.kind for rule in rules} == {"stated"}
    for rule in rules:
        assert rule.sentences
        for sentence in rule.sentences:
            assert sentence in book and f'"{rule.action}"' in sentence
            assert any(f'"{name}"' in sentence for name in rule.said)


def test_prose_is_said_in_many_ways_and_orders() -> None:
    books = {render(replace(BAR, seed=seed), "prose") for seed in range(40)}
    assert len(books) == 40
    everything = "".join(books)
    for way in ("coming out as", "that rules out", "is ruled out if", "cannot be valid once", "Rule out"):
        assert everything.count(way) > 20
    assert render(BAR, "prose") == render(BAR, "prose")


def test_the_json_of_a_symbolic_book_is_plain() -> None:
    book = render(CUP, "symbolic", language="zh")
    data = json.loads(book.split("```json\n")[1].removesuffix("```\n"))
    assert [truth["name"] for truth in data["truths"]] == ["普洱（熟）", "龙井", "正山小种"]
    assert data["actions"][0]["rules"][0] == {
        "at_least": 60,
        "less_than": 80.5,
        "rules_out": ["普洱（熟）", "正山小种"],
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"rules": []', '"rules": [], "rules": []'),
        ('"at_least": 5.0', '"at_least": NaN'),
        ('"at_least": 5.0', '"at_least": true'),
        ('"at_least": 5.0', '"at_least": "5.0"'),
        ('"at_least": 5.0', '"at_least": 1e999999999'),
        ('"unit": "g/cm3"', '"unit": "g/cm3", "note": ""'),
        ('["Tin", "Brass"]', '["Tin", "Brass", "Tin"]'),
        ('["Tin", "Brass"]', '["Tin", ["Brass"]]'),
        ('["Tin", "Brass"]', '"Tin and Brass"'),
        ('["Tin", "Brass"]', "[" * 100_000),
        ("```json", "```"),
    ],
)
def test_other_json_is_refused(old: str, new: str) -> None:
    book = render(BAR, "symbolic").replace(old, new, 1)
    (difference,) = check(BAR, book, "symbolic")[:1]
    assert difference.startswith(("The book cannot be read: ", "For an outcome of at least"))
    if "999" not in new:
        with pytest.raises(UnreadableBook):
            read(book, "symbolic")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_book_is_as_long_as_is_wanted_and_no_longer(language: str) -> None:
    instance = instance_of(TEAS if language == "zh" else METALS, (2, 0), (1,))
    longest = render(instance, "long", language=language, words=10_000)
    lengths = []
    for words in range(0, word_count(longest) + 20, 20):
        book = render(instance, "long", language=language, words=words)
        assert check(instance, book, "long", language) == []
        lengths.append(word_count(book))
        assert lengths[-1] <= max(words, lengths[0])
    assert lengths == sorted(lengths)
    assert len(set(lengths)) >= 5 and lengths[-1] == word_count(longest)
    everything = instance.tables
    assert all(f'"{truth.name}"' in longest for truth in everything.truths)
    assert all(action.name in longest for action in everything.actions)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}", "steps"),
        ("{% set r = range(99999) %}{% for i in r %}{% for j in r if false %}x{% endfor %}{% endfor %}", "steps"),
        ("{% macro a(n) %}{% if n %}{{ a(n - 1) }}{{ a(n - 1) }}{% endif %}{% endmacro %}{{ a(40) }}", "steps"),
        ("{% for i in range(9999) %}{{ 'x' * 9999 }}{% endfor %}", "longer"),
        ('{{ "x" * 10**11 }}', "longer"),
        ("{{ 10**11 * [1] }}", "longer"),
        ("{{ 9**9**9**9 }}", "bits"),
        ("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "recursion"),
        ('{% include "en/guide.md.j2" %}', "recursion"),
    ],
)
def test_a_template_that_does_too_much_is_stopped(text: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templating, "MAX_STEPS", 20_000)
    with pytest.raises((jinja2.TemplateError, RecursionError), match=fault):
        render(BAR, instead=(("en/guide.md.j2", text),))


@pytest.mark.parametrize(("language", "heading"), [("en", "What the outcomes rule out"), ("zh", "各种结果排除什么")])
def test_prose_says_under_which_heading_its_rules_stand(language: str, heading: str) -> None:
    book = render(BAR, "prose", language=language)
    assert f"\n## {heading}\n" in book and book.count(heading) == 2
    for old in ("rules under 'What the outcomes rule out'", "“各种结果排除什么”之下"):
        other = book.replace(old, "rules under each workshop test" if language == "en" else "各项workshop test")
        assert other == book or check(BAR, other, "prose", language) != []


def test_every_language_of_benchmarks_has_a_reader() -> None:
    assert tuple(LANGUAGES) == benchmark.LANGUAGES


def test_what_is_not_in_play_counts_in_a_long_book_too() -> None:
    instance = instance_of(METALS, (4, 0, 5), (1, 3))
    book = render(instance, "long", words=10_000)
    assert check(instance, book.replace('"yellow", rule out "Tin"', '"yellow", rule out "Brass"'), "long") != []
    assert check(
        instance, book.replace('## The metals in play\n\n- "Lead"', '## The metals in play\n\n- "Zinc"'), "long"
    ) == [
        'The book leaves out the truth in play "Lead".',
        'The book adds the truth in play "Zinc".',
    ]


def test_other_templates_are_held_to_the_same_proof() -> None:
    table = "{% macro cell(text) %}{{ text }}{% endmacro %}"
    lying = (("en/_truths.md.j2", '- "Gold"\n'),)
    assert check(BAR, render(BAR, instead=lying))[0] == 'The book leaves out the truth "Lead".'
    for text in ("{{ ''.__class__ }}", "{{ nothing }}", "{% for %}", table + "{{ cell(1, 2) }}"):
        with pytest.raises((jinja2.TemplateError, TypeError)):
            render(BAR, instead=(("en/guide.md.j2", text),))
    assert render(BAR, instead=(("en/other.md.j2", "x"),)) == render(BAR)
