"""Histories that differ in names and numbers alone have one shape."""

from __future__ import annotations

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.shrinking.reduce import shape_of


def _history(*events: Json, probe: str = "1") -> JsonObject:
    return {"events": [*events], "probe": probe}


_ONE = _history(
    {"event": "edit", "client": 0, "path": "foo"}, {"event": "poll", "client": 1, "other": 0}
)


def test_names_numbers_and_seeds_do_not_count() -> None:
    other = _history(
        {"event": "edit", "client": 5, "path": "bar"},
        {"event": "poll", "client": 3, "other": 5},
        probe="9",
    )
    assert shape_of(other) == shape_of(_ONE)


def test_the_fields_may_stand_in_any_order() -> None:
    other = _history(
        {"path": "foo", "client": 0, "event": "edit"}, {"other": 0, "event": "poll", "client": 1}
    )
    assert shape_of(other) == shape_of(_ONE)


def test_who_is_the_same_counts() -> None:
    same = _history(
        {"event": "edit", "client": 0, "path": "foo"}, {"event": "poll", "client": 1, "other": 1}
    )
    assert shape_of(same) != shape_of(_ONE)


def test_kinds_of_events_count() -> None:
    other = _history(
        {"event": "join", "client": 0, "path": "foo"}, {"event": "poll", "client": 1, "other": 0}
    )
    assert shape_of(other) != shape_of(_ONE)


def test_the_order_of_events_counts() -> None:
    first: Json = {"event": "edit", "client": 0}
    second: Json = {"event": "poll", "client": 0}
    assert shape_of(_history(first, second)) != shape_of(_history(second, first))


def test_true_false_and_null_count() -> None:
    shapes = {shape_of({"settles": value, "events": []}) for value in (True, False, None)}
    assert len(shapes) == 3
