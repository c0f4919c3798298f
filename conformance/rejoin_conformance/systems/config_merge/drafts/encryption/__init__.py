"""Encrypting and decrypting: keys, nonces, stored forms, and input that is not authentic."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.encryption.decrypting import (
    DECRYPTED,
    DOMAINS,
    REFUSED,
    nonce_key_is_its_own,
)
from rejoin_conformance.systems.config_merge.drafts.encryption.encrypting import ENCRYPTED


def topic() -> Topic:
    """Stored forms, made and opened."""
    return Topic(
        "encryption",
        "Encryption and decryption. The expected results come from PyNaCl's XChaCha20-Poly1305 and "
        "the standard library's BLAKE2b. A stored form belongs to one reading: the other one "
        "refuses it.",
        (*ENCRYPTED, *DECRYPTED, *REFUSED, *DOMAINS, nonce_key_is_its_own()),
    )
