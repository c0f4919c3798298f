"""`rejoin trace` prints a row for each clause, and no fault for the specs of this project."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_names


def traced(system: str, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """Return the lines of the trace of a system."""
    assert run(["trace", system, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("system", sorted({*system_names()} - {"history-merge"}))
def test_the_trace_has_no_fault(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    *rows, last = traced(system, capsys)
    assert last == {"faults": []}
    assert len(rows) >= 20


def test_the_trace_names_the_theorems_of_a_clause(capsys: pytest.CaptureFixture[str]) -> None:
    *rows, last = traced("history-merge", capsys)
    assert last == {"faults": []}
    assert len(rows) >= 20
    proofs = {row["clause"]: row["proofs"] for row in rows}
    assert "Lcau.anc_lcaU" in proofs["HM-LCAU-LOWEST"]
    assert "Lcau.lcaU" not in proofs["HM-LCAU-LOWEST"]
    assert proofs["HM-ACCEPT-DUPLICATE"] == []
