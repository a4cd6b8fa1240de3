"""Groups and set expressions as masks of truths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from kumoc.diagnostics.rules import GROUP_CYCLE, REPEATED_NAME, UNKNOWN_NAME
from kumoc.language.names import Scope, declare, suggest
from kumoc.language.report import Report
from kumoc.language.syntax import Everything, Group, SetExpression, Word


class Sets:
    """Evaluates the set expressions of one domain and remembers which names they used."""

    def __init__(self, truths: Scope, lost: Collection[str], report: Report) -> None:
        """Sets over ``truths``; names in ``lost`` are unknown for a reason that has been reported."""
        self.everything = (1 << len(truths.words)) - 1
        self.masks: dict[str, int | None] = {name: 1 << i for name, i in truths.positions.items()}
        self.used: set[str] = set()
        self._lost = lost
        self._report = report

    def evaluate(self, expression: SetExpression) -> int | None:
        """The mask of a set; None where a name in it could not be resolved, which has then been reported."""
        included = self._union(expression.included)
        if expression.excepted is None:
            return included
        excepted = self._union(expression.excepted)
        return None if included is None or excepted is None else included | (self.everything & ~excepted)

    def _union(self, items: Iterable[Word | Everything]) -> int | None:
        masks = [self.everything if isinstance(item, Everything) else self._look_up(item) for item in items]
        union = 0
        for mask in masks:
            if mask is None:
                return None
            union |= mask
        return union

    def _look_up(self, word: Word) -> int | None:
        self.used.add(word.text)
        if word.text not in self.masks and word.text not in self._lost:
            message = f"there is no truth or group '{word.text}'"
            self._report.add(UNKNOWN_NAME, message, word.span, suggest(word.text, self.masks))
        return self.masks.get(word.text)


def resolve_sets(groups: Iterable[Group], truths: Scope, lost: Collection[str], report: Report) -> Sets:
    """The sets of a domain, with every group evaluated after the groups that it needs."""
    sets = Sets(truths, lost, report)
    groups = tuple(groups)
    scope = declare("group", (group.name for group in groups), report)
    named: dict[str, Group] = {}
    for group in groups:
        name = group.name.text
        if truth := truths.words.get(name):
            message = f"'{name}' is both a truth and a group"
            report.add(REPEATED_NAME, message, group.name.span, "rename the group", (("the truth", truth.span),))
        elif scope.words.get(name) is group.name:
            named[name] = group
    sets.masks.update(dict.fromkeys(named))
    for name in _in_order_of_need(named, report):
        sets.masks[name] = sets.evaluate(named[name].set)
    return sets


def _in_order_of_need(named: dict[str, Group], report: Report) -> Iterator[str]:
    """Names of groups, each after those it uses; the groups of a cycle are reported and left out."""
    needs = {name: [word.text for word in _words(group.set) if word.text in named] for name, group in named.items()}
    while True:
        sorter = TopologicalSorter(needs)
        try:
            sorter.prepare()
        except CycleError as error:
            cycle = error.args[1][:-1]
            first = min(cycle, key=lambda name: named[name].name.span.start)
            _report_cycle(first, len(cycle), named[first], report)
            for name in cycle:
                del needs[name]
            needs = {name: [other for other in others if other in needs] for name, others in needs.items()}
            continue
        break
    while sorter.is_active():
        ready = sorter.get_ready()
        yield from ready
        sorter.done(*ready)


def _report_cycle(name: str, length: int, group: Group, report: Report) -> None:
    how = "contains itself" if length == 1 else f"contains itself by way of {length - 1} other group(s)"
    report.add(GROUP_CYCLE, f"the group '{name}' {how}", group.name.span, "list the truths it stands for")


def _words(expression: SetExpression) -> Iterator[Word]:
    for item in (*expression.included, *(expression.excepted or ())):
        if isinstance(item, Word):
            yield item
