"""Models are evaluated by other people's harnesses: tasks for Inspect AI, and rows for lm-evaluation-harness."""

from kumoc.harness.lm_eval import HarnessTask, harness_tasks
from kumoc.harness.selection import SPLIT, Selection, game_files, select

__all__ = ["SPLIT", "HarnessTask", "Selection", "game_files", "harness_tasks", "select"]
