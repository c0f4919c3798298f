"""Running a history: every event is possible everywhere, and the truth is kept beside."""

from __future__ import annotations

import pytest
from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.histories.events import (
    Add,
    Assign,
    Deliver,
    Edit,
    Event,
    Fetch,
    Heal,
    History,
    Inject,
    Partition,
    Push,
    Remove,
    Resolve,
)
from rejoin_conformance.systems.config_merge.histories.injections import KINDS
from rejoin_conformance.systems.config_merge.histories.run import Run, run_history


def history_of(*events: Event, clients: int = 2, window: int = 5, signed: bool = False) -> History:
    return History(
        seed=1, clients=clients, window=window, signed=signed, readers=0, events=tuple(events)
    )


def race() -> tuple[Event, ...]:
    return (
        Edit(0, (Assign((b"a",), 1), Add((b"s",), 1))),
        Push(0),
        Fetch(1),
        Resolve(1),
        Edit(0, (Assign((b"a",), 2),)),
        Edit(1, (Assign((b"b",), 3),)),
        Push(0),
        Push(1),
    )


def test_two_clients_that_race_end_with_one_merge_of_both_changes() -> None:
    run = run_history(history_of(*race()), cm.DOCUMENT)
    assert [record.kind for record in run.records] == ["first", "update", "update", "merge"]
    assert [record.parents for record in run.records] == [(), (0,), (0,), (1, 2)] or [
        record.parents for record in run.records
    ] == [(), (0,), (0,), (2, 1)]
    assert run.records[3].mask == 0b1111
    heads = {client.head for client in run.clients}
    assert len(heads) == 1
    head = heads.pop()
    assert head is not None
    assert head.data == {b"a": 2, b"b": 3, b"s": frozenset({1})}


def test_of_identical_merges_the_swarm_keeps_one() -> None:
    both = (Fetch(0), Fetch(1), Resolve(0), Resolve(1), Push(0, delete=False), Push(1))
    run = Run(history_of(*race(), *both), cm.DOCUMENT)
    for event in run.history.events:
        run.perform(event)
    assert run.pushed[-1].was_stored
    assert run.pushed[-1].record == run.pushed[-2].record


def test_clients_on_two_sides_of_a_cut_do_not_see_each_other() -> None:
    first = Edit(0, (Assign((b"a",), 1),))
    run = Run(history_of(clients=2), cm.DOCUMENT)
    for event in (Partition(0b10), first, Push(0), Fetch(1)):
        run.perform(event)
    assert not run.clients[1].known
    run.perform(Heal())
    run.perform(Fetch(1))
    assert len(run.clients[1].known) == 1


def test_a_delayed_push_arrives_with_the_next_delivery() -> None:
    run = Run(history_of(), cm.DOCUMENT)
    for event in (Edit(0, (Assign((b"a",), 1),)), Push(0, delayed=True), Fetch(1)):
        run.perform(event)
    assert not run.clients[1].known
    run.perform(Deliver())
    run.perform(Fetch(1))
    assert len(run.clients[1].known) == 1


def test_a_push_without_leave_to_delete_deletes_nothing() -> None:
    edits = (Edit(0, (Assign((b"a",), 1),)), Push(0), Edit(0, (Assign((b"a",), 2),)))
    for delete, stored in ((True, 1), (False, 2)):
        run = Run(history_of(), cm.DOCUMENT)
        for event in (*edits, Push(0, delete=delete)):
            run.perform(event)
        assert len(run.network.stored_for(0)) == stored


def test_a_partial_fetch_leaves_out_what_it_is_told_to() -> None:
    run = Run(history_of(), cm.DOCUMENT)
    for event in (Edit(0, (Assign((b"a",), 1),)), Push(0), Fetch(1, skip=1)):
        run.perform(event)
    assert not run.clients[1].known


def test_an_edit_that_waits_is_seen_on_the_new_head() -> None:
    waiting = (
        Edit(0, (Assign((b"a",), 1),)),
        Push(0),
        Fetch(1),
        Resolve(1),
        Edit(1, (Assign((b"mine",), 5),)),
        Edit(0, (Assign((b"a",), 2),)),
        Push(0),
        Fetch(1),
        Resolve(1),
    )
    run = Run(history_of(), cm.DOCUMENT)
    for event in waiting:
        run.perform(event)
    assert [kept.expected for kept in run.kept] == [{b"a": 2, b"mine": 5}]
    assert run.kept[0].seen == {b"a": 2, b"mine": 5}


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_injection_can_follow_every_message(kind: str, *, signed: bool) -> None:
    for salt in range(60):
        for window in (1, 5):
            events = (*race(), Inject(kind, salt % 4, salt), Fetch(0), Resolve(0), Push(0))
            history = history_of(*events, window=window, signed=signed)
            examination = HISTORIES.examine(history, "document")
            assert examination.violations == ()


def test_nothing_can_be_injected_before_there_is_a_message() -> None:
    run = run_history(history_of(Inject("again", 0, 0)), cm.DOCUMENT)
    assert run.records == []


def test_a_history_from_which_an_event_was_left_out_is_a_history_still() -> None:
    for index in range(12):
        history = HISTORIES.generate("tiny", history_seed(9, "config-merge", "tiny", index))
        for place in range(len(history.events)):
            rest = history.events[:place] + history.events[place + 1 :]
            assert HISTORIES.examine(evolve(history, events=rest), "document").violations == ()


def test_removing_everything_is_an_edit_too() -> None:
    events = (Edit(0, (Assign((b"a",), 1),)), Push(0), Edit(0, (Remove((b"a",)),)), Push(0))
    run = run_history(history_of(*events), cm.DOCUMENT)
    assert run.clients[1].head is not None
    assert run.clients[1].head.data == {}
