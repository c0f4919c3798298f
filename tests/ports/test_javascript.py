"""The JavaScript port: its own tests, and the whole corpus in each reading."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from rejoin_conformance.contract.registry import all_systems
from support.wheels import run_outside

_SOURCES = Path(__file__).parents[2] / "conformance" / "ports" / "javascript"


def test_the_ports_own_tests_pass(javascript_port: Path) -> None:
    done = subprocess.run(
        ["npm", "test"], cwd=javascript_port, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout


@pytest.mark.full_run("ports")
def test_the_port_passes_the_corpus_in_every_reading(
    javascript_port: Path, rejoin_of_wheel: Path
) -> None:
    adapter = f"node '{javascript_port / 'adapter.js'}'"
    command = ["run", "--adapter", adapter, "--timeout", "600", "--json", "--strict-codes"]
    done = run_outside(rejoin_of_wheel, javascript_port, *command)
    summary = json.loads(done.stdout)
    readings = {system.name: [*system.every_reading] for system in all_systems()}
    assert summary["adapter"]["readings"] == readings
    verdicts = {name: count for name, count in summary["verdicts"].items() if count}
    assert (done.returncode, list(verdicts)) == (0, ["pass"]), summary["failures"]


def test_a_package_is_pinned_to_one_version() -> None:
    package = json.loads((_SOURCES / "package.json").read_text(encoding="utf-8"))
    for version in package["dependencies"].values():
        assert all(part.isdigit() for part in version.split("."))
