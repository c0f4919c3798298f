"""Decrypting: stored forms of both readings, and input that is not authentic."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    DOMAIN_PREFIX,
    KEY,
    seal,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.encryption.sealing import (
    FORM,
    OTHER_KEY,
    PLAINTEXT,
    decrypting,
)

DECRYPT: Final = "config-merge/decrypt"


def _decrypts(
    name: str, summary: str, clauses: str, plaintext: bytes, of_document: bytes, of_library: bytes
) -> tuple[Draft, Draft]:
    """Return a stored form of each reading, which the other reading refuses."""
    output: JsonObject = {"plaintext": plaintext.hex()}
    return (
        refused(
            DECRYPT,
            name,
            f"{summary} is decrypted.",
            clauses,
            given=decrypting(of_document),
            mended=decrypting(of_library),
            by=LIBSESSION,
            otherwise={DOCUMENT: output},
        ),
        refused(
            DECRYPT,
            f"{name}-in-libsession",
            f"{summary} is decrypted in the form of the library.",
            clauses,
            given=decrypting(of_library),
            mended=decrypting(of_document),
            by=DOCUMENT,
            otherwise={LIBSESSION: output},
        ),
    )


def _sealed_otherwise(plaintext: bytes) -> tuple[bytes, bytes]:
    """Authentic stored forms, one for each reading, under a nonce that is not a hash."""
    nonce = b"@" * 24
    of_key = KEY + len(plaintext).to_bytes(8, "big") + DOMAIN
    derived = hashlib.blake2b(of_key, digest_size=32).digest()
    return seal(plaintext, KEY, nonce), seal(plaintext, derived, nonce)


DECRYPTED: Final = (
    *_decrypts(
        "decrypt-text",
        "A stored form",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-FORM",
        PLAINTEXT,
        FORM,
        stored_form_in_domain(PLAINTEXT),
    ),
    *_decrypts(
        "decrypt-empty",
        "The shortest stored form, of 40 bytes,",
        "CM-DECRYPT-SHORT CM-ENCRYPT-EMPTY",
        b"",
        stored_form(b""),
        stored_form_in_domain(b""),
    ),
    *_decrypts(
        "other-nonce",
        "An authentic stored form whose nonce is not the hash of its plaintext",
        "CM-DECRYPT-NONCE-UNCHECKED",
        PLAINTEXT,
        *_sealed_otherwise(PLAINTEXT),
    ),
)


def _changed(place: int) -> Callable[[bytes], bytes]:
    """Return a function that changes the lowest bit of one byte of a stored form."""

    def change(form: bytes) -> bytes:
        changed = bytearray(form)
        changed[place] ^= 1
        return bytes(changed)

    return change


_NOT_AUTHENTIC: Final = "CM-DECRYPT-AUTHENTIC"

FORM_FAULTS: Final[tuple[tuple[str, str, str, Callable[[bytes], bytes]], ...]] = (
    (
        "tampered-first-byte",
        "A stored form with a changed bit in its first byte is refused.",
        _NOT_AUTHENTIC,
        _changed(0),
    ),
    (
        "tampered-last-byte-of-text",
        "A stored form with a changed bit just before its tag is refused.",
        _NOT_AUTHENTIC,
        _changed(-41),
    ),
    (
        "tampered-tag",
        "A stored form with a changed bit in its tag is refused.",
        _NOT_AUTHENTIC,
        _changed(-40),
    ),
    (
        "tampered-end-of-tag",
        "A stored form with a changed bit at the end of its tag is refused.",
        _NOT_AUTHENTIC,
        _changed(-25),
    ),
    (
        "tampered-nonce",
        "A stored form with a changed bit in its nonce is refused.",
        _NOT_AUTHENTIC,
        _changed(-24),
    ),
    (
        "tampered-end-of-nonce",
        "A stored form with a changed bit in its last byte is refused.",
        _NOT_AUTHENTIC,
        _changed(-1),
    ),
    (
        "truncated-at-the-end",
        "A stored form without its last byte is refused.",
        _NOT_AUTHENTIC,
        lambda form: form[:-1],
    ),
    (
        "truncated-at-the-start",
        "A stored form without its first byte is refused.",
        _NOT_AUTHENTIC,
        lambda form: form[1:],
    ),
    (
        "byte-appended",
        "A stored form with a further byte is refused.",
        _NOT_AUTHENTIC,
        lambda form: form + b"\x00",
    ),
    (
        "nonce-in-front",
        "A stored form with its nonce first is refused.",
        "CM-ENCRYPT-FORM CM-DECRYPT-AUTHENTIC",
        lambda form: form[-24:] + form[:-24],
    ),
    ("zeros", "40 zero bytes are refused.", _NOT_AUTHENTIC, lambda _form: bytes(40)),
    ("nothing", "Empty input is refused.", "CM-DECRYPT-SHORT", lambda _form: b""),
    ("nonce-alone", "A nonce alone is refused.", "CM-DECRYPT-SHORT", lambda form: form[-24:]),
    (
        "of-39-bytes",
        "A stored form of 39 bytes is refused.",
        "CM-DECRYPT-SHORT",
        lambda form: form[-39:],
    ),
)

KEY_FAULTS: Final = (
    ("wrong-key", "A stored form is refused under another key.", _NOT_AUTHENTIC, OTHER_KEY),
    ("decrypt-key-of-31-bytes", "A key of 31 bytes is refused.", "CM-ENCRYPT-KEY-LENGTH", KEY[:31]),
    (
        "decrypt-key-of-33-bytes",
        "A key of 33 bytes is refused.",
        "CM-ENCRYPT-KEY-LENGTH",
        KEY + b"\x00",
    ),
)


def _refuses(
    name: str, summary: str, clauses: str, reading: str, given: JsonObject, form: bytes
) -> Draft:
    """Return a decryption that one reading refuses; with its own form and key it succeeds."""
    return refused(
        DECRYPT,
        name if reading == DOCUMENT else f"{name}-in-libsession",
        summary,
        clauses,
        given=given,
        mended=decrypting(form),
        readings=(reading,),
    )


REFUSED: Final = tuple(
    draft
    for reading, form in ((DOCUMENT, FORM), (LIBSESSION, stored_form_in_domain(PLAINTEXT)))
    for draft in (
        *(
            _refuses(name, summary, clauses, reading, decrypting(fault(form)), form)
            for name, summary, clauses, fault in FORM_FAULTS
        ),
        *(
            _refuses(name, summary, clauses, reading, decrypting(form, key), form)
            for name, summary, clauses, key in KEY_FAULTS
        ),
    )
)

DOMAINS: Final = tuple(
    refused(
        DECRYPT,
        name,
        summary,
        "CM-DECRYPT-AUTHENTIC CM-ENCRYPT-CIPHER",
        given=decrypting(stored_form_in_domain(PLAINTEXT), domain=domain),
        mended=decrypting(stored_form_in_domain(PLAINTEXT)),
        readings=(LIBSESSION,),
    )
    for name, domain, summary in (
        ("other-domain", b"Contacts", "A stored form is refused in another domain."),
        ("decrypt-domain-missing", None, "A stored form is refused if no domain is given."),
    )
)


def nonce_key_is_its_own() -> Draft:
    """Return a stored form whose nonce key is the library's, offered to the reading `document`."""
    nonce = hashlib.blake2b(PLAINTEXT, digest_size=24, key=DOMAIN_PREFIX + DOMAIN).digest()
    return accepted(
        DECRYPT,
        "nonce-of-the-library",
        "The reading `document` decrypts under any nonce, whoever made it.",
        "CM-DECRYPT-NONCE-UNCHECKED",
        given=decrypting(seal(PLAINTEXT, KEY, nonce)),
        output={"plaintext": PLAINTEXT.hex()},
        readings=(DOCUMENT,),
    )
