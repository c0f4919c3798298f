"""Each system's spec README leads from the document's sections to the pages and the modules."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.locations import spec_directory

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


def test_the_table_names_existing_pages_and_every_module_of_the_reference() -> None:
    for system in system_names():
        rows = _rows(system)
        pages = [page for _, cell, _ in rows for page in re.findall(r"\((\S+\.md)\)", cell)]
        assert pages
        assert all((spec_directory() / system / page).is_file() for page in pages)
        package = Path(str(files("rejoin"))) / system.replace("-", "_")
        modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
        named = {name for _, _, cell in rows for name in re.findall(r"`(\w+)`", cell)}
        assert named == modules
