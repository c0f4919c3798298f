"""Application data that a program gives: valid values, and the code of each fault."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

import pytest

from rejoin.config_merge import ConfigMergeError, Dict, checked_data, encode_data

REFUSED: tuple[tuple[object, str], ...] = (
    (None, "data-not-dict"),
    ([1], "data-not-dict"),
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
    ({bytes(129): 1}, "key-too-long"),
    ({b"a": bytes(4097)}, "string-too-long"),
    ({b"a": {bytes(4097)}}, "string-too-long"),
)


def refusal_of(data: object) -> ConfigMergeError:
    with pytest.raises(ConfigMergeError) as caught:
        checked_data(cast("Mapping[bytes, object]", data))
    return caught.value


def test_data_of_an_application_are_refused_and_never_repaired() -> None:
    assert [(data, refusal_of(data).code) for data, _ in REFUSED] == [*REFUSED]


def test_a_fault_in_data_of_an_application_is_reported_by_its_path() -> None:
    error = refusal_of({b"a": {b"b": {b"c": {2**63}}}})
    assert error.path == (b"a", b"b", b"c")
    assert str(error).startswith("integer-out-of-range at [b'a', b'b', b'c']: ")


def test_empty_sets_and_dicts_of_an_application_are_omitted() -> None:
    data = {b"a": set(), b"b": {b"c": {}, b"d": {b"e": frozenset()}}, b"f": {b"g": 0, b"h": {}}}
    assert checked_data(data) == {b"f": {b"g": 0}}
    assert checked_data({b"a": {}}) == {}


def test_data_of_an_application_may_not_contain_themselves() -> None:
    data: dict[bytes, object] = {}
    data[b"self"] = data
    assert refusal_of(data).code == "nesting-too-deep"


def test_the_encoding_does_not_depend_on_the_order_of_construction() -> None:
    forwards = checked_data({b"a": 1, b"b": {2, 3, b"x"}})
    backwards: Dict = {b"b": frozenset([b"x", 3, 2]), b"a": 1}
    assert encode_data(forwards) == encode_data(backwards) == b"d1:ai1e1:bli2ei3e1:xee"


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
    assert checked_data(checked) == checked
