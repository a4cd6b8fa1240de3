"""Mutants of good books, of the error types that the KUMO paper found in books: each is found out or means the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from kumoc.book import Rules, check, read, render, report
from kumoc.generate.instance import Instance
from kumoc.tables import Action, Noun, Outcome, Range, Scale, Tables, Truth
from tests.test_book import BAR, METALS, instance_of

STYLES = ("guide", "table", "prose", "symbolic", "long")
SUMMER, GREEN, PUERH, BLACK = (1 << i for i in range(4))
TEAS = Tables(
    domain="teas",
    title="茶叶盲品",
    topic="茶学",
    goal="说出杯中的茶",
    version="1.0.0",
    truth_noun=Noun("茶", "茶"),
    action_noun=Noun("检验", "检验"),
    truths=(
        Truth("夏茶", "味道略苦。"),
        Truth("龙井"),
        Truth("普洱（熟）", "发酵过的茶。"),
        Truth("正山小种", "有烟味。"),
    ),
    actions=(
        Action(
            "看汤色",
            (Outcome("红褐色", SUMMER | GREEN), Outcome("黄绿色", PUERH | BLACK), Outcome("橙红", GREEN | PUERH)),
            "在白瓷杯中看。",
        ),
        Action(
            "量水温",
            tuple(
                Outcome(Range(low, high, closed=high == 100), mask)
                for (low, high), mask in zip(
                    pairwise(map(Decimal, ("60", "80.5", "100"))), (BLACK | PUERH, GREEN), strict=True
                )
            ),
            "冲泡时的水温。",
            Scale(Decimal(60), Decimal(100), 1, "摄氏度"),
        ),
        Action("摇一摇", (Outcome("有声", 0), Outcome("无声", 0))),
        Action("闻香", (Outcome("烟味", GREEN | PUERH | SUMMER), Outcome("没有烟味", BLACK)), "趁热闻。"),
    ),
)
CUP = instance_of(TEAS, (2, 1, 3), (1, 0, 2, 3))

CONFIRMED = {
    "en": (
        *(("rule out", "confirm"), ("rule out", "rule in"), ("rule out", "rule out all except"), ("rule out", "keep")),
        *(("rules out", "confirms"), ("rules out", "rules out all but"), ("rules out", "does not rule out")),
        *(("ruled out", "confirmed"), ("ruled out", "left"), ("cannot be valid", "must be valid")),
        *(("cannot be", "can be"), ("rules_out", "confirms"), ("rules_out", "rules_in"), ("rules_out", "possible")),
    ),
    "zh": (
        *(("排除", "确认"), ("排除", "只保留"), ("排除", "不排除"), ("排除", "排除除此以外的"), ("排除", "支持")),
        *(
            ("不可能成立", "必定成立"),
            ("不可能成立", "有可能成立"),
            ("rules_out", "confirms"),
            ("rules_out", "possible"),
        ),
    ),
}
HEDGED = {
    "en": (
        *(("rule out", "perhaps rule out"), ("rule out", "consider ruling out"), ("rules out", "may rule out")),
        *(("ruled out", "unlikely"), ("cannot be", "may not be"), (" and ", " or "), (" and ", " and/or ")),
        *(("at least", "about"), ("at least", "more than"), ("less than", "up to"), ("at most", "around")),
        *(("less than", "at most"), ("at most", "less than"), ("at_most", "less_than"), ("less_than", "at_most")),
        *(("at_least", "about"), (" is ", " may be "), (" is ", " is often "), (", or if ", ", and if ")),
        *((", or when ", ", or perhaps when "), ("comes out", "sometimes comes out"), (", rule", ", usually rule")),
        *(('["', '"'), ('["', '["maybe '), ("If ", "Unless "), ("If ", "Even if "), ("When ", "Unless ")),
    ),
    "zh": (
        *(("排除", "可能排除"), ("则排除", "则通常排除"), ("就被排除", "多半被排除"), ("和", "或"), ("和", "以及也许")),
        *(("大于等于", "大约"), ("大于等于", "大于"), ("且小于", "且小于等于"), ("小于等于", "小于"), ("；", "，并且")),
        *(
            ("，或者", "，并且"),
            ("如果", "除非"),
            ("如果", "即使"),
            ("一旦", "也许"),
            ("只要", "除非"),
            ("为", "似乎为"),
        ),
        *(("at_most", "less_than"), ("less_than", "at_most"), ("at_least", "about"), ('["', '"'), ('["', '["也许')),
    ),
}
INVENTED = {
    "en": {
        "line": ('- If the outcome is "pink", rule out {}.', "{} is known to be rare.", "### Another test", "- {}"),
        "table": ('| "pink" | {} |', "| at least 90 and less than 99 | {} |", "| {} | Well known. |"),
        "prose": (
            'If the outcome of {did} is "pink", rule out {}. ',
            "{} is rare. ",
            '{did} coming out as "x" rules out {}. ',
        ),
    },
    "zh": {
        "line": ('- 如果结果为"粉红"，则排除{}。', "众所周知，{}很少见。", "### 另一项检验", "- {}"),
        "table": ('| 为"粉红" | {} |', "| 大于等于 90 且小于 99 | {} |", "| {} | 众所周知。 |"),
        "prose": ('如果{did}的结果为"粉红"，则排除{}。', "{}很少见。", '{did}的结果为"x"时，应当排除{}。'),
    },
}
END = {"en": ". ", "zh": "。"}
JOINTS = re.compile(r', "| and "|、"|和"')


def mutants(instance: Instance, book: str, style: str, language: str) -> Iterator[tuple[str, str]]:
    """Changed books, each with the kind of its error."""
    truths = [f'"{instance.tables.truths[i].name}"' for i in instance.truths]
    actions = [f'"{instance.tables.actions[i].name}"' for i in instance.actions]
    for kind, pairs in (("confirmation", CONFIRMED[language]), ("ambiguous", HEDGED[language])):
        for old, new in pairs:
            for at in places(book, old):
                yield kind, book[:at] + new + book[at + len(old) :]
    yield from missing(book, language)
    yield from invented(book, style, language, truths, actions)
    for number in re.finditer(r"(?<= )\d+(?:\.\d+)?(?=[ ,}])", book):
        for new in (str(Decimal(number[0]) + 1), f"{number[0]}5", f"-{number[0]}1", f'"{number[0]}"', "several"):
            yield "ambiguous", book[: number.start()] + new + book[number.end() :]
    yield from damaged(book)


def places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def missing(book: str, language: str) -> Iterator[tuple[str, str]]:
    """Rules, sentences and names left out."""
    lines = book.splitlines(keepends=True)
    for i, line in enumerate(lines):
        yield "missing", "".join([*lines[:i], *lines[i + 1 :]])
        sentences = re.split(f"(?<={re.escape(END[language])})", line)
        for j in range(len(sentences) if len(sentences) > 1 else 0):
            yield "missing", "".join([*lines[:i], *sentences[:j], *sentences[j + 1 :], *lines[i + 1 :]])
    for name in re.finditer(r'"[^"\n]+"', book):
        yield "missing", book[: name.start()] + book[name.end() :]
        for joint in JOINTS.finditer(book, max(0, name.start() - 5), name.start() + 1):
            yield "missing", book[: joint.start()] + book[name.end() :]


def invented(book: str, style: str, language: str, truths: list[str], actions: list[str]) -> Iterator[tuple[str, str]]:
    """Rules and names added, taken from elsewhere in the book or from nowhere."""
    lines = book.splitlines(keepends=True)
    for i, line in enumerate(lines):
        for template in (*INVENTED[language]["line"], *INVENTED[language]["table" if style == "table" else "line"]):
            yield (
                "invented",
                "".join([*lines[: i + 1], template.format(truths[i % len(truths)]) + "\n", *lines[i + 1 :]]),
            )
        for other in lines[i + 1 : i + 4]:
            yield "invented", "".join([*lines[:i], other, *lines[i:]])
        yield "invented", "".join([*lines[:i], line, *lines[i:]])
        if style == "prose":
            for j, template in enumerate(INVENTED[language]["prose"]):
                added = template.format(truths[i % len(truths)], did=actions[(i + j) % len(actions)])
                yield "invented", "".join([*lines[:i], added, *lines[i:]])
                yield "invented", "".join([*lines[:i], line.rstrip("\n"), " " + added.rstrip(), "\n", *lines[i + 1 :]])
    comma = ", " if language == "en" or style == "symbolic" else "、"
    for name in re.finditer(r'"[^"\n]+"', book):
        for new in ('"Gold"', truths[name.start() % len(truths)]):
            yield "invented", f"{book[: name.start()]}{new}{comma}{book[name.start() :]}"
            yield "invented", book[: name.start()] + new + book[name.end() :]
        yield "invented", book[: name.start()] + name[0].strip('"') + book[name.end() :]


def damaged(book: str) -> Iterator[tuple[str, str]]:
    """A book that ends too early, lacks a word, or has lines in another order."""
    for end in range(0, len(book), 31):
        yield "cut off", book[:end]
    for word in re.finditer(r"[\u4e00-\u9fff]{1,2}|[^\s\u4e00-\u9fff]+ ?", book):
        yield "word lost", book[: word.start()] + book[word.end() :]
    lines = book.splitlines(keepends=True)
    for i, line in enumerate(lines):
        for j in range(i + 1, min(i + 4, len(lines))):
            yield "order", "".join([*lines[:i], lines[j], *lines[i + 1 : j], line, *lines[j + 1 :]])


# What a book means, but for what carries no meaning: found in another way than the reader's


def lines_meant(book: str, is_rule: Callable[[str], bool]) -> list[Any]:
    """The lines, those of the rules that stand together in any order."""
    meant: list[Any] = []
    for line in filter(None, book.splitlines()):
        if not is_rule(line):
            meant.append(line)
        elif meant and isinstance(meant[-1], list):
            meant[-1] = sorted([*meant[-1], line])
        else:
            meant.append([line])
    return meant


def meaning(book: str, style: str, language: str) -> Any:
    if style == "prose":
        heading = {"en": "## What the outcomes rule out\n", "zh": "## 各种结果排除什么\n"}[language]
        head, _, rules = book.partition(heading)
        sentences = re.findall(r'(?:[^".。]|"[^"]*"|\d\.\d)+[.。]|\S+', rules)
        return lines_meant(head, lambda _: False), sorted(map(str.strip, sentences))
    if style == "symbolic":
        head, _, rest = book.partition("```json\n")
        data = json.loads(rest.removesuffix("\n").removesuffix("```"))
        for action in data["actions"]:
            for rule in action["rules"]:
                rule["rules_out"].sort()
            action["rules"].sort(key=str)
        return lines_meant(head, lambda _: False), data
    if style == "table":
        begin = {"en": ('| "', "| at"), "zh": ("| 为", "| 大于")}[language]
        tests = {"en": "## The workshop tests", "zh": "## 检验"}[language]
        head, _, rest = book.partition(tests)
        return lines_meant(head, lambda _: False), lines_meant(rest, lambda line: line.startswith(begin))
    rule = {"en": "- If the outcome is ", "zh": "- 如果结果"}[language]
    head, heading, rest = book.partition({"en": "## All ", "zh": "## 全部"}[language])
    in_any_order = (rule, '- "')  # entries for more than is in play
    return (
        lines_meant(head, lambda line: line.startswith(rule)),
        lines_meant(heading + rest, lambda line: line.startswith(in_any_order)),
    )


SEVERAL = replace(instance_of(METALS, (1, 2, 5, 4, 0, 3), (0, 4, 1, 2, 3, 5)), seed=4)
BOOKS = {"en": (BAR, SEVERAL), "zh": (CUP, replace(CUP, seed=2))}
"""In prose one of the two goes truth by truth and the other mixes; of other styles in English one is enough."""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("style", STYLES)
def test_every_mutant_is_found_or_means_the_same(style: str, language: str) -> None:
    found: Counter[str] = Counter()
    same: Counter[str] = Counter()
    reported = 0
    for instance in BOOKS[language][: None if language == "zh" or style == "prose" else 1]:
        book = render(instance, style, language=language, words=10_000)
        assert check(instance, book, style, language) == []
        for kind, mutant in mutants(instance, book, style, language):
            if mutant == book:
                continue
            if differences := check(instance, mutant, style, language):
                found[kind] += 1
                if not differences[0].startswith("The book cannot be read"):
                    reported += assert_reported(instance, mutant, style, language)
            else:
                assert meaning(mutant, style, language) == meaning(book, style, language), (kind, mutant)
                same[kind] += 1
    four = ("confirmation", "missing", "invented", "ambiguous")
    assert sum(found[kind] for kind in four) >= 1000
    assert min(found[kind] for kind in four) >= 15
    assert reported >= 40


def assert_reported(instance: Instance, mutant: str, style: str, language: str) -> bool:
    """Whether a report has something to say against ``mutant``; if not, it is a book of the same game."""
    if not report(instance, mutant, (style,), language).ok:
        return True
    good = render(instance, style, language=language, words=10_000)
    assert played(read(mutant, style, language)) == played(read(good, style, language)), mutant
    return False


def played(book: Rules) -> Any:
    """What a player of the game needs of a book, which is all but its words, its order and what is not in play."""
    listed = book.in_play or ([entry.name for entry in book.truths], [entry.name for entry in book.actions])
    truths, actions = map(sorted, listed)
    rules = [
        (entry.name, entry.unit, rule.seen, sorted(rule.names.intersection(truths)))
        for entry in book.actions
        if entry.name in actions
        for rule in entry.rules
        if rule.names.intersection(truths)
    ]
    entries = [(entry.name, getattr(entry, "unit", "")) for entry in (*book.truths, *book.actions)]
    told = [(name, unit) for name, unit in entries if name in {*truths, *actions}]
    return book.valid, truths, actions, sorted(told, key=str), sorted(rules, key=str)
