"""Groups and set expressions as masks of truths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from kumoc.diagnostics.rules import CONFUSABLE_NAMES, GROUP_CYCLE, UNKNOWN_NAME
from kumoc.language.names import Scope, declare, skeleton, suggest
from kumoc.language.report import Report
from kumoc.language.syntax import Everything, Group, SetExpression, Word


class Sets:
    """Evaluates the set expressions of one domain and remembers which names they used."""

    def __init__(self, truths: Scope, lost: Collection[str], report: Report) -> None:
        """Sets over ``truths``; names in ``lost`` are unknown for a reason that has been reported."""
        self.everything = (1 << len(truths.words)) - 1
        self.groups: dict[str, int | None] = {}
        self.used: set[str] = set()
        self._truths = truths.positions
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
        if word.text in self._truths:
            return 1 << self._truths[word.text]
        self.used.add(word.text)
        if word.text not in self.groups and word.text not in self._lost:
            message = f"there is no truth or group '{word.text}'"
            help_, fix = suggest(word, (*self._truths, *self.groups), self._report)
            self._report.add(UNKNOWN_NAME, message, word.span, help_, fix=fix)
        return self.groups.get(word.text)


def resolve_sets(groups: Iterable[Group], truths: Scope, lost: Collection[str], report: Report) -> Sets:
    """The sets of a domain, with every group evaluated after the groups that it needs."""
    sets = Sets(truths, lost, report)
    groups = tuple(groups)
    scope = declare("group", (group.name for group in groups), report)
    named: dict[str, Group] = {}
    alike = {skeleton(name): word for name, word in truths.words.items()}
    for group in groups:
        name = group.name.text
        truth = alike.get(skeleton(name))
        if truth and truth.text != name:
            message = f"the group '{name}' and the truth '{truth.text}' differ only in case, spacing or punctuation"
            report.add(CONFUSABLE_NAMES, message, group.name.span, "rename the group", (("the truth", truth.span),))
        if scope.words.get(name) is group.name:
            named[name] = group
    sets.groups.update(dict.fromkeys(named))
    for name in _in_order_of_need(named, report):
        sets.groups[name] = sets.evaluate(named[name].set)
    return sets


def _in_order_of_need(named: dict[str, Group], report: Report) -> Iterator[str]:
    """Names of groups, each after those it uses; the groups of a cycle are reported and left out."""
    # A depth-first search with its own stack: chains of groups may be long.
    begun: set[str] = set()
    in_cycle: set[str] = set()
    for root, group in named.items():
        path = {root: _needs(group, named)} if root not in begun else {}
        begun.add(root)
        while path:
            name = next(reversed(path))
            need = next(path[name], None)
            if need is None:
                del path[name]
                if name not in in_cycle:
                    yield name
            elif need in path:
                if not in_cycle & {name, need}:
                    names = list(path)
                    cycle = names[names.index(need) :]
                    in_cycle.update(cycle)
                    _report_cycle([named[member].name for member in cycle], report)
            elif need not in begun:
                begun.add(need)
                path[need] = _needs(named[need], named)


def _needs(group: Group, named: Collection[str]) -> Iterator[str]:
    return (word.text for word in group.set.words if word.text in named)


def _report_cycle(cycle: list[Word], report: Report) -> None:
    first = min(cycle, key=lambda word: word.span.start)
    others = len(cycle) - 1
    how = f" by way of {others} other group{'s' if others > 1 else ''}" if others else ""
    message = f"the group '{first.text}' contains itself{how}"
    report.add(GROUP_CYCLE, message, first.span, "list the truths it stands for")
