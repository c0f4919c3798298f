"""The Rust implementation: it builds, its own tests pass, and it conforms in every reading.

CI runs a few topics, for the slow build of the tests takes a minute for all of them. `test_wheel`
asks the same sources every vector, as the oracle.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any, Final

import pytest

from rejoin_conformance.contract.registry import all_systems
from support.rust_port import CHECKOUT, TARGET, built, cargo, require_crates
from support.wheels import run_outside

pytestmark = pytest.mark.full_run("ports")

SOURCES: Final = CHECKOUT / "conformance" / "ports" / "rust"
TOPICS: Final = ("--id", "*/two-branches/*", "--id", "*/resolve/*", "--id", "*/polling/*")


@pytest.fixture(scope="module")
def crate() -> Path:
    """The sources, where they can be built."""
    require_crates(SOURCES)
    return SOURCES


@pytest.fixture(scope="module")
def adapter(crate: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built."""
    return built(crate, tmp_path_factory.mktemp("rust"))


@pytest.fixture(scope="module", params=[TOPICS, pytest.param((), marks=pytest.mark.long)])
def summary(request: pytest.FixtureRequest, adapter: Path, rejoin_of_wheel: Path) -> dict[str, Any]:
    """Return the summary of a run of the corpus by the suite of the wheel."""
    command = ["run", "--json", "--timeout", "600", "--adapter", shlex.quote(str(adapter))]
    command += request.param
    ran = run_outside(rejoin_of_wheel, adapter.parent, *command, "--strict-codes")
    assert ran.returncode in (0, 1), ran.stderr
    said: dict[str, Any] = json.loads(ran.stdout)
    return said


def test_it_declares_every_operation(summary: dict[str, Any]) -> None:
    known = {each.name for system in all_systems() for each in system.operations}
    assert set(summary["adapter"]["operations"]) == known


def test_it_follows_every_reading(summary: dict[str, Any]) -> None:
    known = {system.name: [*system.every_reading] for system in all_systems()}
    assert summary["adapter"]["readings"] == known


def test_it_passes_every_vector_in_every_reading(summary: dict[str, Any]) -> None:
    whole = summary["exercised"] > 3000
    assert summary["failures"] == []
    assert summary["verdict"].startswith("conforms to " if whole else "partial: ")
    assert summary["verdicts"]["pass"] == summary["exercised"] > 150


def test_its_own_tests_pass(crate: Path) -> None:
    tested = cargo("test", crate, "--lib", "--target-dir", str(TARGET))
    assert tested.returncode == 0, f"{crate}:\n{tested.stdout}\n{tested.stderr}"
