"""The signed message that the drafts of this topic vary."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    PUBLIC,
    SEED,
    SEED_2,
    signature,
    unreduced,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message

UNSIGNED: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""})
SIGNED: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, seed=SEED)
SIGNED_BY_OTHER: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, seed=SEED_2)
SPAN: Final = UNSIGNED.encoded[:-1]


def with_signature(value: bytes) -> bytes:
    """The message with these bytes under `~`."""
    return SPAN + b"1:~" + bt(value) + b"e"


def other_scalar() -> bytes:
    """The message with a signature whose scalar is too large by the order of the group."""
    return with_signature(unreduced(signature(SEED, SPAN)))


def signing(message: bytes, seed: bytes = SEED) -> JsonObject:
    """The input of `sign`."""
    return {"message": message.hex(), "signing_key": seed.hex()}


def verifying(message: bytes, public: bytes = PUBLIC) -> JsonObject:
    """The input of `verify`."""
    return {"message": message.hex(), "verify_key": public.hex()}
