"""Signatures: the span, the length, the place, and contexts that require them."""

from __future__ import annotations

import pytest
from nacl.signing import SigningKey, VerifyKey

from rejoin.config_merge import (
    READINGS,
    ConfigMergeError,
    Message,
    Reading,
    message_hash,
    parse_message,
    resolve,
    serialise,
    sign,
    signed_span,
    update,
    verify,
)
from support.config_merge import first, outer, refusal, worked_example

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))

# RFC 8032, section 7.1, test 1
SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
OTHER_SEED = b"\x01" * 32
OTHER_PUBLIC = bytes(SigningKey(OTHER_SEED).verify_key)
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


def test_a_signed_message_comes_back() -> None:
    encoded = signed(EXAMPLE.m123)
    message = parse_message(encoded, verify_key=PUBLIC)
    assert message.signature == encoded[-65:-1]
    assert signed_span(message) == encoded[:-71]
    assert serialise(message) == encoded
    assert verify(message, PUBLIC)


def test_signing_is_deterministic_and_the_hash_covers_the_signature() -> None:
    encoded = signed(EXAMPLE.m123)
    assert signed(EXAMPLE.m123) == encoded
    assert parse_message(encoded).hash == message_hash(encoded)
    assert parse_message(encoded).hash != parse_message(EXAMPLE.m123).hash


def test_what_is_signed_anew_has_one_signature() -> None:
    assert signed(signed(EXAMPLE.m123)) == signed(EXAMPLE.m123)
    assert signed(signed(EXAMPLE.m123, OTHER_SEED)) == signed(EXAMPLE.m123)


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


@both_readings
def test_another_key_or_a_changed_byte_does_not_verify(reading: Reading) -> None:
    encoded = signed(EXAMPLE.m123)
    assert not verify(parse_message(encoded, reading=reading), OTHER_PUBLIC)
    value = encoded.index(b"goodbye")
    for at in (value, value + 6, len(encoded) - 65, len(encoded) - 2):
        changed = encoded[:at] + bytes([encoded[at] ^ 1]) + encoded[at + 1 :]
        assert not verify(parse_message(changed, reading=reading), PUBLIC)
        with pytest.raises(ConfigMergeError) as caught:
            parse_message(changed, reading=reading, verify_key=PUBLIC)
        assert caught.value.code == "signature-invalid"
        assert caught.value.position == len(encoded) - 71


def test_a_signature_with_a_large_scalar_does_not_verify() -> None:
    encoded = signed(EXAMPLE.m123)
    scalar = int.from_bytes(encoded[-33:-1], "little") + GROUP_ORDER
    forged = encoded[:-33] + scalar.to_bytes(32, "little") + b"e"
    assert not verify(parse_message(forged), PUBLIC)


@both_readings
@pytest.mark.parametrize("length", [0, 63, 65])
def test_a_signature_has_64_bytes_whether_or_not_it_is_required(
    length: int, reading: Reading
) -> None:
    error = refusal(outer(1, **{"~": bytes(length)}), reading)
    assert (error.code, error.position) == ("signature-length", len(outer(1)) - 1 + 3)


@both_readings
def test_a_signature_is_a_string(reading: Reading) -> None:
    assert refusal(outer(1, **{"~": 64}), reading).code == "signature-length"


@both_readings
def test_nothing_comes_after_a_signature(reading: Reading) -> None:
    behind = signed(outer(1))[:-1] + b"2:~~i1ee"
    assert refusal(behind, reading).code == "key-after-signature"
    unsorted = signed(outer(1))[:-1] + b"1:}i1ee"
    assert refusal(unsorted, reading).code == "keys-not-ascending"
    twice = signed(outer(1))[:-1] + b"1:~64:" + bytes(64) + b"e"
    assert refusal(twice, reading).code == "keys-not-ascending"


@both_readings
def test_a_message_without_signature_is_invalid_where_one_is_required(reading: Reading) -> None:
    with pytest.raises(ConfigMergeError) as caught:
        parse_message(outer(1), reading=reading, verify_key=PUBLIC)
    assert (caught.value.code, caught.value.position) == ("signature-missing", len(outer(1)) - 1)
    assert not verify(parse_message(outer(1), reading=reading), PUBLIC)


@both_readings
def test_where_none_is_required_any_signature_of_right_form_will_do(reading: Reading) -> None:
    message = parse_message(outer(1, **{"~": bytes(64)}), reading=reading)
    assert message.signature == bytes(64)


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


@both_readings
def test_with_a_signing_key_updates_and_merges_are_signed(reading: Reading) -> None:
    base = first(1, {b"a": 1}).encoded
    one = update([base], {b"a": 2}, reading=reading, signing_key=SEED)
    two = update([base], {b"a": 3}, reading=reading, signing_key=SEED)
    merged = resolve([one.encoded, two.encoded], reading=reading, signing_key=SEED).message
    founded = update([], {}, reading=reading, signing_key=SEED)
    for message in (one, two, merged, founded):
        assert verify(parse_message(message.encoded, reading=reading), PUBLIC)


@both_readings
def test_signers_of_one_key_make_the_same_merge(reading: Reading) -> None:
    pair = conflict(reading)
    one = resolve(pair, reading=reading, verify_key=PUBLIC, signing_key=SEED)
    two = resolve(pair[::-1], reading=reading, verify_key=PUBLIC, signing_key=SEED)
    assert one.merged
    assert one.message.encoded == two.message.encoded


@both_readings
def test_without_a_signing_key_nothing_is_merged_and_the_highest_stands(reading: Reading) -> None:
    pair = conflict(reading)
    resolution = resolve(pair, reading=reading, verify_key=PUBLIC)
    highest = max((parse_message(encoded).rank, encoded) for encoded in pair)[1]
    assert not resolution.merged
    assert resolution.message.encoded == highest
    assert len(resolution.survivors) == 2
    assert resolution.ignored == ()


@both_readings
def test_without_a_signing_key_nothing_is_updated(reading: Reading) -> None:
    for messages in ([signed(outer(1))], []):
        with pytest.raises(ConfigMergeError) as caught:
            update(messages, {b"a": 1}, reading=reading, verify_key=PUBLIC)
        assert code_of(caught) == "signing-key-missing"


@both_readings
def test_an_unsigned_message_does_not_break_a_signed_context(reading: Reading) -> None:
    pair = conflict(reading)
    intruder = first(3, {b"evil": 1}).encoded
    forged = sign(first(3, {b"evil": 2}), OTHER_SEED).encoded
    resolution = resolve(
        [intruder, *pair, forged], reading=reading, verify_key=PUBLIC, signing_key=SEED
    )
    assert [(item.index, item.why) for item in resolution.ignored] == [
        (0, "invalid"),
        (3, "invalid"),
    ]
    expected = resolve(pair, reading=reading, verify_key=PUBLIC, signing_key=SEED)
    assert resolution.message.encoded == expected.message.encoded


def test_without_keys_what_is_made_is_unsigned() -> None:
    message: Message = update([signed(outer(1))], {b"a": 1})
    assert message.signature is None
    merged = resolve([signed(outer(1)), signed(outer(1, data={b"b": 1}))]).message
    assert merged.signature is None
    assert not merged.encoded.endswith(b"1:~64:")


def conflict(reading: Reading) -> list[bytes]:
    base = update([], {b"a": 1}, reading=reading, signing_key=SEED).encoded
    return [
        update([base], {b"a": value}, reading=reading, signing_key=SEED).encoded for value in (2, 3)
    ]
