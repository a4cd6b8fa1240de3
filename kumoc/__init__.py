"""kumoc: compile what a field knows into proved reasoning benchmarks.

The public API, each name loaded when it is first used:

- ``compile_paths(paths)`` compiles ``.kumo`` files to tables, benchmarks and diagnostics;
- ``plan_benchmarks(compilation, wish)`` says what is to be built, as a ``Wish`` may change it, and ``build(plan, out)``
  builds it;
- ``load(release, size, domain=..., split=...)`` reads the rows of a release.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Wish": "kumoc.release",
    "build": "kumoc.release",
    "compile_paths": "kumoc.compiler",
    "load": "kumoc.release",
    "plan_benchmarks": "kumoc.release",
}
__all__ = ["Wish", "__version__", "build", "compile_paths", "load", "plan_benchmarks"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kumoc' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
