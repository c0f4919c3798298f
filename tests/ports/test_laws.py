"""Both ports keep the laws; broken copies break them, and the failure becomes a vector."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.add_vector import addition
from support.faulty_ports import PORTS, faulty_javascript, faulty_rust
from support.rust_port import built, require_crates

pytestmark = pytest.mark.long


@pytest.fixture(params=["javascript", "rust"])
def port(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """The commands of a port and of a broken copy of it."""
    if request.param == "rust":
        require_crates(PORTS / "rust")
        sound = shlex.quote(str(built(PORTS / "rust", tmp_path, "release")))
        return sound, faulty_rust(tmp_path / "faulty", "release")
    folder = request.getfixturevalue("javascript_port")
    return shlex.join(["node", str(folder / "adapter.js")]), faulty_javascript(
        tmp_path / "faulty", folder
    )


def _laws(adapter: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    code = run(["run", "--laws", "--json", "--timeout", "60", "--adapter", adapter])
    return code, json.loads(capsys.readouterr().out)


def test_a_port_keeps_the_laws_and_its_broken_copy_does_not(
    port: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = _laws(port[0], capsys)
    assert (code, said["kept"], said["broken"]) == (0, True, [])
    assert {system for system, asked in said["laws"].items() if asked} == {*system_names()}
    code, said = _laws(port[1], capsys)
    assert (code, said["kept"], len(said["broken"])) == (1, False, len(system_names()))
    for system, broken in zip(system_names(), said["broken"], strict=True):
        (tmp_path / system).mkdir()
        (tmp_path / system / "found.txt").write_text("# Found by the laws.\n")
        added = addition(system_named(system), "found", broken["paragraph"], "here", tmp_path)
        assert added.checked, "the reference gives the answer that the oracle gives"
