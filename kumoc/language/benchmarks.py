"""Declared benchmarks: settings checked, domains looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from kumoc.benchmark import (
    DEFAULT_WORK,
    GAME,
    LANGUAGES,
    MAX_WORDS,
    SPLITS,
    STYLES,
    VIEWS,
    Benchmark,
    Book,
    Mode,
    Size,
    Variant,
)
from kumoc.diagnostics import Place
from kumoc.diagnostics.rules import (
    BAD_NAME,
    BAD_SETTING,
    MISSING_DECLARATION,
    MISSING_FOR_BUILD,
    REPEATED_DECLARATION,
    REPEATED_NAME,
    SIZE_TOO_LARGE,
    UNKNOWN_NAME,
)
from kumoc.language import syntax
from kumoc.language.names import check_identifier, check_language, declare, suggest
from kumoc.language.ranges import check_interval
from kumoc.language.report import Report
from kumoc.language.resolve import check_version
from kumoc.tables import Tables
from kumoc.translation import languages

MAX_COUNT = 10_000_000
MAX_WORK = 1_000_000_000
_DEFAULT_SPLITS = (("test", 50),)

Settings = Mapping[str, syntax.Setting]


@dataclass(frozen=True, slots=True)
class SizeCheck:
    """A size of a benchmark of that ``seed``, and the place to complain at where a domain has no instance of it."""

    size: Size
    domain: str
    seed: int
    place: Place


def resolve_benchmark(
    node: syntax.Benchmark, domains: Mapping[str, Tables | None], lost: frozenset[str], report: Report
) -> tuple[Benchmark, tuple[SizeCheck, ...]]:
    """The benchmark and what remains to be tried, with every fault reported.

    ``domains`` maps the declared domains to their tables, or to None where those can't be had for a reported fault.
    """
    check_identifier("benchmark", node.name, report)
    check_version(node.version, report)
    settings = _by_keyword(node.settings, report)
    words = _words(settings.get("domains"))
    for word in words:
        if word.text not in domains and word.text not in lost:
            help_, fix = suggest(word, domains, report)
            help_ = help_ or "give the file that declares it too, or its folder"
            report.add(UNKNOWN_NAME, f"there is no domain '{word.text}'", word.span, help_, fix=fix)
    if not words and not node.damaged:
        report.add(MISSING_DECLARATION, f"'{node.name.text}' names no domains", node.span, "add `domains NAME, ...`")
    if not node.sizes and not node.damaged:
        help_ = "add `size easy { truths 4  actions 6 }`"
        report.add(MISSING_DECLARATION, f"'{node.name.text}' declares no size", node.span, help_)
    declare("domain", words, report)
    declare("size", (size.name for size in node.sizes), report)
    sizes = tuple(_size(size, report) for size in node.sizes)
    benchmark = Benchmark(
        name=node.name.text,
        version=node.version.text,
        title=_text(settings.get("title")) or node.name.text,
        license=_text(settings.get("license")),
        changes=_text(settings.get("changes")),
        domains=tuple(word.text for word in words),
        seed=_whole(settings.get("seed"), report, least=0, most=2**63 - 1) or 0,
        sizes=sizes,
        views=_views(settings.get("views"), report),
        languages=_languages(settings.get("languages"), [domains.get(word.text) for word in words], report),
        templates=_folder(settings.get("templates"), report),
    )
    checks = tuple(
        SizeCheck(size, word.text, benchmark.seed, Place(report.source, size_node.name.span))
        for size, size_node in zip(sizes, node.sizes, strict=True)
        for word in words
        if size_node.damaged is False and _fits(size, size_node, domains.get(word.text), report)
    )
    return benchmark, checks


def _views(setting: syntax.Setting | None, report: Report) -> tuple[str, ...]:
    """The views that are asked for, in their fixed order; the game view belongs to every release."""
    words = _words(setting)
    for word in words:
        if word.text not in VIEWS:
            help_, fix = suggest(word, VIEWS, report)
            help_ = help_ or f"choose from {', '.join(VIEWS)}"
            report.add(UNKNOWN_NAME, f"there is no view '{word.text}'", word.span, help_, fix=fix)
    declare("view", (word for word in words if word.text in VIEWS), report)
    asked = {GAME, *(word.text for word in words)}
    return tuple(view for view in VIEWS if view in asked)


def _languages(setting: syntax.Setting | None, domains: Sequence[Tables | None], report: Report) -> tuple[str, ...]:
    """The languages that are asked for; ``domains`` are those that must be given in them, as far as they are sound."""
    words = _words(setting)
    for word in words:
        if not check_language(word, report):
            continue
        if word.text not in LANGUAGES:
            message = f"there are no books in '{word.text}'"
            report.add(MISSING_FOR_BUILD, message, word.span, f"choose from {', '.join(LANGUAGES)}")
            continue
        for tables in filter(None, domains):
            if word.text not in languages(tables):
                message = f"'{tables.domain}' is not given in '{word.text}'"
                help_ = f"declare `translation {tables.domain} {word.text} ...`, and give its file too"
                report.add(MISSING_FOR_BUILD, message, word.span, help_)
    return tuple(declare("language", words, report).words)


def _folder(setting: syntax.Setting | None, report: Report) -> str:
    """A folder named in a file, which is found from that file's own."""
    name = _text(setting)
    if setting is None or not name:
        return ""
    folder = Path(report.source.name).parent / name
    if not folder.is_dir():
        report.add(MISSING_FOR_BUILD, f"there is no folder '{name}'", setting.span, "it is looked for beside this file")
    return str(folder)


