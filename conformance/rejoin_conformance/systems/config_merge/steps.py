"""The steps of a resolution as JSON."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin.config_merge import encode_data, encode_diff
from rejoin_conformance.contract.step import step_json, step_schema, steps_schema
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import integer, list_of, one_of_texts, record
from rejoin_conformance.systems.config_merge.operations.fields import BYTES, HASH, SEQNO

_RANK: Final = record({"seqno": SEQNO, "hash": HASH})

STEPS: Final = steps_schema(
    step_schema(
        "ignore",
        "CM-IGNORE-INVALID CM-IGNORE-DUPLICATE CM-IGNORE-STALE CM-IGNORE-INCLUDED",
        index=(integer(0), "The index of the ignored message in the input, from 0."),
        why=(one_of_texts("invalid", "duplicate", "stale", "included"), "The reason."),
    ),
    step_schema(
        "survivors",
        "CM-RESOLVE-ORDER",
        messages=(list_of(_RANK), "The messages that are not ignored, in ascending order of rank."),
    ),
    step_schema(
        "result",
        "CM-RESOLVE-SINGLE CM-SIGN-CANNOT-MERGE",
        seqno=(SEQNO, "The seqno of the survivor that is the result."),
        hash=(HASH, "The hash of the survivor that is the result."),
    ),
    step_schema("seqno", "CM-RESOLVE-SEQNO", seqno=(SEQNO, "The seqno of the merge.")),
    step_schema(
        "base",
        "CM-RESOLVE-BASE",
        seqno=(SEQNO, "The seqno of the survivor with which the merge starts."),
        hash=(HASH, "The hash of the survivor with which the merge starts."),
        data=(BYTES, "The data of this survivor, bt-encoded."),
    ),
    step_schema(
        "replay",
        "CM-RESOLVE-REPLAY-OWN CM-RESOLVE-REPLAY-LAGGED",
        seqno=(SEQNO, "The seqno of the entry of the replay set."),
        hash=(HASH, "The hash of the entry of the replay set."),
        diff=(BYTES, "The diff of the entry, bt-encoded."),
        source=(HASH, "The hash of the message that supplies the values."),
        data=(BYTES, "The data after the entry, bt-encoded."),
    ),
    step_schema(
        "prune",
        "CM-RESOLVE-PRUNE",
        data=(BYTES, "The data without empty sets and dicts, bt-encoded."),
    ),
    step_schema(
        "keep",
        "CM-RESOLVE-LAGGED",
        rows=(list_of(_RANK), "The entries that become lagged diffs of the merge, in order."),
    ),
    step_schema("message", "CM-RESOLVE-DIFF-EMPTY", message=(BYTES, "The merge, bt-encoded.")),
)
"""The schema of the steps of a resolution."""


def json_of(step: cm.ResolveStep) -> JsonObject:
    """Return a step as JSON."""
    clause = step.clause
    match step:
        case cm.IgnoreStep(index=index, why=why):
            return step_json("ignore", clause, index=index, why=why)
        case cm.SurvivorsStep(messages=messages):
            return step_json("survivors", clause, messages=[_rank(each.rank) for each in messages])
        case cm.ResultStep(rank=rank):
            return step_json("result", clause, **_rank(rank))
        case cm.SeqnoStep(seqno=seqno):
            return step_json("seqno", clause, seqno=str(seqno))
        case cm.BaseStep(rank=rank, data=data):
            return step_json("base", clause, **_rank(rank), data=encode_data(data).hex())
        case cm.ReplayStep():
            return step_json(
                "replay",
                clause,
                **_rank(step.rank),
                diff=encode_diff(step.diff).hex(),
                source=step.source[1].hex(),
                data=encode_data(step.data).hex(),
            )
        case cm.PruneStep(data=data):
            return step_json("prune", clause, data=encode_data(data).hex())
        case cm.KeepStep(rows=rows):
            return step_json("keep", clause, rows=[_rank(row.rank) for row in rows])
        case cm.MessageStep(encoded=encoded):
            return step_json("message", clause, message=encoded.hex())


def _rank(rank: cm.Rank) -> JsonObject:
    return {"seqno": str(rank[0]), "hash": rank[1].hex()}
