"""Data and diffs of many elements, keys and dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import EDGES, in_hex, repeated
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.texts import digest_of, message_of

DIFF: Final = "config-merge/diff"
APPLY: Final = "config-merge/apply-diff"
PARSE: Final = "config-merge/parse"

MAKE_SET: Final = "CM-DIFF-MAKE-SET"
MAKE_DICT: Final = "CM-DIFF-MAKE-DICT CM-DIFF-MAKE-ASSIGN"
APPLY_SET: Final = "CM-DIFF-APPLY-SET"
APPLY_DICT: Final = "CM-DIFF-APPLY-DICT CM-DIFF-APPLY-ASSIGN"


def drafts() -> tuple[Draft, ...]:
    """Return diffs that are made and applied, and messages that are parsed."""
    return (*_of_each_size(), *_of_many(), *_dicts_of_dicts(), *_parsed())


def _of_each_size() -> tuple[Draft, ...]:
    """Return diffs that replace each element of sets, and each value of dicts, of each size."""

    def sized(make: Callable[[int], list[Json]]) -> list[Json]:
        return [part for count in EDGES for part in (f"4:{count:04}", *make(count))]

    return (
        *_made_and_applied(
            "sets-of-each-size",
            "each element of sets of each size next to a power of two up to 4,096",
            (MAKE_SET, APPLY_SET),
            sized(lambda count: ["l", repeated(count, "i<i>e", step=2), "e"]),
            sized(lambda count: ["l", repeated(count, "i<i>e", start=1, step=2), "e"]),
            sized(
                lambda count: [
                    "ll",
                    repeated(count, "i<i>e", start=1, step=2),
                    "el",
                    repeated(count, "i<i>e", step=2),
                    "ee",
                ]
            ),
        ),
        *_made_and_applied(
            "dicts-of-each-size",
            "each value of dicts of each size next to a power of two up to 4,096",
            (MAKE_DICT, APPLY_DICT),
            sized(lambda count: ["d", repeated(count, "4:<i:4>i<i>e"), "e"]),
            sized(lambda count: ["d", repeated(count, "4:<i:4>i<i+1>e"), "e"]),
            sized(lambda count: ["d", repeated(count, "4:<i:4>0:"), "e"]),
        ),
    )


def _of_many() -> tuple[Draft, ...]:
    """Return diffs of a set and a dict in groups: kept, inserted, deleted, changed."""
    return (
        *_made_and_applied(
            "set-of-32770-elements",
            "every second of 32,770 elements",
            (MAKE_SET, APPLY_SET),
            ["1:sl", repeated(16_385, "i<i>ei<i+1>e", step=3), "e"],
            ["1:sl", repeated(16_385, "i<i>ei<i+2>e", step=3), "e"],
            [
                "1:sll",
                repeated(16_385, "i<i+2>e", step=3),
                "el",
                repeated(16_385, "i<i+1>e", step=3),
                "ee",
            ],
        ),
        *_made_and_applied(
            "dict-of-16386-keys",
            "two thirds of 16,386 keys, and inserts a third",
            (f"{MAKE_DICT} CM-DIFF-MAKE-REMOVE", f"{APPLY_DICT} CM-DIFF-APPLY-REMOVE"),
            ["1:dd", repeated(5_462, "5:<i:5>i<i>e5:<i+1:5>i1e5:<i+2:5>i2e", step=4), "e"],
            ["1:dd", repeated(5_462, "5:<i:5>i<i>e5:<i+2:5>i<i>e5:<i+3:5>i3e", step=4), "e"],
            ["1:dd", repeated(5_462, "5:<i+1:5>1:-5:<i+2:5>0:5:<i+3:5>0:", step=4), "e"],
        ),
    )


def _dicts_of_dicts() -> tuple[Draft, ...]:
    return _made_and_applied(
        "1025-dicts-in-a-dict",
        "a value and an element in each of 1,025 dicts",
        (f"{MAKE_DICT} {MAKE_SET}", f"{APPLY_DICT} {APPLY_SET}"),
        ["1:dd", repeated(1025, "4:<i:4>d1:ai1e1:sli<i>eee"), "e"],
        ["1:dd", repeated(1025, "4:<i:4>d1:ai2e1:sli<i>ei9999eee"), "e"],
        ["1:dd", repeated(1025, "4:<i:4>d1:a0:1:slli9999eeleee"), "e"],
    )


def _made_and_applied(
    name: str,
    what: str,
    clauses: tuple[str, str],
    old: list[Json],
    new: list[Json],
    diff: list[Json],
) -> tuple[Draft, Draft]:
    """Return the diff from old to new data, and its application to the old data."""
    before, after, changes = (in_hex("d", *each, "e") for each in (old, new, diff))
    making, applying = clauses
    return (
        accepted(
            DIFF,
            f"diff-of-{name}",
            f"A diff changes {what}.",
            making,
            given={"old": before, "new": after},
            output={"diff": changes},
            recipe=True,
        ),
        accepted(
            APPLY,
            f"{name}-changed",
            f"A diff that is applied changes {what}.",
            applying,
            given={"data": before, "diff": changes, "source": after},
            output={"data": after},
            recipe=True,
        ),
    )


def _parsed() -> tuple[Draft, ...]:
    """Return messages with many elements, keys, dicts, unknown keys and rows."""
    return (
        _message(
            "set-of-65537-integers",
            "A message may have a set of 65,537 integers.",
            "CM-MESSAGE-NO-SIZE-LIMIT CM-DATA-SET-ORDER",
            ["1:sl", repeated(65_537, "i<i>e"), "e"],
        ),
        _message(
            "set-of-4097-strings",
            "A message may have a set of 4,097 strings and 4,097 integers.",
            "CM-MESSAGE-NO-SIZE-LIMIT CM-DATA-SET-ORDER",
            ["1:sl", repeated(4097, "i<i>e"), repeated(4097, "4:<i:4>"), "e"],
        ),
        _message(
            "dict-of-16385-keys",
            "A message may have a dict of 16,385 keys.",
            "CM-MESSAGE-NO-SIZE-LIMIT CM-BT-DICT-ORDER",
            [repeated(16_385, "5:<i:5>i<i>e")],
        ),
        _message(
            "integers-of-each-length",
            "A message has an integer next to each power of two, positive and negative.",
            "CM-DATA-INT CM-DATA-SET-ORDER",
            ["1:sl", *(f"i{number}e" for number in _integers()), "e"],
        ),
        _message(
            "strings-of-each-length",
            "A message has strings of each length next to a power of two up to 4,096, and keys of "
            "each length up to 128.",
            "CM-DATA-STRING-LENGTH CM-DATA-KEY-LENGTH CM-BT-STRING",
            _lengths(),
        ),
    )


def _integers() -> list[int]:
    """Return the integers next to powers of two that fit in 64 bits, in order."""
    powers = {
        sign * (1 << bits) + beside
        for bits in range(64)
        for sign in (1, -1)
        for beside in (-1, 0, 1)
    }
    return sorted(number for number in powers if -(1 << 63) <= number < 1 << 63)


def _lengths() -> list[Json]:
    """Return the keys "k...k" of each length, with strings as values, in order."""
    sizes = [*EDGES[:-1], 0, 1, 2]
    strings = [f"{size}:{'0123456789abcdef' * 256:.{size}}" for size in sizes]
    return [f"{length}:{'k' * length}{strings[length % len(strings)]}" for length in range(129)]


def _message(name: str, summary: str, clauses: str, data: list[Json]) -> Draft:
    diff: list[Json] = ["1:k1:-"]
    message = message_of("7", data, diff=diff)
    output: JsonObject = {
        "seqno": "7",
        "hash": digest_of(message),
        "data": in_hex("d", *data, "e"),
        "diff": in_hex("d", *diff, "e"),
        "lagged": [],
    }
    return accepted(
        PARSE,
        name,
        summary,
        clauses,
        given={"message": in_hex(*message)},
        output=output,
        recipe=True,
    )
