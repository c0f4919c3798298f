"""Histories are pure functions of profile and seed, and match their profiles."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.rows import action_of
from rejoin_conformance.kit.json_types import canonical_json, strict_json
from rejoin_conformance.systems.config_merge.actions import EVENTS
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.profiles import PROFILES
from rejoin_conformance.systems.config_merge.records import History
from rejoin_conformance.systems.config_merge.run import run_history

EVERY_PROFILE = pytest.mark.parametrize("profile", PROFILES)


def drawn(profile: str, count: int, *, start: int = 0) -> list[History]:
    seeds = [history_seed(5, "config-merge", profile, start + index) for index in range(count)]
    return [HISTORIES.generate(profile, seed) for seed in seeds]


def test_default_and_tiny_are_profiles_and_each_has_a_summary() -> None:
    assert {"default", "tiny"} <= set(HISTORIES.profiles)
    assert all(HISTORIES.profiles.values())


@EVERY_PROFILE
def test_equal_seeds_give_equal_histories_and_others_do_not(profile: str) -> None:
    once, again = drawn(profile, 5), drawn(profile, 5)
    assert once == again
    assert len({canonical_json(HISTORIES.to_json(history)) for history in once}) == 5


@EVERY_PROFILE
def test_a_history_survives_json(profile: str) -> None:
    for history in drawn(profile, 5):
        text = canonical_json(HISTORIES.to_json(history))
        value = strict_json(text)
        assert isinstance(value, dict)
        assert HISTORIES.from_json(value) == history


def test_a_default_history_has_two_to_six_clients_and_twelve_messages() -> None:
    histories = drawn("default", 60)
    assert {history.clients for history in histories} == {2, 3, 4, 5, 6}
    assert all(len(run_history(each, cm.DOCUMENT).records) >= 12 for each in histories)


def test_default_histories_have_events_changes_and_windows_of_every_kind() -> None:
    histories = drawn("default", 150)
    events: list[Any] = [event for history in histories for event in history.events]
    assert {action_of(EVENTS, event).key for event in events} == {row.key for row in EVENTS}
    changes = {change["change"] for event in events for change in event.get("changes", ())}
    assert changes == {"assign", "remove", "add", "discard"}
    assert {history.window for history in histories} >= {1, 2, 3, 5}
    assert {history.signed for history in histories} == {True, False}
    for mishap in ("skip", "deletes_nothing", "delayed"):
        assert any(mishap in event for event in events)
    counts: Counter[str] = Counter()
    for history in histories:
        counts.update(HISTORIES.examine(history, "document").coverage)
    for why in ("invalid", "duplicate", "stale", "included"):
        assert counts[f"ignored:{why}"] > 0
    for conflict in ("scalar", "element", "kinds"):
        assert counts[f"conflict:{conflict}"] > 0
    for kind in ("update", "merge", "merge-and-change", "outsider", "forged-rows", "forged-diff"):
        assert counts[f"message:{kind}"] > 0


def test_in_a_history_without_readers_everyone_can_sign() -> None:
    history = History(seed=1, clients=3, window=5, signed=True, readers=("B",), events=())
    assert [history.can_sign(client) for client in "ABC"] == [True, False, True]
    unsigned = History(seed=1, clients=2, window=5, signed=False, readers=("A", "B"), events=())
    assert unsigned.can_sign("B")


def test_partitioned_histories_are_cut_more_often() -> None:
    def cuts(profile: str) -> int:
        return sum(
            ("partition" in event) - ("heal" in event)
            for history in drawn(profile, 40)
            for event in history.events
        )

    assert cuts("partitioned") > cuts("default")
