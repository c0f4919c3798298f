"""Encrypting: plaintexts, keys and domains."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    KEY,
    stored_form,
    stored_form_in_domain,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.encryption.sealing import (
    FORM,
    OTHER_KEY,
    PLAINTEXT,
    encrypting,
)

ENCRYPT: Final = "config-merge/encrypt"
SHORTEST_DOMAIN: Final = b"c"
LONGEST_DOMAIN: Final = b"a domain of 24 bytes, all"
ALL_BYTES: Final = bytes(range(256))
MESSAGE: Final = Message(seqno=122, data={"name": "Kallie", "count": 7}, diff={"count": ""})


def _encrypts(
    name: str, summary: str, clauses: str, plaintext: bytes = PLAINTEXT, key: bytes = KEY
) -> Draft:
    return accepted(
        ENCRYPT,
        name,
        summary,
        clauses,
        given=encrypting(plaintext, key),
        output={"ciphertext": stored_form(plaintext, key).hex()},
        otherwise={LIBSESSION: {"ciphertext": stored_form_in_domain(plaintext, key).hex()}},
    )


ENCRYPTED: Final = (
    _encrypts(
        "message-122",
        "The nonce of a message is a hash of its plaintext; the stored form ends with it.",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE CM-ENCRYPT-FORM CM-ENCRYPT-DETERMINISTIC",
        MESSAGE.encoded,
    ),
    _encrypts(
        "text",
        "The usual example text of the cipher is encrypted.",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE CM-ENCRYPT-FORM",
    ),
    _encrypts("empty", "The empty plaintext gives 40 bytes.", "CM-ENCRYPT-EMPTY", b""),
    _encrypts(
        "any-bytes",
        "A plaintext may have any bytes: each byte value occurs once.",
        "CM-ENCRYPT-EMPTY",
        ALL_BYTES,
    ),
    _encrypts(
        "several-blocks",
        "A plaintext may have several cipher blocks.",
        "CM-ENCRYPT-CIPHER",
        bytes(1000),
    ),
    _encrypts(
        "length-beyond-16-bits",
        "The length of a plaintext counts in full, beyond 65,535 bytes.",
        "CM-ENCRYPT-CIPHER",
        bytes(2**16 + 1),
    ),
    _encrypts(
        "other-key",
        "In the reading `document` the nonce depends on the plaintext alone, not on the key.",
        "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE",
        key=OTHER_KEY,
    ),
    _encrypts("key-of-zeros", "A key may be all zeros.", "CM-ENCRYPT-CIPHER", key=bytes(32)),
    *(
        accepted(
            ENCRYPT,
            name,
            summary,
            "CM-ENCRYPT-CIPHER CM-ENCRYPT-NONCE",
            given=encrypting(PLAINTEXT, domain=domain),
            output={"ciphertext": FORM.hex()},
            otherwise={
                LIBSESSION: {"ciphertext": stored_form_in_domain(PLAINTEXT, domain=domain).hex()}
            },
        )
        for name, domain, summary in (
            ("domain-of-one-byte", SHORTEST_DOMAIN, "A domain may have 1 byte."),
            ("domain-of-24-bytes", LONGEST_DOMAIN[:24], "A domain may have 24 bytes."),
            ("domain-of-any-bytes", b"\x00\xff", "A domain is bytes and need not be text."),
        )
    ),
    *(
        refused(
            ENCRYPT,
            name,
            summary,
            "CM-ENCRYPT-CIPHER",
            given=encrypting(PLAINTEXT, domain=domain),
            mended=encrypting(PLAINTEXT),
            by=LIBSESSION,
            otherwise={DOCUMENT: {"ciphertext": FORM.hex()}},
        )
        for name, domain, summary in (
            ("domain-missing", None, "Only the reading `libsession` requires a domain."),
            ("domain-empty", b"", "The reading `libsession` refuses an empty domain."),
            (
                "domain-of-25-bytes",
                LONGEST_DOMAIN,
                "The reading `libsession` refuses a domain of 25 bytes.",
            ),
        )
    ),
    *(
        refused(
            ENCRYPT,
            f"key-of-{size}-bytes",
            f"A key of {size} bytes is refused.",
            "CM-ENCRYPT-KEY-LENGTH",
            given=encrypting(PLAINTEXT, bytes(size)),
            mended=encrypting(PLAINTEXT, bytes(32)),
        )
        for size in (0, 16, 31, 33, 64)
    ),
)
