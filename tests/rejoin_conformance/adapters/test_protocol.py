"""A line is a hello or a reply, or it is refused with the reason."""

from __future__ import annotations

import json

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.adapters.protocol import (
    MOST_IN_FLIGHT,
    MOST_VALUES,
    Hello,
    HelloError,
    Reply,
    ReplyError,
    is_bye,
    read_hello,
    read_reply,
    run_line,
)

HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "my-port",
    "version": "2.1",
    "language": "Rust",
    "operations": ["toy/halve"],
    "readings": {"toy": "strict"},
    "max_in_flight": 8,
}


def _line(value: object) -> bytes:
    return json.dumps(value).encode()


def test_a_hello_is_read_field_by_field() -> None:
    hello = Hello(
        name="my-port",
        version="2.1",
        language="Rust",
        operations=("toy/halve",),
        readings={"toy": ("strict",)},
        max_in_flight=8,
    )
    assert read_hello(_line(HELLO)) == hello
    bare = {name: HELLO[name] for name in ("type", "protocol", "name", "operations")}
    for said, fields in (
        ({**HELLO, "readings": {"toy": ["a", "b"]}, "more": 1}, {"readings": {"toy": ("a", "b")}}),
        ({**HELLO, "max_in_flight": 10**9}, {"max_in_flight": MOST_IN_FLIGHT}),
        (bare, {"max_in_flight": 1, "readings": {}, "version": "", "language": ""}),
    ):
        assert read_hello(_line(said)) == evolve(hello, **fields)


WRONG_HELLOS: list[tuple[dict[str, object], str]] = [
    ({"type": "run"}, "the first line"),
    ({"protocol": "1"}, "protocol must be 1"),
    ({"protocol": True}, "protocol must be 1, not true"),
    ({"name": 7}, "name: expected a string, found 7"),
    ({"name": ""}, 'name: expected a value that is not empty, found ""'),
    ({"version": 2}, "version: expected a string, found 2"),
    ({"operations": "toy/halve"}, 'operations: expected a list, found "toy/halve"'),
    ({"operations": [1]}, "operations[0]: expected a string, found 1"),
    ({"readings": []}, "readings: expected an object"),
    ({"readings": {"toy": [1]}}, 'readings["toy"][0]: expected a string'),
    ({"max_in_flight": "8"}, 'max_in_flight: expected an integer, found "8"'),
    ({"max_in_flight": 0}, "max_in_flight: expected an integer of at least 1, found 0"),
    ({"max_in_flight": True}, "max_in_flight: expected an integer, found true"),
]


def test_a_wrong_hello_is_refused_for_its_fault() -> None:
    lines = [(_line({**HELLO, **change}), why) for change, why in WRONG_HELLOS]
    lines += [(b"[1]", "a hello must be a JSON object"), (b"toy 1", "the line is not JSON")]
    lines += [(b"\xef\xbb\xbf" + _line(HELLO), "a byte order mark stands before")]
    for line, why in lines:
        with pytest.raises(HelloError) as caught:
            read_hello(line)
        assert why in str(caught.value)


def test_a_reply_has_a_number_and_one_result() -> None:
    for line, reply, text in (
        (b'{"id":17,"output":{"half":4}}', Reply(17, "output", {"half": 4}), ""),
        (b' {"output" : {}, "id":0}\r', Reply(0, "output", {}), ""),
        (b'{"id":1,"rejected":{}}', Reply(1, "rejected", {}), ""),
        (b'{"id":1,"rejected":{"reason":"odd"}}', Reply(1, "rejected", {"reason": "odd"}), "odd"),
        (b'{"id":1,"error":{"message":"?"}}', Reply(1, "error", {"message": "?"}), "?"),
    ):
        assert (read_reply(line), read_reply(line).text) == (reply, text)


def test_an_invalid_reply_names_its_request_if_it_can() -> None:
    for line, number in (
        (b'{"id":17}', 17),
        (b'{"id":17,"output":{},"rejected":{}}', 17),
        (b'{"id":17,"output":{},"time":3}', 17),
        (b'{"id":17,"output":[]}', 17),
        (b'{"id":17,"rejected":{"reason":null}}', 17),
        (b'{"id":"17","output":{}}', None),
        (b'{"id":true,"output":{}}', None),
        (b'{"id":17.0,"output":{}}', None),
        (b'{"output":{}}', None),
        (b"[17]", None),
        (b"", None),
        (b"\xff", None),
        (b'{"id":17,"output":{}', None),
        (b'\xef\xbb\xbf{"id":17,"output":{}}', None),
    ):
        with pytest.raises(ReplyError) as caught:
            read_reply(line)
        assert caught.value.number == number, line


@given(st.binary(max_size=200))
def test_any_bytes_are_a_reply_or_a_reply_error(line: bytes) -> None:
    try:
        read_reply(line)
    except ReplyError as error:
        assert str(error)  # noqa: PT017 - either outcome is allowed
    try:
        read_hello(line)
    except HelloError as error:
        assert str(error).isprintable()  # noqa: PT017


def test_a_bye_in_turn_is_known_in_any_spelling() -> None:
    assert is_bye(b'{ "type": "bye" }')
    assert not is_bye(b"bye")
    assert not is_bye(b'\xef\xbb\xbf{"type":"bye"}')


def test_a_request_is_one_line_of_canonical_json() -> None:
    assert run_line(17, "toy/halve", "strict", {"number": 8}) == (
        b'{"id":17,"input":{"number":8},"operation":"toy/halve","reading":"strict","type":"run"}\n'
    )


def test_a_hello_with_a_value_of_any_depth_is_refused() -> None:
    for field in ("protocol", "name", "operations", "readings", "max_in_flight"):
        others = json.dumps({name: value for name, value in HELLO.items() if name != field})
        for depth in (*range(490, 520, 3), *range(940, 1010, 3), 100_000):
            deep = depth * "[" + depth * "]"
            with pytest.raises(HelloError):
                read_hello(f'{others[:-1]},"{field}":{deep}}}'.encode())


def test_a_reply_with_too_many_values_is_refused_before_it_is_parsed() -> None:
    line = b'{"id":1,"output":{"half":[' + b"0," * MOST_VALUES + b"0]}}"
    with pytest.raises(ReplyError, match="too many values: the limit is 500,000"):
        read_reply(line)
