"""The answer in a text: ``<ANSWER> name </ANSWER>``, the last one counting, read strictly and leniently."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kumoc.folding import folded
from kumoc.play.moves import Act, Fault, Move, Name, Unread

_MARK = re.compile(r"<\s*(?:(/)\s*)?answer\s*>", re.IGNORECASE)
_EXACT_MARKS = ("<ANSWER>", "</ANSWER>")

_ALIKE = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("‘’‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"'))
_BEYOND = 200
"""Characters that may stand around a name; a longer text means no name, and is not searched for any."""
_AROUND = "\"'*_ \t\n"
_PAIRS = ("[]", "<>", "{}", "()")
_FULL_STOPS = ".。"
_LABEL = re.compile(r"[\w' ]{1,40}:|\(?(?:\d{1,3}|[a-z])[.)]|[-*•]")
_VERB = re.compile(
    r"(?:my|the) (?:final )?(?:answer|choice) is |"
    r"(?:(?:i(?: will|'ll| would)?|we|let's|please) )?(?:choose|select|pick|perform|take|run|do|conduct|use|name)"
    r"(?: the (?:action|truth|test))? "
)


def read_answer(text: str, actions: Sequence[str], truths: Sequence[str]) -> Move:
    """The move that ``text`` makes among listed names.

    The last answer counts: of all closing marks that follow an opening one, what stands before the last. Read strictly
    it must be a listed name to the letter, spaces around it aside. Read leniently, much is forgiven if exactly one
    listed name is meant then: the case of the marks; case, spacing and Unicode forms of the name; quotes and brackets
    around it; a full stop behind it; a label, number or verb before it (``Action: ...``, ``2. ...``, ``I choose ...``).
    The move is that of the lenient reading; its ``fault`` says what a strict one would object to.
    """
    said, fault = _between_marks(text)
    if said is None:
        return Unread(fault or Fault.MISSING)
    if not said:
        return Unread(Fault.EMPTY, said)
    names = (*actions, *truths)
    meant = _meant(said, names)
    if len(meant) != 1:
        return Unread(Fault.AMBIGUOUS if meant else Fault.UNKNOWN, said)
    position = meant[0]
    if fault is None and names[position] != said:
        fault = Fault.SPELLING
    literally = None if fault is None else said
    if position < len(actions):
        return Act(position, fault, literally)
    return Name(position - len(actions), fault, literally)


def _meant(said: str, names: Sequence[str]) -> list[int]:
    """The positions of the names that ``said`` means, forgiving no more than it takes to find any."""
    key, keys = _key(said), tuple(map(_key, names))
    for form, forms in ((said, names), (key, keys)):
        if meant := [i for i, name in enumerate(forms) if name == form]:
            return meant
    if len(key) > max(map(len, keys), default=0) + _BEYOND:
        return []
    peeled = tuple(map(_peeled, names))
    for form in _unlabelled(_peeled(said)):
        if meant := [i for i, name in enumerate(peeled) if name == form]:
            return meant
    return []


def _between_marks(text: str) -> tuple[str | None, Fault | None]:
    """What stands in the last answer, without spaces around it, and what is wrong with the marks."""
    marks = list(_MARK.finditer(text))
    pairs = [(opens, closes) for opens, closes in pairwise(marks) if closes[1] and not opens[1]]
    if not pairs:
        return None, Fault.UNCLOSED if any(not mark[1] for mark in marks) else Fault.MISSING
    opens, closes = pairs[-1]
    exact = (opens[0], closes[0]) == _EXACT_MARKS
    return text[opens.end() : closes.start()].strip(), None if exact else Fault.MARKS


def _key(text: str) -> str:
    return folded(text.translate(_ALIKE))


def _peeled(text: str) -> str:
    """The key of ``text`` without what may stand around a name."""
    before, after = "", _key(text)
    while after != before:
        before = after
        after = after.strip(_AROUND).rstrip(_FULL_STOPS)
        if after[:1] + after[-1:] in _PAIRS:
            after = after[1:-1]
    return after


def _unlabelled(peeled: str) -> Iterator[str]:
    """The text, and what is left of it as one label, number or verb after the other is taken away from before it.

    Each comes once, however many ways lead to it.
    """
    found, left = {peeled}, [peeled]
    while left:
        form = left.pop()
        yield form
        for prefix in (_VERB, _LABEL):  # the last one is tried first
            shorter = _peeled(form[there.end() :]) if (there := prefix.match(form)) else form
            if shorter not in found:
                found.add(shorter)
                left.append(shorter)
