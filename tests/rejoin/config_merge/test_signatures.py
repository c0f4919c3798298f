"""Signatures: the span, the length, the place, and contexts that require them."""

from __future__ import annotations

import pytest
from nacl.signing import VerifyKey

from rejoin.config_merge import (
    ConfigMergeError,
    parse_message,
    resolve,
    sign,
    verify,
)
from support.config_merge import first, outer, worked_example

# RFC 8032, section 7.1, test 1
SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493

EXAMPLE = worked_example()


def signed(encoded: bytes, seed: bytes = SEED) -> bytes:
    return sign(parse_message(encoded), seed).encoded


def code_of(error: pytest.ExceptionInfo[ConfigMergeError]) -> str:
    return error.value.code


def test_the_signature_covers_all_before_its_own_pair() -> None:
    encoded = signed(EXAMPLE.m123)
    span, pair, signature, end = encoded[:-71], encoded[-71:-65], encoded[-65:-1], encoded[-1:]
    assert span == EXAMPLE.m123[:-1]
    assert (pair, end) == (b"1:~64:", b"e")
    assert VerifyKey(PUBLIC).verify(span, signature) == span


def test_signing_keeps_rows_that_are_out_of_the_window() -> None:
    encoded = outer(100, lagged=[[1, b"h" * 32, {}]])
    assert signed(encoded)[:-71] == encoded[:-1]


def test_a_message_and_what_was_signed_of_it_are_the_same_except_the_signature() -> None:
    message = sign(parse_message(EXAMPLE.m123), SEED)
    parsed = parse_message(message.encoded)
    assert message == parsed
    assert message.span_end == parsed.span_end
    assert message.signature == parsed.signature
    assert message.row.encoded == parsed.row.encoded


def test_a_signature_with_a_large_scalar_does_not_verify() -> None:
    encoded = signed(EXAMPLE.m123)
    scalar = int.from_bytes(encoded[-33:-1], "little") + GROUP_ORDER
    forged = encoded[:-33] + scalar.to_bytes(32, "little") + b"e"
    assert not verify(parse_message(forged), PUBLIC)


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_keys_have_32_bytes(key: bytes) -> None:
    with pytest.raises(ConfigMergeError) as caught:
        sign(first(1, {}), key)
    assert code_of(caught) == "bad-signing-key"
    with pytest.raises(ConfigMergeError) as caught:
        verify(first(1, {}), key)
    assert code_of(caught) == "bad-verify-key"
    with pytest.raises(ConfigMergeError) as caught:
        resolve([outer(1)], verify_key=key)
    assert code_of(caught) == "bad-verify-key"
