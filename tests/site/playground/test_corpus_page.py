"""The whole corpus runs through the JavaScript port in a page, as it does outside."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.corpus.load import load_system
from support.browser import Opened
from support.wheels import CHECKOUT

MINUTES = 60_000


@pytest.mark.full_run("corpus in a page")
def test_the_corpus_has_the_same_verdicts_in_the_page_as_outside(
    opened: Opened, sources: Path
) -> None:
    page = opened.open("corpus.html")
    page.get_by_role("button", name="Run the whole corpus").click()
    expect(page.get_by_role("status")).to_contain_text("answers are", timeout=10 * MINUTES)
    inside = page.evaluate("rejoinVerdicts")

    command = ["node", "corpus/outside.js", str(CHECKOUT / "vectors")]
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=True)
    assert inside == json.loads(done.stdout)

    held = {
        (vector.id, reading)
        for name in system_names()
        for vector in load_system(name)
        for reading in vector.readings
    }
    assert {(each["id"], each["reading"]) for each in inside} == held
    assert len(inside) == len(held)
    assert {each["verdict"] for each in inside} == {"pass"}
    assert page.get_by_role("status").inner_text() == (f"All {len(held)} answers are as expected.")
