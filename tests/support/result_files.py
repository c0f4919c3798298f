"""Results of imaginary runs, for tests of the reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.adapters.results.records import (
    Header,
    Line,
    Record,
    Volatile,
    footer,
    line_of,
)
from rejoin_conformance.adapters.runner.verdict import Verdict
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.reports.columns import Column, columns_of


def passed(name: str, *clauses: str, operation: str = "toy/halve") -> Record:
    """Return the record of a vector that passes."""
    return _record(name, clauses, operation, "pass")


def not_declared(name: str, *clauses: str, operation: str = "toy/double") -> Record:
    """Return the record of a vector whose operation is not declared."""
    return _record(name, clauses, operation, "not-declared")


def failed(
    name: str,
    *clauses: str,
    verdict: Verdict = "fail",
    explanation: str = "wrong output: at $.half",
    observed: JsonObject | None = None,
    stderr: str = "",
    operation: str = "toy/halve",
) -> Record:
    """Return the record of a vector that fails."""
    return evolve(
        _record(name, clauses, operation, verdict),
        summary="14 is halved",
        input={"number": 14},
        expected={"output": {"half": 7}},
        observed=observed,
        explanation=explanation,
        volatile=Volatile(microseconds=1_500_000, stderr=stderr),
    )


def results(
    *records: Record,
    name: str = "my-port",
    version: str = "2.1",
    known: Sequence[JsonObject] = (),
    finished: bool = True,
) -> Results:
    """Return the content of a results file with these records."""
    configuration: JsonObject = {
        "suite": "rejoin 0.1.0",
        "command": ["./my adapter"],
        "adapter": {"name": name, "version": version, "language": "Rust"},
        "selection": {},
        "known_failures": [*known],
    }
    return Results(
        configuration=configuration,
        records={each.key: each for each in records},
        footer=footer(records, {}) if finished else None,
        whole=0,
    )


def columns(*runs: Results) -> tuple[Column, ...]:
    """Return the columns of runs from the files run-1.ndjson, run-2.ndjson and so on."""
    return columns_of([(Path(f"run-{place}.ndjson"), run) for place, run in enumerate(runs, 1)])


def write_results(path: Path, run: Results) -> Path:
    """Write the results file of a run and return its path."""
    lines: list[Line] = [Header(run.configuration, {}), *run.records.values()]
    if run.footer is not None:
        lines.append(run.footer)
    path.write_text(
        "".join(f"{canonical_json(line_of(line))}\n" for line in lines), encoding="ascii"
    )
    return path


def _record(name: str, clauses: Sequence[str], operation: str, verdict: Verdict) -> Record:
    return Record(
        id=f"toy/halves/{name}",
        reading="strict",
        operation=operation,
        clauses=(*clauses,) or ("TOY-HALF",),
        level="must",
        verdict=verdict,
        volatile=Volatile(microseconds=231),
    )
