"""Small builds, to look at while one writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import click

from kumoc.benchmark import GAME
from kumoc.cli.progress import progress
from kumoc.cli.show import plural, show_error
from kumoc.language import Compilation
from kumoc.release import BuildError, Plan, Wish, build, plan_benchmarks


class OutdatedError(Exception):
    """A preview was being built of files that have changed since."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Previews in the folder ``place``, of so many ``rows`` of each domain, size and split.

    They are ``wanted``, or not, or (None) wanted of declared benchmarks only. ``is_current`` says whether the files are
    still those that were compiled; ``built`` has what was built of each benchmark, by its name, and where it is.
    """

    place: Path
    wanted: bool | None
    rows: int
    is_current: Callable[[], bool]
    built: dict[str, tuple[Plan, Path]] = field(default_factory=dict)

    def update(self, compilation: Compilation) -> None:
        """Build what differs from what is there. Raises OutdatedError once the files have changed, and OSError."""
        if not (bool(compilation.benchmarks) if self.wanted is None else self.wanted):
            return
        try:
            for plan in plan_benchmarks(compilation, Wish(count=self.rows, views=(GAME,))):
                there, path = self.built.get(plan.benchmark.name, (None, self.place))
                if there == plan:
                    click.echo(f"the preview of {plan.benchmark.name} {plan.release} is as it was")
                    click.echo(f"  kumoc play {path}")
                else:
                    self._build(plan)
        except BuildError as error:
            show_error(str(error), error.help, error.details)

    def _build(self, plan: Plan) -> None:
        with progress(f"building {plan.benchmark.name}", plan.count) as advance:

            def on_rows(rows: int) -> None:
                if not self.is_current():
                    raise OutdatedError
                advance(rows)

            built = build(plan, self.place, overwrite=True, on_rows=on_rows)
        self.built[plan.benchmark.name] = plan, built.path
        click.echo(
            f"preview of {plan.benchmark.name} {plan.release}: {plural(built.rows, 'instance')}, each one proved"
        )
        click.echo(f"  kumoc play {built.path}")
