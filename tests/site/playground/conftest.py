"""The playground, built in a folder of its own, and a browser that opens its pages."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support.browser import Opened, browser, program
from support.wheels import CHECKOUT

_PLAYGROUND = Path("conformance", "site", "playground")
_PORT = Path("conformance", "ports", "javascript")


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the playground with its packages, in a copy beside a copy of the port."""
    for name in ("node", "npm"):
        if shutil.which(name) is None:
            pytest.skip(f"there is no {name}; install it, for example: apt-get install npm")
    root = tmp_path_factory.mktemp("playground")
    for folder in (_PLAYGROUND, _PORT):
        shutil.copytree(
            CHECKOUT / folder, root / folder, ignore=shutil.ignore_patterns("node_modules")
        )
    command = ["npm", "install", "--no-audit", "--no-fund"]
    done = subprocess.run(
        command, cwd=root / _PLAYGROUND, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"npm cannot install the packages of the playground: {done.stderr[-300:]}")
    (root / "node_modules").symlink_to(root / _PLAYGROUND / "node_modules")  # the port's too
    return root / _PLAYGROUND


@pytest.fixture(scope="session")
def built(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the pages, as a part of the site."""
    folder = tmp_path_factory.mktemp("pages")
    vectors = str(CHECKOUT / "vectors")
    command = ["node", "build.js", str(folder), "--vectors", vectors, "--home", "../index.html"]
    subprocess.run(command, cwd=sources, check=True)
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A running browser; without one, the tests of the pages are skipped, saying why."""
    if program() is None:
        pytest.skip("there is no Chromium; install it, for example: apt-get install chromium")
    with browser() as running:
        yield running


@pytest.fixture
def opened(chromium: Browser, built: Path) -> Iterator[Opened]:
    """A tab that opens pages of the playground, and that must see no error and no fetch."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    tab = Opened(context.new_page(), built)
    yield tab
    context.close()
    assert tab.faults == []
