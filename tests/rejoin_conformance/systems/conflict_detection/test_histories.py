"""Random histories of conflict detection: drawn, run in both designs, checked by the laws."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import NotAHistoryError, history_seed
from rejoin_conformance.kit.json_types import Json, JsonObject, digest_of
from rejoin_conformance.systems.conflict_detection.actions import ROWS, event_name
from rejoin_conformance.systems.conflict_detection.ground_truth import (
    Closure,
    classify_by_closure,
    extend_closure,
)
from rejoin_conformance.systems.conflict_detection.history import History, parse_history
from rejoin_conformance.systems.conflict_detection.run import new_run
from rejoin_conformance.systems.conflict_detection.system import SYSTEM

HISTORIES = SYSTEM.histories


def told(text: str) -> History:
    """Return a history whose actions are separated by semicolons."""
    return parse_history(text.replace("; ", "\n"))


LITERAL_STALE = told("2 clients; A edits foo=1; B polls foo of A; A edits foo=2; A polls foo of B")
"""A overtakes B, and looks at it."""


@cache
def drawn(profile: str, index: int) -> History:
    seed = history_seed(1, "conflict-detection", profile, index)
    history: History = HISTORIES.generate(profile, seed)
    return history


def broken(history: History, reading: str) -> set[tuple[str, str]]:
    return {(each.law, each.kind) for each in HISTORIES.examine(history, reading).violations}


# drawing


def test_every_kind_of_event_is_drawn() -> None:
    profiles = ("adversarial", "interrupted", "restored")
    events = [
        event for each in profiles for index in range(100) for event in drawn(each, index).events
    ]
    kinds = {event_name({key: ""}) for key, row in ROWS.items() if row.is_event}
    assert {event_name(event) for event in events} == kinds | {"poll-and-stop"}


def test_the_first_histories_are_the_same_on_every_machine() -> None:
    listed: list[Json] = [HISTORIES.to_json(drawn("default", index)) for index in range(50)]
    assert digest_of({"histories": listed}).startswith("5a7594e295d61ac2")


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        ({"client": "A"}, "$.events[0]: expected an action: a field edit, change"),
        ({"client": "A", "poll": "B"}, "$.events[0]: 'file' is a required property"),
        ({"client": "I", "offline": True}, "$.events[0].client: "),
        ({"client": "A", "file": "a", "poll": "A"}, "$.events[0]: a client does not poll itself"),
        ({"client": "A", "file": "a", "resolve": ["B"]}, "$.events[0]: a history has no action"),
    ],
)
def test_any_other_data_is_no_history(event: JsonObject, fault: str) -> None:
    with pytest.raises(NotAHistoryError) as raised:
        HISTORIES.from_json({"clients": 2, "events": [event], "settles": False})
    assert str(raised.value).replace('"', "'").startswith(fault)


# laws


def test_a_stale_version_is_a_finding_in_the_literal_reading() -> None:
    assert broken(LITERAL_STALE, "repaired") == set()
    assert broken(LITERAL_STALE, "literal") == {
        ("no-false-conflict", "snapshots: stale taken for conflict"),
        ("no-false-conflict", "version-maps: stale taken for conflict"),
        ("settled-conflicts-go", "snapshots"),
        ("settled-conflicts-go", "version-maps"),
    }


def test_what_cannot_be_done_is_left_out_and_counted() -> None:
    history = told(
        "2 clients; A resolves foo=1 against any conflict file; C polls foo of A; "
        "A brings back foo=2"
    )
    coverage = HISTORIES.examine(history, "repaired").coverage
    for reason in ("no-conflict", "not-there", "not-deleted"):
        assert coverage[f"ignored:{reason}"] == 1


def test_designs_are_not_compared_once_two_uploads_made_the_same_snapshot() -> None:
    history = told(
        "2 clients; A edits foo=1; B polls foo of A; A deletes foo; B deletes foo; A polls foo of B"
    )
    examination = HISTORIES.examine(history, "repaired")
    assert examination.vacuous["designs-agree"] == 2
    assert examination.violations == ()


COLLECTED = """A deletes foo; B polls foo of A; A polls foo of B; B polls foo of A;
garbage is collected"""
SHARED = f"A edits foo=1; B polls foo of A; {COLLECTED}; A brings back foo=2"
PARTED = f"A unsubscribes from C; B unsubscribes from C; {SHARED}"
PARTED = PARTED.replace("B polls foo of A", "B polls foo of A; C polls foo of A", 1)
BACK = SHARED.replace("A deletes", "A backs up; A deletes").replace("A brings", "B brings")
KEPT = "A edits foo=1; A backs up; A edits foo=2; B polls foo of A; garbage is collected"
SEEN = "A subscribes to C; A polls foo of C; B subscribes to C; B polls foo of A"
PURGED = "B polls foo of A; A polls foo of B; A subscribes to C; A polls foo of C"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (f"3 clients; {PARTED}; C polls foo of A", 1),
        (f"3 clients; {PARTED}; {PURGED}; A polls foo of C", 2),
        (f"3 clients, settled at the end; {PARTED}; {SEEN}", 1),
        (f"2 clients; {SHARED}; C joins with foo=1; C polls foo of A", 1),
        (f"2 clients; {BACK}; A is set back; A polls foo of B", 1),
        (f"2 clients; {KEPT}; A is set back; A polls foo of B", 0),
    ],
)
def test_laws_ask_for_no_poll_that_met_a_collected_snapshot(text: str, asked: int) -> None:
    examination = HISTORIES.examine(told(text.replace("\n", " ")), "repaired")
    assert examination.violations == ()
    assert examination.vacuous.get("purging-harmless", 0) == asked
    assert examination.checked["purging-harmless"] >= 2


def test_one_resolver_settles_a_history() -> None:
    history = told(
        "2 clients, settled at the end; A edits foo=1; B edits foo=2; C joins with foo=3"
    )
    examination = HISTORIES.examine(history, "repaired")
    assert examination.checked["one-resolver-is-enough"] == 2
    assert examination.violations == ()
    assert broken(history, "literal") >= {
        ("one-resolver-is-enough", "version-maps: conflicts are left")
    }


def entries_of(file: cd.LocalFile[cd.VersionMap]) -> dict[str, int]:
    """The own entries of the clients whose conflict files are there, or went away offline."""
    return {
        nickname: held.version[nickname]
        for held in (*file.conflicts, *(file.waiting or ()))
        for nickname in held.nicknames
        if nickname in held.version
    }


@pytest.mark.parametrize("reading", cd.READINGS.values(), ids=list(cd.READINGS))
def test_the_conflict_version_map_has_the_entries_of_the_conflict_files(
    reading: cd.Reading,
) -> None:
    conflicts = 0
    for index in range(100):
        history = drawn("default", index)
        run = new_run("version-maps", reading, history.clients)
        for event in history.events:
            run.take(event)
            for client in run.folder.clients.values():
                for file in client.files.values():
                    assert file.conflict_version_map == entries_of(file)
                    conflicts += len(file.conflict_version_map)
    assert conflicts > 1_000


# ground truth


@given(st.lists(st.integers(min_value=0), max_size=9), st.data())
def test_the_bit_sets_say_the_same_as_the_graph(masks: list[int], data: st.DataObject) -> None:
    closure: Closure = ()
    dag: dict[int, tuple[int, ...]] = {}
    for version, mask in enumerate(masks):
        had = mask & ((1 << version) - 1)
        dag[version] = tuple(each for each in range(version) if had >> each & 1)
        closure = extend_closure(closure, had)
    if not dag:
        return
    ours = data.draw(st.none() | st.sampled_from(sorted(dag)))
    theirs = data.draw(st.sampled_from(sorted(dag)))
    expected = cd.desired_classification(dag, ours, theirs)
    assert classify_by_closure(closure, ours, theirs) is expected
