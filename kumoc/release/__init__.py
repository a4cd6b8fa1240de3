"""From declared benchmarks to releases on disk that ``datasets.load_dataset`` reads."""

from kumoc.release.build import Built, build
from kumoc.release.errors import BuildError
from kumoc.release.load import load
from kumoc.release.plan import Plan, Wish, plan_benchmarks

__all__ = ["BuildError", "Built", "Plan", "Wish", "build", "load", "plan_benchmarks"]
