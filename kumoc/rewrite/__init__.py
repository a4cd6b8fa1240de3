"""Books by language models: rewritten from proved guides, judged action by action, kept only where all is stated."""

from kumoc.rewrite.judge import judge
from kumoc.rewrite.release import Rewritten, rewrite_release
from kumoc.rewrite.settings import Settings

__all__ = ["Rewritten", "Settings", "judge", "rewrite_release"]
