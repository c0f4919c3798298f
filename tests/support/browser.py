"""Chromium for the tests of pages, as a program of the system."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome")

_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def program() -> str | None:
    """Return the path of the browser, or None if there is none."""
    return next((path for path in map(shutil.which, PROGRAMS) if path is not None), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """Start the browser without a window and with a fresh profile, and end it."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program(), args=_FLAGS)
        try:
            yield running
        finally:
            running.close()


class Opened:
    """A page of a folder, and everything that it reported as an error or tried to fetch."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.faults: list[str] = []
        self._folder = folder
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self._note(request.url))
        page.on(
            "console",
            lambda message: self.faults.append(message.text) if message.type == "error" else None,
        )

    def open(self, address: str) -> Page:
        """Open a page of the folder, such as `corpus.html#state=...`, and return it."""
        self.page.goto("about:blank")
        self.page.goto(f"{self._folder.as_uri()}/{address}")
        return self.page

    def _note(self, url: str) -> None:
        if not url.startswith(("file:", "data:", "about:")):
            self.faults.append(f"the page fetched {url}")
