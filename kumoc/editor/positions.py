"""Places as editors count them: lines and code units."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_LINE_END = re.compile(r"\r\n|\r|\n")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True, eq=False)
class Positions:
    """Lines and columns of ``text``, both counted from 0; columns count units of ``encoding`` (``utf-16`` or the like).

    Lines end where the Language Server Protocol says: in LF, CRLF or CR.
    """

    text: str
    encoding: str

    @cached_property
    def _lines(self) -> tuple[tuple[int, int], ...]:
        """Where each line begins and where it ends, without its line end."""
        ends = [match.span() for match in _LINE_END.finditer(self.text)]
        starts = [0, *(end for _, end in ends)]
        return tuple(zip(starts, [*(start for start, _ in ends), len(self.text)], strict=True))

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of a character."""
        line = bisect_right(self._lines, offset, key=lambda bounds: bounds[0]) - 1
        codec, width = _CODECS[self.encoding]
        return line, len(self.text[self._lines[line][0] : offset].encode(codec, "surrogatepass")) // width

    def offset(self, line: int, column: int) -> int:
        """The character at a position; the nearest one before it where the position is outside its line or the text."""
        if line >= len(self._lines):
            return len(self.text)
        start, end = self._lines[line]
        codec, width = _CODECS[self.encoding]
        before = self.text[start:end].encode(codec, "surrogatepass")[: column * width]
        return start + len(before.decode(codec, "ignore"))
