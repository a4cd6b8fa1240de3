"""When two names or labels that people wrote mean the same."""

import unicodedata


def folded(label: str) -> str:
    """A label without case and spacing; its punctuation counts, as in ``Rh+`` and ``Rh-``."""
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())
