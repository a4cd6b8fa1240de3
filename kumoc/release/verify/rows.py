"""Prove one row of the game view: from itself alone, against the tables, and by making it again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from math import comb
from typing import Any

from kumoc import book
from kumoc.benchmark import GUIDE, REWRITTEN, Book, Edition, Variant
from kumoc.edition import Shown, show
from kumoc.generate import CannotGenerateError, Instance, check_instance
from kumoc.release.band import band_in_words, draw, in_band
from kumoc.release.plan import Job
from kumoc.release.rows import MAX_ATTEMPTS
from kumoc.release.verify.claims import PLAYERS, agree, claimed
from kumoc.release.verify.form import row_faults
from kumoc.solve import Bounds
from kumoc.tables import to_json
from kumoc.views import GAME_COLUMNS, game_row
from kumoc.views.play import Play, exact_play, paper_play
from kumoc.views.read import RowError, bare_game
from kumoc.views.restore import restore

MAX_WORLDS = 100_000
"""Sets of truths that could be valid; more are not tried out."""

_PLAY = {"exact": exact_play, "paper": paper_play}
_SHOWN = 80

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking a row.

    ``broken`` says what is wrong with it, in sentences. ``instance`` is None if it has none, and ``tried``, how many
    candidates were tried to find it, if that was not found out.
    """

    broken: list[str]
    instance: Instance | None
    tried: int | None = None


@dataclass(frozen=True)
class Prover:
    """Proves the rows of ``job`` in one ``edition``.

    ``seed`` is the benchmark's, None where it is secret, ``canary`` the release's.

    ``same_program``: whether the version of kumoc that built the release is this one, so that all of a row follows
    from its seed, letter by letter.
    ``hidden``: which truths ``job`` draws from is as secret as the seed, so that no row can be built again.
    ``own_books``: whether the book is written by the project's own templates.
    ``rewritten``: whether a model wrote guides anew; of such a book only the names in it are looked for.
    """

    job: Job
    edition: Edition
    seed: int | None
    canary: str
    same_program: bool
    hidden: bool
    own_books: bool
    rewritten: bool = False

    @cached_property
    def _tables(self) -> dict[str, Any]:
        return to_json(self.job.tables)

    def check(self, row: Row, index: int, *, recompute: bool) -> Checked:
        """Check the row at ``index``; with ``recompute`` both players play it, and it is drawn again from its seed."""
        broken = list(row_faults(row))
        if broken:
            return Checked(broken, None)
        broken += self._belongs(row)
        try:
            shown = show(self._restored(row), self._edition_of(row))
        except ValueError as error:
            # the proof goes by the domain's own names, and may know better what is wrong
            return Checked([*broken, *(list(self._proof(row, self._tables)) or [str(error)])], None)
        instance = shown.original
        plain = shown.instance is instance
        proved = list(self._proof(row, self._tables if plain else to_json(shown.instance.tables)))
        broken += proved
        recompute &= not proved
        try:
            bare_game(row)
            plays = self._plays(row, instance, recompute=recompute)
        except ValueError as error:
            return Checked(broken if proved else [*broken, str(error)], None)
        said = self._book(row, shown)
        broken += said
        broken += self._contents(row, shown, plays)
        tried = None
        if self.same_program:
            strange, tried = self._origin(row["seed"], index, instance, recompute=recompute)
            broken += strange
        if recompute and not self.same_program:
            for player in PLAYERS:
                found = _PLAY[player](instance, self.job.size.work)
                broken += agree(player, plays[player], found)
        written = shown.edition.book
        is_own = self.own_books and written.style != REWRITTEN and not self._is_out_of_sight
        if recompute and self.same_program and not said and is_own:
            language = shown.instance.tables.language
            meant = book.render(shown.instance, written.style, language=language, words=written.words)
            broken += contrast("knowledge_book", row["knowledge_book"], meant)
        return Checked(broken, instance, tried)

    @property
    def _is_out_of_sight(self) -> bool:
        """Whether the book tells of truths that are not listed, and which these can be is a secret."""
        return self.hidden and self.edition.book.style == "long"

    def _edition_of(self, row: Row) -> Edition:
        """The edition, with the style of a rewritten book where its guides may be rewritten and this one is."""
        if self.rewritten and row["style"] == REWRITTEN and self.edition.book.style == GUIDE:
            return replace(self.edition, book=Book(REWRITTEN))
        return self.edition

    def _book(self, row: Row, shown: Shown) -> list[str]:
        if self._is_out_of_sight and self.edition.variant is not Variant.ORIGINAL:
            return []
        instance, style = shown.instance, shown.edition.book.style
        if style == REWRITTEN:
            said = list(book.unnamed(instance, row["knowledge_book"]))
        else:
            said = book.check(instance, row["knowledge_book"], style, instance.tables.language)
        return [f"knowledge_book: {sentence}" for sentence in said]

    def _restored(self, row: Row) -> Instance:
        """The instance of a row, within the truths that it should be drawn from, if it is. Raises RowError."""
        try:
            return restore(row, self.job.drawn_from)
        except RowError:
            return restore(row, self.job.tables)

    def _belongs(self, row: Row) -> Iterator[str]:
        """What does not match the file's place in the manifest."""
        size = self.job.size
        for column, meant in (("domain", self.job.tables.domain), ("size", size.name), ("mode", str(size.mode))):
            if row[column] != meant:
                yield f"{column}: it is {_short(row[column])}, and the file holds {_short(meant)}"
        for column, count in (("truths", size.truths), ("actions", size.actions), ("valid_truths", size.valid)):
            if len(row[column]) != count:
                yield f"{column}: there are {len(row[column])}, and the size has {count}"
        if not in_band(Bounds(row["exact_lower_bound"], row["exact_upper_bound"]), size):
            yield f"exact_expected_actions: it is not sure to be within the size's difficulty of {band_in_words(size)}"

    def _proof(self, row: Row, tables: Mapping[str, Any]) -> Iterator[str]:
        if comb(len(row["truths"]), len(row["valid_truths"])) > MAX_WORLDS:
            yield f"truths: more than {MAX_WORLDS:,} sets of them could be valid, which is too much to prove"
            return
        yield from check_instance(row, tables, giveaways=self.job.size.giveaways)

    def _plays(self, row: Row, instance: Instance, *, recompute: bool) -> dict[str, Play]:
        """What the players do or, where that is not worked out in the same way, what the row claims that they do."""
        if recompute and self.same_program:
            return {player: _PLAY[player](instance, self.job.size.work) for player in PLAYERS}
        return {player: claimed(row, player) for player in PLAYERS}

    def _contents(self, row: Row, shown: Shown, plays: Mapping[str, Play]) -> Iterator[str]:
        """Where a column is not what follows from the instance and the players."""
        size = self.job.size
        text = row["knowledge_book"]
        meant = game_row(shown, size.name, size.mode, text, plays["exact"], plays["paper"], self.canary)
        for column in GAME_COLUMNS:
            yield from contrast(column, row[column], meant[column])

    def _origin(self, seed: int, index: int, instance: Instance, *, recompute: bool) -> tuple[list[str], int | None]:
        """What is wrong with the seed of the row at ``index``, and how many candidates were tried until it was drawn.

        The latter is None where the draws before it are not known, or are not made again.
        """
        seeds = self._seeds(seed, index)
        if not seeds:
            return [f"seed: {seed} is none that the benchmark's seed gives for row {index} of this file"], None
        if not recompute or self.hidden:
            return [], None
        # where there is no band, nothing was tried in the draws before
        made = seeds if self.job.size.difficulty else seeds[-1:]
        try:
            draws = [draw(self.job.drawn_from, self.job.size, each) for each in made]
        except (CannotGenerateError, ValueError):
            return [f"seed: {seed} does not rebuild this row"], None
        again = draws[-1].instance
        if again is None or _named(again) != _named(instance):
            return [f"seed: {seed} does not rebuild this row"], None
        return [], None if self.seed is None else sum(len(each.tried) for each in draws)

    def _seeds(self, seed: int, index: int) -> list[int]:
        """The seeds of the draws for the row at ``index`` up to ``seed``, which is alone where the others are secret.

        Empty if it is none of them.
        """
        if self.seed is None:
            return [seed]
        seeds = []
        for attempt in range(MAX_ATTEMPTS):
            seeds.append(self.job.row_seed(self.seed, index, attempt))
            if seeds[-1] == seed:
                return seeds
        return []


