"""Encryption in both readings."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings

from rejoin.config_merge import (
    DOCUMENT,
    LIBSESSION,
    ConfigMergeError,
    Reading,
    decrypt,
    encrypt,
)
from support.config_merge import worked_example

KEY = bytes(range(32))
DOMAIN = b"UserProfile"
MESSAGE = worked_example().m123

both_readings = pytest.mark.parametrize(
    "reading", [DOCUMENT, LIBSESSION], ids=lambda reading: reading.name
)


def refusal(ciphertext: bytes, reading: Reading, key: bytes = KEY, domain: bytes = DOMAIN) -> str:
    with pytest.raises(ConfigMergeError) as caught:
        decrypt(ciphertext, key, reading=reading, domain=domain)
    return caught.value.code


def test_the_document_uses_the_key_as_it_is() -> None:
    ciphertext = encrypt(MESSAGE, KEY)
    sealed, nonce = ciphertext[:-24], ciphertext[-24:]
    hash_key = b"libsession-config-nonce-hash-key"
    assert len(hash_key) == 32
    assert nonce == blake2b(MESSAGE, digest_size=24, key=hash_key).digest()
    opened = bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, None, nonce, KEY)
    assert opened == MESSAGE


def test_the_library_derives_its_keys_from_length_and_domain() -> None:
    ciphertext = encrypt(MESSAGE, KEY, reading=LIBSESSION, domain=DOMAIN)
    sealed, nonce = ciphertext[:-24], ciphertext[-24:]
    hash_key = b"libsessionutil-config-encrypted-UserProfile"
    assert nonce == blake2b(MESSAGE, digest_size=24, key=hash_key).digest()
    size = b"\x00\x00\x00\x00\x00\x00\x01\x8c"
    assert len(MESSAGE) == 0x18C
    key = blake2b(KEY + size + b"UserProfile", digest_size=32).digest()
    opened = bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, None, nonce, key)
    assert opened == MESSAGE


@both_readings
@given(plaintext=st.binary(max_size=200), key=st.binary(min_size=32, max_size=32))
def test_what_is_encrypted_is_decrypted(reading: Reading, plaintext: bytes, key: bytes) -> None:
    ciphertext = encrypt(plaintext, key, reading=reading, domain=DOMAIN)
    assert len(ciphertext) == len(plaintext) + 40
    assert decrypt(ciphertext, key, reading=reading, domain=DOMAIN) == plaintext
    assert encrypt(plaintext, key, reading=reading, domain=DOMAIN) == ciphertext


@both_readings
def test_a_changed_byte_anywhere_is_noticed(reading: Reading) -> None:
    ciphertext = encrypt(b"some plaintext", KEY, reading=reading, domain=DOMAIN)
    for at in range(len(ciphertext)):
        changed = ciphertext[:at] + bytes([ciphertext[at] ^ 0x80]) + ciphertext[at + 1 :]
        assert refusal(changed, reading) == "decryption-failed"


def test_a_good_tag_is_enough_whatever_the_nonce() -> None:
    nonce = b"n" * 24
    sealed = bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(MESSAGE, None, nonce, KEY)
    assert decrypt(sealed + nonce, KEY) == MESSAGE
