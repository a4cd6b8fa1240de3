"""What a book from anywhere says of the rules of an instance: one finding a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from operator import itemgetter

from kumoc.book.proof import Difference, Verdict, differences, in_words, verdicts
from kumoc.book.reader import LANGUAGES, STYLES, ActionEntry, Rules, UnreadableBook, read
from kumoc.generate.instance import Instance

KINDS = ("stated", "missing", "contradicted", "added", "ambiguous", "undecided", "unanswered")
"""What a finding can be; of a model that was asked, what it gave no usable answer on, and what it gave none on."""

_HEADING = "### "
"""What begins the heading of an action in the styles that have such headings."""

_MOST_PASSED_OVER = 20
"""Lines that a reader can't take, beyond which a text counts as none of a style."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule of the book or of the tables: of :data:`KINDS`, with the truths that each says are ruled out.

    ``action`` and ``outcome`` are in words, empty for a sentence that speaks of none that is listed. ``sentences`` are
    those of the book that this is about; ``note`` says more, where there is more to say.
    """

    kind: str
    action: str
    outcome: str
    said: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def of(cls, verdict: Verdict) -> Finding:
        """What ``verdict`` says, names in order."""
        said, meant = sorted(verdict.said), sorted(verdict.meant)
        return cls(verdict.kind, verdict.action, in_words(verdict.seen), tuple(said), tuple(meant), verdict.sentences)

    @classmethod
    def beside(cls, difference: Difference) -> Finding:
        """What ``difference`` says, which is about no rule."""
        return cls(difference.kind, difference.action, "", note=difference.sentence)

    def __str__(self) -> str:
        """The finding as a sentence."""
        about = f'{self.outcome} of "{self.action}"' if self.outcome else f'"{self.action}"' if self.action else ""
        said, meant = (", ".join(names) or "nothing" for names in (self.said, self.meant))
        rules = f"rules out {said}; the table {meant}" if self.said or self.meant else self.note
        return ": ".join(part for part in (about, rules) if part)


@dataclass(frozen=True, slots=True)
class Report:
    """All findings on a book; ``by`` is the style and language it was read in, or the model that read it."""

    by: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether the book states every rule and no other."""
        return all(finding.kind == "stated" for finding in self.findings)

    def count(self) -> dict[str, int]:
        """How many findings there are of each of :data:`KINDS` that occurs."""
        counted = Counter(finding.kind for finding in self.findings)
        return {kind: counted[kind] for kind in KINDS if counted[kind]}


def report(instance: Instance, text: str, styles: Iterable[str] = STYLES, language: str = "") -> Report:
    """What the book ``text`` says, by the reader of that one of ``styles`` and of the languages which can take it.

    Lines that the reader can't take are ambiguous: they are passed over, and the others read. Raises
    :class:`UnreadableBook`, that of the reader which came furthest, where no reader can take the text.
    """
    tried: list[UnreadableBook] = []
    found: list[tuple[int, Report]] = []
    for style in styles:
        for code in (language,) if language else LANGUAGES:
            try:
                book, unread = _read(text, style, code)
            except UnreadableBook as error:
                tried.append(error)
                continue
            found.append((len(unread), Report(f"{style}, {code}", (*unread, *_findings(instance, book, unread)))))
            if not unread:
                return found[-1][1]
    if found:
        return min(found, key=itemgetter(0))[1]
    raise max(tried, key=lambda error: error.line)


def _read(text: str, style: str, language: str) -> tuple[Rules, list[Finding]]:
    """The book, and a finding for all that was passed over to read it.

    Raises the first error that there was if too much would have to be passed over, or the text ends in the opening.
    """
    lines = text.splitlines()
    left = list(lines)
    errors: list[UnreadableBook] = []
    unread: list[Finding] = []
    whole = True
    while True:
        try:
            return read("\n".join(left), style, language, whole=whole), unread
        except UnreadableBook as error:
            errors.append(error)
            if len(errors) > _MOST_PASSED_OVER or (error.text is None and not whole):
                raise errors[0] from None
            unread.append(_pass_over(left, lines, error))
            whole = whole and error.text is not None


def _pass_over(left: list[str], lines: Sequence[str], error: UnreadableBook) -> Finding:
    """Empty what is unclear of the lines that are ``left``, and say what it was.

    At the heading of an action it is the entry above that ends too early: to pass over the heading would give the
    rules of one action to another.
    """
    at = error.line - 1
    above = next((i for i in reversed(range(at)) if lines[i].startswith("#")), 0)
    action = lines[above].removeprefix(_HEADING) if at and lines[above].startswith(_HEADING) else ""
    if error.text is None:
        note = f"the book ends early: there is nothing from line {error.line} on, where {error.expected} should be"
        return Finding("missing", action, "", note=note)
    if action and error.text.startswith(_HEADING) and error.text != _HEADING:
        left[above:at] = [""] * (at - above)
        return Finding("ambiguous", action, "", note=f"its entry ends early, at line {error.line}")
    left[at] = ""
    return Finding("ambiguous", action, "", sentences=(error.text,), note=f"line {error.line} can't be read")


def _findings(instance: Instance, book: Rules, unread: Sequence[Finding]) -> Iterator[Finding]:
    actions = [instance.tables.actions[i].name for i in instance.actions]
    if book.in_play is not None:
        truths = [instance.tables.truths[i].name for i in instance.truths]
        book = _of_the_game(book, {*truths, *book.in_play[0]}, {*actions, *book.in_play[1]})
    described = {entry.name for entry in book.actions}
    absent = tuple(ActionEntry(name, "", None, ()) for name in actions if name not in described)
    yield from map(Finding.of, verdicts(instance, replace(book, actions=book.actions + absent)))
    for entry in book.actions:
        for rule in () if entry.name in actions else entry.rules:
            yield Finding.of(Verdict(entry.name, rule.seen, rule.names, frozenset(), rule.sentences))
        yield from _twice(entry)
    half_told = {finding.action for finding in unread if finding.action}
    for difference in differences(instance, book):
        if difference.kind == "missing" and difference.action in half_told:
            continue  # its heading is there
        yield Finding.beside(difference)


def _of_the_game(book: Rules, truths: Set[str], actions: Set[str]) -> Rules:
    """``book`` without its entries for other than these, of which a row tells nothing."""
    entries = [
        replace(
            entry,
            rules=tuple(replace(rule, names=rule.names & truths) for rule in entry.rules if rule.names & truths),
        )
        for entry in book.actions
        if entry.name in actions
    ]
    listed = tuple(entry for entry in book.truths if entry.name in truths)
    return replace(book, truths=listed, actions=tuple(entries))


def _twice(entry: ActionEntry) -> Iterator[Finding]:
    """Outcomes of which the book says one thing here and another there."""
    for seen in dict.fromkeys(rule.seen for rule in entry.rules):
        rules = [rule for rule in entry.rules if rule.seen == seen]
        if len(rules) > 1:
            sentences = tuple(sentence for rule in rules for sentence in rule.sentences)
            yield Finding("ambiguous", entry.name, in_words(seen), sentences=sentences, note="there are several rules")
