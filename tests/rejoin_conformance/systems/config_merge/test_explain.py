"""A wrong output is explained in the protocol's terms: seqno, path, row, signature."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    SEED,
    SEED_2,
    seal,
    stored_form,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
)
from rejoin_conformance.systems.config_merge.explain import explain

HASH = b"\xab" * 32
DATA: Data = {"d": {"x": 1, "y": "v"}, "s": [1, 2, "a"]}
MESSAGE = Message(
    seqno=7, data=DATA, rows=((5, HASH, {"k": ""}), (6, HASH, {})), diff={"d": {"x": ""}}
)


def resolved(message: Message, *ignoring: tuple[int, str], merged: bool = False) -> JsonObject:
    """Return the output of `resolve`."""
    ignored: list[Json] = [{"index": index, "why": why} for index, why in ignoring]
    return {"message": message.hex, "merged": merged, "ignored": ignored}


def parsed(message: Message) -> JsonObject:
    """Return the output of `parse`."""
    parts: dict[str, Json] = {"seqno": str(message.seqno), "hash": message.hash.hex()}
    parts |= {"data": bt(message.data).hex(), "diff": bt(message.diff).hex()}
    rows: Any = message.rows
    return {
        **parts,
        "lagged": [
            {"seqno": str(seqno), "hash": digest.hex(), "diff": bt(diff).hex()}
            for seqno, digest, diff in rows
        ],
    }


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


def of_messages(observed: Message) -> str | None:
    """Return the explanation of a message instead of MESSAGE."""
    return told("update", {"message": MESSAGE.hex}, {"message": observed.hex})


def lines(where: str, expected: str, observed: str) -> str:
    """Return the three lines of an explanation."""
    return f"at {where}\n  expected  {expected}\n  observed  {observed}"


@pytest.mark.parametrize(
    ("observed", "where", "ours", "theirs"),
    [
        (evolve(MESSAGE, seqno=8), "message.seqno", "7", "8"),
        (
            evolve(MESSAGE, data={"d": {"x": 2, "y": "v"}, "s": [1, 2, "a"]}),
            "message.data.d.x",
            "1",
            "2",
        ),
        (
            evolve(MESSAGE, data={"d": {"x": 1}, "s": [1, 2, "a"]}),
            "message.data.d.y",
            '"v"',
            "(nothing)",
        ),
        (
            evolve(MESSAGE, data={**DATA, "n": {"x": 1}}),
            "message.data.n",
            "(nothing)",
            "{x: 1}",
        ),
        (
            evolve(MESSAGE, data={**DATA, "s": [2, 3]}),
            'message.data.s, observed lacks [1, "a"] and has [3] too many',
            '[1, 2, "a"]',
            "[2, 3]",
        ),
        (
            evolve(MESSAGE, data={**DATA, "s": {"x": 1}}),
            "message.data.s",
            '[1, 2, "a"]',
            "{x: 1}",
        ),
        (evolve(MESSAGE, diff={"d": {"x": "-"}}), "message.diff.d.x", '""', '"-"'),
        (evolve(MESSAGE, others={"u": 1}), "message.unknown key u", "(nothing)", "1"),
        (
            evolve(MESSAGE, rows=MESSAGE.rows[:1]),
            "message.rows[1], 2 rows expected, 1 observed",
            "(6, abababab...)",
            "(nothing)",
        ),
        (
            evolve(MESSAGE, rows=((4, HASH, {}), *MESSAGE.rows)),
            "message.rows[0], 2 rows expected, 3 observed",
            "(5, abababab...)",
            "(4, abababab...)",
        ),
        (
            evolve(MESSAGE, rows=((5, HASH, {"k": "-"}), MESSAGE.rows[1])),
            "message.rows.(5, abababab...).k",
            '""',
            '"-"',
        ),
    ],
)
def test_a_wrong_message_is_reported_by_its_part(
    observed: Message, where: str, ours: str, theirs: str
) -> None:
    assert of_messages(observed) == lines(where, ours, theirs)


def test_a_wrong_signature_is_reported_as_such() -> None:
    ours, theirs = evolve(MESSAGE, seed=SEED), evolve(MESSAGE, seed=SEED_2)
    text = told("sign", {"message": ours.hex}, {"message": theirs.hex})
    assert text is not None
    assert text.startswith("at message.signature\n")


def test_a_missing_signature_is_reported_as_missing() -> None:
    text = told("sign", {"message": evolve(MESSAGE, seed=SEED).hex}, {"message": MESSAGE.hex})
    assert text is not None
    assert text.startswith("at message.signature\n")
    assert text.endswith("observed  (nothing)")


def test_bytes_that_are_not_a_message_are_reported_with_the_fault() -> None:
    text = told("update", {"message": MESSAGE.hex}, {"message": MESSAGE.hex[:-2]})
    assert text is not None
    assert "the observed value is not valid bt-encoding: truncated at byte" in text


def test_another_value_than_a_dict_is_reported_whole() -> None:
    text = told("update", {"message": b"de".hex()}, {"message": b"li1ee".hex()})
    assert text == lines("message", "{}", "[1]")


def test_an_unprintable_key_is_escaped() -> None:
    ours, theirs = bt({b"\x1b[2J": 1}).hex(), bt({b"\x1b[2J": 2}).hex()
    assert told("diff", {"diff": ours}, {"diff": theirs}) == lines('diff."\\x1b[2J"', "1", "2")


@pytest.mark.parametrize(
    ("observed", "where", "ours", "theirs"),
    [
        (resolved(MESSAGE), "ignored, message 1 of the input", "stale", "survives"),
        (
            resolved(MESSAGE, (1, "included")),
            "ignored, message 1 of the input",
            "stale",
            "included",
        ),
        (
            resolved(MESSAGE, (0, "invalid"), (1, "stale")),
            "ignored, message 0 of the input",
            "survives",
            "invalid",
        ),
        (resolved(MESSAGE, (1, "stale"), merged=True), "merged", "False", "True"),
        (resolved(evolve(MESSAGE, seqno=8), (1, "stale")), "message.seqno", "7", "8"),
    ],
)
def test_a_wrong_resolution_is_reported_by_what_led_to_it(
    observed: JsonObject, where: str, ours: str, theirs: str
) -> None:
    expected = resolved(MESSAGE, (1, "stale"))
    assert told("resolve", expected, observed) == lines(where, ours, theirs)


@pytest.mark.parametrize(
    ("observed", "where", "ours", "theirs"),
    [
        (evolve(MESSAGE, seqno=8), "seqno", "7", "8"),
        (evolve(MESSAGE, data={**DATA, "s": [1, 2]}), None, None, None),
        (evolve(MESSAGE, diff={}), "diff.d", '{x: ""}', "(nothing)"),
        (
            evolve(MESSAGE, rows=MESSAGE.rows[1:]),
            "lagged[0], 2 rows expected, 1 observed",
            "(5, abababab...)",
            "(6, abababab...)",
        ),
    ],
)
def test_a_wrong_parse_is_reported_before_its_hash(
    observed: Message, where: str | None, ours: str | None, theirs: str | None
) -> None:
    text = told("parse", parsed(MESSAGE), parsed(observed))
    if where is None:
        assert text == lines('data.s, observed lacks ["a"]', '[1, 2, "a"]', "[1, 2]")
    else:
        assert text == lines(where, str(ours), str(theirs))


def test_a_wrong_hash_alone_is_reported() -> None:
    wrong = {**parsed(MESSAGE), "hash": "00" * 32}
    assert told("parse", parsed(MESSAGE), wrong) == lines("hash", MESSAGE.hash.hex(), "00" * 32)


def test_a_stored_form_is_reported_by_its_part() -> None:
    form = stored_form(b"hello")
    broken_tag = bytes([*form[:5], form[5] ^ 1, *form[6:]])
    other_nonce = seal(b"hello", bytes(32), bytes(24))
    for observed, part in (
        (other_nonce, "nonce"),
        (b"\x00" + form[1:], "encrypted bytes"),
        (broken_tag, "tag"),
        (form[1:], "length"),
    ):
        text = told("encrypt", {"ciphertext": form.hex()}, {"ciphertext": observed.hex()})
        assert text is not None
        assert text.startswith(f"at ciphertext.{part}\n")


def test_a_typed_tree_is_reported_by_its_path() -> None:
    expected: JsonObject = {"value": {"dict": [["61", {"list": [{"int": "1"}]}]]}}
    observed: JsonObject = {"value": {"dict": [["61", {"list": [{"int": "2"}]}]]}}
    assert told("decode", expected, observed) == lines(
        "value.a, observed lacks [1] and has [2] too many", "[1]", "[2]"
    )


def scenario(head: str, stored: list[Json], data: str = "6465") -> JsonObject:
    """The output of a scenario of one client and one step."""
    return {
        "steps": [{"heads": {"A": {"seqno": "1", "hash": head * 32}}, "stored": stored}],
        "heads": {"A": MESSAGE.hex},
        "data": {"A": data},
        "stored": [],
    }


def test_a_scenario_is_reported_by_its_first_wrong_step() -> None:
    expected = scenario("aa", ["11" * 32])
    assert told("scenario", expected, scenario("bb", ["11" * 32])) == lines(
        "step 0, head of A", "(1, aaaaaaaa...)", "(1, bbbbbbbb...)"
    )
    assert told("scenario", expected, scenario("aa", ["11" * 32, "22" * 32])) == lines(
        "step 0, stored messages, 1 stored expected, 2 observed", "(nothing)", "22222222..."
    )
    assert told("scenario", expected, scenario("aa", ["11" * 32], bt({"k": 1}).hex())) == lines(
        "data of A at the end.k", "(nothing)", "1"
    )


def test_what_json_says_well_enough_is_left_to_it() -> None:
    assert told("verify", {"valid": True}, {"valid": False}) is None
    assert told("decrypt", {"plaintext": "00"}, {"plaintext": "01"}) is None
