"""The outcome of a history contains only the observations of participants."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.readings.expressions import reading_of, spelled

EVERY_SYSTEM = pytest.mark.parametrize("system", all_systems(), ids=lambda system: system.name)


def outcome(system: str, history: Any, reading: str | None = None) -> Any:
    known = system_named(system)
    made = known.histories.from_json(history)
    return known.histories.outcome(made, reading or known.default_reading)


@EVERY_SYSTEM
@pytest.mark.parametrize("profile", ["default", "adversarial", "uniform"])
def test_what_a_reading_is_called_makes_no_difference(system: System, profile: str) -> None:
    choices = system.choices
    assert choices is not None
    default = reading_of(choices, system.default_reading)
    point = choice_points(choices.kind)[0]
    renamed = f"{system.default_reading}+{point}={spelled(choices, point, getattr(default, point))}"
    for index in range(10):
        history = system.histories.generate(profile, history_seed(1, system.name, profile, index))
        plain = system.histories.outcome(history, system.default_reading)
        assert system.histories.outcome(history, renamed) == plain
        assert {"held", "decided"} <= set(plain)
        assert canonical_json(plain)


def test_in_the_history_merge_it_is_the_members_and_what_merges_come_to() -> None:
    history = {
        "probe": "0",
        "events": [
            {"post": "a", "author": "A", "kind": "found", "who": ["A"]},
            {"hear": "B", "from": "A", "behind": 0},
            {"post": "b", "author": "B", "kind": "join", "who": ["B"]},
        ],
    }
    assert outcome("history-merge", history) == {
        "held": {
            "message 000, a": ["A"],
            "message 001, b": ["A", "B"],
            "the end": ["A", "B"],
        },
        "decided": {"merge of a and b": "not-an-anti-chain"},
    }
    reduced = outcome("history-merge", history, "document+anti_chain_check=reduce")
    assert reduced["decided"] == {"merge of a and b": ["A", "B"]}


def test_in_conflict_detection_it_is_files_classifications_and_links() -> None:
    history = {
        "clients": 2,
        "settles": False,
        "events": [
            {"client": "A", "file": "foo", "edit": "5"},
            {"client": "B", "file": "foo", "poll": "A"},
        ],
    }
    found = outcome("conflict-detection", history)
    for design in ("snapshots", "version-maps"):
        held = found["held"][design]
        assert held["A"] == held["B"]
        assert list(held["A"]) == ["foo"]
        assert found["decided"][design] == {"event 000": {}, "event 001": {"foo": "overwrite"}}
    links = found["stored"]["version-maps"]
    assert links == {"A": {"foo": {"A": 1}}, "B": {"foo": {"A": 1}}}
