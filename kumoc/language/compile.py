"""All stages of the language, over all files given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kumoc.benchmark import Benchmark
from kumoc.diagnostics import Diagnostic, Place, Source, in_order
from kumoc.diagnostics.rules import CONFUSABLE_NAMES, NOTHING_TO_COMPILE, REPEATED_NAME
from kumoc.language import syntax
from kumoc.language.allowances import without_allowed
from kumoc.language.benchmarks import SizeCheck, resolve_benchmark
from kumoc.language.check import check_domain
from kumoc.language.lower import lower
from kumoc.language.names import skeleton
from kumoc.language.parse import parse
from kumoc.language.report import Report
from kumoc.language.resolve import resolve_domain
from kumoc.language.translate import resolve_translation
from kumoc.tables import Tables


@dataclass(frozen=True, slots=True)
class Compilation:
    """What sources compile to: sound domains and benchmarks, what remains to be tried, and all diagnostics in order."""

    tables: tuple[Tables, ...]
    benchmarks: tuple[Benchmark, ...]
    size_checks: tuple[SizeCheck, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def has_errors(self) -> bool:
        """Whether any diagnostic stops a build."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)


def compile_sources(sources: Iterable[Source]) -> Compilation:
    """Compile files together: benchmarks may name domains of any of them. Domains keep the order of the sources."""
    parsed = [(source, *parse(source)) for source in sources]
    diagnostics = [diagnostic for source, file, found in parsed for diagnostic in found or _nothing(source, file)]
    diagnostics += _repeated_declarations([(source, file) for source, file, _ in parsed])
    lost = frozenset[str]().union(*(file.lost_words for _, file, _ in parsed))
    domains: dict[str, Tables | None] = {}
    for source, file, _ in parsed:
        for node in file.declarations:
            if isinstance(node, syntax.Domain):
                compiled, found = _compile_domain(source, node, file.lost_words)
                domains.setdefault(node.name.text, compiled)
                diagnostics += found
    for source, file, _ in parsed:
        for node in file.declarations:
            if isinstance(node, syntax.Translation):
                report = Report(source)
                added = resolve_translation(node, domains, lost, report)
                if added is not None and not report.has_errors:
                    domains[added.domain] = added
                diagnostics += report.diagnostics
    benchmarks: list[Benchmark] = []
    checks: list[SizeCheck] = []
    for source, file, _ in parsed:
        for node in file.declarations:
            if isinstance(node, syntax.Benchmark):
                report = Report(source)
                benchmark, to_try = resolve_benchmark(node, domains, lost, report)
                benchmarks.append(benchmark)
                checks += () if report.has_errors else to_try
                diagnostics += report.diagnostics
    sound = tuple(tables for tables in domains.values() if tables is not None)
    unallowed = without_allowed(diagnostics, ((source, file) for source, file, _ in parsed))
    return Compilation(sound, tuple(benchmarks), tuple(checks), in_order(unallowed))


def _nothing(source: Source, file: syntax.File) -> tuple[Diagnostic, ...]:
    if file.declarations:
        return ()
    help_ = "declare a domain or a benchmark in it"
    return (Diagnostic(NOTHING_TO_COMPILE, "this file declares nothing", Place(source), help_),)


def _compile_domain(
    source: Source, node: syntax.Domain, lost: frozenset[str]
) -> tuple[Tables | None, list[Diagnostic]]:
    report = Report(source)
    domain = resolve_domain(node, lost, report)
    if domain is not None:
        check_domain(domain, report)
    sound = domain is not None and domain.whole and not report.has_errors
    return lower(domain) if domain is not None and sound else None, report.diagnostics


def _repeated_declarations(files: Iterable[tuple[Source, syntax.File]]) -> list[Diagnostic]:
    """Domains, or benchmarks, that share a name, or one that differs only in case: their folders would collide."""
    seen: dict[tuple[str, str], tuple[str, Place]] = {}
    found = []
    for source, file in files:
        for node in file.declarations:
            if isinstance(node, syntax.Translation):
                continue
            kind = "domain" if isinstance(node, syntax.Domain) else "benchmark"
            place = Place(source, node.name.span)
            name, first = seen.setdefault((kind, skeleton(node.name.text)), (node.name.text, place))
            if first is not place:
                rule = REPEATED_NAME if name == node.name.text else CONFUSABLE_NAMES
                message = f"there is another {kind} '{name}'"
                found.append(Diagnostic(rule, message, place, "rename one of them", (("the other one", first),)))
    return found
