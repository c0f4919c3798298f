"""Message encryption: XChaCha20-Poly1305 with a nonce that is a keyed hash of the plaintext.

Equal plaintexts give equal ciphertexts, so that a swarm can keep racing merges once.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from nacl import bindings
from nacl.exceptions import CryptoError

from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.reading import DOCUMENT, Reading

KEY_LENGTH: Final = 32
TAG_LENGTH: Final = 16
NONCE_LENGTH: Final = 24
OVERHEAD: Final = TAG_LENGTH + NONCE_LENGTH
MAX_DOMAIN_LENGTH: Final = 24

NONCE_HASH_KEY: Final = b"libsession-config-nonce-hash-key"
NONCE_KEY_PREFIX: Final = b"libsessionutil-config-encrypted-"


def encrypt(
    plaintext: bytes, key: bytes, *, reading: Reading = DOCUMENT, domain: bytes | None = None
) -> bytes:
    """Encrypt the plaintext of a message.

    plaintext: any bytes. key: 32 bytes. domain: 1 to 24 bytes in a reading that separates domains,
    without effect in others.
    Returns the ciphertext, its 16-byte tag, and the 24-byte nonce: 40 bytes more than the
    plaintext.
    Errors: `ConfigMergeError` with "bad-key-length" or "bad-domain".

    Clauses: CM-ENCRYPT-CIPHER, CM-ENCRYPT-FORM, CM-ENCRYPT-DETERMINISTIC, CM-ENCRYPT-EMPTY
    Source: "Message Encryption"
    """
    cipher_key = cipher_key_for(len(plaintext), key, reading=reading, domain=domain)
    nonce = nonce_of(plaintext, reading=reading, domain=domain)
    sealed = bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, None, nonce, cipher_key)
    return sealed + nonce


def decrypt(
    ciphertext: bytes, key: bytes, *, reading: Reading = DOCUMENT, domain: bytes | None = None
) -> bytes:
    """Decrypt what `encrypt` returned.

    The nonce is used as it stands; the tag alone decides.
    Errors: `ConfigMergeError` with "ciphertext-too-short", "decryption-failed", "bad-key-length" or
    "bad-domain".

    Clauses: CM-DECRYPT-SHORT, CM-DECRYPT-AUTHENTIC, CM-DECRYPT-NONCE-UNCHECKED, CM-ENCRYPT-FORM
    Source: "Message Encryption"
    """
    cipher_key = cipher_key_for(len(ciphertext) - OVERHEAD, key, reading=reading, domain=domain)
    if len(ciphertext) < OVERHEAD:
        message = f"a ciphertext has at least {OVERHEAD} bytes"
        raise ConfigMergeError("ciphertext-too-short", message, len(ciphertext))
    sealed, nonce = ciphertext[:-NONCE_LENGTH], ciphertext[-NONCE_LENGTH:]
    try:
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, None, nonce, cipher_key)
    except CryptoError as error:
        message = "the ciphertext is not authentic under this key"
        raise ConfigMergeError("decryption-failed", message) from error


def nonce_of(plaintext: bytes, *, reading: Reading, domain: bytes | None) -> bytes:
    """Return the 24-byte keyed BLAKE2b hash of the plaintext.

    Errors: `ConfigMergeError` with "bad-domain".

    Clauses: CM-ENCRYPT-NONCE
    Source: "Message Encryption"
    """
    hash_key = NONCE_HASH_KEY
    if reading.nonce_domain_separated:
        hash_key = NONCE_KEY_PREFIX + _checked_domain(domain)
    return blake2b(plaintext, digest_size=NONCE_LENGTH, key=hash_key).digest()


def cipher_key_for(
    plaintext_length: int, key: bytes, *, reading: Reading, domain: bytes | None
) -> bytes:
    """Return the key of the cipher: the given one, or one derived with length and domain.

    Errors: `ConfigMergeError` with "bad-key-length" or "bad-domain".

    Clauses: CM-ENCRYPT-CIPHER, CM-ENCRYPT-KEY-LENGTH
    Source: "Message Encryption"
    """
    if len(key) != KEY_LENGTH:
        raise ConfigMergeError("bad-key-length", f"an encryption key has {KEY_LENGTH} bytes")
    if not reading.nonce_domain_separated:
        return key
    length = max(plaintext_length, 0).to_bytes(8, "big")
    return blake2b(key + length + _checked_domain(domain), digest_size=KEY_LENGTH).digest()


def _checked_domain(domain: bytes | None) -> bytes:
    """Return a domain if it is one."""
    if domain is None or not 1 <= len(domain) <= MAX_DOMAIN_LENGTH:
        raise ConfigMergeError("bad-domain", f"a domain has 1 to {MAX_DOMAIN_LENGTH} bytes")
    return domain
