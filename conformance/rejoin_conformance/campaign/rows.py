"""Finished blocks as Arrow rows: what a task sends to the driver, and what a campaign keeps.

One row a block. It holds everything that the block showed, its failures included, so that a row is
either there as a whole or not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from rejoin_conformance.campaign.block import BlockResult, Example, Tally
from rejoin_conformance.json_types import Json, canonical_json, strict_json
from rejoin_conformance.laws import Violation

if TYPE_CHECKING:
    import pyarrow as pa

_COUNTS: Final = "map<string,bigint>"
SCHEMA: Final = (
    "block bigint, histories bigint, digest string, began bigint, micros bigint, worker string, "
    f"readings array<struct<reading:string,checked:{_COUNTS},vacuous:{_COUNTS},"
    f"violated:array<struct<law:string,kind:string,count:bigint>>,coverage:{_COUNTS}>>, "
    "failures array<struct<index:bigint,reading:string,law:string,kind:string,detail:string,"
    "evidence:string>>"
)
"""The columns as Spark writes them. `began` is in microseconds since 1970 by the worker's clock,
`micros` how long the block took; `evidence` is canonical JSON."""


@frozen
class FinishedBlock:
    """A block's result, and when, how long and where it was worked on.

    began, micros: microseconds; the former since 1970. worker: host name and process ID.
    """

    result: BlockResult
    began: int
    micros: int
    worker: str

    @property
    def ended(self) -> int:
        """When the block was finished, in microseconds since 1970."""
        return self.began + self.micros


def arrow_schema() -> pa.Schema:
    """The same columns as Arrow has them."""
    import pyarrow as pa  # noqa: PLC0415 - optional, and a worker's import

    counts = pa.map_(pa.string(), pa.int64())
    violated = _struct(law=pa.string(), kind=pa.string(), count=pa.int64())
    reading = _struct(
        reading=pa.string(),
        checked=counts,
        vacuous=counts,
        violated=pa.list_(violated),
        coverage=counts,
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
        ]
    )


def batch_of(blocks: Sequence[FinishedBlock]) -> pa.RecordBatch:
    """Blocks as Arrow carries them."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    return pa.RecordBatch.from_pylist([_row(block) for block in blocks], schema=arrow_schema())


def blocks_of(batches: Iterable[pa.RecordBatch]) -> Iterator[FinishedBlock]:
    """The inverse of `batch_of`."""
    for batch in batches:
        for row in batch.to_pylist():
            yield _block(row)


def _struct(**fields: Any) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - as above

    return pa.struct(list(fields.items()))


def _row(block: FinishedBlock) -> dict[str, object]:
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
    }


def _block(row: dict[str, Any]) -> FinishedBlock:
    result = BlockResult(
        row["block"],
        row["histories"],
        row["digest"],
        {each["reading"]: _tally(each) for each in row["readings"]},
        tuple(_example(each) for each in row["failures"]),
    )
    return FinishedBlock(result, row["began"], row["micros"], row["worker"])


def _tally(row: dict[str, Any]) -> Tally:
    return Tally(
        Counter(dict(row["checked"])),
        Counter(dict(row["vacuous"])),
        Counter({(each["law"], each["kind"]): each["count"] for each in row["violated"]}),
        Counter(dict(row["coverage"])),
    )


def _example(row: dict[str, Any]) -> Example:
    evidence: Json = strict_json(row["evidence"])
    assert isinstance(evidence, dict)
    violation = Violation(law=row["law"], kind=row["kind"], detail=row["detail"], evidence=evidence)
    return Example(row["index"], row["reading"], violation)
