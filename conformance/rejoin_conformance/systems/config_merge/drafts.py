"""The vectors of config merge that are computed: `vectors/config-merge/*.txt` has all others.

They have an item of each size next to a power of two, a long plaintext, or many rows. `by_hand`
encodes the inputs. The outputs do not come from the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rejoin_conformance.contract.drafting import EDGES, in_hex, repeated
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.bt import blake2b, bt
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.by_hand.keys import KEY, stored_form
from rejoin_conformance.systems.config_merge.by_hand.messages import Message

PARSE: Final = "config-merge/parse"


def topics() -> tuple[Topic, ...]:
    """Return the computed vectors of each topic. The notes of the topics are in the text."""
    sizes = (*_sets(), *_dicts(), _integers(), _strings(), _plaintext())
    return Topic("parse", "", (_three_hundred_rows(),)), Topic("sizes", "", sizes)


def _sets() -> Iterator[Draft]:
    """Yield a diff of sets of each size, and its application."""
    even = _each_size(lambda count: ["l", repeated(count, "i<i>e", step=2), "e"])
    odd = _each_size(lambda count: ["l", repeated(count, "i<i>e", start=1, step=2), "e"])
    diff = _each_size(
        lambda count: [
            *("ll", repeated(count, "i<i>e", start=1, step=2)),
            *("el", repeated(count, "i<i>e", step=2), "ee"),
        ]
    )
    clauses = ("CM-DIFF-MAKE-SET", "CM-DIFF-APPLY-SET")
    return _made_and_applied("sets", "each element of sets", clauses, even, odd, diff)


def _dicts() -> Iterator[Draft]:
    """Yield a diff of dicts of each size, and its application."""
    old = _each_size(lambda count: ["d", repeated(count, "4:<i:4>i<i>e"), "e"])
    new = _each_size(lambda count: ["d", repeated(count, "4:<i:4>i<i+1>e"), "e"])
    diff = _each_size(lambda count: ["d", repeated(count, "4:<i:4>0:"), "e"])
    making = "CM-DIFF-MAKE-DICT CM-DIFF-MAKE-ASSIGN"
    applying = "CM-DIFF-APPLY-DICT CM-DIFF-APPLY-ASSIGN"
    return _made_and_applied("dicts", "each value of dicts", (making, applying), old, new, diff)


def _each_size(make: Callable[[int], list[Json]]) -> Json:
    """Return a dict with a value of each size. make: size -> the texts of the value."""
    values = [part for count in EDGES for part in (f"4:{count:04}", *make(count))]
    return in_hex("d", *values, "e")


def _made_and_applied(
    name: str, what: str, clauses: tuple[str, str], old: Json, new: Json, diff: Json
) -> Iterator[Draft]:
    """Yield the diff from old to new data, and its application to the old data."""
    changes = f"changes {what} of each size next to a power of two up to 4,096."
    yield Draft(
        operation="config-merge/diff",
        name=f"diff-of-{name}-of-each-size",
        summary=f"A diff {changes}",
        clauses=tuple(clauses[0].split()),
        input={"old": old, "new": new},
        output={"diff": diff},
        recipe=True,
    )
    yield Draft(
        operation="config-merge/apply-diff",
        name=f"{name}-of-each-size-changed",
        summary=f"A diff that is applied {changes}",
        clauses=tuple(clauses[1].split()),
        input={"data": old, "diff": diff, "source": new},
        output={"data": new},
        recipe=True,
    )


def _integers() -> Draft:
    """Return a message with the integers next to powers of two that fit in 64 bits."""
    powers = [sign * (1 << bits) for bits in range(64) for sign in (1, -1)]
    beside = {power + offset for power in powers for offset in (-1, 0, 1)}
    integers = sorted(each for each in beside if -(1 << 63) <= each < 1 << 63)
    return _message(
        "integers-of-each-length",
        "A message has an integer next to each power of two, positive and negative.",
        "CM-DATA-INT CM-DATA-SET-ORDER",
        ["1:sl", *(f"i{number}e" for number in integers), "e"],
    )


def _strings() -> Draft:
    """Return a message with keys "k...k" of each length, and strings as their values."""
    sizes = [*EDGES[:-1], 0, 1, 2]
    strings = [f"{size}:{'0123456789abcdef' * 256:.{size}}" for size in sizes]
    return _message(
        "strings-of-each-length",
        "A message has strings of each length next to a power of two up to 4,096, and keys of "
        "each length up to 128.",
        "CM-DATA-STRING-LENGTH CM-DATA-KEY-LENGTH CM-BT-STRING",
        [f"{length}:{'k' * length}{strings[length % len(strings)]}" for length in range(129)],
    )


def _message(name: str, summary: str, clauses: str, data: list[Json]) -> Draft:
    message = ["d1:#i7e1:&d", *data, "e1:<l", "e1:=d", "1:k1:-", "ee"]
    output: JsonObject = {
        "seqno": "7",
        "hash": blake2b("".join(map(str, message)).encode()).hex(),
        "data": in_hex("d", *data, "e"),
        "diff": in_hex("d", "1:k1:-", "e"),
        "lagged": [],
    }
    return Draft(
        operation=PARSE,
        name=name,
        summary=summary,
        clauses=tuple(clauses.split()),
        input={"message": in_hex(*message)},
        output=output,
        recipe=True,
    )


def _plaintext() -> Draft:
    plaintext = b"".join(b"%08d" % number for number in range(8193))
    return Draft(
        operation="config-merge/decrypt",
        name="plaintext-of-65544-bytes",
        summary="A plaintext of 65,544 bytes is decrypted.",
        clauses=("CM-ENCRYPT-CIPHER", "CM-ENCRYPT-FORM"),
        input={"ciphertext": stored_form(plaintext).hex(), "key": KEY.hex()},
        output={"plaintext": in_hex(repeated(8193, "<i:8>"))},
        readings=("document",),
        recipe=True,
    )


def _three_hundred_rows() -> Draft:
    """Return a message with 300 rows of 4 seqnos."""
    rows = [(seqno, bytes([place]) * 32) for seqno in range(4) for place in range(75)]
    message = Message(
        seqno=4, data={"k": 1, "s": [1]}, rows=[(*row, {}) for row in rows], diff={"k": ""}
    )
    return Draft(
        operation=PARSE,
        name="three-hundred-rows",
        summary="The number of rows has no limit.",
        clauses=("CM-MESSAGE-NO-SIZE-LIMIT", "CM-DIFFS-GAPS"),
        input={"message": message.hex},
        output={
            "seqno": "4",
            "hash": message.hash.hex(),
            "data": bt(message.data).hex(),
            "diff": bt(message.diff).hex(),
            "lagged": [
                {"seqno": str(seqno), "hash": digest.hex(), "diff": bt({}).hex()}
                for seqno, digest in rows
            ],
        },
    )
