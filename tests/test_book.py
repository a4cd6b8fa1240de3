"""Books: what they look like, that they are read back exactly, and that no change of one goes unnoticed."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kumoc.book.reader
from kumoc.book import Rules, UnreadableBook, check, read, render
from kumoc.book.reader import ActionEntry, Rule, TruthEntry
from kumoc.generate.instance import Instance, Observation
from kumoc.tables import Action, Noun, Outcome, Range, Scale, Tables, Truth

GOLDEN = Path(__file__).parent / "data" / "guide.md"

COPPER, BRASS, ZINC, TIN, LEAD, SOLDER = (1 << i for i in range(6))


def ranges(*bounds: str) -> list[Range]:
    """The half-open ranges between neighbouring bounds; the last is closed."""
    pairs = list(pairwise(map(Decimal, bounds)))
    return [Range(low, high, closed=i == len(pairs) - 1) for i, (low, high) in enumerate(pairs)]


def measured(name: str, scale: Scale, bounds: tuple[str, ...], excludes: list[int], description: str = "") -> Action:
    outcomes = tuple(Outcome(key, mask) for key, mask in zip(ranges(*bounds), excludes, strict=True))
    return Action(name, outcomes, description, scale)


METALS = Tables(
    domain="metals",
    title="Scrap metal",
    topic="metallurgy",
    goal="identify the metal of an unmarked bar from the scrap yard",
    version="1.0.0",
    truth_noun=Noun("metal", "metals"),
    action_noun=Noun("workshop test", "workshop tests"),
    truths=(
        Truth("Copper", "Soft and reddish, and the best conductor of them all."),
        Truth("Brass", "Copper with zinc."),
        Truth("Zinc", "Bluish white and brittle when cold."),
        Truth("Tin", "Silvery. A bent bar of it is said to cry."),
        Truth("Lead"),
        Truth("Solder, lead and tin", 'Sold as "60/40".'),
    ),
    actions=(
        Action(
            "File a corner",
            (
                Outcome("reddish", BRASS | ZINC | TIN | LEAD | SOLDER),
                Outcome("yellow", COPPER | ZINC | TIN | LEAD | SOLDER),
                Outcome("white or grey", COPPER | BRASS),
            ),
            "The colour of the fresh metal under the skin.",
        ),
        measured(
            "Density",
            Scale(Decimal("5.0"), Decimal("12.0"), 2, "g/cm3"),
            ("5.0", "7.2", "8.0", "9.5", "12.0"),
            [BRASS | TIN, COPPER | BRASS | LEAD, ZINC | LEAD, COPPER | BRASS | ZINC | TIN],
            "The weight of the bar over the water that it displaces.",
        ),
        Action("Hold a magnet to it", (Outcome("it sticks", 0), Outcome("nothing happens", 0))),
        Action("Bend it", (Outcome("it cries", LEAD | SOLDER), Outcome("it bends in silence", TIN)), "By hand."),
        measured(
            "Mark on the hardness card",
            Scale(Decimal(0), Decimal(10), 0),
            ("0", "4", "10"),
            [ZINC | BRASS, LEAD | SOLDER],
        ),
        Action("Weigh it", (Outcome("light", ZINC), Outcome("heavy", 0)), "As it comes."),
    ),
)


def instance_of(
    tables: Tables, truths: tuple[int, ...], actions: tuple[int, ...], valid: tuple[int, ...] = (0,)
) -> Instance:
    return Instance(tables, truths, actions, valid, tuple(Observation(0) for _ in actions), seed=1)


BAR = instance_of(METALS, truths=(4, 0, 5, 3, 1), actions=(1, 3, 2, 0, 5, 4))


def stated(instance: Instance) -> Rules:
    """What a book of ``instance`` must say, put together from the tables name by name."""
    tables = instance.tables
    names = [tables.truths[i].name for i in instance.truths]

    def entry(action: Action) -> ActionEntry:
        rules = []
        for outcome in action.outcomes:
            excluded = {truth.name for i, truth in enumerate(tables.truths) if (outcome.excludes >> i) % 2 == 1}
            if excluded.intersection(names):
                key = outcome.key
                seen = key if isinstance(key, str) else (key.low, key.high, key.closed)
                rules.append(Rule(seen, frozenset(excluded.intersection(names))))
        return ActionEntry(action.name, action.description, action.scale and action.scale.unit, tuple(rules))

    return Rules(
        tables.title,
        tables.topic,
        tables.goal,
        (tables.truth_noun.one, tables.truth_noun.many),
        (tables.action_noun.one, tables.action_noun.many),
        len(instance.valid),
        tuple(TruthEntry(tables.truths[i].name, tables.truths[i].description) for i in instance.truths),
        tuple(entry(tables.actions[i]) for i in instance.actions),
    )


# The text


def test_a_guide_is_the_golden_one() -> None:
    book = render(BAR)
    assert book == GOLDEN.read_text(encoding="utf-8")
    assert check(BAR, book) == []
    assert read(book) == stated(BAR)


def test_several_valid_truths() -> None:
    several = replace(BAR, valid=(1, 3))
    book = render(several)
    assert "Exactly 2 of the metals listed below are valid.\n" in book
    assert "Name one of the valid metals after as few workshop tests as you can.\n" in book
    assert check(several, book) == []
    assert check(BAR, book) == ['The number of valid truths is "2" in the book and "1" in the instance.']


def test_one_truth_and_one_action() -> None:
    small = instance_of(METALS, truths=(2,), actions=(5,))
    book = render(small)
    assert '## The metal\n\n- "Zinc": Bluish' in book
    assert book.endswith(
        "## The workshop test\n\n### Weigh it\n\nDescription: As it comes.\n\n"
        '- If the outcome is "light", rule out "Zinc".\n'
    )
    assert check(small, book) == []


def test_a_domain_without_a_topic_or_descriptions() -> None:
    bare = replace(METALS, topic="", truths=tuple(Truth(truth.name) for truth in METALS.truths))
    book = render(replace(BAR, tables=bare))
    assert book.startswith("# Scrap metal\n\nYour goal is to identify")
    assert '\n\n- "Lead"\n- "Copper"\n- "Solder, lead and tin"\n- "Tin"\n- "Brass"\n\n' in book
    assert check(replace(BAR, tables=bare), book) == []


def test_numbers_are_written_as_in_the_domain_without_exponents() -> None:
    scale = Scale(Decimal("-1.50"), Decimal("1E+3"), 2, "%")
    action = measured("Gauge", scale, ("-1.50", "0.0000001", "1E+3"), [COPPER, BRASS])
    gauge = instance_of(replace(METALS, actions=(action,)), (0, 1), (0,))
    book = render(gauge)
    assert "The outcome is a number in %.\n" in book
    assert '- If the outcome is at least -1.50 and less than 0.0000001 %, rule out "Copper".\n' in book
    assert '- If the outcome is at least 0.0000001 and at most 1000 %, rule out "Brass".\n' in book
    assert check(gauge, book) == []


def test_nothing_in_a_domain_is_executed_or_escaped() -> None:
    name = "{{ 7 * 7 }} {% if x %} <b>&amp; %s {truth} \\1"
    hostile = replace(METALS, title=name, goal=name, truths=(Truth(name, name), *METALS.truths[1:]))
    book = render(replace(BAR, tables=hostile))
    assert f"# {name}\n" in book
    assert f'- "{name}": {name}\n' in book
    assert "49" not in book
    assert check(replace(BAR, tables=hostile), book) == []


def test_a_description_cannot_pass_for_a_rule() -> None:
    rule = '- If the outcome is "light", rule out "Copper".'
    last = METALS.actions[5]
    lying = replace(METALS, actions=(*METALS.actions[:5], replace(last, description=rule)))
    book = render(replace(BAR, tables=lying))
    assert f"Description: {rule}\n" in book
    assert check(replace(BAR, tables=lying), book) == []
    assert read(book).actions[4].rules == ()


@pytest.mark.parametrize(
    "line_break", ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
)
def test_a_description_of_two_lines_is_reported(line_break: str) -> None:
    rule = '- If the outcome is "heavy", rule out "Copper".'
    actions = (*METALS.actions[:5], replace(METALS.actions[5], description=f"As it comes.{line_break}{rule}"))
    lying = instance_of(replace(METALS, actions=actions), (0, 1, 2), (5, 0))
    assert check(lying, render(lying)) != []


# Reading


def test_the_reader_shares_nothing_with_the_rest() -> None:
    modules: set[str | None] = set()
    for path in Path(kumoc.book.reader.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        modules |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    own = {module for module in modules if module and module.startswith("kumoc.book.reader.")}
    assert modules - own == {"__future__", "collections.abc", "dataclasses", "decimal", "json", "re", "typing"}


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("# Scrap", "Scrap", 1, 'line 1 is "Scrap metal" where "# ..." should be'),
        (
            "ever rules metals out",
            "ever confirms metals",
            11,
            'line 11 is "- An outcome only ever confirms metals. It never confirms one." '
            'where "- An outcome only ever rules metals out. It never confirms one." should be',
        ),
        (
            '"it cries", rule out',
            '"it cries", rule in',
            44,
            'line 44 is "- If the outcome is "it cries", rule in "Lead" and "Solder, lead and tin"." '
            "where a rule should be",
        ),
        (
            'silence", rule out "Tin".',
            'silence", rule out Tin.',
            45,
            'line 45 is "- If the outcome is "it bends in silence", rule out Tin." '
            "where a rule or the heading of the next action should be",
        ),
        ("9.5 g/cm3", "9.5 kg/m3", 37, "where a rule or the heading of the next action should be"),
    ],
)
def test_a_line_that_is_not_understood(old: str, new: str, line: int, message: str) -> None:
    book = render(BAR)
    assert book.count(old) == 1
    with pytest.raises(UnreadableBook) as raised:
        read(book.replace(old, new))
    assert raised.value.line == line
    assert str(raised.value).endswith(message)
    assert check(BAR, book.replace(old, new)) == [f"The book cannot be read: {raised.value}."]


def test_a_text_that_ends_too_early() -> None:
    with pytest.raises(UnreadableBook, match=r'the book ends before line 1 where "# \.\.\." should be'):
        read("")
    with pytest.raises(UnreadableBook, match="the book ends before line 4 where") as raised:
        read("# Scrap metal\n\nThis is a game of deduction from the field of metallurgy.\n")
    assert raised.value.text is None


def test_a_number_too_long_to_be_one_is_unreadable() -> None:
    book = render(replace(BAR, valid=(0, 1))).replace("Exactly 2", "Exactly " + "9" * 10_000)
    assert check(BAR, book)[0].startswith("The book cannot be read: line 7")


# Differences


@pytest.mark.parametrize(
    ("old", "new", "differences"),
    [
        ("# Scrap metal", "# Scraps", ['The title is "Scraps" in the book and "Scrap metal" in the instance.']),
        (
            '- If the outcome is "it cries", rule out "Lead" and "Solder, lead and tin".\n',
            "",
            [
                'For the outcome "it cries" of "Bend it", the book has no rule, '
                'and the tables rule out "Lead", "Solder, lead and tin".'
            ],
        ),
        (
            "Description: As it comes.\n\nNo outcome of this workshop test rules out any metal listed above.",
            'Description: As it goes.\n\n- If the outcome is "heavy", rule out "Tin".',
            [
                'The book describes the action "Weigh it" in other words than the tables.',
                'For the outcome "heavy" of "Weigh it", the book adds a rule: it rules out "Tin", '
                "and the tables rule out nothing.",
            ],
        ),
        (
            'silence", rule out "Tin"',
            'silence", rule out "Lead"',
            [
                'For the outcome "it bends in silence" of "Bend it", the book contradicts the tables: '
                'it wrongly rules out "Lead" and does not rule out "Tin".'
            ],
        ),
        (
            "at least 8.0 and less than 9.5",
            "at least 8.0 and less than 9.6",
            [
                'For an outcome of at least 8.0 and less than 9.5 of "Density", the book has no rule, '
                'and the tables rule out "Lead".',
                'For an outcome of at least 8.0 and less than 9.6 of "Density", the book adds a rule: '
                'it rules out "Lead", and the tables rule out nothing.',
            ],
        ),
        (
            '- If the outcome is "it cries"',
            '- If the outcome is "it cries", rule out "Tin".\n- If the outcome is "it cries"',
            ['The book states a rule of "Bend it" twice.'],
        ),
        ('- "Lead"\n', "", ['The book leaves out the truth "Lead".']),
        ('- "Lead"\n', '- "Lead"\n- "Gold"\n', ['The book adds the truth "Gold".']),
        ('- "Lead"\n', '- "Lead"\n- "Lead"\n', ['The book adds the truth "Lead".']),
        ("### Bend it", "### Bend", ['The book leaves out the action "Bend it".', 'The book adds the action "Bend".']),
    ],
)
def test_each_difference_is_a_sentence(old: str, new: str, differences: list[str]) -> None:
    book = render(BAR)
    assert book.count(old) == 1
    assert check(BAR, book.replace(old, new)) == differences


def test_units_and_order_matter() -> None:
    book = render(BAR)
    assert check(BAR, book.replace("g/cm3", "kg/m3")) == [
        'The outcomes of "Density" are numbers in "kg/m3" in the book and numbers in "g/cm3" in the tables.'
    ]
    assert check(BAR, book.replace("As it comes.\n", "As it comes.\n\nThe outcome is a number.\n")) == [
        'The outcomes of "Weigh it" are numbers without a unit in the book and labels in the tables.'
    ]
    other = replace(BAR, truths=(0, 4, 5, 3, 1))
    assert check(other, book) == ["The book lists the truths in another order than the instance."]


# Any domain: names that try to look like something else

PIECES = (
    *(
        ", ",
        " and ",
        "'",
        "**",
        "# ",
        "### ",
        "- ",
        ": ",
        ".",
        "|",
        "`",
        "{{ 1 }}",
        "{% if %}",
        "{#",
        "%",
        "%s",
        "{truth}",
    ),
    *(
        "{valid}",
        "\\1",
        "<b>",
        "&",
        "rule out ",
        "no",
        "one",
        " listed below is valid.",
        " in ",
        "矿物",
        "é",
        "e\u0301",
    ),
    *("\u200b", "\u202e", " ", "\u00a0", "less than 3", "at least 1 and at most 2", "0", "-1", "Description: "),
)
IMITATIONS = ('"', '- If the outcome is "a", rule out "b".', '", rule out "', '" and "', '", "', 'rules out any "')
LINE_BREAKS = ("\n", "\r", "\u2028", "\x85", "\n\n### ", '\n- If the outcome is "no", rule out "one".\n')

CHARACTERS = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters='"')


def texts(*pieces: str, min_size: int = 1) -> st.SearchStrategy[str]:
    part = st.sampled_from(pieces) | st.text(CHARACTERS, min_size=1, max_size=3)
    return st.lists(part, min_size=min_size, max_size=4).map("".join)


NAMES = texts(*PIECES)
SENTENCES = texts(*PIECES, *IMITATIONS)
ANYTHING = texts(*PIECES, *IMITATIONS, *LINE_BREAKS)


@st.composite
def instances(draw: st.DrawFn, names: st.SearchStrategy[str], sentences: st.SearchStrategy[str]) -> Instance:
    """Random tables and a random choice from them; rules are as they come, since a book is about any tables."""
    truths = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    masks = st.integers(0, (1 << len(truths)) - 1)
    optional = st.just("") | sentences

    def action(name: str) -> Action:
        if draw(st.booleans()):
            labels = draw(st.lists(names, min_size=2, max_size=4, unique=True))
            return Action(name, tuple(Outcome(label, draw(masks)) for label in labels), draw(optional))
        bounds = sorted(draw(st.lists(st.integers(-999, 999), min_size=3, max_size=5, unique=True)))
        places = draw(st.integers(0, 3))
        written = tuple(str(Decimal(bound).scaleb(-places)) for bound in bounds)
        scale = Scale(Decimal(written[0]), Decimal(written[-1]), places, draw(optional))
        return measured(name, scale, written, [draw(masks) for _ in written[1:]], draw(optional))

    actions = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    tables = Tables(
        "any",
        draw(sentences),
        draw(optional),
        draw(sentences),
        "1.0.0",
        Noun(draw(sentences), draw(sentences)),
        Noun(draw(sentences), draw(sentences)),
        tuple(Truth(name, draw(optional)) for name in truths),
        tuple(map(action, actions)),
    )
    listed = tuple(draw(st.permutations(range(len(truths)))))[: draw(st.integers(1, len(truths)))]
    chosen = tuple(draw(st.permutations(range(len(actions)))))[: draw(st.integers(1, len(actions)))]
    return instance_of(tables, listed, chosen, valid=tuple(range(draw(st.integers(1, len(listed))))))


QUICK = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def test_the_book_of_any_domain_is_read_back() -> None:
    seen: Counter[str] = Counter()

    @settings(QUICK, max_examples=300)
    @given(instances(NAMES, SENTENCES))
    def proved(instance: Instance) -> None:
        book = render(instance)
        assert read(book) == stated(instance)
        assert check(instance, book) == []
        seen["proved"] += 1
        seen["with rules"] += any(action.rules for action in read(book).actions)

    proved()
    assert seen["proved"] >= 300
    assert seen["with rules"] >= 150


def test_a_book_that_could_be_misread_is_reported() -> None:
    """Quotes and line breaks in names: a domain cannot have them, so a book of one is proved or refused."""
    seen: Counter[str] = Counter()

    @QUICK
    @given(instances(ANYTHING, ANYTHING))
    def proved_or_refused(instance: Instance) -> None:
        book = render(instance)
        if check(instance, book):
            seen["refused"] += 1
        else:
            assert read(book) == stated(instance)
            seen["proved"] += 1

    proved_or_refused()
    assert seen["refused"] >= 100
    assert seen["proved"] >= 5


# Mutants: a changed book is found out, or it means the same

QUOTED = re.compile(r'"[^"]*"')
RULE = "- If the outcome is "


INVERTED_SENTENCES = (
    ("Exactly one of", "Exactly 2 of"),
    ("Exactly one of", "Exactly none of"),
    ("is valid", "is invalid"),
    ("rules metals out", "confirms metals"),
    ("never", "always"),
    ("still possible", "ruled out"),
    ("rules out nothing", "rules out every metal"),
    ("every metal that is not valid", "the valid metal"),
    ("No outcome", "Every outcome"),
    ("number", "number in percent"),
)
INVERTED_RULES = (
    ("rule out", "rule in"),
    ("rule out", "keep only"),
    ("rule out", "do not rule out"),
    ("rule out", "rule out all except"),
    ("rule out", "confirm"),
    (", rule out", ", this suggests"),
    ("outcome is", "outcome is not"),
    ("If the", "Unless the"),
)
CHANGED_BOUNDS = (("at least", "more than"), ("less than", "at most"), ("at most", "less than"))


def mutants(instance: Instance, book: str) -> Iterator[tuple[str, str]]:
    """Changed books, each with the kind of change."""
    for kind, mutant in [*text_mutants(book), *rule_mutants(instance, book)]:
        if mutant != book:
            yield kind, mutant


def text_mutants(book: str) -> Iterator[tuple[str, str]]:
    for end in range(len(book)):
        yield "cut off", book[:end]
    for word in re.finditer(r"\S+ ?", book):
        yield "word deleted", book[: word.start()] + book[word.end() :]
    for old, new in INVERTED_SENTENCES:
        yield "sentence inverted", book.replace(old, new, 1)
    lines = book.splitlines(keepends=True)
    for i, line in enumerate(lines):
        yield "line deleted", "".join(lines[:i] + lines[i + 1 :])
        yield "line doubled", "".join([*lines[:i], line, *lines[i:]])
        for j in range(i + 1, min(i + 4, len(lines))):
            yield "lines swapped", "".join([*lines[:i], lines[j], *lines[i + 1 : j], line, *lines[j + 1 :]])


def rule_mutants(instance: Instance, book: str) -> Iterator[tuple[str, str]]:
    lines = book.splitlines(keepends=True)
    truths = [f'"{instance.tables.truths[i].name}"' for i in instance.truths]
    rules = [i for i, line in enumerate(lines) if line.startswith(RULE)]
    for i in rules:
        others = [lines[j] for j in rules if j != i]
        for kind, new in rule_changes(lines[i], others, truths):
            yield kind, "".join([*lines[:i], new, *lines[i + 1 :]])


def rule_changes(line: str, others: list[str], truths: list[str]) -> Iterator[tuple[str, str]]:
    """What may stand in the place of one rule's line."""
    for old, new in INVERTED_RULES:
        yield "rule inverted", line.replace(old, new)
    for old, new in CHANGED_BOUNDS:
        yield "bound changed", line.replace(old, new)
    for number in re.finditer(r"(?<= )\d+(?:\.\d)?(?= |,)", line):
        for new in (str(Decimal(number[0]) + 1), f"{number[0]}5", f"-{number[0]}1", "1e1", f"{number[0]}."):
            yield "bound changed", line[: number.start()] + new + line[number.end() :]
    for name in QUOTED.finditer(line):
        added = [f"{truth}, {name[0]}" for truth in truths if truth not in line]
        for new in [*truths, *added, '"Gold"', name[0].lower(), name[0].strip('"')]:
            yield "name swapped", line[: name.start()] + new + line[name.end() :]
    yield "rule added", f'{line}{RULE}"pink", rule out {truths[0]}.\n'
    yield "rule added", f"{line}{RULE}at least 90 and less than 99, rule out {truths[0]}.\n"
    for other in others:
        yield "rule added", line + other
        yield "rule replaced", other


def meaning(book: str) -> list[str | list[str]]:
    """The text but for what carries no meaning: empty lines, and the order of the rules under one action."""
    lines: list[str | list[str]] = []
    for line in filter(None, book.splitlines()):
        if not line.startswith(RULE):
            lines.append(line)
        elif isinstance(lines[-1], list):
            lines[-1] = sorted([*lines[-1], line])
        else:
            lines.append([line])
    return lines


@pytest.mark.parametrize("instance", [BAR, instance_of(METALS, (1, 2, 5, 4, 0, 3), (0, 4, 1, 2, 3, 5))])
def test_every_mutant_is_found_or_means_the_same(instance: Instance) -> None:
    book = render(instance)
    found: Counter[str] = Counter()
    same: Counter[str] = Counter()
    for kind, mutant in mutants(instance, book):
        if check(instance, mutant):
            found[kind] += 1
        else:
            assert meaning(mutant) == meaning(book), kind
            same[kind] += 1
    assert found.total() >= 3000
    assert min(found.values()) >= len(INVERTED_SENTENCES)
    assert same.keys() <= {"cut off", "line deleted", "line doubled", "lines swapped"}
