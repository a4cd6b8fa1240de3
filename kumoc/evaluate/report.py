"""A report as one HTML page that needs nothing else: tables, and plots inlined."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from kumoc import __version__
from kumoc.evaluate.plays import Plays
from kumoc.evaluate.plots import Plot, image
from kumoc.evaluate.settings import Settings
from kumoc.evaluate.tables import Table, shown
from kumoc.templating import template

TITLE = "Scores of models"


def report(plays: Plays, tables: Sequence[Table], plots: Sequence[Plot], settings: Settings) -> str:
    """The page: no script, and nothing loaded from elsewhere."""
    counts = ", ".join(
        f"{len(plays.names[name]):,} {noun}{'' if len(plays.names[name]) == 1 else 's'}"
        for name, noun in (("model", "model"), ("size", "size"), ("domain", "domain"), ("instance_id", "instance"))
    )
    return template("kumoc.evaluate", "report.html.j2", escaped=True).render(
        title=TITLE,
        summary=f"{len(plays):,} plays: {counts}.",
        tables=tables,
        shown=shown,
        plots=[{"caption": plot.caption, "source": _inlined(plot)} for plot in plots],
        settings=settings,
        kumoc=__version__,
    )


def _inlined(plot: Plot) -> str:
    return f"data:image/svg+xml;base64,{b64encode(image(plot.figure, 'svg')).decode()}"
