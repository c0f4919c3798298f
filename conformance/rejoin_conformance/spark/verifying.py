"""Vectors of a data frame, answered by the reference or by an adapter in the frame's tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Case, Outcome, cases_of
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.campaigns.spark.shipping import place_sent
from rejoin_conformance.campaigns.tables import ddl_of, schema_of
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import verify_vector
from rejoin_conformance.kit.json_types import JsonObject, canonical_json, strict_json

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_SAID: Final = ("verdict", "fault", "missing", "explanation", "stderr", "first_attempt")
"""The fields of an outcome that its row has as they are; an empty one is null."""

VERDICTS: Final = {
    **dict.fromkeys(("id", "system", "operation", "reading", *_SAID, "observed"), "string"),
    **dict.fromkeys(("restarts", "micros"), "long"),
}
"""The columns of verdicts. observed: the result, as JSON or in words, if it is not as expected."""

Answering: TypeAlias = Callable[[Sequence[Vector]], Iterator[JsonObject]]
"""Vectors -> the row of each verdict on them."""


def verified(
    vectors: DataFrame,
    adapter: str | None = None,
    reading: str | None = None,
    limits: Limits | None = None,
    hello: Hello | None = None,
    shipped: str | None = None,
) -> DataFrame:
    """Return the verdict on each vector of a frame, one row for each reading.

    vectors: has a column `vector`, as the data source `rejoin-vectors`. adapter: a command line;
    None for the reference. reading: the only reading; None for every reading that the adapter
    declares, or that the vector has. limits: of the adapter. hello: the hello that every process
    of the adapter must send; None for the hello of the first process of a task. shipped: the name
    of a program that `send_program` has sent, for `{shipped}` in the command line. Raises
    AdapterUnusableError.
    """
    if hello is None:
        greeted(adapter, limits or Limits(), shipped)
    rows = partial(verdict_rows, adapter, reading, limits=limits, hello=hello, shipped=shipped)
    return vectors.select("vector").mapInArrow(partial(_batches, rows), ddl_of(VERDICTS))


def greeted(adapter: str | None, limits: Limits, shipped: str | None) -> Hello | None:
    """Return the hello of an adapter, or None if there is none or its program is elsewhere.

    Raises AdapterUnusableError, in one line, before a task finds the same.
    """
    here = adapter is not None and shipped is None
    return make_adapter(str(adapter), limits).greet() if here else None


def verdict_rows(
    adapter: str | None,
    reading: str | None,
    vectors: Sequence[Vector],
    limits: Limits | None = None,
    hello: Hello | None = None,
    shipped: str | None = None,
) -> Iterator[JsonObject]:
    """Yield the verdicts on vectors, in a task. The arguments are those of `verified`."""
    if adapter is None:
        yield from (row for each in vectors for row in _answered(each, reading))
        return
    place_sent(shipped)
    asked = make_adapter(adapter, limits or Limits())
    hello = hello or asked.greet()
    outcomes: dict[tuple[str, str], Outcome] = {}  # a later outcome of a case replaces an earlier

    def deliver(outcome: Outcome) -> None:
        outcomes[outcome.case.key] = outcome

    run_cases(asked, hello, _cases(vectors, reading, hello), deliver)
    yield from map(_row_of, outcomes.values())


def _batches(rows: Answering, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa  # noqa: PLC0415 - a worker's import

    for batch in batches:
        vectors = [_vector(text) for text in batch.column("vector").to_pylist()]
        yield pa.RecordBatch.from_pylist([*rows(vectors)], schema=schema_of(VERDICTS))


def outcome_of(case: Case, row: JsonObject) -> Outcome:
    """Return the outcome of a case that a row of `verified` states."""
    observed = row["observed"]
    said: dict[str, Any] = {name: row[name] or "" for name in _SAID}
    return Outcome(
        case=case,
        observed=strict_json(observed) if isinstance(observed, str) else None,  # type: ignore[arg-type]  # `_row_of` wrote it
        microseconds=int(str(row["micros"])),
        restarted=row["restarts"] == 1,
        **said,
    )


def _vector(text: str) -> Vector:
    value: JsonObject = strict_json(text)  # type: ignore[assignment]  # a vector is an object
    system = system_named(str(value["id"]).partition("/")[0])
    return Vector.from_json(value, system.readings)


def _cases(vectors: Sequence[Vector], reading: str | None, hello: Hello) -> Iterator[Case]:
    names = list(dict.fromkeys(each.system for each in vectors))
    of_system = {name: [each for each in vectors if each.system == name] for name in names}
    selection = Selection(readings=() if reading is None else (reading,))
    return cases_of([system_named(name) for name in names], of_system, selection, hello)


def _answered(vector: Vector, reading: str | None) -> Iterator[JsonObject]:
    """Yield the row of each reading, as the reference answers."""
    wrong = {each.reading: each.observed for each in verify_vector(vector)}
    for name in vector.readings:
        if reading in {None, name}:
            yield {
                "id": vector.id,
                "system": vector.system,
                "operation": vector.operation,
                "reading": name,
                "verdict": "fail" if name in wrong else "pass",
                "observed": wrong.get(name),
                "restarts": 0,
            }


def _row_of(outcome: Outcome) -> JsonObject:
    case, observed = outcome.case, outcome.observed
    shown = outcome.verdict != "pass" and observed is not None
    return {
        "id": case.vector.id,
        "system": case.system.name,
        "operation": case.operation.name,
        "reading": case.reading,
        **{name: getattr(outcome, name) or None for name in _SAID},
        "observed": canonical_json(observed) if shown else None,
        "restarts": int(outcome.restarted),
        "micros": outcome.microseconds,
    }
