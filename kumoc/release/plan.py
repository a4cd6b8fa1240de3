"""What is to be built: declared benchmarks, or the default one around each domain, with what was asked for besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kumoc.benchmark import DEFAULT_SIZES, GAME, VIEWS, Benchmark, Book, Edition, Mode, Size, Variant
from kumoc.book import LANGUAGES
from kumoc.generate import CannotGenerateError, derive, pools
from kumoc.language import Compilation
from kumoc.language.names import is_identifier, listed, skeleton
from kumoc.release.errors import BuildError
from kumoc.release.fresh import Freshness, Published, fresh_seed, key_digest, release_name
from kumoc.release.templates import digest, read_templates
from kumoc.tables import Tables
from kumoc.templating import Texts
from kumoc.translation import languages, untranslated, with_languages


@dataclass(frozen=True, slots=True)
class Wish:
    """What the caller asks for in place of what is declared; None leaves that as it is.

    ``views`` are those to make besides the game view, in place of the declared ones if any are given; so are ``books``,
    ``languages`` and ``variants`` in place of those declared, and the folder ``templates``.
    ``fresh``, a label, and ``secret``, a key, are mixed into the seed. No instance of the releases ``disjoint_from``
    is built again.
    """

    seed: int | None = None
    count: int | None = None
    sizes: tuple[Size, ...] = ()
    mode: Mode | None = None
    views: tuple[str, ...] = ()
    books: tuple[Book, ...] = ()
    languages: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    templates: str | None = None
    fresh: str | None = None
    secret: bytes | None = field(default=None, repr=False)
    disjoint_from: tuple[Published, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """All instances of one size, domain and split.

    They are drawn from the tables ``drawn_from``: ``tables``, but if the size is disjoint less the truths of the other
    splits. Each is shown in all ``editions``.
    """

    size: Size
    tables: Tables
    split: str
    count: int
    drawn_from: Tables
    editions: tuple[Edition, ...]

    def row_seed(self, seed: int, index: int, attempt: int) -> int:
        """What the draw number ``attempt`` for the row at ``index`` derives from, in a benchmark of that ``seed``."""
        return derive(seed, self.tables.domain, self.size.name, self.split, index, attempt)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """How guides were written anew by a model: those of the release whose rows have the digest ``of``.

    ``writer`` wrote and ``judge`` read each book at most ``tries`` times; ``books`` passed, and in ``kept`` rows the
    guide was kept.
    """

    of: str
    writer: str
    judge: str
    tries: int
    books: int
    kept: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A benchmark with the tables of its domains; ``passed_over`` names the default sizes that are too large.

    ``fresh`` is None where the instances are those that the benchmark declares. What it was asked to mix into the seed
    is part of ``benchmark.seed`` already. ``templates`` take the place of the project's own; ``templates_sha256`` is
    their digest, None where there are none. ``rewriting`` is None where no model wrote books anew.
    """

    benchmark: Benchmark
    tables: tuple[Tables, ...]
    passed_over: tuple[str, ...] = ()
    fresh: Freshness | None = None
    templates: Texts = ()
    templates_sha256: str | None = None
    rewriting: Rewriting | None = None

    @property
    def release(self) -> str:
        """What the release is called under its benchmark, such as ``1.0.0`` or ``1.0.0-2026-11``."""
        return release_name(self.benchmark.version, self.fresh.label if self.fresh else None)

    def jobs(self) -> Iterator[Job]:
        """All jobs with something to do, in the order of sizes, domains and splits.

        Raises BuildError where the splits of a disjoint size can't be.
        """
        for size in self.benchmark.sizes:
            editions = size.editions(self.benchmark.languages)
            for tables in self.tables:
                drawn_from = _pools(tables, size, self.benchmark.seed)
                for split, count in size.splits:
                    if count:
                        yield Job(size, tables, split, count, drawn_from[split], editions)

    @property
    def count(self) -> int:
        """How many instances there are to build."""
        return len(self.tables) * sum(count for size in self.benchmark.sizes for _, count in size.splits)


def _pools(tables: Tables, size: Size, seed: int) -> dict[str, Tables]:
    try:
        return pools(tables, size, seed)
    except CannotGenerateError as error:
        reason = error.reason.sentence.rstrip(".")
        raise BuildError(f"'{tables.domain}' has no disjoint splits of size '{size.name}': {reason}") from error


def plan_benchmarks(compilation: Compilation, wish: Wish) -> tuple[Plan, ...]:
    """A plan for each declared benchmark or, where none is declared, for each domain by itself.

    Raises BuildError if there is nothing to build, or a domain is too small for every default size.
    """
    _check_names(wish.sizes)
    by_name = {tables.domain: tables for tables in compilation.tables}
    if compilation.benchmarks:
        return tuple(
            _planned(benchmark, tuple(by_name[name] for name in benchmark.domains), wish)
            for benchmark in compilation.benchmarks
        )
    if not compilation.tables:
        raise BuildError("there is no domain to build", "give .kumo files or a folder that holds some")
    return tuple(_plan_domain(tables, wish) for tables in compilation.tables)


