"""The JavaScript port: its own tests, and the whole corpus in each reading."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from rejoin_conformance.contract.registry import all_systems
from support.wheels import run_outside

_SOURCES = Path(__file__).parents[2] / "conformance" / "ports" / "javascript"
_OLDEST_NODE = (20, 19)


def _node_version() -> tuple[int, ...]:
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    return tuple(int(part) for part in said.stdout.strip().lstrip("v").split("-")[0].split("."))


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the port with its packages installed, as a copy that leaves nothing behind."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    if _node_version()[:2] < _OLDEST_NODE:
        pytest.skip("node is older than 20.19")
    folder = tmp_path_factory.mktemp("javascript") / "port"
    shutil.copytree(_SOURCES, folder)
    if not (folder / "node_modules").is_dir():
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"npm cannot install the port's packages: {done.stderr[-300:]}")
    return folder


def test_the_ports_own_tests_pass(port: Path) -> None:
    done = subprocess.run(["npm", "test"], cwd=port, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout


def test_the_port_passes_the_corpus_in_every_reading(port: Path, rejoin_of_wheel: Path) -> None:
    adapter = f"node '{port / 'adapter.js'}'"
    command = ["run", "--adapter", adapter, "--timeout", "600", "--json"]
    done = run_outside(rejoin_of_wheel, port, *command)
    summary = json.loads(done.stdout)
    readings = {system.name: [*system.every_reading] for system in all_systems()}
    assert summary["adapter"]["readings"] == readings
    verdicts = {name: count for name, count in summary["verdicts"].items() if count}
    assert (done.returncode, list(verdicts)) == (0, ["pass"]), summary["failures"]


def test_a_package_is_pinned_to_one_version() -> None:
    package = json.loads((_SOURCES / "package.json").read_text(encoding="utf-8"))
    for version in package["dependencies"].values():
        assert all(part.isdigit() for part in version.split("."))
