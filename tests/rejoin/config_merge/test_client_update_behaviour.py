"""Client update behaviour: which message stands, and which messages make none."""

from __future__ import annotations

import pytest

from rejoin.config_merge import (
    READINGS,
    ConfigMergeError,
    Reading,
    parse_message,
    resolve,
    resolve_messages,
    update,
)
from support.config_merge import outer

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


@both_readings
def test_one_message_stands_as_it_is(reading: Reading) -> None:
    encoded = outer(7, data={b"a": 1})
    resolution = resolve([encoded], reading=reading)
    assert resolution.message.encoded == encoded
    assert not resolution.merged


def test_parsed_messages_resolve_like_their_bytes() -> None:
    pair = [outer(7, data={b"a": 1}), outer(7, data={b"a": 2})]
    parsed = [parse_message(encoded) for encoded in pair]
    assert resolve_messages(parsed).message.encoded == resolve(pair).message.encoded


@both_readings
@pytest.mark.parametrize("messages", [[], [b""], [b"x", outer(-1)]])
def test_nothing_can_be_made_of_nothing(messages: list[bytes], reading: Reading) -> None:
    with pytest.raises(ConfigMergeError) as caught:
        resolve(messages, reading=reading)
    assert caught.value.code == "no-valid-message"


@both_readings
def test_an_update_of_invalid_messages_is_refused(reading: Reading) -> None:
    with pytest.raises(ConfigMergeError) as caught:
        update([b"x"], {}, reading=reading)
    assert caught.value.code == "no-valid-message"
