"""Constants and state types of the reference are replaced wherever their value is held."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin.config_merge import DEFAULT_WINDOW, application_data, client, encryption, windows
from rejoin.config_merge import client_update_behaviour as updates
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.history_merge import SETS, any_size, three_way_merge
from rejoin.history_merge.three_way_merge import StateType
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.readings.constants import constant_of
from rejoin_conformance.readings.overriding import overriding, tried
from rejoin_conformance.readings.targets import UnknownTargetError
from rejoin_conformance.systems.config_merge import fields

WINDOW = "rejoin.config_merge.windows.DEFAULT_WINDOW"
KEY = b"k" * 32
NOW: Any = windows
BOUND: Any = any_size


def test_a_constant_changes_in_names_defaults_and_fields() -> None:
    with overriding([constant_of(WINDOW, 7)]):
        assert NOW.DEFAULT_WINDOW == 7
        assert fields.window_field({}) == 7
        assert client.Settings(KEY).window == 7
    assert windows.DEFAULT_WINDOW == DEFAULT_WINDOW == 5
    assert fields.window_field({}) == 5
    assert client.Settings(KEY).window == 5


def test_a_package_may_name_the_constant_too() -> None:
    with overriding([constant_of("rejoin.config_merge.DEFAULT_WINDOW", 6)]):
        assert NOW.DEFAULT_WINDOW == 6
        assert client.Settings(KEY).window == 6


def test_a_constant_that_is_computed_from_it_changes() -> None:
    before = encryption.OVERHEAD
    with overriding([constant_of("rejoin.config_merge.encryption.TAG_LENGTH", 20)]):
        assert before + 4 == encryption.OVERHEAD
    assert before == encryption.OVERHEAD


def test_a_function_with_the_constant_as_a_default_counts_as_a_reader() -> None:
    assert updates.resolve_messages in constant_of(WINDOW, 2).targets


def test_the_answers_of_the_functions_that_read_it_are_compared() -> None:
    name = "rejoin.config_merge.application_data.MAX_KEY_LENGTH"
    with overriding([constant_of(name, 3)], compared=True):
        application_data.checked_data({b"abc": 1})
        assert tried()[name].differed == 0
        with pytest.raises(ConfigMergeError):
            application_data.checked_data({b"abcd": 1})
        assert tried()[name].differed > 0
    application_data.checked_data({b"abcd": 1})


def test_a_state_type_changes_wherever_it_is_held() -> None:
    def union(_o: Any, a: Any, b: Any) -> Any:
        return a | b

    name = "rejoin.history_merge.three_way_merge.SETS"
    merge = system_named("history-merge").operation("history-merge/three-way-merge")
    assert merge is not None
    asked: Any = {"origin": ["x"], "left": [], "right": ["x"]}
    held = SETS
    with overriding([constant_of(name, StateType("set", frozenset(), union))]):
        assert held.three_way_merge is union
        assert merge.run(asked, "document").to_json() == {"output": {"state": ["x"]}}
    assert merge.run(asked, "document").to_json() == {"output": {"state": []}}
    assert held is three_way_merge.SETS


def test_a_bound_of_the_evaluation_can_change() -> None:
    with overriding([constant_of("rejoin.history_merge.any_size.LITERAL_NODES", 0)]):
        assert BOUND.LITERAL_NODES == 0
    assert any_size.LITERAL_NODES == 20


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (WINDOW, "5", "is of type int; the new value is of type str"),
        ("rejoin.config_merge.errors.CODES", {}, "only numbers, text, bytes and attrs values"),
        ("rejoin.config_merge.client.Client.window", 1, "no function"),
    ],
)
def test_a_value_that_cannot_be_replaced_is_refused(name: str, value: object, said: str) -> None:
    with pytest.raises(UnknownTargetError, match=said):
        constant_of(name, value)
