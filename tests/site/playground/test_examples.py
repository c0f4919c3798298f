"""Every example of the source documents opens in the playground of its system, by its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from rejoin_conformance.contract.document_example import examples_of
from rejoin_conformance.contract.registry import all_systems
from rejoin_site.packed import unpacked
from support.browser import Opened

EXAMPLES = [(system.name, each) for system in all_systems() for each in examples_of(system.name)]


@pytest.mark.full_run("playground")
@pytest.mark.parametrize(("system", "name"), [(system, each.name) for system, each in EXAMPLES])
def test_an_example_opens_by_its_name(opened: Opened, system: str, name: str) -> None:
    page = opened.open(f"{system}.html#example={name}")
    expect(page.get_by_role("status")).to_contain_text("Opened: ")
    expect(page.locator("#example")).to_have_value(name)


def test_the_vectors_of_every_example_open(built: Path) -> None:
    for system, example in EXAMPLES:
        opened = unpacked((built / "data" / f"vectors-{system}.js").read_text("utf-8"))
        for vector in example.vectors:
            assert f"{system}/{vector}" in opened or "diff-of-" in vector, vector
