"""Client update behaviour: which message stands, and which messages make none."""

from __future__ import annotations

from rejoin.config_merge import (
    parse_message,
    resolve,
    resolve_messages,
)
from support.config_merge import outer


def test_parsed_messages_resolve_like_their_bytes() -> None:
    pair = [outer(7, data={b"a": 1}), outer(7, data={b"a": 2})]
    parsed = [parse_message(encoded) for encoded in pair]
    assert resolve_messages(parsed).message.encoded == resolve(pair).message.encoded
