"""Results of imaginary runs, for tests of the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rejoin_conformance.adapters.results.read import Results
from rejoin_conformance.adapters.results.records import footer, header, key_of
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.reports.columns import Column, columns_of

Record = Mapping[str, Any]


def passed(name: str, *clauses: str, operation: str = "toy/halve") -> Record:
    """The record of a vector that passes."""
    return _record(name, clauses, operation, "pass")


def not_declared(name: str, *clauses: str, operation: str = "toy/double") -> Record:
    """The record of a vector that was not asked."""
    return _record(name, clauses, operation, "not-declared")


def failed(
    name: str,
    *clauses: str,
    verdict: str = "fail",
    explanation: str = "wrong output: at $.half",
    observed: Json = None,
    stderr: str = "",
    operation: str = "toy/halve",
) -> Record:
    """The record of a vector that fails."""
    value: JsonObject = {"number": 14}
    return {
        **_record(name, clauses, operation, verdict),
        "summary": "14 is halved",
        "input": value,
        "expected": {"output": {"half": 7}},
        "observed": observed,
        "explanation": explanation,
        "volatile": {"microseconds": 1_500_000, "stderr": stderr},
    }


def results(
    *records: Record,
    name: str = "my-port",
    version: str = "2.1",
    known: Sequence[JsonObject] = (),
    finished: bool = True,
) -> Results:
    """What a results file with these records holds."""
    configuration: JsonObject = {
        "suite": "rejoin 0.1.0",
        "command": ["./my adapter"],
        "adapter": {"name": name, "version": version, "language": "Rust"},
        "selection": {},
        "known_failures": [*known],
    }
    return Results(
        configuration=configuration,
        records={key_of(each): each for each in records},
        footer=footer(records, {}) if finished else None,
        whole=0,
    )


def columns(*runs: Results) -> tuple[Column, ...]:
    """The columns of runs from the files run-1.ndjson, run-2.ndjson and so on."""
    return columns_of([(Path(f"run-{place}.ndjson"), run) for place, run in enumerate(runs, 1)])


def write_results(path: Path, run: Results) -> Path:
    """Make a results file of a run."""
    lines = [header(run.configuration, {}), *run.records.values()]
    if run.footer is not None:
        lines.append(run.footer)
    path.write_text("".join(f"{canonical_json(line)}\n" for line in lines), encoding="ascii")
    return path


def _record(name: str, clauses: Sequence[str], operation: str, verdict: str) -> dict[str, Any]:
    return {
        "type": "vector",
        "id": f"toy/halves/{name}",
        "reading": "strict",
        "operation": operation,
        "clauses": list(clauses or ("TOY-HALF",)),
        "level": "must",
        "verdict": verdict,
        "volatile": {"microseconds": 231},
    }
