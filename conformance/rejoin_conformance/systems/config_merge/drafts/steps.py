"""The steps of resolutions, stated as a person works them out by the document's list of steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.step import step_json
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import LIBSESSION, listed
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import PUBLIC, SEED
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    merge_of,
)

OPERATION: Final = "config-merge/resolve-steps"
LIST: Final = "CM-STEPS-LIST"
TYPES: Final = "CM-STEPS-TYPES"
NOTES: Final = (
    "The steps of a resolution, for implementations that list them: the ignored messages, the "
    "survivors, and for a merge its base, each replayed entry with the data after it, and the rows "
    "that it keeps."
)

BASE: Final = Message(seqno=10, data={"k": 1}, diff={"k": ""})
LOW: Final = BASE.followed_by({"a": 1, "k": 2}, {"a": "", "k": ""})
MIDDLE: Final = BASE.followed_by({"b": 1, "k": 1}, {"b": ""})
HIGH: Final = MIDDLE.followed_by({"b": 1, "c": 1, "k": 1}, {"c": ""})


def topic() -> Topic:
    """Return the vectors about steps."""
    drafts = (
        _two_survivors(),
        _entry_that_is_not_kept(),
        _row_below_the_cutoff(),
        _last_element_removed(),
        _value_overruled_in_the_source(),
        _one_survivor(),
        _every_reason(),
        _nobody_can_sign(),
        _signed_merge(),
        _none_valid(),
    )
    return Topic("steps", NOTES, drafts)


def _rank(message: Message) -> JsonObject:
    return {"seqno": str(message.seqno), "hash": message.hash.hex()}


def _ignore(index: int, why: str) -> JsonObject:
    return step_json("ignore", f"CM-IGNORE-{why.upper()}", index=index, why=why)


def _survivors(*messages: Message) -> JsonObject:
    return step_json("survivors", "CM-RESOLVE-ORDER", messages=[_rank(each) for each in messages])


Replays = Sequence[tuple[Message, Message, Data]]
"""For each entry of the replay set: its message, its source, and the data after it."""


def _merging(
    replays: Replays, kept: Iterable[Message], merge: Message, base: Message = HIGH
) -> list[JsonObject]:
    """Return the steps of a merge after `survivors`, without `prune`."""
    by_rank = sorted(replays, key=lambda each: each[0].rank)
    return [
        step_json("seqno", "CM-RESOLVE-SEQNO", seqno=str(merge.seqno)),
        step_json("base", "CM-RESOLVE-BASE", **_rank(base), data=bt(base.data).hex()),
        *(_replay(message, source, data) for message, source, data in by_rank),
        step_json(
            "keep",
            "CM-RESOLVE-LAGGED",
            rows=[_rank(each) for each in sorted(kept, key=lambda each: each.rank)],
        ),
        step_json("message", "CM-RESOLVE-DIFF-EMPTY", message=merge.hex),
    ]


def _replay(message: Message, source: Message, data: Data) -> JsonObject:
    return step_json(
        "replay",
        "CM-RESOLVE-REPLAY-OWN" if message is source else "CM-RESOLVE-REPLAY-LAGGED",
        **_rank(message),
        diff=bt(message.diff).hex(),
        source=source.hash.hex(),
        data=bt(data).hex(),
    )


def _pruned(steps: list[JsonObject], merge: Message) -> list[JsonObject]:
    """Return the steps with the step of a reading that prunes at the end."""
    prune = step_json("prune", "CM-RESOLVE-PRUNE", data=bt(merge.data).hex())
    return [*steps[:-2], prune, *steps[-2:]]


def _output(*steps: JsonObject) -> JsonObject:
    return {"steps": [*steps]}


def _draft(
    name: str,
    summary: str,
    clauses: str,
    given: JsonObject,
    first: list[JsonObject],
    steps: list[JsonObject],
    merge: Message,
    otherwise: list[JsonObject] | None = None,
) -> Draft:
    """Return a vector about a merge.

    first: the steps before the merge. otherwise: its steps in libsession, if they are others,
    without `prune`.
    """
    pruned = _pruned(otherwise or steps, merge)
    return accepted(
        OPERATION,
        name,
        summary,
        clauses,
        given=given,
        output=_output(*first, *steps),
        otherwise={LIBSESSION: _output(*first, *pruned)},
        level="may",
    )


def _two_survivors() -> Draft:
    merged: Data = {"a": 1, "b": 1, "c": 1, "k": 2}
    with_low: Data = {"a": 1, "b": 1, "c": 1, "k": 2}
    before_low = HIGH.data if MIDDLE.rank < LOW.rank else with_low
    merge = merge_of(LOW, HIGH, data=merged)
    steps = _merging(
        [
            (BASE, HIGH, HIGH.data),
            (LOW, LOW, with_low),
            (MIDDLE, HIGH, before_low),
            (HIGH, HIGH, merged),
        ],
        [BASE, LOW, MIDDLE, HIGH],
        merge,
    )
    return _draft(
        "two-survivors",
        "A merge starts from the highest survivor and replays all changes in order of rank.",
        f"{LIST} {TYPES} CM-RESOLVE-BASE CM-RESOLVE-REPLAY-ORDER",
        {"messages": listed([HIGH, BASE, LOW])},
        [_ignore(1, "included"), _survivors(LOW, HIGH)],
        steps,
        merge,
    )


def _entry_that_is_not_kept() -> Draft:
    """N is 2 and newseqno 13: the entries of seqno 11 are replayed, and only 12 is kept."""
    high = MIDDLE.followed_by({"b": 1, "c": 1, "k": 1}, {"c": ""}, window=2)
    merged: Data = {"a": 1, "b": 1, "c": 1, "k": 2}
    before_low = high.data if MIDDLE.rank < LOW.rank else merged
    merge = merge_of(LOW, high, data=merged, window=2)
    replays = [(LOW, LOW, merged), (MIDDLE, high, before_low), (high, high, merged)]
    late = [(BASE, LOW, {"b": 1, "c": 1, "k": 2}), *replays]
    if MIDDLE.rank < LOW.rank:
        late[2] = (MIDDLE, high, {"b": 1, "c": 1, "k": 2})
    steps = _merging(replays, [high], merge, high)
    return _draft(
        "entry-that-is-not-kept",
        "Entries of seqno newseqno - N are replayed, and the merge does not keep them.",
        f"{TYPES} CM-RESOLVE-LAGGED",
        {"messages": listed([LOW, high]), "window": 2},
        [_survivors(LOW, high)],
        steps,
        merge,
        _merging(late, [high], merge, high),
    )


def _row_below_the_cutoff() -> Draft:
    """N is 2 and newseqno 12: a row of seqno 9 is replayed in libsession alone."""
    old = Message(seqno=9, data={"k": 0}, diff={"k": ""})
    left = Message(seqno=10, data={"k": 0, "x": 1}, rows=(old.row,), diff={"x": ""})
    right = Message(seqno=11, data={"k": 5, "y": 1}, diff={"y": ""})
    merged: Data = {"k": 5, "x": 1, "y": 1}
    late: Data = {"k": 0, "x": 1, "y": 1}
    merge = Message(seqno=12, data=merged, rows=(right.row,))
    late_merge = Message(seqno=12, data=late, rows=(right.row,))
    survivors = _survivors(left, right)
    steps = _merging([(left, left, merged), (right, right, merged)], [right], merge, right)
    others = _merging(
        [(old, left, {"k": 0, "y": 1}), (left, left, late), (right, right, late)],
        [right],
        late_merge,
        right,
    )
    return accepted(
        OPERATION,
        "row-below-the-cutoff",
        "A row whose seqno is below newseqno - N is not in the replay set, except in libsession.",
        f"{TYPES} CM-RESOLVE-REPLAY-CUTOFF",
        given={"messages": listed([right, left]), "window": 2},
        output=_output(survivors, *steps),
        otherwise={LIBSESSION: _output(survivors, *_pruned(others, late_merge))},
        level="may",
    )


def _last_element_removed() -> Draft:
    """Two changes each remove one of two elements. The set is empty after the second of them."""
    base = Message(seqno=10, data={"s": {1, 2}}, diff={"s": [[1, 2], []]})
    low = base.followed_by({"s": {2}}, {"s": [[], [1]]})
    other = base.followed_by({"s": {1}}, {"s": [[], [2]]})
    high = other.followed_by({"s": {1}, "y": 1}, {"y": ""})
    merged: Data = {"y": 1}
    merge = merge_of(low, high, data=merged)
    first, second = sorted((low, other), key=lambda each: each.rank)
    left: Data = {"s": {2}, "y": 1} if first is low else {"s": {1}, "y": 1}

    def replays(at_the_end: Data) -> Replays:
        return [
            (base, high, {"s": {1, 2}, "y": 1}),
            (first, low if first is low else high, left),
            (second, low if second is low else high, at_the_end),
            (high, high, at_the_end),
        ]

    kept = [base, low, other, high]
    return _draft(
        "last-element-removed",
        "A set that loses its last element is removed after the entry, or by the step `prune`.",
        f"{TYPES} CM-RESOLVE-PRUNE",
        {"messages": listed([low, high])},
        [_survivors(low, high)],
        _merging(replays(merged), kept, merge, high),
        merge,
        _merging(replays({"s": set(), "y": 1}), kept, merge, high),
    )


def _value_overruled_in_the_source() -> Draft:
    """The row of `first` assigns k; its source removed k later, so the entry removes it."""
    first = Message(seqno=10, data={"k": 1}, diff={"k": ""})
    high = Message(seqno=12, data={"x": 1}, rows=(first.row,), diff={"x": ""})
    low = Message(seqno=11, data={"k": 3}, diff={"k": ""})
    merged: Data = {"k": 3, "x": 1}
    merge = Message(seqno=13, data=merged, rows=(first.row, low.row, high.row))
    replays = [(first, high, high.data), (low, low, merged), (high, high, merged)]
    return _draft(
        "value-overruled-in-the-source",
        "An entry whose source lacks the assigned value removes the key; a later entry assigns it.",
        f"{TYPES} CM-RESOLVE-REPLAY-SOURCE CM-DIFF-APPLY-ASSIGN-MISSING",
        {"messages": listed([low, high])},
        [_survivors(low, high)],
        _merging(replays, [first, low, high], merge, high),
        merge,
    )


def _one_survivor() -> Draft:
    return accepted(
        OPERATION,
        "one-survivor",
        "If one message survives, it is the result and there is no merge.",
        f"{LIST} {TYPES} CM-RESOLVE-SINGLE",
        given={"messages": listed([BASE, HIGH, MIDDLE])},
        output=_output(
            _ignore(0, "included"),
            _ignore(2, "included"),
            _survivors(HIGH),
            step_json("result", "CM-RESOLVE-SINGLE", **_rank(HIGH)),
        ),
        level="may",
    )


def _every_reason() -> Draft:
    stale = Message(seqno=7, data={"z": 1}, diff={"z": ""})
    return accepted(
        OPERATION,
        "every-reason",
        "The ignored messages come first, by their place in the list, each with its reason.",
        f"{TYPES} CM-IGNORE-PRECEDENCE",
        given={"messages": listed([stale, HIGH, b"i1e", MIDDLE, HIGH])},
        output=_output(
            _ignore(0, "stale"),
            _ignore(2, "invalid"),
            _ignore(3, "included"),
            _ignore(4, "duplicate"),
            _survivors(HIGH),
            step_json("result", "CM-RESOLVE-SINGLE", **_rank(HIGH)),
        ),
        level="may",
    )


def _signed() -> tuple[Message, Message]:
    left = Message(seqno=10, data={"a": 1}, diff={"a": ""}, seed=SEED)
    return left, Message(seqno=11, data={"b": 1}, diff={"b": ""}, seed=SEED)


def _nobody_can_sign() -> Draft:
    left, right = _signed()
    return accepted(
        OPERATION,
        "nobody-can-sign",
        "Without a signing key, the highest of several survivors is the result.",
        f"{TYPES} CM-SIGN-CANNOT-MERGE",
        given={"messages": listed([right, left]), "verify_key": PUBLIC.hex()},
        output=_output(
            _survivors(left, right), step_json("result", "CM-SIGN-CANNOT-MERGE", **_rank(right))
        ),
        level="may",
    )


def _signed_merge() -> Draft:
    left, right = _signed()
    merged: Data = {"a": 1, "b": 1}
    merge = merge_of(left, right, data=merged, seed=SEED)
    keys: dict[str, Any] = {"verify_key": PUBLIC.hex(), "signing_key": SEED.hex()}
    return _draft(
        "signed-merge",
        "The last step has the merge with its signature.",
        f"{TYPES} CM-SIGN-MADE",
        {"messages": listed([right, left]), **keys},
        [_survivors(left, right)],
        _merging([(left, left, merged), (right, right, merged)], [left, right], merge, right),
        merge,
    )


def _none_valid() -> Draft:
    return refused(
        OPERATION,
        "none-valid",
        "If no message is valid, there are no steps.",
        f"{LIST} CM-IGNORE-NONE-VALID",
        given={"messages": listed([b"i1e"])},
        mended={"messages": listed([HIGH])},
        level="may",
    )
