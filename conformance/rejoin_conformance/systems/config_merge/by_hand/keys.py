"""Keys that everyone may know, and cryptography by PyNaCl without the code under test.

The signing keys are those of the first three test vectors of RFC 8032, section 7.1; the encryption
key is that of the example in draft-irtf-cfrg-xchacha.
"""

from __future__ import annotations

import hashlib
from typing import Final

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_encrypt,
    crypto_sign,
    crypto_sign_seed_keypair,
)

SEED: Final = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC: Final = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
SEED_2: Final = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
PUBLIC_2: Final = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
SEED_3: Final = bytes.fromhex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
PUBLIC_3: Final = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")

HISTORY_KEY: Final = hashlib.blake2b(b"encryption key of histories", digest_size=32).digest()
HISTORY_SEED: Final = hashlib.blake2b(b"signing key of histories", digest_size=32).digest()
HISTORY_PUBLIC: Final = crypto_sign_seed_keypair(HISTORY_SEED)[0]
"""The keys of random histories."""

GROUP_ORDER: Final = 2**252 + 27742317777372353535851937790883648493

KEY: Final = bytes(range(0x80, 0xA0))
NONCE_KEY: Final = b"libsession-config-nonce-hash-key"
DOMAIN: Final = b"UserProfile"
DOMAIN_PREFIX: Final = b"libsessionutil-config-encrypted-"


def signature(seed: bytes, signed: bytes) -> bytes:
    """Return the 64-byte Ed25519 signature of `signed` by the key of that seed."""
    _, secret = crypto_sign_seed_keypair(seed)
    return crypto_sign(signed, secret)[:64]


def unreduced(signature_bytes: bytes) -> bytes:
    """Return the same signature with the group order added to its scalar: never to be accepted."""
    scalar = int.from_bytes(signature_bytes[32:], "little") + GROUP_ORDER
    return signature_bytes[:32] + scalar.to_bytes(32, "little")


def seal(plaintext: bytes, key: bytes, nonce: bytes) -> bytes:
    """Return the stored form of a plaintext under a nonce that the author chooses."""
    return crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, None, nonce, key) + nonce


def stored_form(plaintext: bytes, key: bytes = KEY) -> bytes:
    """Return the stored form as the document has it."""
    nonce = hashlib.blake2b(plaintext, digest_size=24, key=NONCE_KEY).digest()
    return seal(plaintext, key, nonce)


def stored_form_in_domain(plaintext: bytes, key: bytes = KEY, domain: bytes = DOMAIN) -> bytes:
    """Return the stored form as the reading `libsession` has it."""
    nonce = hashlib.blake2b(plaintext, digest_size=24, key=DOMAIN_PREFIX + domain).digest()
    return seal(plaintext, derived_key(len(plaintext), key, domain), nonce)


def derived_key(length: int, key: bytes = KEY, domain: bytes = DOMAIN) -> bytes:
    """Return the key with which the reading `libsession` encrypts a plaintext of this length."""
    of_key = key + length.to_bytes(8, "big") + domain
    return hashlib.blake2b(of_key, digest_size=32).digest()
