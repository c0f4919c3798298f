"""The cipher and the key of the vectors against published answers.

draft-irtf-cfrg-xchacha has one example, with associated data; the project Wycheproof has others
without. The stored forms of the vectors also meet the ciphers of the two ports.
"""

from __future__ import annotations

from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt

from rejoin_conformance.systems.config_merge.by_hand.keys import PUBLIC, SEED, seal, signature

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
    for example in PUBLISHED:
        key, nonce, associated, plaintext, sealed = map(bytes.fromhex, example)
        encrypt = crypto_aead_xchacha20poly1305_ietf_encrypt
        assert encrypt(plaintext, associated, nonce, key) == sealed
        if not associated:
            assert seal(plaintext, key, nonce) == sealed + nonce


def test_the_signing_key_of_the_vectors_is_that_of_rfc_8032() -> None:
    known = (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )
    assert signature(SEED, b"").hex() == known
    assert PUBLIC.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
