"""Names as a ``.kumo`` file can hold them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from kumoc.interop.kumo_draft import Note, Problem, Repair
from kumoc.interop.kumo_read import Name
from kumoc.language.run import RESERVED
from kumoc.language.words import MAX_NAME
from kumoc.tables import Noun

_UNSHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LONGEST_IDENTIFIER = 60


def clean(text: str) -> str:
    """``text`` in one line of visible characters, without the quotes and backslashes that a name can't hold."""
    text = text.replace('"', "'").replace("\\", "/")
    shown = (character if not _is_unshown(character) else " " if character.isspace() else "" for character in text)
    return " ".join("".join(shown).split()) or "(blank)"


def _is_unshown(character: str) -> bool:
    return unicodedata.category(character) in _UNSHOWN


def clean_note(name: Name, place: str) -> tuple[Note, ...]:
    """The note on what :func:`clean` did to a name, or on what it could not do."""
    text = clean(name.text)
    if len(text) > MAX_NAME:
        why = "how to shorten it is for a person to say"
        return (Problem("long-name", name.line, place, f"the name is longer than {MAX_NAME} characters", why),)
    if text == name.text:
        return ()
    return (Repair("characters", name.line, place, f"the source has {name.text!a}", f'written as "{text}"'),)


def spelling(text: str) -> str:
    """What is left of a name without case and spacing."""
    return "".join(unicodedata.normalize("NFC", text).casefold().split())


def listed(names: Iterable[str]) -> str:
    """Names in quotes, for a note."""
    return ", ".join(f'"{name}"' for name in names)


def name_domain(name: str) -> tuple[str, str]:
    """The identifier and the title of a domain that KUMO calls, say, ``TimeTravelEnv`` or ``time_travel_data``."""
    stem = clean(name)
    for ending in ("_data", "_env", "Env"):
        stem = stem.removesuffix(ending) or stem
    ascii_only = _ascii(stem)
    words = _WORD.findall(ascii_only)
    identifier = identifier_of(stem) or "imported"
    if " " in stem or ascii_only != stem:
        return identifier, stem
    title = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)
    return identifier, title[:1].upper() + title[1:] or stem


def identifier_of(text: str) -> str:
    """``text`` as the identifier of a domain: empty if no letter or digit of it can stand in one."""
    identifier = "_".join(_WORD.findall(_ascii(text))).lower()[:_LONGEST_IDENTIFIER].strip("_")
    if identifier and (identifier[0].isdigit() or identifier.upper() in RESERVED):
        return f"domain_{identifier}"[:_LONGEST_IDENTIFIER]
    return identifier


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def name_things(list_name: str) -> Noun:
    """What the things in a list of that name are called: ``Diseases`` holds a disease, ``Abilities`` an ability."""
    if list_name.casefold() == "diagnosis":
        return Noun("diagnostic test", "diagnostic tests")
    many = " ".join(_WORD.findall(list_name)).lower() or "things"
    one = many.removesuffix("ies") + "y" if many.endswith("ies") else many.removesuffix("s")
    return Noun(one, many if one != many else f"{many}s")
