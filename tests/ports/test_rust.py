"""The Rust implementation: it builds, its own tests pass, and it conforms in every reading."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from rejoin_conformance.contract.registry import all_systems

CHECKOUT: Final = Path(__file__).parents[2]
SOURCES: Final = CHECKOUT / "conformance" / "ports" / "rust"
TARGET: Final = CHECKOUT / "build" / "adapter-rust"
"""Kept from run to run, and ignored by git: a build from nothing takes most of a minute."""

REJOIN: Final = "from rejoin_conformance.command_line.main import main; main()"


def cargo(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of cargo on the crate."""
    return subprocess.run(
        ["cargo", command, "--manifest-path", str(SOURCES / "Cargo.toml"), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def crate() -> Path:
    """The sources, where they can be built."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    fetched = cargo("fetch")
    if fetched.returncode != 0:
        pytest.skip(f"the crates cannot be fetched: {fetched.stderr.strip()[-300:]}")
    return SOURCES


@pytest.fixture(scope="module")
def adapter(crate: Path) -> Path:
    """The program, built."""
    built = cargo("build", "--release", "--target-dir", str(TARGET))
    assert built.returncode == 0, f"{crate} does not build:\n{built.stderr}"
    return TARGET / "release" / "rejoin-rust"


@pytest.fixture(scope="module")
def summary(adapter: Path) -> dict[str, Any]:
    """Return the summary of a run of the whole corpus."""
    ran = subprocess.run(
        [sys.executable, "-c", REJOIN, "run", "--json", "--adapter", shlex.quote(str(adapter))],
        capture_output=True,
        text=True,
        check=False,
    )
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
    assert summary["failures"] == []
    assert summary["conformant"] is True
    assert summary["verdicts"]["pass"] == summary["exercised"] > 3000


def test_its_own_tests_pass(crate: Path) -> None:
    tested = cargo("test", "--release", "--target-dir", str(TARGET))
    assert tested.returncode == 0, f"{crate}:\n{tested.stdout}\n{tested.stderr}"
