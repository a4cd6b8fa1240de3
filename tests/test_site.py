"""The documentation as a site: it builds, holds every page, and loads nothing from elsewhere."""

import re
import subprocess
import sys
import zlib
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
import yaml

from kumoc.diagnostics import RULES
from kumoc.diagnostics.definition import page_name
from tests.command import ROOT
from tests.test_cli import COMMANDS

DOCS = ROOT / "docs"
CONFIG = ROOT / "mkdocs.yml"
PACKAGES = sorted(
    ".".join(file.parent.relative_to(ROOT).parts)
    for file in (ROOT / "kumoc").rglob("__init__.py")
    if "\n__all__ = " in file.read_text(encoding="utf-8") and file.parent.name != "reader"
)
"""Their public names are those of the API; what the reader has is that of the package around it."""


LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "embed": "src", "object": "data"}
LOADED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "dns-prefetch"}


def mkdocs(config: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", config, "--site-dir", site]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


class Page(HTMLParser):
    """What a page loads as it is opened, where its navigation leads, and what in it has an id."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.navigation: list[str] = []
        self.ids: list[str] = []
        self.text = file.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in LOADING:
            self.loaded.append(values.get(LOADING[tag], ""))
        if tag == "link" and LOADED_LINKS & set(values.get("rel", "").split()):
            self.loaded.append(values["href"])
        if "md-nav__link" in values.get("class", "") and not values.get("href", "#").startswith("#"):
            self.navigation.append(values["href"])
        if "id" in values:
            self.ids.append(values["id"])


def test_the_site_is_whole(tmp_path: Path) -> None:
    """One test for all that can be seen of a site, since building it takes seconds."""
    result = mkdocs(CONFIG, tmp_path)
    assert result.returncode == 0, result.stderr
    pages = {str(file.relative_to(tmp_path)): Page(file) for file in tmp_path.rglob("*.html")}
    loads_nothing_from_elsewhere(tmp_path, pages)
    leads_to_every_page(pages)
    has_every_public_name(tmp_path)
    help_of_commands = pages["commands.html"]
    assert {f"kumoc-{name}" for name in (*COMMANDS, "book-check", "book-rewrite")} <= set(help_of_commands.ids)
    assert all(option in help_of_commands.text for option in ("--disjoint-from", "--resamples", "--survivors"))
    assert '<span class="k">rules</span>' in pages["language.html"].text


def loads_nothing_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    assert sum(len(page.loaded) for page in pages.values()) > 100
    for name, page in pages.items():
        for address in page.loaded:
            assert not re.match(r"(\w+:)?//", address), f"{name} loads {address}"
            local = urlsplit(urljoin(f"https://here/{name}", address)).path
            assert not address or name == "404.html" or (site / local[1:]).is_file(), f"{name} loads {address}"
    for style in (*site.rglob("*.css"), *site.rglob("*.svg")):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style


def leads_to_every_page(pages: dict[str, Page]) -> None:
    reached = {urlsplit(urljoin("https://here/index.html", link)).path[1:] for link in pages["index.html"].navigation}
    sources = [file.relative_to(DOCS) for file in DOCS.rglob("*.md")]
    expected = {str(file.with_suffix(".html")).replace("README", "index") for file in sources}
    assert expected <= {link if link.endswith(".html") else f"{link}index.html" for link in reached}
    assert {f"diagnostics/{page_name(rule)[:-3]}.html" for rule in RULES.values()} <= expected & set(pages)


def has_every_public_name(site: Path) -> None:
    inventory = zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode()
    known = {line.split()[0] for line in inventory.splitlines()}
    assert len(PACKAGES) > 10
    for package in PACKAGES:
        module = import_module(package)
        for name in set(module.__all__) - {"__version__"}:
            value = getattr(module, name)
            home = f"{getattr(value, '__module__', package)}.{getattr(value, '__qualname__', name)}"
            assert {f"{package}.{name}", home} & known, f"no page of the API has {home}: add it to docs/api"


@pytest.mark.parametrize(
    ("text", "other", "said"),
    [
        ("[there](other.md#part)", "# Other\n\n## Part", ""),
        ("[there](another.md)", "# Other", "another.md"),
        ("[there](other.md#whole)", "# Other\n\n## Part", "does not contain an anchor"),
        ("[there](/other.html)", "# Other", "absolute link"),
        ("![there](other.svg)", "# Other", "other.svg"),
        ("", "# Other", "not included in the"),
    ],
)
def test_what_the_site_does_not_let_through(text: str, other: str, said: str, tmp_path: Path) -> None:
    settings = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
    nav = [{"One": "index.md"}, *([{"Other": "other.md"}] if text else [])]
    kept = {"site_name": "small", "theme": "mkdocs", "plugins": [], "nav": nav, "validation": settings["validation"]}
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(kept), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# One\n\n{text}\n", encoding="utf-8")
    (tmp_path / "docs" / "other.md").write_text(f"{other}\n", encoding="utf-8")
    result = mkdocs(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert (result.returncode != 0) == bool(said) and said in result.stderr, result.stderr
