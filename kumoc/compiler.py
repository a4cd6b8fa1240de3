"""From paths to compiled domains and benchmarks whose sizes are known to have instances."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kumoc.diagnostics import Diagnostic, in_order
from kumoc.diagnostics.rules import IMPOSSIBLE_SIZE
from kumoc.files import read_sources
from kumoc.language import Compilation, SizeCheck, compile_sources
from kumoc.tables import Tables


def compile_paths(paths: Iterable[str | os.PathLike[str]]) -> Compilation:
    """Compile the files at ``paths`` together; a folder stands for all ``.kumo`` files below it.

    Whatever is wrong, also with the files themselves, is among the diagnostics.
    """
    sources, unreadable = read_sources(paths)
    compilation = compile_sources(sources)
    found = (*unreadable, *compilation.diagnostics, *_impossible_sizes(compilation))
    return replace(compilation, diagnostics=in_order(found))


def _impossible_sizes(compilation: Compilation) -> Iterator[Diagnostic]:
    """Declared sizes of which a domain is known to have no instance."""
    if not compilation.size_checks:
        return
    by_name = {tables.domain: tables for tables in compilation.tables}
    for check in compilation.size_checks:
        why = _why_impossible(by_name[check.domain], check) if check.domain in by_name else ""
        if why:
            message = f"'{check.domain}' has no {why.rstrip('.')}"
            yield Diagnostic(
                IMPOSSIBLE_SIZE, message, check.place, "change the size, or give the domain more to tell apart by"
            )


def _why_impossible(tables: Tables, check: SizeCheck) -> str:
    """What a domain has not, and why; empty if nothing is known to be in the way of a size."""
    from kumoc.generate import CannotGenerateError, feasible, pools  # noqa: PLC0415 - the solver: only for sizes

    reason = feasible(tables, check.size)
    if reason:
        return f"instance of the size '{check.size.name}': {reason.sentence}"
    try:
        pools(tables, check.size, check.seed)
    except CannotGenerateError as error:
        return f"disjoint splits of the size '{check.size.name}': {error.reason.sentence}"
    return ""
