"""A deliberate fault in each system of each port is found, shrunk, explained and reproduced.

CI plants the fault whose campaign is the fastest. The others say the same of other sources.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.campaigns.campaign import run_campaign
from rejoin_conformance.campaigns.findings.adapter_findings import (
    clauses_decided,
    findings_of,
    write_vector,
)
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.kit.json_types import canonical_json
from support.faulty_ports import JAVASCRIPT, RUST, Fault, faulty_javascript, faulty_rust
from support.spreads import HERE

HISTORIES = 60
SMALL = 1400
"""Characters of the input. Two messages of config merge that have rows take some hundreds."""


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory, javascript_port: Path) -> str:
    return faulty_javascript(tmp_path_factory.mktemp("faulty") / "javascript", javascript_port)


@pytest.fixture(scope="module")
def rust(tmp_path_factory: pytest.TempPathFactory) -> str:
    return faulty_rust(tmp_path_factory.mktemp("faulty") / "rust")


def by_system(fault: Fault) -> str:
    return fault.system


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(each, marks=() if each.system == "conflict-detection" else pytest.mark.long)
        for each in JAVASCRIPT
    ],
    ids=by_system,
)
def test_a_fault_in_javascript(
    fault: Fault, javascript: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hold(fault, javascript, tmp_path, capsys)


@pytest.mark.long
@pytest.mark.parametrize("fault", RUST, ids=by_system)
def test_a_fault_in_rust(
    fault: Fault, rust: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hold(fault, rust, tmp_path, capsys)


def hold(fault: Fault, adapter: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The expected findings of the fault."""
    plan = Plan(
        system=fault.system,
        profile="default",
        readings=(system_named(fault.system).default_reading,),
        seed=1,
        histories=HISTORIES,
        adapter=adapter,
        operations=(fault.kind.partition(" ")[0],),
    )
    summary = run_campaign(plan, HERE)
    finding = next(
        each
        for each in findings_of(plan, summary)
        if each.found.kind.startswith(fault.kind)
        and each.outcome is not None
        and fault.told in each.outcome.explanation
    )

    decided = clauses_decided(plan, finding)
    path = write_vector(plan, finding, decided, folder)
    (vector,) = load_topic_file(path)
    assert len(canonical_json(vector.input)) < SMALL
    assert run(["verify", "--corpus", str(path)]) == 0, "the reference answers its own vector"
    capsys.readouterr()
    assert run(["run", "--corpus", str(path), "--adapter", adapter]) == 1
    assert fault.told in capsys.readouterr().out
