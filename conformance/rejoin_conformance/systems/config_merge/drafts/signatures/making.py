"""Signatures of messages that are made."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    made,
    refused,
    resolved,
    resolving,
    updating,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    PUBLIC,
    SEED,
    SEED_2,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    Row,
    blake2b,
    merge_of,
    within,
)
from rejoin_conformance.systems.config_merge.drafts.signatures.signed import (
    SIGNED,
    SIGNED_BY_OTHER,
    UNSIGNED,
)


def _child(seed: bytes | None, key: str, value: int, base: Message = SIGNED) -> Message:
    return base.followed_by({"a": 1, key: value}, {key: ""}, seed=seed)


FIRST: Final = _child(SEED, "b", 2)
SECOND: Final = _child(SEED, "c", 3)
HIGHEST: Final = max(FIRST, SECOND, key=lambda message: message.rank)
MERGED_DATA: Final = {"a": 1, "b": 2, "c": 3}
UNSIGNED_PAIR: Final = (_child(None, "b", 2, UNSIGNED), _child(None, "c", 3, UNSIGNED))
BY_OTHER: Final = _child(SEED_2, "d", 4, SIGNED_BY_OTHER)


def _keys(*, verify: bool = False, seed: bytes | None = None) -> dict[str, str]:
    keys = {"verify_key": PUBLIC.hex()} if verify else {}
    return keys if seed is None else {**keys, "signing_key": seed.hex()}


def _bytes_after_the_signature() -> Draft:
    """A second message made of a signed one by somebody who cannot sign."""
    rival = FIRST.encoded + b"e"
    row: Row = (FIRST.seqno, blake2b(rival), FIRST.diff)
    merge = Message(
        seqno=FIRST.seqno + 1,
        data=FIRST.data,
        rows=within(FIRST.seqno + 1, 5, [*FIRST.rows, FIRST.row, row]),
        seed=SEED,
    )
    return accepted(
        "bytes-after-the-signature",
        "resolve",
        "No signature covers bytes after the message; where they are let in, anyone makes a rival",
        "CM-BT-NO-TRAILING CM-SIGN-SPAN",
        resolving([FIRST, rival], **_keys(verify=True, seed=SEED)),
        resolved(FIRST, (1, "invalid")),
        libsession=resolved(merge, merged=True),
    )


RESOLVED: Final = (
    _bytes_after_the_signature(),
    accepted(
        "conflict-without-signing-key",
        "resolve",
        "Who cannot sign does not merge: the highest message stands, no other is ignored",
        "CM-SIGN-CANNOT-MERGE",
        resolving([FIRST, SECOND], **_keys(verify=True)),
        resolved(HIGHEST),
    ),
    accepted(
        "conflict-without-signing-key-other-order",
        "resolve",
        "The highest message stands, wherever it is in the list",
        "CM-SIGN-CANNOT-MERGE CM-MESSAGE-BYTES",
        resolving([SECOND, FIRST], **_keys(verify=True)),
        resolved(HIGHEST),
    ),
    accepted(
        "conflict-with-signing-key",
        "resolve",
        "Signed messages are merged into a signed one",
        "CM-SIGN-MADE CM-SIGN-REQUIRED",
        resolving([FIRST, SECOND], **_keys(verify=True, seed=SEED)),
        resolved(merge_of(FIRST, SECOND, data=MERGED_DATA, seed=SEED), merged=True),
    ),
    accepted(
        "two-signers-merge-differently",
        "resolve",
        "The same conflict, merged by somebody with another key: another message",
        "CM-SIGN-MADE CM-MESSAGE-BYTES",
        resolving([FIRST, SECOND], **_keys(seed=SEED_2)),
        resolved(merge_of(FIRST, SECOND, data=MERGED_DATA, seed=SEED_2), merged=True),
    ),
    accepted(
        "signing-key-alone",
        "resolve",
        "A signing key signs the merge and asks nothing of what is received",
        "CM-SIGN-KEYS-INDEPENDENT CM-SIGN-MADE",
        resolving(UNSIGNED_PAIR, **_keys(seed=SEED)),
        resolved(merge_of(*UNSIGNED_PAIR, data=MERGED_DATA, seed=SEED), merged=True),
    ),
    accepted(
        "merge-drops-signatures",
        "resolve",
        "Without keys the merge of signed messages is unsigned",
        "CM-SIGN-UNSIGNED-MADE",
        resolving([FIRST, SECOND]),
        resolved(merge_of(FIRST, SECOND, data=MERGED_DATA), merged=True),
    ),
    accepted(
        "single-signed-message-stands",
        "resolve",
        "A message that is returned keeps its signature",
        "CM-SIGN-NOT-REQUIRED CM-RESOLVE-SINGLE",
        resolving([FIRST]),
        resolved(FIRST),
    ),
    accepted(
        "unsigned-among-signed",
        "resolve",
        "Where signatures are required an unsigned message is ignored as invalid",
        "CM-SIGN-REQUIRED CM-IGNORE-INVALID CM-SECURITY-ONE-BAD",
        resolving([UNSIGNED_PAIR[0], SECOND], **_keys(verify=True, seed=SEED)),
        resolved(SECOND, (0, "invalid")),
    ),
    accepted(
        "other-signer-among-signed",
        "resolve",
        "A message by another signer is ignored, higher seqno or not",
        "CM-SIGN-REQUIRED CM-IGNORE-INVALID",
        resolving(
            [SECOND, BY_OTHER.followed_by(BY_OTHER.data, {}, seed=SEED_2)],
            **_keys(verify=True, seed=SEED),
        ),
        resolved(SECOND, (1, "invalid")),
    ),
    refused(
        "only-unsigned-where-required",
        "resolve",
        "No message is signed as required",
        "CM-SIGN-REQUIRED CM-IGNORE-NONE-VALID",
        resolving([UNSIGNED], **_keys(verify=True)),
        resolving([SIGNED], **_keys(verify=True)),
    ),
)

UPDATED: Final = (
    accepted(
        "update-drops-signature",
        "update",
        "Without keys the update of a signed message is unsigned",
        "CM-SIGN-UNSIGNED-MADE",
        updating([SIGNED], {"a": 2}),
        made(SIGNED.followed_by({"a": 2}, {"a": ""})),
    ),
    accepted(
        "update-signed",
        "update",
        "With a signing key the update is signed",
        "CM-SIGN-MADE",
        updating([SIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
        made(SIGNED.followed_by({"a": 2}, {"a": ""}, seed=SEED)),
    ),
    accepted(
        "update-of-unsigned-signed",
        "update",
        "A signing key alone signs the update of an unsigned message",
        "CM-SIGN-KEYS-INDEPENDENT CM-SIGN-MADE",
        updating([UNSIGNED], {"a": 2}, **_keys(seed=SEED)),
        made(UNSIGNED.followed_by({"a": 2}, {"a": ""}, seed=SEED)),
    ),
    accepted(
        "merge-with-local-change-signed",
        "update",
        "Merge and change in one message are signed as one",
        "CM-SIGN-MADE CM-RESOLVE-LOCAL-CHANGE",
        updating([FIRST, SECOND], {**MERGED_DATA, "e": 5}, **_keys(verify=True, seed=SEED)),
        made(merge_of(FIRST, SECOND, data={**MERGED_DATA, "e": 5}, diff={"e": ""}, seed=SEED)),
    ),
    refused(
        "update-without-signing-key",
        "update",
        "Who cannot sign makes no update where signatures are required",
        "CM-SIGN-CANNOT-UPDATE",
        updating([SIGNED], {"a": 2}, **_keys(verify=True)),
        updating([SIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
    ),
    refused(
        "first-message-without-signing-key",
        "update",
        "Who cannot sign makes no first message either",
        "CM-SIGN-CANNOT-UPDATE",
        updating([], {"a": 2}, **_keys(verify=True)),
        updating([], {"a": 2}, **_keys(verify=True, seed=SEED)),
    ),
    refused(
        "update-of-unsigned-where-required",
        "update",
        "There is nothing valid to update",
        "CM-SIGN-REQUIRED CM-IGNORE-NONE-VALID",
        updating([UNSIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
        updating([SIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Merges and updates, with and without keys."""
    return (*RESOLVED, *UPDATED)
