"""The lines of a results file, as values: a header, a record a verdict, a footer.

Whatever varies from run to run stands under `volatile` in each line; the rest is the same wherever
the same adapter gives the same answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, TypeAlias

from rejoin_conformance.adapters.runner.verdict import VERDICTS, Outcome
from rejoin_conformance.kit.json_types import Json, JsonObject, digest_of

FORMAT: Final = 1

Key: TypeAlias = tuple[str, str]
"""(ID of the vector, reading)."""


def header(configuration: JsonObject, volatile: JsonObject) -> JsonObject:
    """The first line: what was run against what."""
    return {
        "type": "header",
        "format": FORMAT,
        "configuration": configuration,
        "volatile": volatile,
    }


def record(outcome: Outcome) -> JsonObject:
    """The line of one verdict; a pass says no more than that."""
    vector = outcome.case.vector
    clauses: list[Json] = [*vector.clauses]
    value: JsonObject = {
        "type": "vector",
        "id": vector.id,
        "reading": outcome.case.reading,
        "operation": vector.operation,
        "clauses": clauses,
        "level": vector.level,
        "verdict": outcome.verdict,
    }
    volatile: JsonObject = {"microseconds": outcome.microseconds}
    if outcome.first_attempt:
        volatile["first_attempt"] = outcome.first_attempt
    if outcome.verdict not in {"pass", "not-declared"}:
        value["summary"] = vector.summary
        value["input"] = vector.input
        value["expected"] = outcome.case.expected
        value["observed"] = outcome.observed
        value["explanation"] = outcome.explanation
        if outcome.fault:
            value["fault"] = outcome.fault
        volatile["stderr"] = outcome.stderr
    value["volatile"] = volatile
    return value


def footer(records: Collection[Mapping[str, Any]], volatile: JsonObject) -> JsonObject:
    """The last line of a finished run: how many verdicts of each kind, and a digest of them all."""
    counts: JsonObject = dict(count_verdicts(records))
    return {
        "type": "footer",
        "verdicts": counts,
        "digest": digest_of_records(records),
        "volatile": volatile,
    }


def key_of(value: Mapping[str, Any]) -> Key:
    """The vector and the reading of a record."""
    return (value["id"], value["reading"])


def count_verdicts(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Verdict -> how many records have it, every verdict named."""
    counted = Counter(each["verdict"] for each in records)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def digest_of_records(records: Iterable[Mapping[str, Any]]) -> str:
    """The digest of the records, in the order of their keys, without what is volatile."""
    listed: list[Json] = [
        {name: value for name, value in each.items() if name != "volatile"}
        for each in sorted(records, key=key_of)
    ]
    return digest_of({"records": listed})
