"""Drawings as SVG text: equal calls give equal text, and colours follow the reader's light or dark mode."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

_STYLE = """
svg { font: 13px system-ui, sans-serif; fill: none }
text { fill: #2b2f36 }
.soft { fill: #6b7280 }
.strong { font-weight: 600 }
.line { stroke: #9aa3af }
.faint { stroke: #d8dce2 }
.blue { fill: #2f6db3 }
.amber { fill: #e09a2f }
.box { fill: #eef3fa; stroke: #2f6db3 }
.won { fill: #fdf1dc; stroke: #e09a2f }
.gone { stroke: #b9c0ca; stroke-dasharray: 3 3 }
.struck { fill: #8b93a0; text-decoration: line-through }
@media (prefers-color-scheme: dark) {
  text { fill: #e2e6ec }
  .soft { fill: #a3abb8 }
  .line { stroke: #6f7885 }
  .faint { stroke: #3c424c }
  .blue { fill: #6ea4e0 }
  .amber { fill: #eda94b }
  .box { fill: #22324a; stroke: #6ea4e0 }
  .won { fill: #43341b; stroke: #eda94b }
  .gone { stroke: #59616d }
  .struck { fill: #8b93a0 }
}
"""


class Drawing:
    """A drawing of ``width`` x ``height`` pixels with its origin at the upper left; kinds are those of the style."""

    def __init__(self, width: int, height: int, title: str) -> None:
        """``title`` says in a sentence what is seen."""
        box = f"0 0 {width} {height}"
        namespace = "http://www.w3.org/2000/svg"
        self._root = Element("svg", xmlns=namespace, viewBox=box, width=str(width), height=str(height), role="img")
        SubElement(self._root, "title").text = title
        SubElement(self._root, "style").text = _STYLE

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> None:
        """Words on a line: ``anchor`` says whether they start, end or have their middle at ``x``."""
        self._add("text", kind, x=x, y=y, text_anchor=anchor).text = words

    def rect(self, x: float, y: float, width: float, height: float, kind: str, round_: float = 0) -> None:
        """A rectangle from its upper left corner, with corners rounded by ``round_``."""
        self._add("rect", kind, x=x, y=y, width=width, height=height, rx=round_)

    def dot(self, x: float, y: float, kind: str, radius: float = 3.5) -> None:
        """A disc around a point."""
        self._add("circle", kind, cx=x, cy=y, r=radius)

    def path(self, d: str, kind: str = "line") -> None:
        """A line, in the words of SVG."""
        self._add("path", kind, d=d)

    def __str__(self) -> str:
        """The SVG document."""
        indent(self._root, "")
        return tostring(self._root, encoding="unicode") + "\n"

    def _add(self, tag: str, kind: str, **attributes: float | str) -> Element:
        named = {name.replace("_", "-"): _number(value) for name, value in attributes.items()}
        return SubElement(self._root, tag, named | ({"class": kind} if kind else {}))


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
