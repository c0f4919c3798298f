"""Expressions name readings: a name, and choice points that are switched."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from rejoin.config_merge import DOCUMENT, LIBSESSION
from rejoin.history_merge.reading import descending
from rejoin_conformance.contract.choices import Readings, choice_points
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.readings.expressions import (
    UnknownReadingError,
    reading_of,
    spelled,
    spellings,
    under,
)


def _choices(system: str) -> Readings[Any]:
    choices = system_named(system).choices
    assert choices is not None
    return choices


CONFIG_MERGE = _choices("config-merge")
HISTORY_MERGE = _choices("history-merge")


def test_switches_change_the_choice_points_that_they_name_and_no_other() -> None:
    expression = "document+replay_cutoff=false+unknown_keys_on_merge=drop"
    expected = evolve(DOCUMENT, name=expression, replay_cutoff=False, unknown_keys_on_merge="drop")
    assert reading_of(CONFIG_MERGE, expression) == expected
    assert reading_of(CONFIG_MERGE, "libsession") is LIBSESSION


def test_a_choice_that_is_a_function_is_spelled_by_its_name() -> None:
    reading = reading_of(HISTORY_MERGE, "document+fold_order=descending")
    assert reading.folded(frozenset("abc")) == ("c", "b", "a")
    assert spelled(HISTORY_MERGE, "fold_order", descending) == "descending"


@pytest.mark.parametrize("system", all_systems(), ids=lambda system: system.name)
def test_every_choice_point_of_a_system_can_be_spelled_and_switched(system: System) -> None:
    choices = _choices(system.name)
    default = next(iter(choices.named))
    for point in choice_points(choices.kind):
        values = spellings(choices, point)
        assert len(values) > 1, point
        for spelling, value in values.items():
            assert getattr(reading_of(choices, f"{default}+{point}={spelling}"), point) == value
            assert spelled(choices, point, value) == spelling


def test_an_operation_answers_under_an_expression() -> None:
    operation = system_named("history-merge").operation("history-merge/merge")
    assert operation is not None
    nodes: Any = [
        {"id": "a", "parents": [], "state": ["x"]},
        {"id": "b", "parents": ["a"], "state": []},
    ]
    asked: Any = {"nodes": [*nodes], "merge": ["a", "b"]}
    assert "rejected" in operation.run(asked, "document").to_json()
    reduced = operation.run(asked, "document+anti_chain_check=reduce").to_json()
    assert reduced == {"output": {"state": []}}


def test_a_function_of_a_reading_takes_its_name() -> None:
    def many(one: int, two: int, reading: Any) -> tuple[int, int, str]:
        return (one, two, reading.name)

    expression = "document+replay_cutoff=false"
    assert under(CONFIG_MERGE, lambda reading: reading.name)("libsession") == "libsession"
    assert under(CONFIG_MERGE, lambda value, reading: (value, reading.name))(7, expression) == (
        7,
        expression,
    )
    assert under(CONFIG_MERGE, many)(1, 2, "document") == (1, 2, "document")
    with pytest.raises(UnknownReadingError, match="there is no reading 'odd'"):
        under(CONFIG_MERGE, many)(1, 2, "odd")


@pytest.mark.parametrize("system", all_systems(), ids=lambda system: system.name)
def test_every_operation_refuses_an_unknown_reading(system: System) -> None:
    for operation in system.operations:
        for perform in (operation.perform, operation.second):
            if perform is not None:
                with pytest.raises(UnknownReadingError, match="there is no reading 'odd'"):
                    perform({}, "odd")
