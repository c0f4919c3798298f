"""The lines of a results file as values: a header, one record for each verdict, a footer.

The field `volatile` of each line holds values that vary from run to run. All other fields depend
only on the adapter's answers.
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
    """Return the first line: the configuration of the run."""
    return {
        "type": "header",
        "format": FORMAT,
        "configuration": configuration,
        "volatile": volatile,
    }


def record(outcome: Outcome) -> JsonObject:
    """Return the line of one verdict. The line of a pass has no details."""
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
    """Return the last line of a finished run: the number of each verdict, and a digest."""
    counts: JsonObject = dict(count_verdicts(records))
    return {
        "type": "footer",
        "verdicts": counts,
        "digest": digest_of_records(records),
        "volatile": volatile,
    }


def key_of(value: Mapping[str, Any]) -> Key:
    """Return the vector and the reading of a record."""
    return (value["id"], value["reading"])


def count_verdicts(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of records of each verdict: verdict -> number, for all verdicts."""
    counted = Counter(each["verdict"] for each in records)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def digest_of_records(records: Iterable[Mapping[str, Any]]) -> str:
    """Return the digest of the records, sorted by key, without volatile fields."""
    listed: list[Json] = [
        {name: value for name, value in each.items() if name != "volatile"}
        for each in sorted(records, key=key_of)
    ]
    return digest_of({"records": listed})
