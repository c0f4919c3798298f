"""Application data: valid values, and the code of each fault."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

import pytest
from hypothesis import given

from rejoin.config_merge import (
    DOCUMENT,
    ConfigMergeError,
    Dict,
    Reading,
    checked_data,
    encode_data,
    parse_data,
)
from rejoin.config_merge.application_data import in_order, precedes
from support.config_merge_strategies import dicts, scalars


def refusal(encoded: bytes, reading: Reading = DOCUMENT) -> tuple[str, int | None]:
    with pytest.raises(ConfigMergeError) as caught:
        parse_data(encoded, reading=reading)
    return caught.value.code, caught.value.position


def refusal_of(data: object) -> str:
    with pytest.raises(ConfigMergeError) as caught:
        checked_data(cast("Mapping[bytes, object]", data))
    return caught.value.code


@given(dicts)
def test_parsing_undoes_encoding(data: dict[bytes, object]) -> None:
    checked = checked_data(data)
    assert checked == data
    assert parse_data(encode_data(checked)) == checked


def test_the_encoding_does_not_depend_on_the_order_of_construction() -> None:
    forwards = checked_data({b"a": 1, b"b": {2, 3, b"x"}})
    backwards: Dict = {b"b": frozenset([b"x", 3, 2]), b"a": 1}
    assert encode_data(forwards) == encode_data(backwards) == b"d1:ai1e1:bli2ei3e1:xee"


@pytest.mark.parametrize(
    ("encoded", "code", "position"),
    [
        (b"i1e", "data-not-dict", 0),
        (b"le", "data-not-dict", 0),
        (b"0:", "data-not-dict", 0),
        (b"d1:alee", "empty-set", 4),
        (b"d1:adee", "empty-dict", 4),
        (b"d1:ad1:bdeee", "empty-dict", 8),
        (b"d1:alleee", "set-element-type", 5),
        (b"d1:ali1edeee", "set-element-type", 8),
        (b"d1:ali2ei1eee", "set-not-ascending", 8),
        (b"d1:ali1ei1eee", "set-not-ascending", 8),
        (b"d1:al1:ai1eee", "set-not-ascending", 8),
        (b"d1:al1:b1:aee", "set-not-ascending", 8),
        (b"d1:al2:aa1:aee", "set-not-ascending", 9),
        (b"d1:al1:a1:aee", "set-not-ascending", 8),
        (b"d1:bi1e1:ai1ee", "keys-not-ascending", 7),
        (b"d1:ai1e1:ai2ee", "keys-not-ascending", 7),
        (b"d1:xd1:ali1ei1eeee", "set-not-ascending", 12),
        (b"de ", "trailing-bytes", 2),
        (b"d1:ai01ee", "integer-not-canonical", 4),
    ],
)
def test_a_fault_has_its_code_and_position(encoded: bytes, code: str, position: int) -> None:
    assert refusal(encoded) == (code, position)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "data-not-dict"),
        ([1], "data-not-dict"),
        ({"text": 1}, "data-value"),
        ({b"a": 1, "text": 1}, "data-value"),
        ({b"a": None}, "data-value"),
        ({b"a": 1.0}, "data-value"),
        ({b"a": True}, "data-value"),
        ({b"a": "text"}, "data-value"),
        ({b"a": [1]}, "data-value"),
        ({b"a": {True}}, "data-value"),
        ({b"a": {(1, 2)}}, "set-element-type"),
        ({b"a": {frozenset()}}, "set-element-type"),
        ({b"a": 2**63}, "integer-out-of-range"),
        ({b"a": {-(2**63) - 1}}, "integer-out-of-range"),
        ({b"a": frozenset()}, "empty-set"),
        ({b"a": {}}, "empty-dict"),
        ({b"a": {b"b": {}}}, "empty-dict"),
        ({bytes(129): 1}, "key-too-long"),
        ({b"a": bytes(4097)}, "string-too-long"),
        ({b"a": {bytes(4097)}}, "string-too-long"),
    ],
)
def test_data_of_an_application_are_refused_and_never_repaired(data: object, code: str) -> None:
    assert refusal_of(data) == code


def test_a_fault_in_data_of_an_application_is_reported_by_its_path() -> None:
    with pytest.raises(ConfigMergeError) as caught:
        checked_data({b"a": {b"b": {b"c": {2**63}}}})
    assert caught.value.path == (b"a", b"b", b"c")
    assert str(caught.value).startswith("integer-out-of-range at [b'a', b'b', b'c']: ")


def test_data_of_an_application_may_not_contain_themselves() -> None:
    data: dict[bytes, object] = {}
    data[b"self"] = data
    assert refusal_of(data) == "nesting-too-deep"


def test_checked_data_do_not_change_with_what_they_were_made_of() -> None:
    inner: dict[bytes, object] = {b"b": 1}
    elements: set[object] = {1}
    data: dict[bytes, object] = {b"a": inner, b"s": elements}
    checked = checked_data(data)
    inner[b"c"] = 2
    elements.add(2)
    data.clear()
    assert checked == {b"a": {b"b": 1}, b"s": {1}}
    assert isinstance(checked, MappingProxyType)


def test_any_mapping_and_any_set_will_do() -> None:
    assert checked_data(MappingProxyType({b"a": MappingProxyType({b"s": frozenset({1})})})) == {
        b"a": {b"s": frozenset({1})}
    }


def test_integers_come_before_strings() -> None:
    assert in_order([b"b", 2, b"", -1, b"ab", b"a", 10]) == [-1, 2, 10, b"", b"a", b"ab", b"b"]
    assert precedes(2**63 - 1, b"")
    assert not precedes(b"", -(2**63))


@given(scalars, scalars, scalars)
def test_the_order_of_elements_is_total(
    one: int | bytes, two: int | bytes, three: int | bytes
) -> None:
    assert precedes(one, two) + precedes(two, one) + (one == two) == 1
    if precedes(one, two) and precedes(two, three):
        assert precedes(one, three)


def test_a_megabyte_of_data_is_parsed_or_refused() -> None:
    wide = b"d" + b"".join(b"8:%08di1e" % index for index in range(80_000)) + b"e"
    assert len(parse_data(wide)) == 80_000
    many = b"d1:al" + b"".join(b"i%de" % index for index in range(100_000)) + b"ee"
    assert len(parse_data(many)) == 1
    assert refusal(many[:-2] + b"i0eee")[0] == "set-not-ascending"
