"""A real browser without a window, for tests of pages: Chromium, driven by its own driver."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

_QUIET = (
    "--headless",
    "--window-size=1280,900",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def browser(downloads: Path) -> Iterator[Chrome]:
    """A browser that saves files in ``downloads``; the test is skipped where there is none."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("there is no browser: install chromium and chromedriver (Debian: chromium, chromium-driver)")
    options = ChromeOptions()
    options.binary_location = program
    for argument in _QUIET:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = Chrome(options=options, service=Service(driver))
    try:
        yield chrome
    finally:
        chrome.quit()


def complaints(chrome: Chrome) -> list[dict[str, Any]]:
    """What the browser has objected to since it was asked last."""
    return [entry for entry in chrome.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
