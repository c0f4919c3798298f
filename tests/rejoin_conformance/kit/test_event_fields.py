"""Fields of a history are taken from JSON each of its kind, and nothing else passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rejoin_conformance.kit import event_fields
from rejoin_conformance.kit.event_fields import NotAHistoryError
from rejoin_conformance.kit.json_types import Json


@pytest.mark.parametrize(
    ("take", "value", "taken"),
    [
        (event_fields.whole, 7, 7),
        (event_fields.decimal, "-9007199254740993", -9007199254740993),
        (event_fields.flag, False, False),
        (event_fields.text, "", ""),
        (event_fields.name, "a", "a"),
        (event_fields.bytes_in, "00ff", b"\x00\xff"),
        (event_fields.list_in, [1], [1]),
    ],
)
def test_what_is_of_the_kind_is_taken(
    take: Callable[[Json], Any], value: Json, taken: object
) -> None:
    assert take(value) == taken


@pytest.mark.parametrize(
    ("take", "value"),
    [
        (event_fields.whole, True),
        (event_fields.whole, -1),
        (event_fields.whole, "7"),
        (event_fields.decimal, 7),
        (event_fields.decimal, "\u0667"),
        (event_fields.decimal, "9" * 5000),
        (event_fields.decimal, "--1"),
        (event_fields.flag, 0),
        (event_fields.text, None),
        (event_fields.name, ""),
        (event_fields.bytes_in, "0"),
        (event_fields.bytes_in, "zz"),
        (event_fields.list_in, {}),
        (event_fields.fields_of, []),
    ],
)
def test_what_is_not_of_the_kind_is_refused_in_one_short_line(
    take: Callable[[Json], Any], value: Json
) -> None:
    with pytest.raises(NotAHistoryError) as refused:
        take(value)
    assert len(str(refused.value)) < 200
    assert "\n" not in str(refused.value)


def test_an_object_has_exactly_the_fields() -> None:
    assert event_fields.fields_of({"a": 1, "b": 2}, "b", "a") == {"a": 1, "b": 2}
    for other in ({"a": 1}, {"a": 1, "b": 2, "c": 3}):
        with pytest.raises(NotAHistoryError):
            event_fields.fields_of(dict(other), "a", "b")


def test_a_word_is_one_of_those_that_are_known() -> None:
    assert event_fields.one_of("push", ("push", "fetch")) == "push"
    with pytest.raises(NotAHistoryError, match="'pull' is not one of push, fetch"):
        event_fields.one_of("pull", ("push", "fetch"))
