"""Random histories are what their profiles say."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.rows import action_of
from rejoin_conformance.systems.config_merge.actions import EVENTS
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.records import History
from rejoin_conformance.systems.config_merge.run import run_history


def drawn(profile: str, count: int) -> list[History]:
    seeds = [history_seed(5, "config-merge", profile, index) for index in range(count)]
    return [HISTORIES.generate(profile, seed) for seed in seeds]


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
