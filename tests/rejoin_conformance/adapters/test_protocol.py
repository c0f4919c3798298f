"""A line is a hello or a reply, or it is refused with the reason."""

from __future__ import annotations

import json

import pytest
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
    assert read_hello(_line(HELLO)) == Hello(
        name="my-port",
        version="2.1",
        language="Rust",
        operations=("toy/halve",),
        readings={"toy": ("strict",)},
        max_in_flight=8,
    )


def test_a_hello_may_name_several_readings_and_say_more_than_is_asked() -> None:
    hello = read_hello(
        _line({**HELLO, "readings": {"toy": ["strict", "lenient"]}, "homepage": "example.org"})
    )
    assert hello.readings == {"toy": ("strict", "lenient")}


def test_a_hello_without_a_window_has_one_request_under_way() -> None:
    bare = {name: HELLO[name] for name in ("type", "protocol", "name", "operations")}
    hello = read_hello(_line(bare))
    assert (hello.max_in_flight, hello.readings, hello.version) == (1, {}, "")


def test_a_window_is_not_larger_than_the_suite_can_use() -> None:
    assert read_hello(_line({**HELLO, "max_in_flight": 10**9})).max_in_flight == MOST_IN_FLIGHT


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"type": "run"}, "the first line"),
        ({"protocol": "1"}, "protocol must be 1"),
        ({"protocol": True}, "protocol must be 1, not true"),
        ({"name": 7}, "name: expected a string, found 7"),
        ({"version": 2}, "version: expected a string, found 2"),
        ({"operations": [1]}, r"operations\[0\]: expected a string, found 1"),
        ({"readings": []}, "readings: expected an object"),
        ({"readings": {"toy": [1]}}, r'readings\["toy"\]\[0\]: expected a string'),
        ({"max_in_flight": "8"}, 'max_in_flight: expected an integer, found "8"'),
        ({"max_in_flight": True}, "max_in_flight: expected an integer, found true"),
    ],
)
def test_a_wrong_hello_is_refused_for_its_fault(change: dict[str, object], why: str) -> None:
    with pytest.raises(HelloError, match=why):
        read_hello(_line({**HELLO, **change}))


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b'{"id":17,"output":{"half":4}}', Reply(17, "output", {"half": 4})),
        (b' {"output" : {}, "id":0}\r', Reply(0, "output", {})),
        (b'{"id":1,"rejected":{}}', Reply(1, "rejected", {})),
        (b'{"id":1,"rejected":{"reason":"odd"}}', Reply(1, "rejected", {"reason": "odd"})),
        (b'{"id":1,"error":{"message":"?"}}', Reply(1, "error", {"message": "?"})),
    ],
)
def test_a_reply_has_a_number_and_one_result(line: bytes, reply: Reply) -> None:
    assert read_reply(line) == reply


def test_a_reply_shows_its_reason_or_message() -> None:
    assert Reply(1, "rejected", {"reason": "odd"}).text == "odd"
    assert Reply(1, "error", {"message": "gone"}).text == "gone"
    assert Reply(1, "rejected", {}).text == ""


@pytest.mark.parametrize(
    ("line", "number"),
    [
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
    ],
)
def test_an_invalid_reply_names_its_request_if_it_can(line: bytes, number: int | None) -> None:
    with pytest.raises(ReplyError) as caught:
        read_reply(line)
    assert caught.value.number == number


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


def test_a_request_is_one_line_of_canonical_json() -> None:
    assert run_line(17, "toy/halve", "strict", {"number": 8}) == (
        b'{"id":17,"input":{"number":8},"operation":"toy/halve","reading":"strict","type":"run"}\n'
    )


@pytest.mark.parametrize("field", ["protocol", "name", "operations", "readings", "max_in_flight"])
def test_a_hello_with_a_value_of_any_depth_is_refused(field: str) -> None:
    good = {"type": "hello", "protocol": 1, "name": "a", "operations": []}
    for depth in (*range(490, 520, 3), *range(940, 1010, 3), 100_000):
        others = {name: value for name, value in good.items() if name != field}
        deep = depth * "[" + depth * "]"
        with pytest.raises(HelloError):
            read_hello(f'{json.dumps(others)[:-1]},"{field}":{deep}}}'.encode())


def test_a_reply_with_too_many_values_is_refused_before_it_is_parsed() -> None:
    line = b'{"id":1,"output":{"half":[' + b"0," * MOST_VALUES + b"0]}}"
    with pytest.raises(ReplyError, match="too many values: the limit is 500,000"):
        read_reply(line)
