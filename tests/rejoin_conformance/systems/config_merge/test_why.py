"""A wrong output is explained by the first place that differs, with messages and data decoded."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.kit.bt import bt
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.pictures import explain

HASH = b"\xab" * 32
MESSAGE = Message(
    seqno=7,
    data={"d": {"x": 1, "y": "v"}, "s": [1, 2, "a"]},
    rows=((5, HASH, {"k": ""}), (6, HASH, {})),
    diff={"d": {"x": ""}},
)
TOLD = (
    (evolve(MESSAGE, seqno=8), "$.message.seqno", "7", "8"),
    (evolve(MESSAGE, data={"d": {"x": 1}}), "$.message.data.d.y", '"v"', "(nothing)"),
    (evolve(MESSAGE, diff={"d": {"x": "-"}}), "$.message.diff.d.x", '""', '"-"'),
    (evolve(MESSAGE, others={"u": 1}), '$.message["unknown key u"]', "(nothing)", "1"),
    (
        evolve(MESSAGE, rows=MESSAGE.rows[:1]),
        "$.message.rows[1], expected 2 items, observed 1",
        f'[6,"0x{HASH.hex()}",{{}}]',
        "(nothing)",
    ),
    (evolve(MESSAGE, rows=((4, HASH, {}), *MESSAGE.rows)), "$.message.rows[0][0]", "5", "4"),
)


def told(operation: str, expected: JsonObject, observed: JsonObject) -> str | None:
    """Return the explanation of two outputs."""
    return explain(
        Asked(
            operation=f"config-merge/{operation}",
            reading="document",
            input={},
            expected={"output": expected},
            observed={"output": observed},
        )
    )


def resolved(message: Message, why: str = "stale", *, merged: bool = False) -> JsonObject:
    """Return the output of a resolve that ignored the second message."""
    return {"message": message.hex, "merged": merged, "ignored": [{"index": 1, "why": why}]}


def lines(where: str, expected: str, observed: str) -> str:
    """Return the three lines of an explanation."""
    return f"at {where}\n  expected  {expected}\n  observed  {observed}"


def test_a_wrong_message_is_explained_by_its_part() -> None:
    for observed, where, ours, theirs in TOLD:
        text = told("update", {"message": MESSAGE.hex}, {"message": observed.hex})
        assert text == lines(where, ours, theirs)


def test_a_resolution_is_explained_by_what_led_to_it() -> None:
    for observed, where, ours, theirs in (
        (resolved(MESSAGE, "included"), "$.ignored[0].why", '"stale"', '"included"'),
        (resolved(MESSAGE, merged=True), "$.merged", "false", "true"),
        (resolved(evolve(MESSAGE, seqno=8)), "$.message.seqno", "7", "8"),
    ):
        assert told("resolve", resolved(MESSAGE), observed) == lines(where, ours, theirs)


def test_a_parsed_row_and_the_data_of_a_client_are_decoded() -> None:
    encoded = [bt({"k": n}).hex() for n in (1, 2)]
    rows: list[JsonObject] = [{"lagged": [{"seqno": "5", "diff": each}]} for each in encoded]
    assert told("parse", *rows) == lines("$.lagged[0].diff.k", "1", "2")
    data: list[JsonObject] = [{"data": {"A": each}} for each in encoded]
    assert told("scenario", *data) == lines("$.data.A.k", "1", "2")
