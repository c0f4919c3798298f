"""Topic `classify-version-map`: Zooko's design without a grid, and its example."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.json_types import JsonObject
from rejoin_conformance.vectors import Draft, Scenario, Topic

OPERATION: Final = "conflict-detection/classify-version-map"
BOTH: Final = ("repaired", "literal")
LARGEST: Final = 2**53 - 1


def _map(numbers: dict[str, int]) -> JsonObject:
    return {**numbers}


def _input(local: dict[str, int] | None, remote: dict[str, int]) -> JsonObject:
    return {"local": None if local is None else _map(local), "remote": _map(remote)}


def _draft(
    name: str,
    summary: str,
    local: dict[str, int] | None,
    remote: dict[str, int],
    repaired: str,
    literal: str,
    *clauses: str,
    step: str = "",
) -> Draft:
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=("CD-MAP-CLASSIFY", *clauses),
        input=_input(local, remote),
        output={"classification": repaired},
        output_by_reading={"literal": {"classification": literal}},
        readings_differ=repaired != literal,
        scenario=Scenario("three-clients", step) if step else None,
    )


def _refused(name: str, summary: str, clause: str, wrong: JsonObject, mended: JsonObject) -> Draft:
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=(clause,),
        input=wrong,
        mended=mended,
        rejected_by=BOTH,
    )


def topic() -> Topic:
    """The vectors of `classify-version-map`."""
    return Topic(
        "classify-version-map",
        "What a version is to a client, from the two version maps alone. The vectors of the "
        "scenario `three-clients` are the document's example, carried to its end.",
        (*_three_clients(), *_relations(), *_missing_entries(), *_refusals()),
    )


def _three_clients() -> tuple[Draft, ...]:
    agreed = {"A": 10, "B": 20, "C": 30}
    of_a = {"A": 11, "B": 20, "C": 30}
    of_b = {"A": 10, "B": 21, "C": 30}
    resolution = {"A": 11, "B": 21, "C": 31}
    example = ("CD-THREE-CLIENTS", "CD-MAP-FOLLOWS")
    return (
        _draft(
            "example-a-alone",
            "C sees A's update first",
            agreed,
            of_a,
            "overwrite",
            "conflict",
            *example,
            step="1",
        ),
        _draft(
            "example-b-alone",
            "C sees B's update first",
            agreed,
            of_b,
            "overwrite",
            "conflict",
            *example,
            step="2",
        ),
        _draft(
            "example-b-after-a",
            "C has A's update and sees B's",
            of_a,
            of_b,
            "conflict",
            "conflict",
            *example,
            step="3",
        ),
        _draft(
            "example-a-after-b",
            "C has B's update and sees A's",
            of_b,
            of_a,
            "conflict",
            "conflict",
            *example,
            step="4",
        ),
        _draft(
            "example-resolution-for-a",
            "A sees C's resolution",
            of_a,
            resolution,
            "overwrite",
            "conflict",
            *example,
            step="5",
        ),
        _draft(
            "example-resolution-for-b",
            "B sees C's resolution",
            of_b,
            resolution,
            "overwrite",
            "conflict",
            *example,
            step="6",
        ),
    )


def _relations() -> tuple[Draft, ...]:
    return (
        _draft(
            "no-version-of-ours",
            "The first version that we see",
            None,
            {"A": 1},
            "overwrite",
            "overwrite",
            "CD-CLASSIFY-FIRST",
        ),
        _draft(
            "every-entry-larger",
            "The only overwrite on which the readings agree",
            {"A": 1, "B": 1},
            {"A": 2, "B": 2},
            "overwrite",
            "overwrite",
            "CD-MAP-FOLLOWS",
        ),
        _draft(
            "one-client-writes-alone",
            "A client that only ever reads",
            {"A": 4},
            {"A": 9},
            "overwrite",
            "overwrite",
            "CD-MAP-FOLLOWS",
        ),
        _draft(
            "one-entry-larger",
            "One of two has gone on",
            {"A": 1, "B": 1},
            {"A": 2, "B": 1},
            "overwrite",
            "conflict",
            "CD-MAP-FOLLOWS",
        ),
        _draft(
            "one-larger-one-smaller",
            "Both have gone on",
            {"A": 2, "B": 1},
            {"A": 1, "B": 2},
            "conflict",
            "conflict",
            "CD-MAP-FOLLOWS",
        ),
        _draft(
            "two-larger-one-smaller",
            "A majority of larger entries is not enough",
            {"A": 1, "B": 1, "C": 2},
            {"A": 9, "B": 9, "C": 1},
            "conflict",
            "conflict",
            "CD-MAP-FOLLOWS",
        ),
        _draft(
            "same",
            "The map that we have",
            {"A": 3, "B": 1},
            {"A": 3, "B": 1},
            "same",
            "same",
            "CD-MAP-SAME",
            "CD-CLASSIFY-SAME",
        ),
        _draft(
            "one-entry-smaller",
            "A client that lags",
            {"A": 2, "B": 1},
            {"A": 1, "B": 1},
            "stale",
            "conflict",
            "CD-CLASSIFY-STALE",
        ),
        _draft(
            "every-entry-smaller",
            "A client that lags behind everyone",
            {"A": 2, "B": 2},
            {"A": 1, "B": 1},
            "stale",
            "conflict",
            "CD-CLASSIFY-STALE",
        ),
        _draft(
            "three-parties",
            "B wrote after A's second upload, which C never saw",
            {"A": 1},
            {"A": 2, "B": 1},
            "overwrite",
            "overwrite",
            "CD-MAP-FOLLOWS",
            "CD-CLASSIFY-OVERWRITE",
        ),
        _draft(
            "largest-numbers",
            "The largest version numbers there are",
            {"A": LARGEST - 1, "B": LARGEST},
            {"A": LARGEST, "B": LARGEST},
            "overwrite",
            "conflict",
            "CD-MAP-NUMBERS",
        ),
        _draft(
            "disjoint",
            "Two clients that wrote without knowing of each other",
            {"A": 1},
            {"B": 1},
            "conflict",
            "conflict",
            "CD-MAP-MISSING-ENTRY",
        ),
    )


def _missing_entries() -> tuple[Draft, ...]:
    missing = "CD-MAP-MISSING-ENTRY"
    return (
        _draft(
            "entry-missing-in-ours",
            "A client that we never heard of wrote",
            {"A": 1},
            {"A": 1, "B": 1},
            "overwrite",
            "conflict",
            missing,
        ),
        _draft(
            "zero-missing-in-theirs",
            "Our entry of zero, and they have none",
            {"A": 1, "B": 0},
            {"A": 2},
            "overwrite",
            "conflict",
            missing,
        ),
        _draft(
            "zeros-are-no-difference",
            "Equal but for entries of zero",
            {"A": 1, "B": 0},
            {"A": 1, "C": 0},
            "same",
            "same",
            missing,
            "CD-MAP-SAME",
        ),
        _draft(
            "own-entry-of-zero",
            "A client that never wrote, with its entry of zero",
            {"B": 0},
            {"A": 1},
            "overwrite",
            "conflict",
            missing,
        ),
        _draft(
            "empty-against-empty", "Two maps without entries", {}, {}, "same", "same", "CD-MAP-SAME"
        ),
        _draft(
            "empty-local",
            "An empty local map is followed by every other one",
            {},
            {"A": 1},
            "overwrite",
            "overwrite",
            missing,
        ),
        _draft(
            "empty-remote",
            "An empty map follows nothing",
            {"A": 1},
            {},
            "stale",
            "conflict",
            missing,
        ),
        _draft(
            "larger-than-a-missing-zero",
            "Entry of zero against a larger one",
            {"A": 1, "B": 0},
            {"A": 2, "B": 1},
            "overwrite",
            "overwrite",
            missing,
        ),
    )


def _refusals() -> tuple[Draft, ...]:
    good = _input({"A": 1}, {"A": 2})
    return (
        _refused(
            "negative-in-local",
            "A version number below zero on our side",
            "CD-MAP-NUMBERS",
            _input({"A": -1}, {"A": 2}),
            good,
        ),
        _refused(
            "negative-in-remote",
            "A version number below zero on their side",
            "CD-MAP-NUMBERS",
            _input({"A": 1}, {"A": 2, "B": -1}),
            good,
        ),
        _refused(
            "number-too-large",
            "2^53, the first number that is too large",
            "CD-MAP-NUMBERS",
            _input({"A": 1}, {"A": LARGEST + 1}),
            _input({"A": 1}, {"A": LARGEST}),
        ),
        _refused(
            "nickname-empty",
            "An entry for nobody",
            "CD-NICKNAME",
            _input({"A": 1}, {"A": 2, "": 1}),
            good,
        ),
        _refused(
            "nickname-with-comma",
            "A nickname that would be two",
            "CD-NICKNAME",
            _input({"A": 1}, {"A": 2, "B,C": 1}),
            good,
        ),
    )
