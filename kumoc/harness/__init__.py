"""Models are evaluated by other people's harnesses: tasks for Inspect AI, and rows for lm-evaluation-harness."""

from kumoc.harness.lm_eval import Exported, export
from kumoc.harness.selection import Selection, select

__all__ = ["Exported", "Selection", "export", "select"]
