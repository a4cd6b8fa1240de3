"""From source text to compiled domains and declared benchmarks.

``parse`` gives syntax nodes, ``resolve`` looks up every name, ``check`` holds the rules of the language against the
result, and ``lower`` gives the tables. :func:`compile_sources` runs them all.
"""

from kumoc.language.benchmarks import SizeCheck
from kumoc.language.compile import Compilation, compile_sources

__all__ = ["Compilation", "SizeCheck", "compile_sources"]
