"""Merges on which the readings part for other reasons than the replay of a diff."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    resolved,
    resolving,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import BASE, LEFT, RIGHT
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    blake2b,
    merge_of,
    within,
)
from rejoin_conformance.systems.config_merge.drafts.data.limits import KEY_129
from rejoin_conformance.systems.config_merge.drafts.resolve.resolving import merged


def drafts() -> tuple[Draft, ...]:
    """Unknown keys, and messages that are valid in one reading only."""
    return (*_unknown_keys(), *_valid_in_one())


def _unknown_keys() -> tuple[Draft, ...]:
    one = evolve(BASE, others={"u": 1, "x": [2, 1]}).followed_by({"a": 1, "k": 1}, {"a": ""})
    other = evolve(BASE, others={"u": 2, "y": {}}).followed_by({"b": 1, "k": 1}, {"b": ""})
    data = {"a": 1, "b": 1, "k": 1}
    without = evolve(one, others={}).followed_by({"a": 1, "c": 1, "k": 1}, {"c": ""})
    return (
        merged(
            "unknown-keys-of-the-highest",
            "A merge has the unknown keys of the highest-ranked message, or none",
            "CM-OUTER-UNKNOWN-MERGE CM-OUTER-SERIALISE",
            [one, other],
            merge_of(one, other, data=data),
            libsession=merge_of(one, other, data=data, others={}),
        ),
        merged(
            "unknown-keys-of-the-lower-only",
            "It has none where only a lower-ranked message has some",
            "CM-OUTER-UNKNOWN-MERGE",
            [other, without],
            merge_of(other, without, data={"a": 1, "b": 1, "c": 1, "k": 1}, others={}),
        ),
    )


def _valid_in_one() -> tuple[Draft, ...]:
    long_key = BASE.followed_by({KEY_129: 1, "k": 1}, {KEY_129: ""})
    overlap = BASE.followed_by({"k": 1, "s": [2]}, {"s": [[1, 2], [1]]})
    trailing = RIGHT.encoded + b"e"
    trailing_row = (11, blake2b(trailing), RIGHT.diff)
    rows = within(12, 5, [BASE.row, LEFT.row, trailing_row])
    return (
        _one_only(
            "long-key-in-one-reading",
            "A message with a key of 129 bytes is ignored, or takes part",
            "CM-DATA-KEY-LENGTH CM-IGNORE-INVALID",
            long_key.encoded,
            merge_of(LEFT, long_key, data={KEY_129: 1, "a": 1, "k": 1}),
        ),
        _one_only(
            "set-diff-overlap-in-one-reading",
            "A message whose set diff overlaps is ignored, or adds and then removes",
            "CM-DIFF-SET-DISJOINT CM-IGNORE-INVALID",
            overlap.encoded,
            merge_of(LEFT, overlap, data={"a": 1, "k": 1, "s": [2]}),
        ),
        _one_only(
            "trailing-bytes-in-one-reading",
            "A message with trailing bytes is ignored, or named by the hash of all its bytes",
            "CM-BT-NO-TRAILING CM-MESSAGE-HASH",
            trailing,
            Message(seqno=12, data={"a": 1, "b": 1, "k": 1}, rows=rows),
        ),
    )


def _one_only(name: str, summary: str, clauses: str, extra: bytes, merge: Message) -> Draft:
    """A message beside LEFT that `document` ignores and `libsession` merges."""
    return accepted(
        name,
        "resolve",
        summary,
        clauses,
        resolving([extra, LEFT]),
        resolved(LEFT, (0, "invalid")),
        libsession=resolved(merge, merged=True),
    )
