"""The JavaScript port, and the suite as a user has it: installed from the wheel."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support.wheels import CHECKOUT, environment_of_wheel

_SOURCES = CHECKOUT / "conformance" / "ports" / "javascript"
_OLDEST_NODE = (20, 19)


@pytest.fixture(scope="session")
def rejoin_of_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `rejoin` of an environment that has only the wheel and what it declares."""
    return environment_of_wheel(tmp_path_factory.mktemp("wheel"))


def _node_version() -> tuple[int, ...]:
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    return tuple(int(part) for part in said.stdout.strip().lstrip("v").split("-")[0].split("."))


@pytest.fixture(scope="session")
def javascript_port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the port with its packages installed, as a copy that leaves nothing behind."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    if _node_version()[:2] < _OLDEST_NODE:
        pytest.skip("node is older than 20.19")
    folder = tmp_path_factory.mktemp("javascript") / "port"
    shutil.copytree(_SOURCES, folder)
    if not (folder / "node_modules").is_dir():
        command = ["npm", "install", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"npm cannot install the port's packages: {done.stderr[-300:]}")
    return folder
