"""Read and write other people's formats: KUMO's domains."""

from kumoc.interop.kumo_import import Imported, import_domain
from kumoc.interop.literals import SourceError

__all__ = ["Imported", "SourceError", "import_domain"]
