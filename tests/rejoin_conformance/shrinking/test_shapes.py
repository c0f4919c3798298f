"""Histories that differ in names and numbers alone have one shape."""

from __future__ import annotations

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.shrinking.reduce import shape_of


def _history(*events: Json, probe: str = "1") -> JsonObject:
    return {"events": [*events], "probe": probe}


EDIT: JsonObject = {"event": "edit", "client": 0, "path": "foo"}
POLL: JsonObject = {"event": "poll", "client": 1, "other": 0}
ONE = _history(EDIT, POLL)
ALIKE = {
    "names, numbers and seeds": _history(
        {**EDIT, "client": 5, "path": "bar"}, {**POLL, "client": 3, "other": 5}, probe="9"
    ),
    "the order of fields": _history({**EDIT}, dict(reversed(POLL.items()))),
}
UNLIKE = {
    "who is the same": _history(EDIT, {**POLL, "other": 1}),
    "kinds of events": _history({**EDIT, "event": "join"}, POLL),
    "the order of events": _history(POLL, EDIT),
}


def test_names_and_numbers_do_not_count_and_kinds_and_orders_do() -> None:
    assert {shape_of(each) for each in ALIKE.values()} == {shape_of(ONE)}
    assert len({shape_of(each) for each in (ONE, *UNLIKE.values())}) == 4


def test_true_false_and_null_count() -> None:
    shapes = {shape_of({"settles": value, "events": []}) for value in (True, False, None)}
    assert len(shapes) == 3
