"""Declaring names and looking them up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from kumoc.diagnostics import Edit
from kumoc.diagnostics.rules import BAD_NAME, BAD_SETTING, CONFUSABLE_NAMES, REPEATED_NAME, UNKNOWN_NAME
from kumoc.language.report import Report
from kumoc.language.syntax import Word
from kumoc.language.words import as_written

_MOST_COMPARED = 5_000
_MOST_HELPED = 100
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}")
_IDEOGRAM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def skeleton(name: str) -> str:
    """What is left of a name without case, spacing and punctuation; names with equal skeletons are confusable."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(character for character in folded if character.isalnum()) or folded


@dataclass(frozen=True, slots=True)
class Scope:
    """Declared names of one kind, each with its position among them and the word that declared it."""

    kind: str
    words: Mapping[str, Word]
    positions: Mapping[str, int]

    def find(self, word: Word, report: Report, lost: Collection[str] = ()) -> int | None:
        """The position of the name that ``word`` refers to; None, reported, where there is none.

        Nothing is reported for a name in ``lost``: its declaration could not be parsed, and that has been said.
        """
        position = self.positions.get(word.text)
        if position is None and word.text not in lost:
            help_, fix = suggest(word, self.words, report)
            report.add(UNKNOWN_NAME, f"there is no {self.kind} '{word.text}'", word.span, help_, fix=fix)
        return position


def declare(kind: str, words: Iterable[Word], report: Report, likeness: Callable[[str], str] = skeleton) -> Scope:
    """The scope of these names; those that repeat, which take no position, and those that can be confused are reported.

    Names of equal ``likeness`` can be confused.
    """
    declared: dict[str, Word] = {}
    alike: dict[str, Word] = {}
    for word in words:
        if not word.text.strip():
            declared.setdefault(word.text, word)  # reported where it was read
            continue
        if first := declared.get(word.text):
            note = (("first declared here", first.span),)
            report.add(REPEATED_NAME, f"the {kind} '{word.text}' is declared twice", word.span, "", note)
            continue
        declared[word.text] = word
        near = alike.setdefault(likeness(word.text), word)
        if near is not word:
            how = "case, spacing or punctuation" if likeness is skeleton else "case or spacing"
            message = f"the {kind}s '{near.text}' and '{word.text}' differ only in {how}"
            help_ = "give one of them another name, or use one spelling throughout"
            report.add(CONFUSABLE_NAMES, message, word.span, help_, (("the other one", near.span),))
    return Scope(kind, declared, {name: position for position, name in enumerate(declared)})


def suggest(word: Word, known: Collection[str], report: Report) -> tuple[str, Edit | None]:
    """A "did you mean" for a name that is not known, or an empty text, as it is once much has been reported.

    With it comes a fix where only one known name is near.
    """
    if len(known) > _MOST_COMPARED or len(report.diagnostics) > _MOST_HELPED:
        return "", None
    candidates = {skeleton(candidate): candidate for candidate in known}
    near = get_close_matches(skeleton(word.text), candidates, n=2, cutoff=0.6)
    if not near:
        return "", None
    meant = candidates[near[0]]
    return f"did you mean '{meant}'?", Edit(word.span, as_written(meant)) if len(near) == 1 else None


def is_identifier(name: str) -> bool:
    """Whether ``name`` can name a folder and a configuration: up to 60 letters, digits and underscores."""
    return _IDENTIFIER.fullmatch(name) is not None


def check_identifier(kind: str, word: Word, report: Report) -> None:
    """Report a name that is no identifier."""
    if not is_identifier(word.text):
        message = f"'{word.text}' can't name a {kind}: it becomes the name of a folder"
        report.add(BAD_NAME, message, word.span, "use up to 60 letters, digits and underscores, a letter first (a-z)")


def check_language(word: Word, report: Report) -> bool:
    """Whether a word is the code of a language; reported if it is not."""
    if _LANGUAGE.fullmatch(word.text):
        return True
    message = f"'{word.text}' is no code of a language"
    report.add(BAD_SETTING, message, word.span, "write two or three small letters, such as en or zh (ISO 639)")
    return False


def mentions(text: str, name: str) -> bool:
    """Whether ``name`` stands in ``text``, in any case, as words of its own; Chinese letters are words each."""
    sought, folded_text = name.casefold(), text.casefold()
    if not sought or sought not in folded_text:
        return False
    before, after = ("" if _IDEOGRAM.match(letter) else r"\w" for letter in (sought[0], sought[-1]))
    pattern = (rf"(?<!{before})" if before else "") + re.escape(sought) + (rf"(?!{after})" if after else "")
    return re.search(pattern, folded_text) is not None


def listed(names: Sequence[str], most: int = 8) -> str:
    """The names with commas between them, and how many more there are where they are more than ``most``."""
    more = len(names) - most
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:most])} and {more:,} more"
