"""Updates of a single message."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import updating
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import (
    BASE,
    LEFT,
    MERGE,
    RIGHT,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    rows_of,
)
from rejoin_conformance.systems.config_merge.drafts.update.updating import updated

ON_BASE: tuple[tuple[str, str, Data, Data, str], ...] = (
    ("scalar-changed", "CM-UPDATE-DIFF CM-UPDATE-DATA", {"k": 2}, {"k": ""}, "A value changes"),
    (
        "scalar-added-and-removed",
        "CM-UPDATE-DIFF CM-UPDATE-DATA",
        {"n": "v"},
        {"k": "-", "n": ""},
        "A value comes, another goes",
    ),
    (
        "set-and-dict-added",
        "CM-UPDATE-DIFF CM-UPDATE-DATA",
        {"d": {"x": 1}, "k": 1, "s": [1, "a"]},
        {"d": {"x": ""}, "s": [[1, "a"], []]},
        "A set and a dict come",
    ),
    ("all-removed", "CM-UPDATE-DIFF CM-UPDATE-DATA", {}, {"k": "-"}, "The last value goes"),
    (
        "kind-changed",
        "CM-UPDATE-DIFF CM-DIFF-MAKE-TYPE-CHANGE",
        {"k": {"x": 1}},
        {"k": {"x": ""}},
        "A value changes its kind",
    ),
    (
        "no-change",
        "CM-UPDATE-NO-CHANGE",
        {"k": 1},
        {},
        "An update without a change makes a message all the same",
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Rows, diff, unknown keys, and what is ignored first."""
    return (*_ordinary(), *_unknown_keys(), *_ignoring())


def _ordinary() -> tuple[Draft, ...]:
    chain = [BASE]
    for value in range(2, 9):
        chain.append(chain[-1].followed_by({"k": value}, {"k": ""}))
    expired = evolve(
        BASE, rows=((3, b"\x33" * 32, {}), (5, b"\x55" * 32, {}), (6, b"\x66" * 32, {}))
    )
    return (
        *(
            updated(
                name,
                summary,
                f"CM-UPDATE-SEQNO CM-UPDATE-LAGGED {clauses}",
                updating([BASE], data),
                Message(seqno=11, data=data, rows=(BASE.row,), diff=diff),
            )
            for name, clauses, data, diff, summary in ON_BASE
        ),
        updated(
            "equal-value-is-no-change",
            "A value that is assigned again is not in the diff",
            "CM-UPDATE-DIFF CM-DIFF-MAKE-EQUAL",
            updating([BASE], {"k": 1, "n": 1}),
            Message(seqno=11, data={"k": 1, "n": 1}, rows=(BASE.row,), diff={"n": ""}),
        ),
        updated(
            "rows-carried-on",
            "The rows of the predecessor come first, then its own",
            "CM-UPDATE-LAGGED CM-UPDATE-SEQNO",
            updating([chain[2]], {"k": 9}),
            Message(seqno=13, data={"k": 9}, rows=rows_of(*chain[:3]), diff={"k": ""}),
        ),
        updated(
            "oldest-row-left-out",
            "Seqno 17 with N 5 carries 13 to 16, and no longer 12",
            "CM-UPDATE-WINDOW CM-UPDATE-LAGGED",
            updating([chain[6]], {"k": 9}),
            Message(seqno=17, data={"k": 9}, rows=rows_of(*chain[3:7]), diff={"k": ""}),
        ),
        updated(
            "expired-rows-not-carried-on",
            "Rows that were expired in the predecessor, or are now, are left out",
            "CM-UPDATE-WINDOW CM-DIFFS-EXPIRED",
            updating([expired], {"k": 2}),
            Message(seqno=11, data={"k": 2}, rows=(expired.row,), diff={"k": ""}),
        ),
        updated(
            "rows-of-one-seqno-carried-on",
            "Rows of one seqno stay in the order of their hashes",
            "CM-UPDATE-LAGGED",
            updating([MERGE], {"k": 1}),
            Message(
                seqno=13,
                data={"k": 1},
                rows=rows_of(BASE, LEFT, RIGHT, MERGE),
                diff={"a": "-", "b": "-"},
            ),
        ),
        updated(
            "window-of-one",
            "With a window of 1 an update carries no row, not even of its predecessor",
            "CM-UPDATE-WINDOW",
            updating([LEFT], {"k": 2}, window=1),
            Message(seqno=12, data={"k": 2}, diff={"a": "-", "k": ""}),
        ),
    )


def _unknown_keys() -> tuple[Draft, ...]:
    others: dict[str, Tree] = {"$": [], "+": {"x": [3, 1]}, "<<": 5, "a": "s" * 300, "}": {}}
    before = evolve(BASE, others=others)
    return (
        updated(
            "unknown-keys-kept",
            "Unknown keys and their values are carried on, each in its place",
            "CM-OUTER-UNKNOWN-UPDATE CM-OUTER-SERIALISE",
            updating([before], {"k": 2}),
            before.followed_by({"k": 2}, {"k": ""}),
        ),
        updated(
            "data-not-understood-kept",
            "Data that the new data repeat are not in the diff, whatever they mean",
            "CM-CLIENT-COPY-UNKNOWN CM-UPDATE-DIFF",
            updating([evolve(BASE, data={b"\xff": [0], "k": 1})], {b"\xff": [0], "k": 2}),
            evolve(BASE, data={b"\xff": [0], "k": 1}).followed_by(
                {b"\xff": [0], "k": 2}, {"k": ""}
            ),
        ),
    )


def _ignoring() -> tuple[Draft, ...]:
    after_left = LEFT.followed_by({"a": 2, "k": 1}, {"a": ""})
    stale = Message(seqno=5, data={"z": 1}, diff={"z": ""})
    cases: tuple[tuple[str, list[Message | bytes], str], ...] = (
        ("ignores-included", [BASE, LEFT], "An included message plays no part"),
        ("ignores-duplicate", [LEFT, LEFT], "A duplicate plays no part"),
        ("ignores-stale", [stale, LEFT], "A stale message plays no part"),
        ("ignores-invalid", [b"d1:#i99e", LEFT], "An invalid message plays no part"),
    )
    return tuple(
        updated(
            name,
            summary,
            "CM-UPDATE-IGNORES",
            updating(messages, {"a": 2, "k": 1}),
            after_left,
        )
        for name, messages, summary in cases
    )
