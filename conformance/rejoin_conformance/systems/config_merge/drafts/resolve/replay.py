"""The replay set: its base, entries, order and sources."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import (
    BASE,
    above,
    below,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    first_with,
    merge_of,
    within,
)
from rejoin_conformance.systems.config_merge.drafts.resolve.resolving import merged


def drafts() -> tuple[Draft, ...]:
    """Order, base, own diffs, rows, sources."""
    return (*_order(), *_base(), *_own(), *_rows(), *_sources())


def _order() -> tuple[Draft, ...]:
    one = BASE.followed_by({"k": 2}, {"k": ""})
    other = above(one, lambda n: BASE.followed_by({"k": 100 + n}, {"k": ""}))
    more_bytes_less_hash = first_with(
        lambda n: BASE.followed_by({"k": 200 + n}, {"k": ""}),
        lambda message: message.encoded > one.encoded and message.hash < one.hash,
    )
    late = BASE.followed_by({"k": 1}, {}).followed_by({"k": 3}, {"k": ""})
    early = first_with(
        lambda n: BASE.followed_by({"k": 300 + n}, {"k": ""}),
        lambda message: message.hash > late.hash,
    )
    low = first_with(
        lambda n: BASE.followed_by({"k": 400 + n}, {"k": ""}),
        lambda message: message.hash < b"\x80",
    )
    high = first_with(
        lambda n: BASE.followed_by({"k": 500 + n}, {"k": ""}),
        lambda message: message.hash > b"\x80",
    )
    return (
        merged(
            "same-scalar-two-values",
            "Of two values of one seqno the one of the higher hash stands",
            "CM-RESOLVE-LATER-WINS CM-RESOLVE-ORDER CM-MESSAGE-RANK",
            [other, one],
            merge_of(one, other, data=other.data),
        ),
        merged(
            "tie-broken-by-hash-not-bytes",
            "The message whose bytes sort last has the lower hash, and loses",
            "CM-MESSAGE-RANK CM-RESOLVE-ORDER CM-RESOLVE-BASE",
            [one, more_bytes_less_hash],
            merge_of(one, more_bytes_less_hash, data=one.data),
        ),
        merged(
            "tie-broken-by-unsigned-bytes",
            "A hash that begins with 80 or more is above one that begins with 7f or less",
            "CM-MESSAGE-RANK CM-RESOLVE-ORDER",
            [high, low],
            merge_of(low, high, data=high.data),
        ),
        merged(
            "seqno-before-hash",
            "A message of seqno 12 outranks one of seqno 11 that has a higher hash",
            "CM-MESSAGE-RANK CM-RESOLVE-ORDER CM-RESOLVE-LATER-WINS",
            [early, late],
            merge_of(early, late, data=late.data),
        ),
    )


def _base() -> tuple[Draft, ...]:
    high = Message(seqno=12, data={"h": 1, "old": 1}, diff={"h": ""})
    low = Message(seqno=11, data={"l": 1, "lost": 1}, diff={"l": ""})
    lowest = Message(seqno=10, data={"m": 1, "lost too": 1}, diff={"m": ""})
    return (
        merged(
            "base-is-the-highest",
            "What no diff mentions comes from the highest-ranked message, and from no other",
            "CM-RESOLVE-BASE CM-RESOLVE-REPLAY-OWN",
            [low, high],
            merge_of(low, high, data={"h": 1, "l": 1, "old": 1}),
        ),
        merged(
            "base-is-the-highest-of-three",
            "The same with three messages, the highest-ranked in front",
            "CM-RESOLVE-BASE CM-RESOLVE-REPLAY-OWN",
            [high, lowest, low],
            merge_of(lowest, low, high, data={"h": 1, "l": 1, "m": 1, "old": 1}),
        ),
    )


def _own() -> tuple[Draft, ...]:
    removed = BASE.followed_by({}, {"k": "-"})
    changed = above(removed, lambda n: BASE.followed_by({"k": 5 + n}, {"k": ""}))
    overruled = below(removed, lambda n: BASE.followed_by({"k": 5 + n}, {"k": ""}))
    beside = above(removed, lambda n: BASE.followed_by({"b": n, "k": 1}, {"b": ""}))
    own = "CM-RESOLVE-REPLAY-OWN"
    return (
        merged(
            "own-diff-of-the-highest-replayed",
            "The highest-ranked message assigns its value again, after a removal",
            f"{own} CM-RESOLVE-LATER-WINS",
            [removed, changed],
            merge_of(removed, changed, data=changed.data),
        ),
        merged(
            "own-removal-of-the-highest-replayed",
            "The highest-ranked message removes its value again, after an assignment",
            f"{own} CM-RESOLVE-LATER-WINS",
            [removed, overruled],
            merge_of(removed, overruled, data={}),
        ),
        merged(
            "own-diff-of-the-lower-replayed",
            "A removal in the lower-ranked message is made in the data of the higher",
            own,
            [removed, beside],
            merge_of(removed, beside, data={"b": beside.data["b"]}),
        ),
    )


def _rows() -> tuple[Draft, ...]:
    step = BASE.followed_by({"k": 2}, {"k": ""})
    head = step.followed_by({"h": 1, "k": 2}, {"h": ""})
    weaker = below(step, lambda n: BASE.followed_by({"k": 10 + n}, {"k": ""}))
    stronger = above(step, lambda n: BASE.followed_by({"k": 10 + n}, {"k": ""}))
    order = "CM-RESOLVE-REPLAY-ORDER CM-RESOLVE-REPLAY-LAGGED"
    side = BASE.followed_by({"k": 1, "p": 1}, {"p": ""}).followed_by(
        {"k": 1, "p": 1, "q": 1}, {"q": ""}
    )
    strange = Message(
        seqno=11, data={"k": 1, "z": 1}, rows=((9, b"\x99" * 32, {"z": ""}), BASE.row)
    )
    above_strange = Message(seqno=12, data={"k": 1}, rows=(BASE.row, strange.row))
    return (
        merged(
            "row-outranks-survivor",
            "A row of a higher rank than a survivor's own diff is replayed after it",
            order,
            [head, weaker],
            merge_of(head, weaker, data={"h": 1, "k": 2}),
        ),
        merged(
            "survivor-outranks-row",
            "A row of a lower rank is replayed before it",
            order,
            [head, stronger],
            merge_of(head, stronger, data={"h": 1, "k": stronger.data["k"]}),
        ),
        merged(
            "rows-of-the-lower-survivor",
            "Rows that only a lower-ranked message carries are replayed too",
            "CM-RESOLVE-REPLAY-LAGGED CM-RESOLVE-LAGGED",
            [head.followed_by({"h": 2, "k": 2}, {"h": ""}), side],
            merge_of(
                head.followed_by({"h": 2, "k": 2}, {"h": ""}),
                side,
                data={"h": 2, "k": 2, "p": 1, "q": 1},
            ),
        ),
        merged(
            "rows-of-ignored-messages-not-replayed",
            "Rows that only an included message carries are neither replayed nor kept",
            "CM-RESOLVE-REPLAY-LAGGED CM-RESOLVE-LAGGED",
            [strange, above_strange, side],
            merge_of(above_strange, side, data={"k": 1, "p": 1, "q": 1}),
            (0, "included"),
        ),
    )


def _sources() -> tuple[Draft, ...]:
    high = BASE.followed_by({"h": 1, "k": 1}, {"h": ""})
    unlike = below(high, lambda n: BASE.followed_by({"k": 7, "l": n}, {"l": ""}))
    shared = 10, BASE.hash
    with_row_a = Message(
        seqno=12, data={"a": 1, "h": 1, "k": 1}, rows=((*shared, {"a": ""}),), diff={"h": ""}
    )
    with_row_b = Message(
        seqno=11, data={"b": 1, "k": 1, "l": 1}, rows=((*shared, {"b": ""}),), diff={"l": ""}
    )
    early = BASE.followed_by({"k": 1, "n": 1}, {"n": ""})
    gone = early.followed_by({"k": 1}, {"n": "-"})
    between = above(early, lambda n: BASE.followed_by({"k": 1, "n": 10 + n}, {"n": ""}))
    return (
        merged(
            "shared-row-takes-value-of-highest",
            "A row that both carry takes its value from the data of the higher-ranked message",
            "CM-RESOLVE-REPLAY-SOURCE",
            [unlike, high],
            merge_of(unlike, high, data={"h": 1, "k": 1, "l": unlike.data["l"]}),
        ),
        merged(
            "rows-that-disagree",
            "Of two diffs under one seqno and hash that of the higher-ranked message is taken",
            "CM-RESOLVE-REPLAY-SOURCE CM-RESOLVE-LAGGED",
            [with_row_b, with_row_a],
            Message(
                seqno=13,
                data={"a": 1, "h": 1, "k": 1, "l": 1},
                rows=within(13, 5, [*with_row_a.rows, with_row_b.row, with_row_a.row]),
            ),
        ),
        merged(
            "value-gone-in-the-source",
            "A value that was assigned and removed again by one side ends as removed",
            "CM-RESOLVE-REPLAY-SOURCE CM-DIFF-APPLY-ASSIGN-MISSING CM-RESOLVE-LATER-WINS",
            [between, gone],
            merge_of(between, gone, data={"k": 1}),
        ),
        merged(
            "rows-about-nothing",
            "A row that assigns what its carrier does not have removes it",
            "CM-DIFFS-HASH-UNCHECKED CM-DIFF-APPLY-ASSIGN-MISSING",
            [
                evolve(high, rows=((9, b"\x99" * 32, {"k": "", "z": ""}), BASE.row), data={"h": 1}),
                unlike,
            ],
            merge_of(
                evolve(high, rows=((9, b"\x99" * 32, {"k": "", "z": ""}), BASE.row), data={"h": 1}),
                unlike,
                data={"h": 1, "l": unlike.data["l"]},
            ),
        ),
    )
