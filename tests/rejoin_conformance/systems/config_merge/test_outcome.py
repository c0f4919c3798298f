"""The costs of a history: what a larger N costs in bytes, and what a smaller one loses."""

from __future__ import annotations

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Cost
from rejoin_conformance.systems.config_merge.outcome import costs_of
from rejoin_conformance.systems.config_merge.records import History
from rejoin_conformance.systems.config_merge.run import run_history
from rejoin_conformance.systems.config_merge.text import NOTATION

BEHIND = """\
clients A B, window 5, seed 1
A edits a = 1
A pushes
B fetches
B resolves
B edits b = 1
B pushes
A edits c = 1
A pushes
A edits c = 2
A pushes
A edits c = 3
A pushes
"""
"""The edit of B has seqno 2, and the last one of A has seqno 4."""


def costs(text: str, window: int | None = None, *, run_window: int = 5) -> dict[str, Cost]:
    history: History = evolve(NOTATION.parse_history(text), window=run_window)
    return dict(costs_of(run_history(history, evolve(cm.DOCUMENT, window=window))))


def test_a_window_of_two_loses_the_edit_that_is_two_older() -> None:
    wide, narrow = costs(BEHIND, 3), costs(BEHIND, 2)
    assert wide["edits lost per 100"] == Cost(0, 5, per=100)
    assert wide["messages ignored per 100"] == Cost(0, 6, per=100)
    assert narrow["edits lost per 100"] == Cost(1, 5, per=100)
    assert narrow["messages ignored per 100"] == Cost(1, 5, per=100)


def test_the_window_of_a_reading_replaces_that_of_the_history() -> None:
    for window in (2, 3, 5):
        assert costs(BEHIND, window, run_window=4) == costs(BEHIND, run_window=window)


def test_a_lagged_diff_of_a_message_costs_bytes() -> None:
    short, long = (costs(BEHIND, window)["bytes per message"] for window in (1, 5))
    assert short.of == 5
    assert long.of == 6
    assert (short.share or 0) < (long.share or 0)


def test_an_overwritten_edit_is_not_lost() -> None:
    again = BEHIND.replace("A edits c = 3", "A edits b = 3")
    assert costs(again, 2)["edits lost per 100"] == Cost(0, 5, per=100)


def test_no_edit_is_counted_if_somebody_forges_a_message() -> None:
    forged = BEHIND + "inject forged-diff, target 0, salt 1\n"
    assert costs(forged, 2)["edits lost per 100"] == Cost(0, 0, per=100)
    assert Cost(0, 0, per=100).share is None
