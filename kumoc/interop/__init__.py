"""Read other people's formats, KUMO's domains and plays and Inspect's logs, and write ``.kumo`` text."""

from kumoc.interop.inspect_logs import LogError, Run, read_log, read_runs
from kumoc.interop.kumo_import import Imported, import_domain
from kumoc.interop.kumo_plays import Corpus, corpus, read_instances, read_plays
from kumoc.interop.kumo_read import read_domain
from kumoc.interop.literals import SourceError
from kumoc.interop.tables_write import write_tables

__all__ = [
    "Corpus",
    "Imported",
    "LogError",
    "Run",
    "SourceError",
    "corpus",
    "import_domain",
    "read_domain",
    "read_instances",
    "read_log",
    "read_plays",
    "read_runs",
    "write_tables",
]
