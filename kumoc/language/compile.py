"""All stages of the language: what a file says by itself, then what files say together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kumoc.benchmark import Benchmark
from kumoc.diagnostics import Diagnostic, Place, Source, in_order
from kumoc.diagnostics.rules import CONFUSABLE_NAMES, NOTHING_TO_COMPILE, REPEATED_NAME
from kumoc.language import syntax
from kumoc.language.allowances import without_allowed
from kumoc.language.benchmarks import SizeCheck, resolve_benchmark
from kumoc.language.check import check_domain
from kumoc.language.domain import ResolvedDomain
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


@dataclass(frozen=True, slots=True)
class CompiledDomain:
    """A domain as it is written, resolved (None where there is little to speak of), and its tables if it is sound."""

    node: syntax.Domain
    resolved: ResolvedDomain | None
    tables: Tables | None


@dataclass(frozen=True, slots=True)
class CompiledFile:
    """What one source says by itself, with its domains in order, and what is wrong with it by itself."""

    source: Source
    file: syntax.File
    domains: tuple[CompiledDomain, ...]
    diagnostics: tuple[Diagnostic, ...]


def compile_sources(sources: Iterable[Source]) -> Compilation:
    """Compile files together: benchmarks may name domains of any of them. Domains keep the order of the sources."""
    return link([compile_file(source) for source in sources])


def compile_file(source: Source) -> CompiledFile:
    """All of a file that does not depend on other files."""
    file, problems = parse(source)
    nodes = (node for node in file.declarations if isinstance(node, syntax.Domain))
    domains, found = [], list(problems or _nothing(source, file))
    for domain, more in (_compile_domain(source, node, file.lost_words) for node in nodes):
        domains.append(domain)
        found += more
    return CompiledFile(source, file, tuple(domains), tuple(found))


def link(files: Sequence[CompiledFile]) -> Compilation:
    """What files say together: their domains, and the benchmarks made of any of them."""
    diagnostics = [diagnostic for compiled in files for diagnostic in compiled.diagnostics]
    diagnostics += _repeated_declarations(files)
    lost = frozenset[str]().union(*(compiled.file.lost_words for compiled in files))
    domains: dict[str, Tables | None] = {}
    for domain in (domain for compiled in files for domain in compiled.domains):
        domains.setdefault(domain.node.name.text, domain.tables)
    for compiled in files:
        for node in compiled.file.declarations:
            if isinstance(node, syntax.Translation):
                report = Report(compiled.source)
                added = resolve_translation(node, domains, lost, report)
                if added is not None and not report.has_errors:
                    domains[added.domain] = added
                diagnostics += report.diagnostics
    benchmarks: list[Benchmark] = []
    checks: list[SizeCheck] = []
    for compiled in files:
        for node in compiled.file.declarations:
            if isinstance(node, syntax.Benchmark):
                report = Report(compiled.source)
                benchmark, to_try = resolve_benchmark(node, domains, lost, report)
                benchmarks.append(benchmark)
                checks += () if report.has_errors else to_try
                diagnostics += report.diagnostics
    sound = tuple(tables for tables in domains.values() if tables is not None)
    unallowed = without_allowed(diagnostics, ((compiled.source, compiled.file) for compiled in files))
    return Compilation(sound, tuple(benchmarks), tuple(checks), in_order(unallowed))


def _nothing(source: Source, file: syntax.File) -> tuple[Diagnostic, ...]:
    if file.declarations:
        return ()
    help_ = "declare a domain or a benchmark in it"
    return (Diagnostic(NOTHING_TO_COMPILE, "this file declares nothing", Place(source), help_),)


def _compile_domain(
    source: Source, node: syntax.Domain, lost: frozenset[str]
) -> tuple[CompiledDomain, list[Diagnostic]]:
    report = Report(source)
    domain = resolve_domain(node, lost, report)
    if domain is not None:
        check_domain(domain, report)
    sound = domain is not None and domain.whole and not report.has_errors
    return CompiledDomain(node, domain, lower(domain) if domain is not None and sound else None), report.diagnostics


def _repeated_declarations(files: Iterable[CompiledFile]) -> list[Diagnostic]:
    """Domains, or benchmarks, that share a name, or one that differs only in case: their folders would collide."""
    seen: dict[tuple[str, str], tuple[str, Place]] = {}
    found = []
    for compiled in files:
        for node in compiled.file.declarations:
            if isinstance(node, syntax.Translation):
                continue
            kind = "domain" if isinstance(node, syntax.Domain) else "benchmark"
            place = Place(compiled.source, node.name.span)
            name, first = seen.setdefault((kind, skeleton(node.name.text)), (node.name.text, place))
            if first is not place:
                rule = REPEATED_NAME if name == node.name.text else CONFUSABLE_NAMES
                message = f"there is another {kind} '{name}'"
                found.append(Diagnostic(rule, message, place, "rename one of them", (("the other one", first),)))
    return found
