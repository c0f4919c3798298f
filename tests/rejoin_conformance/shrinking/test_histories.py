"""Histories of every system can be shrunk: to a minimal one that still breaks the law."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin_conformance.contract.history import NotAHistoryError, history_seed
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.shrinking.reduce import shrink_history, steps

_BROKEN = [
    ("history-merge", "document", "recurse-fold-agrees", 4, 5),
    ("conflict-detection", "literal", "settled-conflicts-go", 1, 3),
    ("config-merge", "libsession", "edit-survives-resolve", 149, 7),
]
"""System, reading, law, which history of campaign 1 breaks it, with how many events it can."""


@pytest.mark.parametrize(("system", "reading", "law", "index", "events"), _BROKEN)
def test_a_history_that_breaks_a_law_is_shrunk_until_nothing_can_be_left_out(
    system: str, reading: str, law: str, index: int, events: int
) -> None:
    histories = system_named(system).histories

    def breaks(history: Any) -> bool:
        return any(each.law == law for each in histories.examine(history, reading).violations)

    def read_and_breaks(value: Json) -> bool:
        assert isinstance(value, dict)
        try:
            history = histories.from_json(value)
        except NotAHistoryError:
            return False
        return histories.to_json(history) == value and breaks(history)

    history = histories.generate("default", history_seed(1, system, "default", index))
    shrunk = shrink_history(histories, history, breaks)
    told = histories.to_json(shrunk.value)
    assert isinstance(told["events"], list)
    assert shrunk.minimal
    assert breaks(shrunk.value)
    assert len(told["events"]) == events
    fewer = [step for step in steps(told) if isinstance(step, dict) and "events" in step]
    assert not [step for step in fewer if read_and_breaks(step)]


@pytest.mark.parametrize("name", system_names())
def test_an_invalid_history_of_a_system_is_refused(name: str) -> None:
    histories = system_named(name).histories
    made = histories.to_json(histories.generate("default", 1))
    assert isinstance(made["events"], list)
    for field in made:
        with pytest.raises(NotAHistoryError):
            histories.from_json({other: made[other] for other in made if other != field})
        with pytest.raises(NotAHistoryError):
            histories.from_json({**made, field: None})
    for number, event in enumerate(made["events"]):
        assert isinstance(event, dict)
        for field in event:
            if event[field] is not None:
                wrong: Json = {**event, field: {"no": "field is like this"}}
                changed = [*made["events"][:number], wrong, *made["events"][number + 1 :]]
                with pytest.raises(NotAHistoryError):
                    histories.from_json({**made, "events": changed})
