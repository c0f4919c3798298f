"""Scenarios with stored forms that no honest client makes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    KEY,
    seal,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message

SCENARIO: Final = "config-merge/scenario"
NONCE: Final = b"\x11" * 24

SEVEN: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""})
EIGHT: Final = SEVEN.followed_by({"a": 2}, {"a": ""})
NEWER: Final = Message(seqno=99, others={"!": 2})
"""A message of a newer version, which is invalid."""


def topic() -> Topic:
    """Return scenarios in which a message is stored under two nonces."""
    return Topic(
        "clients",
        "",
        (
            _two_forms("two-stored-forms-of-one", DOCUMENT, stored_form, KEY),
            _two_forms(
                "two-stored-forms-of-one-in-a-domain",
                LIBSESSION,
                stored_form_in_domain,
                _derived_key(len(SEVEN.encoded)),
            ),
            _head_again(),
        ),
    )


def _two_forms(name: str, reading: str, form: Callable[[bytes], bytes], key: bytes) -> Draft:
    usual, other = form(SEVEN.encoded), seal(SEVEN.encoded, key, NONCE)
    after = form(EIGHT.encoded)
    steps: list[Json] = [
        {"store_raw": other.hex()},
        {"store": SEVEN.hex},
        {"client": "A", "fetch": True},
        {"client": "A", "resolve": True},
        {"client": "A", "edit": bt(EIGHT.data).hex()},
        {"client": "A", "push": True},
    ]
    moments: list[Json] = [
        _moment(None, other),
        _moment(None, other, usual),
        _moment(None, other, usual),
        _moment(SEVEN, other, usual),
        _moment(SEVEN, other, usual),
        _moment(EIGHT, after),
    ]
    return accepted(
        SCENARIO,
        name,
        "A push deletes both stored forms of an obsolete message, although their nonces differ.",
        "CM-CLIENT-BATCH CM-CLIENT-DELETE-FORMS CM-DECRYPT-NONCE-UNCHECKED",
        given={"clients": ["A"], "key": KEY.hex(), "domain": DOMAIN.hex(), "steps": steps},
        output={
            "steps": moments,
            "heads": {"A": EIGHT.hex},
            "data": {"A": bt(EIGHT.data).hex()},
            "stored": [after.hex()],
        },
        readings=(reading,),
    )


def _head_again() -> Draft:
    usual, newer = stored_form_in_domain(SEVEN.encoded), stored_form_in_domain(NEWER.encoded)
    other = seal(SEVEN.encoded, _derived_key(len(SEVEN.encoded)), NONCE)
    after = stored_form_in_domain(EIGHT.encoded)
    fetch: JsonObject = {"client": "A", "fetch": True}
    resolve: JsonObject = {"client": "A", "resolve": True}
    steps: list[Json] = [
        {"store": SEVEN.hex},
        fetch,
        resolve,
        {"store": NEWER.hex},
        fetch,
        {"store_raw": other.hex()},
        fetch,
        resolve,
        {"client": "A", "edit": bt(EIGHT.data).hex()},
        {"client": "A", "push": True},
    ]
    moments: list[Json] = [
        _moment(None, usual),
        _moment(None, usual),
        _moment(SEVEN, usual),
        _moment(SEVEN, usual, newer),
        _moment(SEVEN, usual, newer),
        *[_moment(SEVEN, usual, newer, other)] * 4,
        _moment(EIGHT, after, newer),
    ]
    return accepted(
        SCENARIO,
        "head-arrives-again-behind-a-newer-version",
        "A client that fetches its head again after an invalid message keeps that message.",
        "CM-CLIENT-DELETE-FORMS CM-IGNORE-OLD-VERSION-KEPT",
        given={"clients": ["A"], "key": KEY.hex(), "domain": DOMAIN.hex(), "steps": steps},
        output={
            "steps": moments,
            "heads": {"A": EIGHT.hex},
            "data": {"A": bt(EIGHT.data).hex()},
            "stored": [*sorted([after.hex(), newer.hex()])],
        },
        readings=(LIBSESSION,),
    )


def _moment(head: Message | None, *stored: bytes) -> JsonObject:
    """Return the head of A and the names of the stored forms after a step."""
    names: list[Json] = [
        *sorted(hashlib.blake2b(form, digest_size=32).hexdigest() for form in stored)
    ]
    shown: Json = None if head is None else {"seqno": str(head.seqno), "hash": head.hash.hex()}
    return {"heads": {"A": shown}, "stored": names}


def _derived_key(length: int) -> bytes:
    """Return the key with which the reading `libsession` encrypts a plaintext of this length."""
    return hashlib.blake2b(KEY + length.to_bytes(8, "big") + DOMAIN, digest_size=32).digest()