def _check_names(sizes: Sequence[Size]) -> None:
    """Hold sizes that were asked for to the rules that declared ones obey."""
    seen: set[str] = set()
    for size in sizes:
        if not is_identifier(size.name) or size.name in VIEWS:
            help_ = f"use up to 60 letters, digits and underscores, a letter first, and none of {', '.join(VIEWS)}"
            raise BuildError(f"'{size.name}' can't name a size", help_)
        if skeleton(size.name) in seen:
            raise BuildError(f"there is another size '{size.name}'", "give each size a name of its own")
        seen.add(skeleton(size.name))


def _plan_domain(tables: Tables, wish: Wish) -> Plan:
    fitting = [size for size in DEFAULT_SIZES if _fits(size, tables)]
    if not fitting and not wish.sizes:
        has = f"{len(tables.truths)} truths and {len(tables.actions)} actions"
        raise BuildError(
            f"the domain '{tables.domain}' has {has}: too few for the default sizes",
            f"choose a size that fits, such as --size small={min(3, len(tables.truths))},{min(4, len(tables.actions))}",
        )
    benchmark = Benchmark(
        name=tables.domain,
        version=tables.version,
        title=tables.title,
        license="",
        domains=(tables.domain,),
        seed=0,
        sizes=tuple(fitting),
    )
    passed_over = tuple(
        f"the size '{size.name}' ({size.truths} truths, {size.actions} actions) is larger than '{tables.domain}'"
        for size in DEFAULT_SIZES
        if size not in fitting and not wish.sizes
    )
    return _planned(benchmark, (tables,), wish, passed_over)


def _fits(size: Size, tables: Tables) -> bool:
    return size.truths <= len(tables.truths) and size.actions <= len(tables.actions)


def _planned(benchmark: Benchmark, tables: tuple[Tables, ...], wish: Wish, passed_over: tuple[str, ...] = ()) -> Plan:
    seed = benchmark.seed if wish.seed is None else wish.seed
    benchmark = replace(_as_wished(benchmark, wish), seed=fresh_seed(seed, wish.fresh, wish.secret))
    _check_languages(benchmark, tables)
    _check_labels(benchmark)
    shown = tuple(with_languages(each, benchmark.languages) for each in tables)
    templates = read_templates(benchmark.templates)
    return Plan(benchmark, shown, passed_over, _freshness(seed, wish), templates, digest(templates))


def _check_languages(benchmark: Benchmark, tables: Sequence[Tables]) -> None:
    for each in tables:
        for language in benchmark.languages or (each.language,):
            if language not in LANGUAGES:
                raise BuildError(
                    f"there are no books in '{language}', which '{each.domain}' would be shown in",
                    f"choose from {', '.join(LANGUAGES)}",
                )
            if language not in languages(each):
                help_ = f"declare `translation {each.domain} {language} ...`, and give its file too"
                raise BuildError(f"'{each.domain}' is not given in '{language}'", help_)
            missing = () if language == each.language else tuple(untranslated(each, language))
            if missing:
                help_ = f"add it to `translation {each.domain} {language}`: `kumoc check` lists all of it"
                raise BuildError(f"'{each.domain}' in '{language}' lacks {listed(missing)}", help_)


def _check_labels(benchmark: Benchmark) -> None:
    """Configurations are named after an edition or a domain: a name that is both would mean either."""
    for size in benchmark.sizes:
        for edition in size.editions(benchmark.languages):
            if edition.label in benchmark.domains:
                raise BuildError(
                    f"the configuration '{size.name}-{edition.label}' would be a domain's and an edition's",
                    f"rename the domain '{edition.label}', or build it in another benchmark",
                )


def _freshness(declared_seed: int, wish: Wish) -> Freshness | None:
    if wish.fresh is None and wish.secret is None and not wish.disjoint_from:
        return None
    key = None if wish.secret is None else key_digest(wish.secret)
    releases = {release.rows_sha256: release for release in wish.disjoint_from}
    return Freshness(declared_seed, wish.fresh, key, tuple(releases[digest] for digest in sorted(releases)))


def _as_wished(benchmark: Benchmark, wish: Wish) -> Benchmark:
    sizes: Sequence[Size] = wish.sizes or benchmark.sizes
    if wish.mode is not None:
        sizes = [replace(size, mode=wish.mode) for size in sizes]
    if wish.count is not None:
        count = wish.count
        sizes = [replace(size, splits=tuple((split, count) for split, _ in size.splits)) for size in sizes]
    if wish.books:
        sizes = [replace(size, books=wish.books) for size in sizes]
    if wish.variants:
        sizes = [replace(size, variants=wish.variants) for size in sizes]
    views = tuple(view for view in VIEWS if view == GAME or view in wish.views) if wish.views else benchmark.views
    return replace(
        benchmark,
        sizes=tuple(sizes),
        views=views,
        languages=wish.languages or benchmark.languages,
        templates=benchmark.templates if wish.templates is None else wish.templates,
    )
