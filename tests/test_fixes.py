"""A fix that comes with a diagnostic mends what the diagnostic is about, and nothing else."""

import pytest

from kumoc.diagnostics import Diagnostic, Source, edited
from kumoc.language import compile_sources
from tests.command import ROOT
from tests.kumo_blocks import kumo_blocks

PAGES = (*sorted(ROOT.glob("tests/spec/*.md")), *sorted(ROOT.glob("docs/diagnostics/K*.md")))
TEXTS = [block.text for page in PAGES for block in kumo_blocks(page)]


def found(text: str) -> tuple[Diagnostic, ...]:
    return compile_sources([Source("x.kumo", text)]).diagnostics


def fixed(text: str, diagnostic: Diagnostic) -> str:
    assert diagnostic.fix is not None
    return edited(text, [diagnostic.fix])


def test_every_fix_takes_its_diagnostic_away() -> None:
    tried = 0
    for text in TEXTS:
        diagnostics = found(text)
        for diagnostic in diagnostics:
            if diagnostic.fix is None:
                continue
            tried += 1
            said = [(each.rule, each.message) for each in diagnostics]
            after = [(each.rule, each.message) for each in found(fixed(text, diagnostic))]
            this = (diagnostic.rule, diagnostic.message)
            assert after.count(this) < said.count(this), diagnostic
    assert tried >= 35


DOMAIN = """\
domain coins "Coins" {{
  property metal : one of copper, "red gold"
  truths "coin" "coins" {{ Florin {{ metal {value} }}, "Half crown" {{ metal copper }} }}
  actions "test" "tests" {{
    "Weigh it" {{
      "heavy" rules out {first}
      "light" rules out Florin
    }}
    "Colour" observes metal
  }}
}}
"""


@pytest.mark.parametrize(
    ("first", "value", "wrong", "right"),
    [
        ('"Half krown"', "copper", '"Half krown"', '"Half crown"'),
        ("Halfcrown", "copper", "Halfcrown", '"Half crown"'),
        ('"Half crown"', "coper", "coper", "copper"),
        ('"Half crown"', "redgold", "redgold", '"red gold"'),
    ],
)
def test_a_misspelt_name_is_spelt_as_declared_in_quotes_where_it_needs_them(
    first: str, value: str, wrong: str, right: str
) -> None:
    text = DOMAIN.format(first=first, value=value)
    (diagnostic,) = [each for each in found(text) if each.is_error]
    assert fixed(text, diagnostic) == text.replace(wrong, right)


def test_where_two_names_are_near_nothing_is_certain() -> None:
    text = DOMAIN.format(first="Florine", value="copper").replace('"Half crown"', "Floriner")
    (diagnostic,) = [each for each in found(text) if each.is_error]
    assert diagnostic.help.startswith("did you mean") and diagnostic.fix is None
