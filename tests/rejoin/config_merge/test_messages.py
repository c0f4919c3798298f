"""Messages: hash, rank, window and seqno."""

from __future__ import annotations

import pytest

from rejoin.config_merge import (
    READINGS,
    ConfigMergeError,
    Reading,
    message_hash,
    parse_message,
    resolve,
    update,
)
from rejoin.config_merge.messages import MAX_SEQNO, by_rank, next_seqno
from support.config_merge import first, outer, refusal, worked_example

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


def test_the_hash_is_blake2b_of_32_bytes_without_a_key() -> None:
    # the published test vector of BLAKE2b-256 for the empty input
    assert (
        message_hash(b"").hex()
        == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"
    )


def test_messages_rank_by_seqno_before_hash() -> None:
    example = worked_example()
    messages = [parse_message(encoded) for encoded in (example.m125b, example.m126a, example.m125a)]
    assert [message.seqno for message in sorted(messages, key=by_rank)] == [125, 125, 126]
    assert min(messages, key=by_rank).hash.hex().startswith("80f2")


def test_a_message_includes_what_it_has_rows_of() -> None:
    example = worked_example()
    one, two = parse_message(example.m125a), parse_message(example.m125b)
    merged = parse_message(resolve([example.m125a, example.m125b]).message.encoded)
    assert {one.rank, two.rank} <= merged.included
    assert merged.rank not in merged.included
    assert len(merged.included) == len(merged.lagged)


def test_a_message_is_its_seqno_and_hash() -> None:
    one, same, other = first(1, {b"a": 1}), first(1, {b"a": 1}), first(1, {b"a": 2})
    assert one == same
    assert one != other
    assert len({one, same, other}) == 2


@both_readings
@pytest.mark.parametrize("seqno", [0, 1, 2**62 - 1])
def test_a_seqno_in_range(seqno: int, reading: Reading) -> None:
    assert parse_message(outer(seqno), reading=reading).seqno == seqno


@both_readings
@pytest.mark.parametrize("seqno", [-1, 2**62, 2**63 - 1, -(2**63)])
def test_a_seqno_out_of_range(seqno: int, reading: Reading) -> None:
    error = refusal(outer(seqno), reading)
    assert (error.code, error.position) == ("seqno-out-of-range", 4)


@both_readings
def test_no_message_follows_the_largest_seqno(reading: Reading) -> None:
    last, other = outer(MAX_SEQNO), outer(MAX_SEQNO, data={b"a": 1})
    assert resolve([last], reading=reading).message.seqno == MAX_SEQNO
    with pytest.raises(ConfigMergeError) as caught:
        update([last], {b"b": 1}, reading=reading)
    assert caught.value.code == "seqno-exhausted"
    with pytest.raises(ConfigMergeError) as caught:
        resolve([last, other], reading=reading)
    assert caught.value.code == "seqno-exhausted"


def test_the_last_seqno_can_be_reached() -> None:
    assert next_seqno(MAX_SEQNO - 1) == MAX_SEQNO
    assert update([outer(MAX_SEQNO - 1)], {}).seqno == MAX_SEQNO