def _named(instance: Instance) -> tuple[object, ...]:
    """An instance by names: those that are drawn from a part of the tables have other positions in them."""
    names = [instance.tables.truths[i].name for i in instance.truths]
    return names, instance.actions, instance.valid, instance.observations


def contrast(column: str, said: object, meant: object) -> Iterator[str]:
    """A sentence about a column that is not what it should be."""
    # as JSON, so that 0.0 and -0.0 differ, as they do in a digest
    if json.dumps(said) != json.dumps(meant):
        yield f"{column}: {_apart(said, meant)}"


def _apart(said: object, meant: object) -> str:
    """Two values that differ, as the beginning of where they do."""
    if isinstance(said, str) and isinstance(meant, str) and "\n" in meant:
        lines = enumerate(zip_longest(said.split("\n"), meant.split("\n")), start=1)
        number, pair = next(((number, pair) for number, pair in lines if pair[0] != pair[1]))
        return f"line {number} is {_short(pair[0])}, not {_short(pair[1])}"
    if isinstance(said, list) and isinstance(meant, list):
        items = enumerate(zip_longest(said, meant))
        number, pair = next((i, pair) for i, pair in items if json.dumps(pair[0]) != json.dumps(pair[1]))
        return f"item {number} is {_short(pair[0])}, not {_short(pair[1])}"
    return f"it is {_short(said)}, not {_short(meant)}"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
