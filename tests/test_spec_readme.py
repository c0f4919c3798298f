"""Each system's spec README leads from the document's sections to the pages and the modules."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from rejoin_conformance.kit.locations import spec_directory

SYSTEMS = ("config-merge", "conflict-detection", "history-merge")
_HEADING = "## From the document to the code"


def _section(system: str) -> str:
    readme = (spec_directory() / system / "README.md").read_text(encoding="utf-8")
    return readme.partition(_HEADING)[2].partition("\n## ")[0]


def _rows(system: str) -> list[tuple[str, str, str]]:
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in _section(system).splitlines()
        if line.startswith("|") and not line.startswith(("|---", "| Section"))
    ]
    return [(section, pages, modules) for section, pages, modules in rows]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_page_of_the_table_exists(system: str) -> None:
    pages = [page for _, cell, _ in _rows(system) for page in re.findall(r"\((\S+\.md)\)", cell)]
    assert pages
    assert all((spec_directory() / system / page).is_file() for page in pages)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_table_names_every_module_of_the_reference_and_no_other(system: str) -> None:
    package = Path(str(files("rejoin"))) / system.replace("-", "_")
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    named = {name for _, _, cell in _rows(system) for name in re.findall(r"`(\w+)`", cell)}
    assert named == modules