def _books(setting: syntax.Setting | None, report: Report) -> tuple[Book, ...]:
    books: list[Book] = []
    for value in setting.value if setting and isinstance(setting.value, tuple) else ():
        if isinstance(value, syntax.Book):
            book = _book(value, report)
            if book in books:
                report.add(REPEATED_NAME, f"the book '{book.name}' is named twice", value.style.span, "keep one")
            elif book:
                books.append(book)
    return tuple(books) or (Book(),)


def _book(node: syntax.Book, report: Report) -> Book | None:
    style = node.style.text
    if style not in STYLES:
        help_, fix = suggest(node.style, STYLES, report)
        help_ = help_ or f"choose from {', '.join(STYLES)}"
        report.add(UNKNOWN_NAME, f"there is no style of books '{style}'", node.style.span, help_, fix=fix)
        return None
    if (style == "long") != (node.words is not None):
        message = f"a {style} book has {'a wanted length' if style == 'long' else 'no length to choose'}"
        report.add(BAD_SETTING, message, node.style.span, "write `long 4000 words`, or another style alone")
        return None
    if node.words is None:
        return Book(style)
    words = _whole_number("words", node.words, report, least=1, most=MAX_WORDS)
    return Book(style, words) if words else None


def _variants(setting: syntax.Setting | None, report: Report) -> tuple[Variant, ...]:
    words = _words(setting)
    for word in words:
        if word.text not in tuple(Variant):
            help_, fix = suggest(word, tuple(Variant), report)
            help_ = help_ or f"choose from {', '.join(Variant)}"
            report.add(UNKNOWN_NAME, f"there is no variant '{word.text}'", word.span, help_, fix=fix)
    known = declare("variant", (word for word in words if word.text in tuple(Variant)), report).words
    return tuple(map(Variant, known)) or (Variant.ORIGINAL,)


def _size(node: syntax.Size, report: Report) -> Size:
    check_identifier("size", node.name, report)
    if node.name.text in VIEWS:
        report.add(BAD_NAME, f"'{node.name.text}' names a view of the dataset", node.name.span, "choose another name")
    settings = _by_keyword(node.settings, report)
    for keyword in ("truths", "actions"):
        if keyword not in settings and not node.damaged:
            message = f"the size '{node.name.text}' does not say how many {keyword}"
            report.add(MISSING_DECLARATION, message, node.name.span, f"add `{keyword} N`")
    truths = _whole(settings.get("truths"), report, least=2) or 2
    valid = _whole(settings.get("valid"), report, least=1) or 1
    if valid >= truths and "valid" in settings:
        message = f"{valid} of {truths} truths can't be valid: at least one must be ruled out"
        report.add(BAD_SETTING, message, settings["valid"].value.span, "lower `valid`")  # type: ignore[union-attr]
    splits = tuple((split, _whole(settings[split], report, least=0) or 0) for split in SPLITS if split in settings)
    return Size(
        name=node.name.text,
        truths=truths,
        actions=_whole(settings.get("actions"), report, least=1) or 1,
        valid=valid,
        splits=splits or _DEFAULT_SPLITS,
        mode=Mode(_text(settings.get("mode")) or Mode.FAIR),
        difficulty=_band(settings.get("difficulty"), report),
        giveaways=_text(settings.get("giveaways")) == "allowed",
        work=_whole(settings.get("work"), report, least=1, most=MAX_WORK) or DEFAULT_WORK,
        disjoint="disjoint" in settings,
        books=_books(settings.get("books"), report),
        variants=_variants(settings.get("variants"), report),
    )


def _fits(size: Size, node: syntax.Size, tables: Tables | None, report: Report) -> bool:
    """Whether a domain has as many truths and actions as a size asks for; reported where not."""
    if tables is None:
        return False
    for asked, has, kind in (
        (size.truths, len(tables.truths), "truths"),
        (size.actions, len(tables.actions), "actions"),
    ):
        if asked > has:
            message = f"the size '{size.name}' asks for {asked} {kind}, but '{tables.domain}' has {has}"
            report.add(SIZE_TOO_LARGE, message, node.name.span, f"ask for fewer, or leave '{tables.domain}' out")
            return False
    return True


def _by_keyword(settings: tuple[syntax.Setting, ...], report: Report) -> dict[str, syntax.Setting]:
    found: dict[str, syntax.Setting] = {}
    for setting in settings:
        if setting.keyword in found:
            report.add(REPEATED_DECLARATION, f"'{setting.keyword}' is given twice", setting.span, "keep one")
        found.setdefault(setting.keyword, setting)
    return found


def _whole(setting: syntax.Setting | None, report: Report, *, least: int, most: int = MAX_COUNT) -> int | None:
    if setting is None:
        return None
    assert isinstance(setting.value, syntax.Number)
    return _whole_number(setting.keyword, setting.value, report, least=least, most=most)


def _whole_number(keyword: str, number: syntax.Number, report: Report, *, least: int, most: int) -> int | None:
    value = number.value
    if value != value.to_integral_value() or not least <= value <= most:
        limit = f"at most {most}" if value > most else f"a whole number of at least {least}"
        report.add(BAD_SETTING, f"'{keyword}' takes {limit}, not {value:f}", number.span)
        return None
    return int(value)


def _band(setting: syntax.Setting | None, report: Report) -> tuple[Decimal, Decimal] | None:
    if setting is None:
        return None
    assert isinstance(setting.value, syntax.Interval)
    check_interval(setting.value, report, point=True)
    return setting.value.low.value, setting.value.high.value


def _text(setting: syntax.Setting | None) -> str:
    return setting.value.text if setting and isinstance(setting.value, syntax.Word) else ""


def _words(setting: syntax.Setting | None) -> tuple[syntax.Word, ...]:
    values = setting.value if setting and isinstance(setting.value, tuple) else ()
    return tuple(value for value in values if isinstance(value, syntax.Word))
