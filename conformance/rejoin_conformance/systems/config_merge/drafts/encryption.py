"""Encrypting and decrypting: keys, nonces, stored forms, and what is not authentic."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    DOCUMENT,
    LIBSESSION,
    accepted,
    refused,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN,
    DOMAIN_PREFIX,
    KEY,
    seal,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message

OTHER_KEY: Final = bytes(range(32))
PLAINTEXT: Final = b"Ladies and Gentlemen of the class of '99"
SHORTEST_DOMAIN: Final = b"c"
LONGEST_DOMAIN: Final = b"a domain of 24 bytes, all"
FORM: Final = stored_form(PLAINTEXT)
ALL_BYTES: Final = bytes(range(256))
MESSAGE: Final = Message(seqno=122, data={"name": "Kallie", "count": 7}, diff={"count": ""})


def _encrypting(plaintext: bytes, key: bytes = KEY, domain: bytes | None = DOMAIN) -> JsonObject:
    given: JsonObject = {"plaintext": plaintext.hex(), "key": key.hex()}
    return given if domain is None else {**given, "domain": domain.hex()}


def _decrypting(form: bytes, key: bytes = KEY, domain: bytes | None = DOMAIN) -> JsonObject:
    given: JsonObject = {"ciphertext": form.hex(), "key": key.hex()}
    return given if domain is None else {**given, "domain": domain.hex()}


def _encrypts(name: str, summary: str, clauses: str, plaintext: bytes, key: bytes = KEY) -> Draft:
    return accepted(
        name,
        "encrypt",
        summary,
        clauses,
        _encrypting(plaintext, key),
        {"ciphertext": stored_form(plaintext, key).hex()},
        libsession={"ciphertext": stored_form_in_domain(plaintext, key).hex()},
    )


ENCRYPTED: Final = (
    _encrypts(
        "message-122",
        "A message; the nonce is a hash of the plaintext, the stored form ends with it",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE CM-ENCRYPT-FORM CM-ENCRYPT-DETERMINISTIC",
        MESSAGE.encoded,
    ),
    _encrypts(
        "text",
        "The cipher's usual example text",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE CM-ENCRYPT-FORM",
        PLAINTEXT,
    ),
    _encrypts("empty", "The empty plaintext gives 40 bytes", "CM-ENCRYPT-EMPTY", b""),
    _encrypts(
        "any-bytes",
        "Encryption does not look into its input: every byte value once",
        "CM-ENCRYPT-EMPTY",
        ALL_BYTES,
    ),
    _encrypts(
        "several-blocks",
        "A plaintext of several cipher blocks",
        "CM-ENCRYPT-CIPHER",
        bytes(1000),
    ),
    _encrypts(
        "other-key",
        "Another key; in the reading `document` the nonce stays, for it depends on the plaintext",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE",
        PLAINTEXT,
        OTHER_KEY,
    ),
    _encrypts(
        "key-of-zeros",
        "A key of zeros is a key",
        "CM-ENCRYPT-CIPHER",
        PLAINTEXT,
        bytes(32),
    ),
    *(
        accepted(
            name,
            "encrypt",
            summary,
            "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE",
            _encrypting(PLAINTEXT, domain=domain),
            {"ciphertext": FORM.hex()},
            libsession={"ciphertext": stored_form_in_domain(PLAINTEXT, domain=domain).hex()},
        )
        for name, domain, summary in (
            ("domain-of-one-byte", SHORTEST_DOMAIN, "The shortest domain"),
            ("domain-of-24-bytes", LONGEST_DOMAIN[:24], "The longest domain"),
            ("domain-of-any-bytes", b"\x00\xff", "A domain is bytes, not text"),
        )
    ),
    *(
        refused(
            name,
            "encrypt",
            summary,
            "CM-ENCRYPT-CIPHER",
            _encrypting(PLAINTEXT, domain=domain),
            _encrypting(PLAINTEXT),
            document={"ciphertext": FORM.hex()},
        )
        for name, domain, summary in (
            ("domain-missing", None, "Only the reading `libsession` needs a domain"),
            ("domain-empty", b"", "In the reading `libsession` a domain has a byte at least"),
            ("domain-of-25-bytes", LONGEST_DOMAIN, "In the reading `libsession` 24 bytes at most"),
        )
    ),
    *(
        refused(
            f"key-of-{size}-bytes",
            "encrypt",
            f"A key of {size} bytes does not encrypt",
            "CM-ENCRYPT-KEY-LENGTH",
            _encrypting(PLAINTEXT, bytes(size)),
            _encrypting(PLAINTEXT, bytes(32)),
        )
        for size in (0, 16, 31, 33, 64)
    ),
)


def _decrypts(
    name: str, summary: str, clauses: str, plaintext: bytes, of_document: bytes, of_library: bytes
) -> tuple[Draft, Draft]:
    """One stored form for each reading: what one makes, the other refuses."""
    return (
        refused(
            name,
            "decrypt",
            summary,
            clauses,
            _decrypting(of_document),
            _decrypting(of_library),
            document={"plaintext": plaintext.hex()},
        ),
        refused(
            f"{name}-in-libsession",
            "decrypt",
            f"{summary}, in the form of the library",
            clauses,
            _decrypting(of_library),
            _decrypting(of_document),
            libsession={"plaintext": plaintext.hex()},
        ),
    )


def _sealed_otherwise(plaintext: bytes) -> tuple[bytes, bytes]:
    """Authentic stored forms, one for each reading, under a nonce that is no hash."""
    nonce = b"@" * 24
    of_key = KEY + len(plaintext).to_bytes(8, "big") + DOMAIN
    derived = hashlib.blake2b(of_key, digest_size=32).digest()
    return seal(plaintext, KEY, nonce), seal(plaintext, derived, nonce)


DECRYPTED: Final = (
    *_decrypts(
        "decrypt-text",
        "A stored form is decrypted",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-FORM",
        PLAINTEXT,
        FORM,
        stored_form_in_domain(PLAINTEXT),
    ),
    *_decrypts(
        "decrypt-empty",
        "The shortest stored form, of 40 bytes",
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
    """What changes the lowest bit of one byte of a stored form."""

    def change(form: bytes) -> bytes:
        changed = bytearray(form)
        changed[place] ^= 1
        return bytes(changed)

    return change


_NOT_AUTHENTIC: Final = "CM-DECRYPT-AUTHENTIC"

FORM_FAULTS: Final[tuple[tuple[str, str, str, Callable[[bytes], bytes]], ...]] = (
    ("tampered-first-byte", "A bit of the first byte changed", _NOT_AUTHENTIC, _changed(0)),
    ("tampered-last-byte-of-text", "A bit before the tag changed", _NOT_AUTHENTIC, _changed(-41)),
    ("tampered-tag", "A bit of the tag changed", _NOT_AUTHENTIC, _changed(-40)),
    ("tampered-end-of-tag", "A bit of the tag's end changed", _NOT_AUTHENTIC, _changed(-25)),
    ("tampered-nonce", "A bit of the nonce changed", _NOT_AUTHENTIC, _changed(-24)),
    ("tampered-end-of-nonce", "A bit of the last byte changed", _NOT_AUTHENTIC, _changed(-1)),
    ("truncated-at-the-end", "The last byte is missing", _NOT_AUTHENTIC, lambda form: form[:-1]),
    ("truncated-at-the-start", "The first byte is missing", _NOT_AUTHENTIC, lambda form: form[1:]),
    ("byte-appended", "A byte too many", _NOT_AUTHENTIC, lambda form: form + b"\x00"),
    (
        "nonce-in-front",
        "The nonce in front of the ciphertext",
        "CM-ENCRYPT-FORM CM-DECRYPT-AUTHENTIC",
        lambda form: form[-24:] + form[:-24],
    ),
    ("zeros", "Forty bytes of zeros", _NOT_AUTHENTIC, lambda _form: bytes(40)),
    ("nothing", "No bytes", "CM-DECRYPT-SHORT", lambda _form: b""),
    ("nonce-alone", "A nonce and nothing else", "CM-DECRYPT-SHORT", lambda form: form[-24:]),
    ("of-39-bytes", "A byte less than the shortest", "CM-DECRYPT-SHORT", lambda form: form[-39:]),
)

KEY_FAULTS: Final = (
    ("wrong-key", "Another key", _NOT_AUTHENTIC, OTHER_KEY),
    ("decrypt-key-of-31-bytes", "A key of 31 bytes", "CM-ENCRYPT-KEY-LENGTH", KEY[:31]),
    ("decrypt-key-of-33-bytes", "A key of 33 bytes", "CM-ENCRYPT-KEY-LENGTH", KEY + b"\x00"),
)


def _refuses(
    name: str, summary: str, clauses: str, reading: str, given: JsonObject, form: bytes
) -> Draft:
    """A decryption that one reading refuses; with its own form and key it succeeds."""
    return Draft(
        name=name if reading == DOCUMENT else f"{name}-in-libsession",
        operation="config-merge/decrypt",
        summary=f"{summary}: refused",
        clauses=tuple(clauses.split()),
        input=given,
        rejected_by=(reading,),
        mended=_decrypting(form),
        readings=(reading,),
    )


REFUSED: Final = tuple(
    draft
    for reading, form in ((DOCUMENT, FORM), (LIBSESSION, stored_form_in_domain(PLAINTEXT)))
    for draft in (
        *(
            _refuses(name, summary, clauses, reading, _decrypting(fault(form)), form)
            for name, summary, clauses, fault in FORM_FAULTS
        ),
        *(
            _refuses(name, summary, clauses, reading, _decrypting(form, key), form)
            for name, summary, clauses, key in KEY_FAULTS
        ),
    )
)

DOMAINS: Final = tuple(
    Draft(
        name=name,
        operation="config-merge/decrypt",
        summary=summary,
        clauses=("CM-DECRYPT-AUTHENTIC", "CM-ENCRYPT-CIPHER"),
        input=_decrypting(stored_form_in_domain(PLAINTEXT), domain=domain),
        rejected_by=(LIBSESSION,),
        mended=_decrypting(stored_form_in_domain(PLAINTEXT)),
        readings=(LIBSESSION,),
    )
    for name, domain, summary in (
        ("other-domain", b"Contacts", "A stored form of another domain"),
        ("decrypt-domain-missing", None, "No domain to decrypt with"),
    )
)


def _nonce_key_is_its_own() -> Draft:
    """A stored form whose nonce key is the library's, offered to the reading `document`."""
    nonce = hashlib.blake2b(PLAINTEXT, digest_size=24, key=DOMAIN_PREFIX + DOMAIN).digest()
    return Draft(
        name="nonce-of-the-library",
        operation="config-merge/decrypt",
        summary="The reading `document` decrypts under the nonce that is there, whoever made it",
        clauses=("CM-DECRYPT-NONCE-UNCHECKED",),
        input=_decrypting(seal(PLAINTEXT, KEY, nonce)),
        output={"plaintext": PLAINTEXT.hex()},
        readings=(DOCUMENT,),
    )


def topic() -> Topic:
    """Stored forms, made and opened."""
    return Topic(
        "encryption",
        "Encryption and decryption. What is expected comes from PyNaCl's XChaCha20-Poly1305 and "
        "the standard library's BLAKE2b. A stored form is of one reading: the other refuses it.",
        (*ENCRYPTED, *DECRYPTED, *REFUSED, *DOMAINS, _nonce_key_is_its_own()),
    )
