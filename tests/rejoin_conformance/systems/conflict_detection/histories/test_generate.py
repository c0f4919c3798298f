"""Histories are pure functions of profile and seed, and survive as JSON."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.kit.json_types import JsonObject, canonical_json, digest_of, strict_json
from rejoin_conformance.systems.conflict_detection.histories import HISTORIES
from rejoin_conformance.systems.conflict_detection.histories.event_json import (
    EVENTS,
    event_to_json,
)
from rejoin_conformance.systems.conflict_detection.histories.events import (
    Collect,
    Event,
    History,
    Join,
    Poll,
    Resolve,
)
from rejoin_conformance.systems.conflict_detection.histories.profiles import PROFILES


def history(profile: str, index: int) -> History:
    return HISTORIES.generate(profile, history_seed(1, "conflict-detection", profile, index))


@pytest.mark.parametrize("profile", list(PROFILES))
def test_a_history_comes_back_from_json(profile: str) -> None:
    for index in range(20):
        made = history(profile, index)
        value = strict_json(canonical_json(HISTORIES.to_json(made)))
        assert isinstance(value, dict)
        assert HISTORIES.from_json(value) == made


@pytest.mark.parametrize("profile", list(PROFILES))
def test_a_seed_makes_one_history(profile: str) -> None:
    assert history(profile, 3) == history(profile, 3)
    assert history(profile, 3) != history(profile, 4)


@pytest.mark.parametrize("profile", list(PROFILES))
def test_histories_are_as_long_as_their_profile_says(profile: str) -> None:
    known = PROFILES[profile]
    for index in range(20):
        assert len(history(profile, index).events) >= known.low


def test_every_kind_of_event_is_drawn() -> None:
    kinds = {
        type(event)
        for profile in ("adversarial", "interrupted", "restored")
        for index in range(100)
        for event in history(profile, index).events
    }
    assert kinds == set(EVENTS.values())


@pytest.mark.parametrize(
    ("event", "value"),
    [
        (Collect(), {"event": "collect"}),
        (
            Poll(1, 0, "foo"),
            {"event": "poll", "client": 1, "other": 0, "path": "foo"},
        ),
        (
            Resolve(2, "foo", 0, None),
            {"event": "resolve", "client": 2, "path": "foo", "pick": 0, "text": None},
        ),
        (
            Join(3, (("bar", 7), ("foo", 8))),
            {"event": "join", "client": 3, "files": {"bar": 7, "foo": 8}},
        ),
    ],
)
def test_an_event_is_its_name_with_its_fields(event: Event, value: JsonObject) -> None:
    assert event_to_json(event) == value
    made: JsonObject = {"clients": 4, "events": [value], "settles": False}
    assert HISTORIES.from_json(made) == History(4, (event,))


def test_profiles_have_a_summary_each() -> None:
    assert set(HISTORIES.profiles) == {
        "default",
        "uniform",
        "tiny",
        "racing",
        "partitioned",
        "adversarial",
        "departing",
        "interrupted",
        "restored",
        "long",
        "large",
    }
    assert all(HISTORIES.profiles.values())


def test_the_first_histories_are_the_same_on_every_machine() -> None:
    listed = [HISTORIES.to_json(history("default", index)) for index in range(50)]
    assert digest_of({"histories": [*listed]}).startswith("830543ecc68bfd0e")
