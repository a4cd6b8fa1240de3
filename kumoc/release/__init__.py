"""From declared benchmarks to releases on disk that ``datasets.load_dataset`` reads."""

from kumoc.release.build import CHUNK, Built, build
from kumoc.release.dask import cluster
from kumoc.release.errors import BuildError
from kumoc.release.load import load
from kumoc.release.plan import Plan, Wish, plan_benchmarks
from kumoc.release.published import published
from kumoc.release.workers import Engine, processes

__all__ = [
    "CHUNK",
    "BuildError",
    "Built",
    "Engine",
    "Plan",
    "Wish",
    "build",
    "cluster",
    "load",
    "plan_benchmarks",
    "processes",
    "published",
]
