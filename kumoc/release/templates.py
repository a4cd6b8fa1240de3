"""Templates of books that a benchmark brings, in place of the project's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from pathlib import Path

from jinja2 import Environment, PackageLoader, TemplateSyntaxError
from jinja2.meta import find_referenced_templates

from kumoc.benchmark import STYLES
from kumoc.book import LANGUAGES
from kumoc.release.errors import BuildError
from kumoc.templating import Texts

MAX_TEMPLATE = 1_000_000
"""Bytes of a template."""


def read_templates(folder: str) -> Texts:
    """The files ``*.j2`` below a folder, by name; none where no folder is given.

    Raises BuildError unless at least one is there and takes the place of a style's template, and if there is one that
    no book asks for.
    """
    if not folder:
        return ()
    try:
        found = tuple((path.relative_to(folder).as_posix(), path) for path in sorted(Path(folder).rglob("*.j2")))
        texts = tuple((name, _text(path)) for name, path in found)
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"the templates in {folder} can't be read: {error}") from error
    known = {f"{language}/{style}.md.j2" for language in LANGUAGES for style in STYLES}
    if known.isdisjoint(name for name, _ in texts):
        help_ = f"name them <language>/<style>.md.j2, such as en/guide.md.j2; styles are {', '.join(STYLES)}"
        raise BuildError(f"there is no template of a book in {folder}", help_)
    if lost := _lost(texts, known):
        help_ = f"styles are {', '.join(STYLES)}; other files are for templates that include them"
        raise BuildError(f"no book asks for the template {lost[0]} in {folder}", help_)
    return texts


def _lost(texts: Texts, styles: Collection[str]) -> list[str]:
    """The templates that are none of ``styles`` or of the project's own and that no other one names."""
    named: set[str | None] = {*styles, *PackageLoader("kumoc.book").list_templates()}
    for _, text in texts:
        try:
            named.update(find_referenced_templates(Environment(autoescape=False).parse(text)))
        except (TemplateSyntaxError, RecursionError):
            return []  # what is wrong with it is said when a book is written
    # a name that is worked out while a book is written is None here, and may be any
    return [] if None in named else [name for name, _ in texts if name not in named]


def digest(templates: Texts) -> str | None:
    """The SHA-256 of templates; None where there are none."""
    return hashlib.sha256(json.dumps(templates, ensure_ascii=False).encode()).hexdigest() if templates else None


def _text(path: Path) -> str:
    if path.stat().st_size > MAX_TEMPLATE:
        raise BuildError(f"{path} has more than {MAX_TEMPLATE:,} bytes")
    return path.read_text(encoding="utf-8")
