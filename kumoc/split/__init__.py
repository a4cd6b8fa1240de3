"""Split a domain in two that share no truths and no actions, along the parts that its actions leave unconnected."""

from kumoc.split.graph import Least
from kumoc.split.halves import CannotSplitError, Split, default_least, split_domain

__all__ = ["CannotSplitError", "Least", "Split", "default_least", "split_domain"]
