"""Running a history: every event is possible everywhere, and the truth is kept beside."""

from __future__ import annotations

from itertools import product

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.injections import INJECTIONS
from rejoin_conformance.systems.config_merge.records import History
from rejoin_conformance.systems.config_merge.run import Run, begun, run_history
from rejoin_conformance.systems.config_merge.text import NOTATION

RACE = """\
A edits a = 1, s + 1
A pushes
B fetches
B resolves
A edits a = 2
B edits b = 3
A pushes
B pushes
"""


def history_of(events: str, *, window: int = 5, signed: bool = False) -> History:
    opening = f"clients A B, window {window}{', signed' if signed else ''}, seed 1"
    history: History = NOTATION.parse_history(f"{opening}\n{events}")
    return history


def performed(events: str) -> Run:
    """Return a run after these events, without the exchange at the end."""
    run = begun(history_of(events), cm.DOCUMENT)
    for event in run.history.events:
        run.perform(event)
    return run


def test_two_clients_that_race_end_with_one_merge_of_both_changes() -> None:
    run = run_history(history_of(RACE), cm.DOCUMENT)
    assert [record.kind for record in run.records] == ["first", "update", "update", "merge"]
    parents = [record.parents for record in run.records]
    assert parents in ([(), (0,), (0,), each] for each in ((1, 2), (2, 1)))
    assert run.records[3].mask == 0b1111
    assert len(run.heads) == 1
    assert run.head is not None
    assert run.head.data == {b"a": 2, b"b": 3, b"s": frozenset({1})}


def test_a_message_that_did_not_arrive_arrives_later() -> None:
    for before, between in (
        ("partition B\nA edits a = 1\nA pushes\nB fetches\n", "heal\n"),
        ("A edits a = 1\nA pushes, delayed\nB fetches\n", "deliver\n"),
        ("A edits a = 1\nA pushes\nB fetches, skips 0\n", ""),
    ):
        assert not performed(before).clients["B"].known
        assert len(performed(before + between + "B fetches\n").clients["B"].known) == 1


def test_every_kind_of_injection_can_follow_every_message() -> None:
    for kind, salt in product(INJECTIONS, range(16)):
        injection = f"inject {kind}, target {salt % 4}, salt {salt}\n"
        events = f"{RACE}{injection}A fetches\nA resolves\nA pushes\n"
        history = history_of(events, window=1 if salt & 4 else 5, signed=salt & 8 == 8)
        assert HISTORIES.examine(history, "document").violations == ()


def test_a_history_from_which_an_event_was_left_out_is_a_history_still() -> None:
    for index in range(12):
        history = HISTORIES.generate("tiny", history_seed(9, "config-merge", "tiny", index))
        for place in range(len(history.events)):
            rest = history.events[:place] + history.events[place + 1 :]
            assert HISTORIES.examine(evolve(history, events=rest), "document").violations == ()
