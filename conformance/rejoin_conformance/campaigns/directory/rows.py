"""Finished blocks as Arrow rows, as tasks send them to the driver and campaigns keep them.

Each block is one row with all its results, including its failures, so that a block is either
complete or missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from rejoin_conformance.campaigns.block import BlockResult, ExampleViolation, Tally
from rejoin_conformance.contract.law import Violation
from rejoin_conformance.kit.json_types import Json, canonical_json, strict_json

if TYPE_CHECKING:
    import pyarrow as pa

_COUNTS: Final = "map<string,bigint>"
SCHEMA: Final = (
    "block bigint, histories bigint, digest string, began bigint, micros bigint, worker string, "
    f"readings array<struct<reading:string,checked:{_COUNTS},vacuous:{_COUNTS},"
    f"violated:array<struct<law:string,kind:string,count:bigint>>,coverage:{_COUNTS},"
    f"reached:{_COUNTS}>>, "
    "failures array<struct<index:bigint,reading:string,law:string,kind:string,detail:string,"
    "evidence:string>>, restarts bigint, first_restart string"
)
"""The columns in the notation of Spark's schemas. `began` is in microseconds since 1970 by the
worker's clock. `micros` is the time that the block took. `evidence` is canonical JSON."""

_LARGEST: Final = 2**53
"""Larger than any count, and than any time until the year 2255."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@frozen
class FinishedBlock:
    """A block's result, with its time and its worker.

    began: the start in microseconds since 1970. micros: the duration in microseconds. worker: host
    name and process ID.
    """

    result: BlockResult
    began: int
    micros: int
    worker: str

    @property
    def ended(self) -> int:
        """Return the time when the block was finished, in microseconds since 1970."""
        return self.began + self.micros


def arrow_schema() -> pa.Schema:
    """Return the same columns as an Arrow schema."""
    import pyarrow as pa  # noqa: PLC0415 - optional, and imported by workers

    counts = pa.map_(pa.string(), pa.int64())
    violated = _struct(law=pa.string(), kind=pa.string(), count=pa.int64())
    reading = _struct(
        reading=pa.string(),
        checked=counts,
        vacuous=counts,
        violated=pa.list_(violated),
        coverage=counts,
        reached=counts,
    )
    failure = _struct(
        index=pa.int64(),
        reading=pa.string(),
        law=pa.string(),
        kind=pa.string(),
        detail=pa.string(),
        evidence=pa.string(),
    )
    return pa.schema(
        [
            ("block", pa.int64()),
            ("histories", pa.int64()),
            ("digest", pa.string()),
            ("began", pa.int64()),
            ("micros", pa.int64()),
            ("worker", pa.string()),
            ("readings", pa.list_(reading)),
            ("failures", pa.list_(failure)),
            ("restarts", pa.int64()),
            ("first_restart", pa.string()),
        ]
    )


def batch_of(blocks: Sequence[FinishedBlock]) -> pa.RecordBatch:
    """Return blocks as an Arrow record batch."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    return pa.RecordBatch.from_pylist([row_of(block) for block in blocks], schema=arrow_schema())


def wave_name(blocks: Sequence[FinishedBlock]) -> str:
    """Return the name under which a store keeps a wave: its first and last block."""
    return f"{blocks[0].result.block:010}-{blocks[-1].result.block:010}"


def blocks_of(batches: Iterable[pa.RecordBatch]) -> Iterator[FinishedBlock]:
    """Yield blocks from batches: the inverse of `batch_of`.

    Raises ValueError, KeyError or TypeError for any other rows.
    """
    for batch in batches:
        for row in batch.to_pylist():
            yield block_of(row)


def _struct(**fields: Any) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - as above

    return pa.struct(list(fields.items()))


def row_of(block: FinishedBlock) -> dict[str, Any]:
    """Return a block as a row: column -> value. A map is a list of pairs."""
    result = block.result
    return {
        "block": result.block,
        "histories": result.histories,
        "digest": result.digest,
        "began": block.began,
        "micros": block.micros,
        "worker": block.worker,
        "readings": [
            {
                "reading": reading,
                "checked": sorted(tally.checked.items()),
                "vacuous": sorted(tally.vacuous.items()),
                "violated": [
                    {"law": law, "kind": kind, "count": count}
                    for (law, kind), count in sorted(tally.violated.items())
                ],
                "coverage": sorted(tally.coverage.items()),
                "reached": sorted(tally.histories_by_key.items()),
            }
            for reading, tally in result.tallies.items()
        ],
        "failures": [
            {
                "index": example.index,
                "reading": example.reading,
                "law": example.violation.law,
                "kind": example.violation.kind,
                "detail": example.violation.detail,
                "evidence": canonical_json(example.violation.evidence),
            }
            for example in result.examples
        ],
        "restarts": result.restarts,
        "first_restart": result.first_restart,
    }


def block_of(row: dict[str, Any]) -> FinishedBlock:
    """Return the block of a row. Raises ValueError, KeyError or TypeError for any other row."""
    digest = _text(row["digest"])
    if not _DIGEST.fullmatch(digest):
        raise ValueError("a digest is not 64 hex digits")
    result = BlockResult(
        _number(row["block"]),
        _number(row["histories"]),
        digest,
        {_text(each["reading"]): _tally(each) for each in row["readings"]},
        tuple(_example(each) for each in row["failures"]),
        _number(row["restarts"]),
        _text(row["first_restart"]),
    )
    return FinishedBlock(
        result, _number(row["began"]), _number(row["micros"]), _text(row["worker"])
    )


def _tally(row: dict[str, Any]) -> Tally:
    violated = {
        (_text(each["law"]), _text(each["kind"])): _number(each["count"])
        for each in row["violated"]
    }
    return Tally(
        _counts(row["checked"]),
        _counts(row["vacuous"]),
        Counter(violated),
        _counts(row["coverage"]),
        _counts(row["reached"]),
    )


def _example(row: dict[str, Any]) -> ExampleViolation:
    evidence: Json = strict_json(_text(row["evidence"]))
    if not isinstance(evidence, dict):
        raise TypeError("the evidence of a failure is not an object")
    violation = Violation(
        law=_text(row["law"]),
        kind=_text(row["kind"]),
        detail=_text(row["detail"]),
        evidence=evidence,
    )
    return ExampleViolation(_number(row["index"]), _text(row["reading"]), violation)


def _counts(pairs: Iterable[tuple[object, object]]) -> Counter[str]:
    return Counter({_text(name): _number(count) for name, count in pairs})


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value < _LARGEST:
        raise ValueError("a number is missing or invalid")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a string is missing or invalid")
    return value
