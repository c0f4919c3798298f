"""Results of imaginary runs, for tests of the reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.results.configuration import Configuration, RunCorpus, Wanted
from rejoin_conformance.adapters.results.file import Results, writing_results
from rejoin_conformance.adapters.results.records import Record, Volatile, footer
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Verdict
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.reports.columns import Column, columns_of

HALVING = Wanted(name="toy halving", operations={"toy/halve": ("huge",)}, cases=2)
"""A profile of the toy system: two vectors of one operation."""


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
    known: Sequence[str] = (),
    finished: bool = True,
    allow_restarts: bool = False,
    profiles: Sequence[Wanted] = (HALVING,),
) -> Results:
    """Return the content of a results file with these records. known: the names of vectors."""
    hello = Hello(
        name=name,
        version=version,
        language="Rust",
        operations=("toy/halve",),
        readings={},
        max_in_flight=1,
    )
    listed = (
        KnownFailure(id=f"toy/halves/{each}", reason="it is hard", link="#7") for each in known
    )
    configuration = Configuration(
        suite="rejoin 0.1.0",
        command=("./my adapter",),
        program="",
        adapter=hello,
        selection=Selection(),
        corpus=RunCorpus(
            cases=len(records), digest="d" * 64, operations=2, clauses=3, profiles=tuple(profiles)
        ),
        timeout_ms=1000,
        known_failures=tuple(listed),
        allow_restarts=allow_restarts,
    )
    return Results(
        configuration=configuration,
        records={each.key: each for each in records},
        footer=footer(records, {}) if finished else None,
    )


def columns(*runs: Results) -> tuple[Column, ...]:
    """Return the columns of runs from the files run-1.ndjson, run-2.ndjson and so on."""
    return columns_of([(Path(f"run-{place}.ndjson"), run) for place, run in enumerate(runs, 1)])


def write_results(path: Path, run: Results) -> Path:
    """Write the results file of a run and return its path."""
    with writing_results(path, run.configuration, {}, fresh=True) as file:
        for each in run.records.values():
            file.write(each)
        if run.footer is not None:
            file.write(run.footer)
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
