"""Examining a history runs it in both designs, beside ground truth, and checks the laws."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.systems.conflict_detection.histories import HISTORIES
from rejoin_conformance.systems.conflict_detection.histories.events import (
    BackUp,
    Change,
    Collect,
    ComeBack,
    Delete,
    Discard,
    Edit,
    Event,
    GoOffline,
    History,
    Join,
    Poll,
    PollAll,
    PollAndStop,
    Resolve,
    SetBack,
    Undelete,
)
from rejoin_conformance.systems.conflict_detection.histories.profiles import PROFILES
from rejoin_conformance.systems.conflict_detection.laws import LAWS
from rejoin_conformance.systems.conflict_detection.operations.scenario import SCENARIO

READINGS = ("repaired", "literal")

A, B, C = 0, 1, 2

LITERAL_STALE = History(
    2, (Edit(A, "foo", 1), Poll(B, A, "foo"), Edit(A, "foo", 2), Poll(A, B, "foo"))
)
"""A overtakes B, and looks at it."""


def made(profile: str, index: int) -> History:
    return HISTORIES.generate(profile, history_seed(1, "conflict-detection", profile, index))


@cache
def examined(profile: str, index: int, reading: str) -> Examination:
    """Examine a random history, once for all tests."""
    return HISTORIES.examine(made(profile, index), reading)


def broken(history: History, reading: str) -> set[tuple[str, str]]:
    return {(each.law, each.kind) for each in HISTORIES.examine(history, reading).violations}


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("profile", list(PROFILES))
def test_claimed_laws_hold(profile: str, reading: str) -> None:
    claimed = {law.name for law in LAWS if reading in law.claimed_by}
    for index in range({"long": 15, "large": 3}.get(profile, 60)):
        found = {each.law for each in examined(profile, index, reading).violations}
        assert found & claimed == set(), index


def test_every_law_is_checked_by_some_default_history() -> None:
    checked: set[str] = set()
    for index in range(150):
        checked |= {
            law for law, count in examined("default", index, "repaired").checked.items() if count
        }
    assert checked == {law.name for law in LAWS}


def test_a_stale_version_is_a_finding_in_the_literal_reading() -> None:
    assert broken(LITERAL_STALE, "repaired") == set()
    assert broken(LITERAL_STALE, "literal") == {
        ("no-false-conflict", "snapshots: stale taken for conflict"),
        ("no-false-conflict", "version-maps: stale taken for conflict"),
        ("settled-conflicts-go", "snapshots"),
        ("settled-conflicts-go", "version-maps"),
    }


def test_evidence_is_the_input_of_a_scenario_that_shows_the_violation() -> None:
    violation = next(
        each
        for each in HISTORIES.examine(LITERAL_STALE, "literal").violations
        if each.kind == "snapshots: stale taken for conflict"
    )
    assert violation.evidence["operation"] == SCENARIO.name
    value = violation.evidence["input"]
    assert isinstance(value, dict)
    result = SCENARIO.run(value, "literal")
    assert isinstance(result, Output)
    steps = result.value["steps"]
    assert isinstance(steps, list)
    last = steps[-1]
    assert isinstance(last, dict)
    assert last["classification"] == "conflict"


def test_what_cannot_be_done_is_left_out_and_counted() -> None:
    history = History(2, (Resolve(A, "foo", 0, 1), Poll(C, A, "foo"), Undelete(A, "foo", 2)))
    coverage = HISTORIES.examine(history, "repaired").coverage
    assert coverage["ignored:no-conflict"] == 1
    assert coverage["ignored:not-there"] == 1
    assert coverage["ignored:not-deleted"] == 1


def test_designs_are_not_compared_once_two_uploads_made_the_same_snapshot() -> None:
    events: tuple[Event, ...] = (
        Edit(A, "foo", 1),
        Poll(B, A, "foo"),
        Delete(A, "foo"),
        Delete(B, "foo"),
        Poll(A, B, "foo"),
    )
    examination = HISTORIES.examine(History(2, events), "repaired")
    assert examination.vacuous["designs-agree"] == 2
    assert examination.violations == ()


def test_deleting_a_conflict_file_resolves_its_conflict_in_both_designs() -> None:
    events: tuple[Event, ...] = (
        Edit(A, "foo", 1),
        Edit(B, "foo", 2),
        Poll(A, B, "foo"),
        Discard(A, "foo", 0),
        Poll(B, A, "foo"),
    )
    examination = HISTORIES.examine(History(2, events), "repaired")
    assert examination.violations == ()
    assert examination.coverage["poll:overwrite"] == 1
    assert examination.coverage["shape:parents:2"] == 1


def test_one_resolver_settles_a_history() -> None:
    events: tuple[Event, ...] = (Edit(A, "foo", 1), Edit(B, "foo", 2), Join(C, (("foo", 3),)))
    examination = HISTORIES.examine(History(2, events, settles=True), "repaired")
    assert examination.checked["one-resolver-is-enough"] == 2
    assert examination.violations == ()
    assert broken(History(2, events, settles=True), "literal") >= {
        ("one-resolver-is-enough", "version-maps: conflicts are left")
    }


def test_a_removed_link_to_a_deletion_keeps_one_resolver_from_being_enough() -> None:
    """The premise of that law: B holds a conflict with C, whom B's deletion never reaches."""
    events: tuple[Event, ...] = (
        Edit(A, "foo", 1),
        PollAll(B, A),
        Delete(B, "foo"),
        PollAll(A, B),
        PollAll(B, A),
        Join(C, (("foo", 2),)),
        Collect(),
    )
    examination = HISTORIES.examine(History(2, events, settles=True), "repaired")
    assert examination.checked["deletions-known"] > 0
    assert examination.vacuous["one-resolver-is-enough"] == 1


