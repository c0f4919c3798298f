"""A history as text: the drawing names every message, and every event has its line."""

from __future__ import annotations

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.pictures import PICTURES
from rejoin_conformance.systems.config_merge.profiles import PROFILES
from rejoin_conformance.systems.config_merge.records import named
from rejoin_conformance.systems.config_merge.run import run_history


def test_the_drawing_names_every_message_and_every_event_has_a_line() -> None:
    for profile in PROFILES:
        history = HISTORIES.generate(profile, history_seed(1, "config-merge", profile, 0))
        for reading in cm.READINGS.values():
            text = PICTURES.describe(history, reading.name)
            head, _, tail = text.partition("\nevents\n")
            for record in run_history(history, reading).records:
                assert named(record.message) in head
            assert len(tail.splitlines()) == len(history.events) + 1
            assert f"reading {reading.name}" in head


def test_telling_is_the_same_every_time() -> None:
    history = HISTORIES.generate("default", 12345)
    assert PICTURES.describe(history, "document") == PICTURES.describe(history, "document")
