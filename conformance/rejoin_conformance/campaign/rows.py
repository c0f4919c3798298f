"""Block results as rows: one row a block and one row an example, as Arrow carries them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from rejoin_conformance.campaign.block import BlockResult, Example, Tally
from rejoin_conformance.json_types import Json, canonical_json, strict_json
from rejoin_conformance.laws import Violation

SCHEMA: Final = "block long, kind string, index long, payload string"
"""kind is `block` or `example`; the payload is canonical JSON."""

Row = tuple[int, str, int, str]


def rows_of(result: BlockResult) -> Iterator[Row]:
    """The rows of one block: its examples first, the block's own row last."""
    for example in result.examples:
        violation = example.violation
        payload: dict[str, Json] = {
            "reading": example.reading,
            "law": violation.law,
            "kind": violation.kind,
            "detail": violation.detail,
            "evidence": violation.evidence,
        }
        yield result.block, "example", example.index, canonical_json(payload)
    tallies: dict[str, Json] = {
        reading: {
            "checked": dict(tally.checked),
            "vacuous": dict(tally.vacuous),
            "violated": [[law, kind, count] for (law, kind), count in tally.violated.items()],
            "coverage": dict(tally.coverage),
        }
        for reading, tally in result.tallies.items()
    }
    block: dict[str, Json] = {
        "histories": result.histories,
        "digest": result.digest,
        "tallies": tallies,
    }
    yield result.block, "block", -1, canonical_json(block)


def results_of(rows: Iterable[Row]) -> Iterator[BlockResult]:
    """The inverse of `rows_of` for rows of many blocks, in any order."""
    examples: dict[int, list[Example]] = {}
    blocks: dict[int, Any] = {}
    for block, kind, index, payload in rows:
        value: Any = strict_json(payload)
        if kind == "block":
            blocks[block] = value
        else:
            violation = Violation(
                law=value["law"],
                kind=value["kind"],
                detail=value["detail"],
                evidence=value["evidence"],
            )
            examples.setdefault(block, []).append(Example(index, value["reading"], violation))
    for block, value in sorted(blocks.items()):
        tallies = {reading: _tally(counts) for reading, counts in value["tallies"].items()}
        yield BlockResult(
            block,
            value["histories"],
            value["digest"],
            tallies,
            tuple(examples.get(block, ())),
        )


def _tally(counts: Any) -> Tally:
    return Tally(
        Counter(counts["checked"]),
        Counter(counts["vacuous"]),
        Counter({(law, kind): count for law, kind, count in counts["violated"]}),
        Counter(counts["coverage"]),
    )