def test_an_examination_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from rejoin_conformance.contract.history import history_seed\n"
        "from rejoin_conformance.systems.conflict_detection.histories import HISTORIES\n"
        "for index in range(20):\n"
        "    seed = history_seed(1, 'conflict-detection', 'adversarial', index)\n"
        "    history = HISTORIES.generate('adversarial', seed)\n"
        f"    for reading in {READINGS}:\n"
        "        print(HISTORIES.examine(history, reading).digest.hex())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1


def coverage_of(profile: str, histories: int) -> set[str]:
    return {
        key for index in range(histories) for key in examined(profile, index, "repaired").coverage
    }


def test_two_profiles_reach_what_default_never_draws() -> None:
    default = coverage_of("default", 40)
    interrupted, restored = coverage_of("interrupted", 120), coverage_of("restored", 120)
    late = {
        "event:change",
        "event:upload",
        "event:poll-and-stop",
        "clause:CD-OVERWRITE-UNSAVED",
        "clause:CD-OVERWRITE-INTERRUPTED",
        "unsaved:before-the-first-version",
        "stopped:during-an-overwrite",
        "finished:unchanged",
    }
    again = {
        "event:back-up",
        "event:set-back",
        "clause:CD-SET-BACK",
        "set-back:to-other-files",
        "set-back:to-the-same-files",
    }
    assert late | {"finished:and-uploads"} <= interrupted - default
    assert late | again <= restored - default


HELD_BEFORE_ITS_FIRST_VERSION = History(
    2,
    (
        Change(B, "foo", 1),
        Edit(A, "foo", 2),
        Poll(B, A, "foo"),
        Edit(A, "foo", 3),
        Delete(B, "foo"),
        Poll(B, A, "foo"),
    ),
)
IN_THE_MIDDLE = History(
    2,
    (
        Edit(B, "foo", 1),
        PollAndStop(A, B, "foo"),
        BackUp(A),
        ComeBack(A),
        SetBack(A),
        Edit(A, "foo", 2),
        GoOffline(A),
        ComeBack(A),
        Poll(B, A, "foo"),
    ),
)


@pytest.mark.parametrize("history", [HELD_BEFORE_ITS_FIRST_VERSION, IN_THE_MIDDLE])
def test_mishaps_in_a_row_break_no_law(history: History) -> None:
    assert broken(history, "repaired") == set()


def test_a_backup_in_the_middle_of_an_overwrite_loses_no_later_work() -> None:
    outcome: Any = HISTORIES.outcome(IN_THE_MIDDLE, "repaired")
    assert outcome["held"]["snapshots"] == {"A": {"foo": "2"}, "B": {"foo": "2"}}
    assert outcome["held"]["version-maps"] == outcome["held"]["snapshots"]


def test_version_maps_of_a_client_that_was_set_back_are_not_judged() -> None:
    history = History(
        2,
        (
            BackUp(A),
            Edit(A, "foo", 1),
            Edit(A, "foo", 2),
            Poll(B, A, "foo"),
            SetBack(A),
            Edit(A, "foo", 3),
            Poll(A, B, "foo"),
        ),
    )
    examination = HISTORIES.examine(history, "repaired")
    assert examination.violations == ()
    assert examination.vacuous["no-false-overwrite"] > 0
    outcome: Any = HISTORIES.outcome(history, "repaired")
    assert outcome["held"]["version-maps"]["A"] == {"foo": "2"}
    assert outcome["held"]["snapshots"]["A"] == {"foo": "3", "foo.conflict-B": "2"}
