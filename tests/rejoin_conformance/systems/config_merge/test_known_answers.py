"""Stored forms against XChaCha20-Poly1305 written out in Python, itself held to published answers.

draft-irtf-cfrg-xchacha has one example, with associated data; the project Wycheproof has others
without. Neither can choose the nonce that config merge derives, so the cipher is checked against
them and the vectors against the cipher.
"""

from __future__ import annotations

import hashlib
import struct

from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    DOMAIN_PREFIX,
    NONCE_KEY,
    PUBLIC,
    SEED,
    signature,
)

Words = list[int]

CONSTANTS = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
ROUND = [
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
]


def rounds(state: Words) -> Words:
    """The twenty rounds of ChaCha."""
    words = list(state)
    for _ in range(10):
        for a, b, c, d in ROUND:
            for one, other, third, turn in (
                (a, b, d, 16),
                (c, d, b, 12),
                (a, b, d, 8),
                (c, d, b, 7),
            ):
                words[one] = (words[one] + words[other]) & 0xFFFFFFFF
                mixed = words[third] ^ words[one]
                words[third] = (mixed << turn | mixed >> (32 - turn)) & 0xFFFFFFFF
    return words


def words_of(data: bytes) -> Words:
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def subkey(key: bytes, nonce: bytes) -> bytes:
    """HChaCha20 of a key and 16 bytes."""
    words = rounds([*CONSTANTS, *words_of(key), *words_of(nonce)])
    return struct.pack("<8I", *words[:4], *words[12:])


def key_stream(key: bytes, nonce: bytes, counter: int) -> bytes:
    """One block of ChaCha20 with a nonce of 12 bytes."""
    state = [*CONSTANTS, *words_of(key), counter, *words_of(nonce)]
    mixed = rounds(state)
    return struct.pack(
        "<16I", *((one + other) & 0xFFFFFFFF for one, other in zip(mixed, state, strict=True))
    )


def poly1305(key: bytes, data: bytes) -> bytes:
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(data), 16):
        block = data[start : start + 16] + b"\x01"
        total = (total + int.from_bytes(block, "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def seal(plaintext: bytes, key: bytes, nonce: bytes, associated: bytes = b"") -> bytes:
    """Ciphertext and tag of XChaCha20-Poly1305."""
    inner_key, inner_nonce = subkey(key, nonce[:16]), bytes(4) + nonce[16:]
    stream = b"".join(
        key_stream(inner_key, inner_nonce, 1 + block)
        for block in range((len(plaintext) + 63) // 64)
    )
    ciphertext = bytes(one ^ other for one, other in zip(plaintext, stream, strict=False))
    lengths = struct.pack("<QQ", len(associated), len(ciphertext))
    authenticated = padded(associated) + padded(ciphertext) + lengths
    return ciphertext + poly1305(key_stream(inner_key, inner_nonce, 0)[:32], authenticated)


PUBLISHED = [
    # draft-irtf-cfrg-xchacha, A.3.1
    (
        "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
        "404142434445464748494a4b4c4d4e4f5051525354555657",
        "50515253c0c1c2c3c4c5c6c7",
        (
            "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
            "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
            "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
            "637265656e20776f756c642062652069742e"
        ),
        (
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
            "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
            "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
            "21f9664c97637da9768812f615c68b13b52e"
            "c0875924c1c7987947deafd8780acf49"
        ),
    ),
    # Wycheproof, xchacha20_poly1305, tests 2 and 20
    (
        "ab1562faea9f47af3ae1c3d6d030e3af230255dff3df583ced6fbbcbf9d606a9",
        "6a5e0c4617e07091b605a4de2c02dde117de2ebd53b23497",
        "",
        "",
        "e2697ea6877aba39d9555a00e14db041",
    ),
    (
        "08eb57d7bc113f7fbdda1b32237cdd06cccd52ef4a89a831c5e0564370c885ad",
        "200a30270bc911dd3b8a8ea2a6e6ce75be9cfb0f5431db3d",
        "",
        "704df23a31893799ee",
        "37d696264f781338c95fddaf74438159acc3c5667b5e84af13",
    ),
]


def test_the_cipher_gives_the_published_answers() -> None:
    for key, nonce, associated, plaintext, sealed in PUBLISHED:
        answer = seal(*(bytes.fromhex(text) for text in (plaintext, key, nonce, associated)))
        assert answer.hex() == sealed


def test_every_stored_form_of_the_corpus_is_the_one_of_the_cipher() -> None:
    encrypted = [
        (vector, reading, expected["output"])
        for vector in load_system("config-merge")
        if vector.operation == "config-merge/encrypt"
        for reading, expected in vector.expected.items()
        if "output" in expected
    ]
    assert len(encrypted) > 20
    for vector, reading, output in encrypted:
        fields = {name: bytes.fromhex(str(value)) for name, value in vector.input.items()}
        plaintext, key, nonce_key = fields["plaintext"], fields["key"], NONCE_KEY
        if reading == "libsession":
            size = struct.pack(">Q", len(plaintext))
            key = hashlib.blake2b(key + size + fields["domain"], digest_size=32).digest()
            nonce_key = DOMAIN_PREFIX + fields["domain"]
        nonce = hashlib.blake2b(plaintext, digest_size=24, key=nonce_key).digest()
        assert output == {"ciphertext": (seal(plaintext, key, nonce) + nonce).hex()}, vector.id


def test_the_signing_key_of_the_vectors_is_that_of_rfc_8032() -> None:
    known = (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )
    assert signature(SEED, b"").hex() == known
    assert PUBLIC.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
