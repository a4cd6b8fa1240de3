"""Read other people's formats, KUMO's domains, and write ``.kumo`` text."""

from kumoc.interop.kumo_import import Imported, import_domain
from kumoc.interop.literals import SourceError
from kumoc.interop.tables_write import write_tables

__all__ = ["Imported", "SourceError", "import_domain", "write_tables"]
