"""Message encryption: XChaCha20-Poly1305 with a keyed hash of the plaintext as its nonce.

Equal plaintexts give equal ciphertexts. A swarm can therefore store a merge once, even if several
clients push it.
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
    """Return the stored form of a plaintext: ciphertext, 16-byte tag and 24-byte nonce.

    plaintext: any bytes; the result is 40 bytes longer.
    key: 32 bytes.
    domain: 1 to 24 bytes in a reading that separates domains, without effect in other readings.
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
    """Return the plaintext of a stored form that `encrypt` returned.

    ciphertext: ciphertext, tag and nonce, at least 40 bytes. The tag is checked, the nonce is not.
    key, domain: as in `encrypt`.
    Errors: `ConfigMergeError` with "ciphertext-too-short", "decryption-failed", "bad-key-length" or
        "bad-domain".

    Clauses: CM-DECRYPT-SHORT, CM-DECRYPT-AUTHENTIC, CM-DECRYPT-NONCE-UNCHECKED, CM-ENCRYPT-FORM
    Source: "Message Encryption"
    """
    cipher_key = cipher_key_for(len(ciphertext) - OVERHEAD, key, reading=reading, domain=domain)
    if len(ciphertext) < OVERHEAD:
        message = f"the ciphertext has fewer than {OVERHEAD} bytes"
        raise ConfigMergeError("ciphertext-too-short", message, len(ciphertext))
    sealed, nonce = ciphertext[:-NONCE_LENGTH], ciphertext[-NONCE_LENGTH:]
    try:
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, None, nonce, cipher_key)
    except CryptoError as error:
        message = "the ciphertext is not authentic under this key"
        raise ConfigMergeError("decryption-failed", message) from error


def nonce_of(plaintext: bytes, *, reading: Reading, domain: bytes | None) -> bytes:
    """Return the nonce: the 24-byte keyed BLAKE2b hash of the plaintext.

    domain: as in `encrypt`.
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
    """Return the key of the cipher: the given key, or a key derived with length and domain.

    plaintext_length: in bytes.
    key, domain: as in `encrypt`.
    Errors: `ConfigMergeError` with "bad-key-length" or "bad-domain".

    Clauses: CM-ENCRYPT-CIPHER, CM-ENCRYPT-KEY-LENGTH
    Source: "Message Encryption"
    """
    if len(key) != KEY_LENGTH:
        message = f"the encryption key does not have {KEY_LENGTH} bytes"
        raise ConfigMergeError("bad-key-length", message)
    if not reading.nonce_domain_separated:
        return key
    length = max(plaintext_length, 0).to_bytes(8, "big")
    return blake2b(key + length + _checked_domain(domain), digest_size=KEY_LENGTH).digest()


def _checked_domain(domain: bytes | None) -> bytes:
    """Return a domain, after checking that it has 1 to 24 bytes."""
    if domain is None or not 1 <= len(domain) <= MAX_DOMAIN_LENGTH:
        message = f"the domain does not have 1 to {MAX_DOMAIN_LENGTH} bytes"
        raise ConfigMergeError("bad-domain", message)
    return domain
