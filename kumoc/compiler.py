"""From paths to compiled domains and benchmarks whose sizes are known to have instances."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kumoc.benchmark import Size
from kumoc.diagnostics import Diagnostic, Source, in_order
from kumoc.diagnostics.rules import IMPOSSIBLE_SIZE
from kumoc.files import read_sources
from kumoc.language import Compilation, compile_sources
from kumoc.tables import Tables


def compile_paths(paths: Iterable[str | os.PathLike[str]]) -> Compilation:
    """Compile the files at ``paths`` together; a folder stands for all ``.kumo`` files below it.

    Whatever is wrong, also with the files themselves, is among the diagnostics.
    """
    return compile_read(*read_sources(paths))


def compile_read(sources: Iterable[Source], unreadable: Iterable[Diagnostic]) -> Compilation:
    """Compile what :func:`kumoc.files.read_sources` gave."""
    compilation = compile_sources(sources)
    found = (*unreadable, *compilation.diagnostics, *impossible_sizes(compilation))
    return replace(compilation, diagnostics=in_order(found))


def why_impossible(tables: Tables, size: Size, seed: int) -> str:
    """What a domain has not, and why; empty if nothing is known to be in the way of a size in a benchmark."""
    from kumoc.generate import CannotGenerateError, feasible, pools  # noqa: PLC0415 - the solver: only for sizes

    reason = feasible(tables, size)
    if reason:
        return f"instance of the size '{size.name}': {reason.sentence}"
    try:
        pools(tables, size, seed)
    except CannotGenerateError as error:
        return f"disjoint splits of the size '{size.name}': {error.reason.sentence}"
    return ""


def impossible_sizes(
    compilation: Compilation, why: Callable[[Tables, Size, int], str] = why_impossible
) -> Iterator[Diagnostic]:
    """Declared sizes of which a domain is known to have no instance; ``why`` says why it has none."""
    by_name = {tables.domain: tables for tables in compilation.tables}
    for check in compilation.size_checks:
        if check.domain in by_name:
            reason = why(by_name[check.domain], check.size, check.seed)
            if reason:
                help_ = "change the size, or give the domain more to tell apart by"
                message = f"'{check.domain}' has no {reason.rstrip('.')}"
                yield Diagnostic(IMPOSSIBLE_SIZE, message, check.place, help_)
